"""Gradle."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run, verdict

MARKS = ("tests completed", "test completed", "BUILD FAILED in", "BUILD SUCCESSFUL in", " FAILED\n", "FAILURE: Build failed")
_SUMMARY: Final = re.compile(r"(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?")
_NAMED: Final = re.compile(r"(?m)^(\S.* > .+?)(?:\(\))? FAILED$")
_PASSED: Final = re.compile(r"(?m)^\S.* > .+ PASSED$")


def read(text: str) -> TestRun | None:
    """`3 tests completed, 1 failed`, else the build's own verdict. A failed compile task means that no test could run."""
    summary = _SUMMARY.search(text)
    failing = _NAMED.findall(text)
    if summary:
        total, failed, skipped = int(summary[1]), number(summary[2]), number(summary[3])
        return run("gradle", passed=total - failed - skipped, failed=failed, skipped=skipped, failing=failing)
    if "BUILD SUCCESSFUL" in text:
        passed = len(_PASSED.findall(text))
        return run("gradle", passed=passed, outcome="passed") if passed else verdict("gradle", "passed")
    if "BUILD FAILED" not in text and "FAILURE: Build failed" not in text:
        return None
    compiling = re.search(r"Execution failed for task ':[\w:-]*compile\w*'", text)
    return verdict("gradle", "error" if compiling else "failed", failing)
