"""PHPUnit and Pest."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("Assertions: ", " assertions)")
_OK: Final = re.compile(r"(?m)^OK \((\d+) tests?, \d+ assertions?\)")
_SUMMARY: Final = re.compile(r"(?m)^Tests: (\d+), Assertions: \d+(?P<rest>.*)$")
_PEST: Final = re.compile(r"Tests:\s+(?P<parts>.*) \(\d+ assertions\)")
_NAMED: Final = re.compile(r"(?m)^\d+\) ([\w\\]+::\w+)")


def read(text: str) -> TestRun | None:
    """`OK (5 tests, 10 assertions)` or `Tests: 5, Assertions: 10, Failures: 1.` at the end."""
    good = _OK.search(text)
    if good:
        return run("phpunit", passed=int(good[1]))
    summary = _SUMMARY.search(text)
    if summary:
        rest = dict(re.findall(r"(\w+): (\d+)", summary["rest"]))
        failed, errors, skipped = (number(rest.get(key)) for key in ("Failures", "Errors", "Skipped"))
        passed = max(0, int(summary[1]) - failed - errors - skipped)
        return run("phpunit", passed=passed, failed=failed, errors=errors, skipped=skipped, failing=_NAMED.findall(text))
    pest = _PEST.search(text)
    if pest is None:
        return None
    parts = {word: number(count) for count, word in re.findall(r"(\d+) (failed|passed|skipped)", pest["parts"])}
    return run("phpunit", passed=parts.get("passed", 0), failed=parts.get("failed", 0), skipped=parts.get("skipped", 0))
