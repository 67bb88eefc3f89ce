"""Events of the `checkpoints` and `errors` topics."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from streams.events.base import Count, EventBase


class TestCounts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Counts of one test run."""

    __test__ = False  # not a test case for pytest

    passed: Count = 0
    failed: Count = 0
    errors: Count = 0
    skipped: Count = 0


class Checkpoint(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="checkpoint"):
    """A snapshot of the work, with its score where the harness gives one."""

    label: str = ""
    commit: str = ""
    score: Annotated[float, Meta(ge=0, le=100)] | None = None
    tests: TestCounts | None = None


class Error(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="error"):
    """An error that the harness reports by itself."""

    error_type: Annotated[str, Meta(description="test_failure, build_error, runtime_crash, lint_error, tool_error, …")] = ""
    message: str = ""
    fingerprint: Annotated[str, Meta(description="what makes two errors the same; empty: type and first line")] = ""
    resolves: Annotated[str, Meta(description="fingerprint of the error that this event says is over")] = ""
