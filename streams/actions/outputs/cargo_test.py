"""`cargo test` and `cargo nextest`."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Outcome, TestRun
from streams.actions.outputs.base import number, run

MARKS = ("test result:", "could not compile", "tests run:")
_RESULT: Final = re.compile(r"(?m)^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored")
_NAMED: Final = re.compile(
    r"(?m)^test (\S+)(?: - should panic)? \.\.\. FAILED|^[ \t]+FAIL \[[^\]]*\]\s+(?:\([^)]*\)\s+)?(\S+ \S+)"
)
_NEXTEST: Final = re.compile(r"(\d+) tests? run: (\d+) passed(?: \([^)]*\))?(?:, (\d+) failed)?(?:, (\d+) skipped)?")


def read(text: str) -> TestRun | None:
    """All `test result:` lines added up; what does not compile could not run."""
    results = _RESULT.findall(text)
    failing = [first or second for first, second in _NAMED.findall(text)]
    if results:
        passed, failed, skipped = (sum(int(result[place]) for result in results) for place in range(3))
        outcome: Outcome | None = "passed" if not failed else "failed"
        return run("cargo", passed=passed, failed=failed, skipped=skipped, failing=failing, outcome=outcome)
    nextest = _NEXTEST.search(text)
    if nextest:
        return run("cargo", passed=int(nextest[2]), failed=number(nextest[3]), skipped=number(nextest[4]), failing=failing)
    return run("cargo", outcome="error") if "could not compile" in text else None
