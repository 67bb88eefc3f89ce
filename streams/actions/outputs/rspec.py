"""RSpec."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Outcome, TestRun
from streams.actions.outputs.base import number, run

MARKS = (" examples,", " example,")
_SUMMARY: Final = re.compile(r"(?m)^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, (\d+) errors? occurred outside)?")
_NAMED: Final = re.compile(r"(?m)^rspec (\S+)")


def read(text: str) -> TestRun | None:
    """`5 examples, 1 failure, 1 pending`; errors outside of examples with none run mean that it could not run."""
    summary = _SUMMARY.search(text)
    if summary is None:
        return None
    total, failed, skipped, outside = int(summary[1]), int(summary[2]), number(summary[3]), number(summary[4])
    outcome: Outcome | None = "error" if outside and not total else None
    passed = max(0, total - failed - skipped)
    return run(
        "rspec", passed=passed, failed=failed, errors=outside, skipped=skipped, failing=_NAMED.findall(text), outcome=outcome
    )
