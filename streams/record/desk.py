"""Where a contestant works: each thing it does is done, timed and put on record as an event."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from streams.events import Checkpoint, Event, Message, Micros, Plan, RunStarted, Submission, ToolCall
from streams.record.task import NAME, TEXT
from streams.record.workspace import SHOWN, Done, Workspace

PRODUCER = "boutwatch.record"


def now() -> Micros:
    """The clock of the machine."""
    return Micros(time.time_ns() // 1000)


class Desk:
    """One contestant's run: `events` grows as it works. Ids and sequence numbers follow from the script alone."""

    def __init__(self, contestant: str, workspace: Workspace, *, pace: float = 1) -> None:
        self.contestant, self.workspace, self._pace = contestant, workspace, pace
        self.events: list[Event] = []
        self._calls = 0

    def pause(self, seconds: float) -> None:
        """The scripted pause before a step, divided by the pace."""
        time.sleep(seconds / self._pace)

    def _names(self) -> dict[str, Any]:
        seq = len(self.events)
        return {
            "match_id": NAME,
            "contestant_id": self.contestant,
            "event_id": f"{self.contestant}-{seq:03d}",
            "seq": seq,
            "producer": PRODUCER,
        }

    def start(self) -> None:
        """Begin, with the task as the user's message."""
        self.events.append(RunStarted(**self._names(), at=now(), cwd=SHOWN, harness="scripted"))
        self.events.append(Message(**self._names(), at=now(), role="user", text=TEXT))

    def say(self, text: str, confidence: float | None) -> None:
        """Say something."""
        self.events.append(Message(**self._names(), at=now(), text=text, confidence=confidence))

    def plan(self, items: tuple[str, ...], *, is_change: bool) -> None:
        """Write or change the plan."""
        self.events.append(Plan(**self._names(), at=now(), items=items, is_change=is_change))

    def call(self, tool: str, arguments: dict[str, str], do: Callable[[], Done], *, two_phases: bool = False) -> None:
        """Do a tool call. A long one is told in two events, as it starts and as it ends."""
        self._calls += 1
        call_id = f"{self.contestant}-call-{self._calls:02d}"
        asked: dict[str, Any] = {"call_id": call_id, "tool": tool, "arguments": arguments, "cwd": SHOWN}
        started = now()
        if two_phases:
            self.events.append(ToolCall(**self._names(), **asked, at=started, started_at=started))
            asked = {"call_id": call_id}
        done = do()
        ended = now()
        told: dict[str, Any] = {"output": done.output, "exit_code": done.exit_code, "files": done.files}
        times: dict[str, Any] = {"at": ended, "started_at": started, "ended_at": ended}
        self.events.append(ToolCall(**self._names(), **asked, **times, **told, status="ok" if done.ok else "failed"))

    def checkpoint(self, label: str) -> None:
        """The harness notes the commit."""
        self.events.append(Checkpoint(**self._names(), at=now(), label=label, commit=self.workspace.commit))

    def submit(self, text: str) -> None:
        """Hand in."""
        self.events.append(Submission(**self._names(), at=now(), commit=self.workspace.commit, text=text))
