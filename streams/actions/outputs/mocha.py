"""Mocha and Cypress."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = (" passing", " failing")
_COUNT: Final = re.compile(r"(?m)^[ \t]*(?:[✓✔✗]\s*)?(\d+) (passing|failing|pending)\b")
_NAMED: Final = re.compile(r"(?m)^  \d+\) (.+)\n((?: {5,}.+\n)*? {5,}.+):\n")


def read(text: str) -> TestRun | None:
    """`2 passing (10ms)`, `1 failing`, `1 pending`."""
    counts = {word: number(count) for count, word in _COUNT.findall(text)}
    if "passing" not in counts and "failing" not in counts:
        return None
    failing = [" ".join([suite, *inner.split()]) for suite, inner in _NAMED.findall(text)]
    return run(
        "mocha",
        passed=counts.get("passing", 0),
        failed=counts.get("failing", 0),
        skipped=counts.get("pending", 0),
        failing=failing,
    )
