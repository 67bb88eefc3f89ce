"""Events of the `evidence` topic: what graders, sandboxes and claims put on record."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from streams.events.base import Count, EventBase

Severity = Literal["critical", "high", "medium", "low"]
TestOutcome = Literal["passed", "failed", "error", "skipped"]


class TestResult(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="test_result"):
    """One test of the grader, one attempt."""

    __test__ = False  # not a test case for pytest

    name: str
    suite: Literal["static", "hidden", "invariant"] = "static"
    severity: Literal["critical", "high", "medium"] = "medium"
    outcome: TestOutcome = "passed"
    attempt: Count = 0
    duration_s: Annotated[float, Meta(ge=0)] | None = None
    log_ref: str = ""


class BuildResult(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="build_result"):
    """The grader's build."""

    ok: bool
    log_ref: str = ""


class Crash(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="crash"):
    """A crash or unhandled exception of the work under the grader."""

    message: str = ""
    log_ref: str = ""


class Benchmark(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="benchmark"):
    """A performance figure of the work."""

    name: str
    value: float
    unit: str = ""
    reference: float | None = None


class SecurityFinding(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="security_finding"):
    """A finding of a security scanner."""

    rule: str = ""
    severity: Severity = "medium"
    path: str = ""
    message: str = ""


class SandboxRecord(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="sandbox_record"):
    """What the sandbox saw, below the contestant's own account."""

    source: str = ""
    action: Annotated[str, Meta(description="open, connect, exec, dns, …")] = ""
    target: str = ""
    decision: Literal["allowed", "blocked"] = "allowed"
    process: str = ""


class Artifact(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="artifact"):
    """Something delivered: plan, diff, deliverable, final output."""

    role: str = ""
    text: str = ""
    ref: str = ""


class Claim(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="claim"):
    """A statement about the work that somebody extracted."""

    text: str = ""
    claim_type: Annotated[
        str,
        Meta(description="root_cause, fix_assertion, completeness, risk_flag, uncertainty, no_change_needed"),
    ] = ""
    confidence: Annotated[float, Meta(ge=0, le=1)] | Literal["high", "medium", "low"] | None = None
