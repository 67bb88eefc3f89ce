"""Jest."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("Tests:  ", "Test Suites:", "Test suite failed to run")
_TESTS: Final = re.compile(r"(?m)^Tests:\s+(.*\btotal)")
_SUITES: Final = re.compile(r"(?m)^Test Suites:\s+(.*\btotal)")
_NAMED: Final = re.compile(r"(?m)^[ \t]*● (.+? › .+?)\s*$")


def read(text: str) -> TestRun | None:
    """`Tests: 1 failed, 2 passed, 3 total`; suites that failed to run are errors."""
    tests = _TESTS.search(text)
    suites = _SUITES.search(text)
    if tests is None and suites is None:
        return None
    counts = _counts(tests[1]) if tests else {}
    broken = text.count("Test suite failed to run")
    failed, passed = counts.get("failed", 0), counts.get("passed", 0)
    failing = [name for name in _NAMED.findall(text) if not name.startswith("Console")]
    if broken and not failed and not passed:
        return run("jest", errors=broken, outcome="error")
    skipped = counts.get("skipped", 0) + counts.get("todo", 0)
    if not counts and suites and "failed" in suites[1]:
        return run("jest", outcome="failed", failing=failing)
    return run("jest", passed=passed, failed=failed, errors=broken, skipped=skipped, failing=failing)


def _counts(text: str) -> dict[str, int]:
    return {word: number(count) for count, word in re.findall(r"(\d+) (failed|passed|skipped|todo|total)", text)}
