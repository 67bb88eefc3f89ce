"""`go test`, plain and `-v`."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Outcome, TestRun
from streams.actions.outputs.base import run

MARKS = ("ok  \t", "FAIL\t", "--- FAIL", "--- PASS", "[no test files]", "\nPASS\n")
_TEST: Final = re.compile(r"(?m)^[ \t]*--- (PASS|FAIL|SKIP): (\S+)")
_PACKAGE: Final = re.compile(r"(?m)^(ok|FAIL|\?|---)?\s*\t?(\S+)\t")
_BROKEN: Final = re.compile(r"(?m)^FAIL\t(\S+) \[(?:build|setup) failed\]")
_OK: Final = re.compile(r"(?m)^ok  \t(\S+)")
_FAIL: Final = re.compile(r"(?m)^FAIL\t(\S+)\t")


def read(text: str) -> TestRun | None:
    """Tests where they are named, else packages. A package that does not build could not run."""
    tests = _TEST.findall(text)
    good, bad, broken = _OK.findall(text), _FAIL.findall(text), _BROKEN.findall(text)
    if not (tests or good or bad or broken):
        return None
    failing = [name for word, name in tests if word == "FAIL"]
    passed = sum(word == "PASS" for word, _ in tests) or (0 if failing else len(good))
    skipped = sum(word == "SKIP" for word, _ in tests)
    failed = len(failing) or len(bad)
    outcome: Outcome | None = "error" if broken and not failed else None
    return run(
        "go", passed=passed, failed=failed, errors=len(broken), skipped=skipped, failing=[*failing, *broken], outcome=outcome
    )
