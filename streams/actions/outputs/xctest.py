"""XCTest and Swift Testing."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("Executed ", "Test run with ")
_SUMMARY: Final = re.compile(r"Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?")
_NAMED: Final = re.compile(r"Test Case '-?\[?([^\]']+)\]?' failed")


def read(text: str) -> TestRun | None:
    """The last `Executed 5 tests, with 1 failure` is of all."""
    found = _SUMMARY.findall(text)
    if not found:
        return None
    total, skipped, failed = (number(part) for part in found[-1])
    return run("xctest", passed=max(0, total - failed - skipped), failed=failed, skipped=skipped, failing=_NAMED.findall(text))
