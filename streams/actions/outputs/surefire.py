"""Maven's surefire and failsafe, and JUnit's console launcher."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import run, verdict

MARKS = ("Tests run:", "COMPILATION ERROR", "BUILD FAILURE", "BUILD SUCCESS\n", "tests successful")
_SUMMARY: Final = re.compile(r"Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?:, Skipped: (\d+))?(?!.*Time elapsed)")
_NAMED: Final = re.compile(r"(?m)^\[ERROR\]\s+(?:Failures: |Errors: )?([\w.$]+[.:][\w$]+(?:\[\d+\])?)(?::\d+| »|->)")
_CONSOLE: Final = re.compile(r"\[\s*(\d+) tests (successful|failed|skipped|aborted)\s*\]")


def read(text: str) -> TestRun | None:
    """The summaries of all modules added up; what does not compile could not run its tests."""
    found = _SUMMARY.findall(text)
    if found:
        total, failed, errors, skipped = (sum(int(item[place] or 0) for item in found) for place in range(4))
        passed = max(0, total - failed - errors - skipped)
        return run("surefire", passed=passed, failed=failed, errors=errors, skipped=skipped, failing=_NAMED.findall(text))
    console = {word: int(count) for count, word in _CONSOLE.findall(text)}
    if console:
        return run(
            "junit", passed=console.get("successful", 0), failed=console.get("failed", 0), skipped=console.get("skipped", 0)
        )
    if "COMPILATION ERROR" in text:
        return verdict("surefire", "error")
    return verdict("surefire", "failed") if "BUILD FAILURE" in text and "[ERROR]" in text else None
