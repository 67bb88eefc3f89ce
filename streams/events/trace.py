"""Events of the `traces` topic: what the contestant does and says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from streams.events.base import Count, EventBase
from streams.events.times import Micros

CallStatus = Literal["ok", "failed", "interrupted", "pending", "denied"]
ExitCode = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
Fraction = Annotated[float, Meta(ge=0, le=1)]


class FileChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that a call changed, where the harness knows."""

    path: Annotated[str, Meta(min_length=1)]
    before: Annotated[str, Meta(description="content hash before; empty: unknown or new")] = ""
    after: Annotated[str, Meta(description="content hash after; empty: unknown or deleted")] = ""
    added: Annotated[Count | None, Meta(description="lines added")] = None
    removed: Annotated[Count | None, Meta(description="lines removed")] = None


class ToolCall(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="tool_call"):
    """One tool call: sent once at its end, or at its start and again at its end with the same `call_id`.

    `at` of an event that has `ended_at` may be left out: it is the end then, else the start.
    """

    call_id: Annotated[str, Meta(max_length=256, description="joins the phases of one call; empty: one event, one call")] = ""
    tool: Annotated[str, Meta(max_length=256, description="the tool's name as the harness has it")] = ""
    arguments: Annotated[dict[str, Any] | str, Meta(description="as the harness has them")] = ""
    started_at: Micros | None = None
    ended_at: Micros | None = None
    status: Annotated[CallStatus | None, Meta(description="none: told from exit code and output")] = None
    exit_code: ExitCode | None = None
    output: str = ""
    cwd: str = ""
    files: tuple[FileChange, ...] = ()
    batch_id: Annotated[str, Meta(description="calls issued together share it")] = ""
    parent: Annotated[str, Meta(description="call id of the delegation that this sub-agent's call belongs to")] = ""

    @property
    def phase(self) -> str:
        """`start` (open), `pending` (still running, polled) or `end`; phases dedupe on run, call and phase."""
        if self.status == "pending":
            return "pending"
        closed = self.status is not None or self.ended_at is not None or self.exit_code is not None or self.output
        return "end" if closed else "start"


class Message(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="message"):
    """Something said: by the contestant, the user or the system."""

    role: Annotated[
        str,
        Meta(description="assistant, user, system; a synthetic or user message is not the contestant's own"),
    ] = "assistant"
    text: str = ""
    confidence: Fraction | Literal["high", "medium", "low"] | None = None


class Plan(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="plan"):
    """A plan or to-do list written or changed."""

    items: tuple[str, ...] = ()
    text: str = ""
    is_change: bool = False


class Context(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="context"):
    """How full the contestant's context window is."""

    tokens: Count = 0
    window: Count = 0
