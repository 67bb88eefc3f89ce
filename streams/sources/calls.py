"""Joining what a file says about one tool call, in several rows, into one event at the call's end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from streams.events import Event, FileChange, Micros, Rejected, ToolCall
from streams.events.decode import clip
from streams.events.trace import CallStatus
from streams.sources.base import bounded, timing


@dataclass(slots=True)
class OpenCall:
    """A call under assembly. `place` is the row that it is emitted at: its start's, moved on to its end's."""

    call_id: str
    place: int
    tool: str = ""
    arguments: dict[str, Any] | str = ""
    started_at: Micros | None = None
    ended_at: Micros | None = None
    status: CallStatus | None = None
    exit_code: int | None = None
    output: str = ""
    cwd: str = ""
    files: tuple[FileChange, ...] = ()
    batch_id: str = ""
    parent: str = ""
    closed: bool = False
    """An answer was seen: without one only the call's start is known."""

    derived: bool = False
    """The times are told from other rows' times, not from the call's own."""

    def event(self, frame: dict[str, Any]) -> ToolCall:
        """The call as an event: its end where that is known, else its start."""
        at = self.ended_at if self.ended_at is not None else self.started_at
        call_id = bounded(self.call_id)
        call = ToolCall(
            **frame,
            call_id=call_id,
            tool=bounded(self.tool),
            arguments=self.arguments,
            started_at=self.started_at,
            ended_at=self.ended_at if self.closed else None,
            status=self.status if self.closed else None,
            exit_code=self.exit_code if self.closed else None,
            output=clip(self.output) if self.closed else "",
            cwd=self.cwd,
            files=self.files,
            batch_id=bounded(self.batch_id),
            parent=bounded(self.parent),
            **timing(at, derived=self.derived),
        )
        return replace(call, event_id=f"{call_id}#{call.phase}")


@dataclass(slots=True)
class Script:
    """What a file holds, by the row it belongs to: what is ready, and calls still under assembly."""

    frame: dict[str, Any]
    calls: dict[str, OpenCall] = field(default_factory=dict)
    _ready: list[tuple[int, Event | Rejected]] = field(default_factory=list)

    def add(self, place: int, item: Event | Rejected) -> None:
        """Put what is ready at its row."""
        self._ready.append((place, item))

    def start(self, call: OpenCall) -> bool:
        """Open a call; false where its id is known already (a repeated row)."""
        return self.calls.setdefault(call.call_id, call) is call

    def items(self) -> Iterator[Event | Rejected]:
        """All of it in file order, events numbered: the number keeps the order where times are equal or absent."""
        entries = [*self._ready, *((call.place, call.event(self.frame)) for call in self.calls.values())]
        entries.sort(key=lambda entry: entry[0])
        seen: set[str] = set()
        for _, item in entries:
            if isinstance(item, Rejected):
                yield item
                continue
            seq = len(seen)
            event_id = item.event_id if item.event_id not in seen else f"{item.event_id}~{seq}"
            seen.add(event_id)
            yield replace(item, seq=seq, event_id=event_id)
