"""The runner of SymPy's `bin/test` and `bin/doctest`."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("tests finished:",)
_SUMMARY: Final = re.compile(r"tests finished: (\d+) passed((?:, \d+ [a-z ]+)*)")
_PART: Final = re.compile(r"(\d+) (failed|skipped|exceptions|expected to fail but passed)")
_NAMED: Final = re.compile(r"(?m)^_{2,}\s*(\S+\.py:\w+)\s*_{2,}$")


def read(text: str) -> TestRun | None:
    """The summary line: `=== tests finished: 64 passed, 2 failed, 1 exceptions, in 0.77 seconds ===`."""
    summary = _SUMMARY.search(text)
    if summary is None:
        return None
    parts = {word: count for count, word in _PART.findall(summary[2])}
    return run(
        "sympy",
        passed=int(summary[1]),
        failed=number(parts.get("failed")),
        errors=number(parts.get("exceptions")),
        skipped=number(parts.get("skipped")),
        failing=_NAMED.findall(text),
    )
