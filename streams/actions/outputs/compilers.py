"""Compilers: gcc, clang, rustc, go build, javac, tsc."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import verdict

MARKS = (": error", "error TS", "error[E", "error: could not compile", "undefined reference", ": fatal error")
_TSC: Final = re.compile(r"(?m)^(\S+?)(?:\(\d+,\d+\):|:\d+:\d+ -) error (TS\d+)")
_NATIVE: Final = re.compile(r"(?m)^(\S+?):\d+:(?:\d+:)? (?:fatal )?error(?:\[E\d+\])?:")
_RUST: Final = re.compile(r"(?m)^error(?:\[E\d+\])?: (?!aborting|could not compile).+\n\s+--> (\S+?):\d+")


def read(text: str) -> TestRun | None:
    """Files with errors; the count is that of the messages."""
    for name, pattern in (("tsc", _TSC), ("gcc", _NATIVE), ("gcc", _RUST)):
        found = pattern.findall(text)
        if found:
            files = [item if isinstance(item, str) else item[0] for item in found]
            return verdict(name, "failed", files, errors=len(files))
    failed = "undefined reference" in text or "could not compile" in text
    return verdict("gcc", "failed") if failed else None
