"""What the readers share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from streams.actions.base import UNKNOWN, Outcome, TestRun

MAX_NAMES: Final = 200


def run(  # noqa: PLR0913 - what a run is known by
    framework: str,
    *,
    passed: int = 0,
    failed: int = 0,
    errors: int = 0,
    skipped: int = 0,
    failing: Iterable[str] = (),
    outcome: Outcome | None = None,
) -> TestRun:
    """A test run from its counts; with nothing failed it passed, with nothing run at all it could not run."""
    names = tuple(sorted({name.strip()[:300] for name in failing if name.strip()}))[:MAX_NAMES]
    if outcome is None:
        outcome = "failed" if failed or errors else "passed" if passed or skipped else "error"
    return TestRun(framework, outcome, passed, failed, errors, skipped, names)


def verdict(framework: str, outcome: Outcome, failing: Iterable[str] = (), errors: int = UNKNOWN) -> TestRun:
    """A run that gives no counts of tests: a compiler's or linter's."""
    return TestRun(framework, outcome, errors=errors, failing=tuple(sorted(set(failing)))[:MAX_NAMES])


def number(text: str | None) -> int:
    """A count that may be absent; bounded, since it comes from outside."""
    return int(text[:9]) if text else 0
