"""The calls of a whole run from its events: phases joined, actions revised by all that the run shows."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from streams.actions.base import Action, Answer, Ask
from streams.actions.question import ask
from streams.actions.reply import answer
from streams.actions.together import join
from streams.actions.workspace import learn, revise
from streams.events import Checkpoint, Event, ToolCall


class Call(Struct):
    """One call, or an event of the harness that counts as an action."""

    ref: str
    """The call's id; for an event that is no call, the event's."""

    at: int | None = None
    """When it began, else when it is first heard of; µs."""

    index: int | None = None
    """Its place among the calls, from 0; None for what is no call."""

    ask: Ask = Ask()
    answer: Answer | None = None
    actions: tuple[Action, ...] = ()


def calls_of(events: Iterable[Event]) -> list[Call]:
    """All calls in the order in which they began, each with its final actions.

    A call may come in several events, in any order: its question is that of whichever names the tool, its answer that of
    its end. Checkpoints stand among the calls by their time.
    """
    found: dict[str, Call] = {}
    for event in events:
        if isinstance(event, ToolCall):
            _take(found.setdefault(event.call_id or event.event_id, Call(event.call_id or event.event_id)), event)
        elif isinstance(event, Checkpoint):
            found[event.event_id] = Call(event.event_id, event.at, actions=(Action("checkpoint", status="ok"),))
    for call in found.values():
        if not call.actions:
            call.actions = join(call.ask, call.answer or Answer(status="pending"))
    knowledge = learn(call.actions for call in found.values())
    for call in found.values():
        call.actions = tuple(revise(action, knowledge) for action in call.actions)
    return _numbered(list(found.values()))


def _take(call: Call, event: ToolCall) -> None:
    """One phase of a call."""
    at = event.started_at if event.started_at is not None else event.at
    if at is not None and (call.at is None or at < call.at):
        call.at = at
    if event.tool or event.arguments:
        call.ask = ask(event.tool, event.arguments, event.cwd, event.files)
    if event.phase == "end":
        call.answer = answer(event.output, event.status, event.exit_code)


def _numbered(calls: list[Call]) -> list[Call]:
    """By start, where all have one; else as they came."""
    if all(call.at is not None for call in calls):
        calls.sort(key=lambda call: call.at or 0)
    number = 0
    for call in calls:
        if call.ask.same:
            call.index = number
            number += 1
    return calls
