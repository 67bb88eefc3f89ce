"""Linters and type checkers by their summaries: mypy, ruff, flake8, eslint, pylint, pyright."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, verdict

MARKS = (
    "Success: no issues",
    " error in ",
    " errors in ",
    "Found ",
    "All checks passed",
    " problems (",
    " problem (",
    "rated at",
    " errors, ",
)
_MYPY: Final = re.compile(r"(?m)^Found (\d+) errors? in \d+ files?")
_RUFF: Final = re.compile(r"(?m)^Found (\d+) errors?\b")
_ESLINT: Final = re.compile(r"✖ \d+ problems? \((\d+) errors?, (\d+) warnings?\)")
_PYRIGHT: Final = re.compile(r"(?m)^(\d+) errors?, \d+ warnings?")
_FILE: Final = re.compile(r"(?m)^(\S+?\.\w+):\d+(?::\d+)?: ")


def read(text: str) -> TestRun | None:
    """The count of errors in the summary line."""
    if "Success: no issues" in text:
        return verdict("mypy", "passed", errors=0)
    if "All checks passed" in text:
        return verdict("ruff", "passed", errors=0)
    for name, pattern in (("mypy", _MYPY), ("ruff", _RUFF), ("eslint", _ESLINT), ("pyright", _PYRIGHT)):
        found = pattern.search(text)
        if found:
            count = number(found[1])
            fixed = "0 remaining" in text
            return verdict(name, "failed" if count and not fixed else "passed", _FILE.findall(text), errors=count)
    return None
