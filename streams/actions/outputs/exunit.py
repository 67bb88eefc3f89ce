"""ExUnit (`mix test`)."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = (" tests, ", " test, ")
_SUMMARY: Final = re.compile(
    r"(?m)^(?:\d+ doctests?, )?(\d+) tests?, (\d+) failures?(?:, (\d+) invalid)?(?:, (\d+) (?:skipped|excluded))?\s*$"
)
_NAMED: Final = re.compile(r"(?m)^[ \t]+\d+\) (test .+ \([\w.]+\))$")


def read(text: str) -> TestRun | None:
    """`5 tests, 1 failure`."""
    summary = _SUMMARY.search(text)
    if summary is None:
        return None
    total, failed, invalid, skipped = (number(part) for part in summary.groups())
    return run(
        "exunit",
        passed=max(0, total - failed - invalid - skipped),
        failed=failed,
        errors=invalid,
        skipped=skipped,
        failing=_NAMED.findall(text),
    )
