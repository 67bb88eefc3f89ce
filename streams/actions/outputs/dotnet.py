"""`dotnet test`."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import run

MARKS = ("Failed:  ", "Passed:  ", "Total tests:")
_SUMMARY: Final = re.compile(r"(?:Passed|Failed)!\s+- Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)")
_NAMED: Final = re.compile(r"(?m)^[ \t]*Failed ([\w.+]+(?:\([^)]*\))?) \[")


def read(text: str) -> TestRun | None:
    """`Failed!  - Failed: 1, Passed: 4, Skipped: 0`, of all projects."""
    found = _SUMMARY.findall(text)
    if not found:
        return None
    failed, passed, skipped = (sum(int(item[place]) for item in found) for place in range(3))
    return run("dotnet", passed=passed, failed=failed, skipped=skipped, failing=_NAMED.findall(text))
