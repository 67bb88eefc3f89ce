"""TAP, as `node --test`, tap and bats print it."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("# pass ", "ℹ pass ", "not ok ", "\nok 1 ", "ok 1 -")
_COUNT: Final = re.compile(r"(?m)^(?:#|ℹ) (pass|fail|skipped|todo|cancelled) +(\d+)")
_LINE: Final = re.compile(r"(?m)^(not ok|ok) \d+(?: -)? ?(.*)$")


def read(text: str) -> TestRun | None:
    """The counts at the end, else the lines themselves."""
    lines = _LINE.findall(text)
    failing = [name for word, name in lines if word == "not ok" and "# TODO" not in name]
    counts = {word: number(count) for word, count in _COUNT.findall(text)}
    if counts:
        failed = counts.get("fail", 0) + counts.get("cancelled", 0)
        return run("tap", passed=counts.get("pass", 0), failed=failed, skipped=counts.get("skipped", 0), failing=failing)
    return run("tap", passed=len(lines) - len(failing), failed=len(failing), failing=failing) if lines else None
