"""Vitest."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Outcome, TestRun
from streams.actions.outputs.base import number, run

MARKS = ("Test Files  ", "No test files found", "Test Files \x1b")
_COLOUR: Final = re.compile(r"\x1b\[[\d;]*m")
_TESTS: Final = re.compile(r"(?m)^[ \t]*Tests\s+((?:\d+ \w+(?: \| )?)+)\s*\((\d+)\)")
_FILES: Final = re.compile(r"(?m)^[ \t]*Test Files\s+((?:\d+ \w+(?: \| )?)+)\s*\(\d+\)")
_NAMED: Final = re.compile(r"(?m)^[ \t]*FAIL\s+(\S.*? > .+?)\s*$")


def read(text: str) -> TestRun | None:
    """`Tests  1 failed | 15 skipped (16)`; files that failed with no failing test could not run."""
    plain = _COLOUR.sub("", text) if "\x1b" in text else text
    tests, files = _TESTS.search(plain), _FILES.search(plain)
    if tests is None and files is None:
        return run("vitest", outcome="error") if "No test files found" in plain else None
    counts = _counts(tests[1]) if tests else {}
    failed, passed = counts.get("failed", 0), counts.get("passed", 0)
    broken = _counts(files[1]).get("failed", 0) if files and not failed else 0
    skipped = counts.get("skipped", 0) + counts.get("todo", 0)
    outcome: Outcome | None = "error" if broken and not passed else None
    return run(
        "vitest", passed=passed, failed=failed, errors=broken, skipped=skipped, failing=_NAMED.findall(plain), outcome=outcome
    )


def _counts(text: str) -> dict[str, int]:
    return {word: number(count) for count, word in re.findall(r"(\d+) (\w+)", text)}
