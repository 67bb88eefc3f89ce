"""Minitest, test-unit, and Rails."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = (" assertions, ",)
_SUMMARY: Final = re.compile(
    r"(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors(?:, \d+ pendings)?(?:, (\d+) (?:skips|omissions))?"
)
_NAMED: Final = re.compile(r"(?m)^[ \t]*(?:\d+\) )?(?:Failure|Error):\n?\s*([\w:]+#\w+)")


def read(text: str) -> TestRun | None:
    """`5 runs, 10 assertions, 1 failures, 0 errors, 0 skips`."""
    summary = _SUMMARY.search(text)
    if summary is None:
        return None
    total, failed, errors, skipped = (number(part) for part in summary.groups())
    return run(
        "minitest",
        passed=max(0, total - failed - errors - skipped),
        failed=failed,
        errors=errors,
        skipped=skipped,
        failing=_NAMED.findall(text),
    )
