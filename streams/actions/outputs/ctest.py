"""CTest, and meson's summary."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = ("% tests passed", "No tests were found", "\nOk:  ")
_SUMMARY: Final = re.compile(r"\d+% tests passed, (\d+) tests? failed out of (\d+)")
_NAMED: Final = re.compile(
    r"(?m)^[ \t]*\d+ - (\S+) \((?:Failed|SEGFAULT|Timeout|Not Run|Subprocess aborted|ILLEGAL|BAD_COMMAND)\)"
)
_MESON: Final = re.compile(r"(?m)^(Ok|Fail|Skipped|Timeout|Expected Fail|Unexpected Pass): +(\d+)")


def read(text: str) -> TestRun | None:
    """`50% tests passed, 1 tests failed out of 2`."""
    summary = _SUMMARY.search(text)
    if summary:
        failed, total = int(summary[1]), int(summary[2])
        return run("ctest", passed=total - failed, failed=failed, failing=_NAMED.findall(text))
    if "No tests were found" in text:
        return run("ctest", outcome="error")
    counts = {word: number(count) for word, count in _MESON.findall(text)}
    if "Ok" not in counts:
        return None
    return run(
        "meson", passed=counts["Ok"], failed=counts.get("Fail", 0) + counts.get("Timeout", 0), skipped=counts.get("Skipped", 0)
    )
