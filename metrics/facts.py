"""Events made small: what the metrics need of each event, and nothing of what they do not.

A fact is a few dozen bytes; the raw output of a tool call is read once, on arrival, and dropped. One event becomes one
fact, whatever came before it, so the set of facts is a function of the set of events.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct

from streams.actions import Whole, answer, ask, join, whole
from streams.actions.base import Action, Answer, Ask, Status
from streams.events import (
    Checkpoint,
    Error,
    Event,
    MatchEnded,
    MatchStarted,
    Message,
    Plan,
    RunEnded,
    RunStarted,
    Submission,
    ToolCall,
)
from streams.events.decode import content_hash

_SHORT: Final = 0xFFFF_FFFF
"""Hashes that are compared within one run only are kept in 32 bits."""

NO_TIME: Final = 0
"""An order time of zero: the event carries no usable time."""


class Done(Struct, frozen=True, array_like=True, tag=1, omit_defaults=True, gc=False):
    """A whole call in one event: its actions with their outcomes."""

    call: str
    start: int
    end: int
    tool: str
    sub: str
    same: int
    status: str
    actions: tuple[Action, ...] = ()
    error: str = ""
    out: int = 0
    parent: str = ""


class Asked(Struct, frozen=True, array_like=True, tag=2, omit_defaults=True, gc=False):
    """A call that was begun."""

    call: str
    start: int
    ask: Ask
    parent: str = ""
    pending: bool = False


class Answered(Struct, frozen=True, array_like=True, tag=3, omit_defaults=True, gc=False):
    """The end of a call that was begun in another event."""

    call: str
    start: int
    end: int
    answer: Answer


class Result(Struct, frozen=True, array_like=True, tag=4, omit_defaults=True, gc=False):
    """A checkpoint and its result, where it has one."""

    score: float | None = None
    passed: int = -1
    failed: int = -1
    commit: bool = False


class Fault(Struct, frozen=True, array_like=True, tag=5, omit_defaults=True, gc=False):
    """An error that the harness reported."""

    sort: str
    fingerprint: str
    line: str = ""
    resolves: str = ""


class Said(Struct, frozen=True, array_like=True, tag=6, omit_defaults=True, gc=False):
    """Something was said; `own` is false for a user's or a synthetic message."""

    own: bool = True
    content: int = 0


class Planned(Struct, frozen=True, array_like=True, tag=7, omit_defaults=True, gc=False):
    """A plan was written; `content` is the hash of its items."""

    content: int
    change: bool = False


class Noted(Struct, frozen=True, array_like=True, tag=8, omit_defaults=True, gc=False):
    """An event that moves no metric: it is counted, and its time counts as activity where it is the contestant's own."""

    kind: str
    content: int = 0


class Mark(Struct, frozen=True, array_like=True, tag=9, omit_defaults=True, gc=False):
    """The frame of a run: where it starts and ends, and the rules it runs under."""

    kind: str
    workspace: str = ""
    expected: tuple[str, ...] = ()
    reason: str = ""
    content: int = 0


Body = Done | Asked | Answered | Result | Fault | Said | Planned | Noted | Mark


class Fact(Struct, frozen=True, gc=False):
    """One event's fact with its place in the run: order is (at, seq, id)."""

    at: int
    seq: int
    id: str
    body: Body


def fact(event: Event) -> Fact:
    """The fact of an event: pure, never raises on a settled event.

    The order time of a call's end is its end, so that facts come in the order in which things became known.
    """
    if type(event) is ToolCall:
        return _call(event)
    body = _BODIES.get(type(event), _noted)(event)
    return Fact(int(event.at or NO_TIME), event.seq or 0, event.event_id, body)


def _said(event: Message) -> Body:
    return Said(event.role == "assistant", hash64(event.text))


def _planned(event: Plan) -> Body:
    return Planned(hash64("\n".join(event.items) or event.text), event.is_change)


def _result(event: Checkpoint) -> Body:
    tests = event.tests
    counts = (tests.passed, tests.failed + tests.errors) if tests else (-1, -1)
    return Result(event.score, *counts, commit=bool(event.commit))


def _fault(event: Error) -> Body:
    line = event.message.strip().split("\n", 1)[0][:200]
    return Fault(event.error_type, event.fingerprint or f"{event.error_type}: {line}", line, event.resolves)


def _rules(event: MatchStarted) -> Body:
    rules = event.rules
    return Mark("match_started", rules.workspace, rules.expected_paths, content=content_hash(event))


def _mark(event: RunStarted | Submission | MatchEnded) -> Body:
    return Mark(str(event.__struct_config__.tag), content=content_hash(event))


def _ended(event: RunEnded) -> Body:
    return Mark("run_ended", reason=event.reason[:200], content=content_hash(event))


def _noted(event: Event) -> Body:
    return Noted(str(event.__struct_config__.tag), content_hash(event))


_BODIES: Final[dict[type, Callable[[Any], Body]]] = {
    Message: _said,
    Plan: _planned,
    Checkpoint: _result,
    Error: _fault,
    MatchStarted: _rules,
    RunStarted: _mark,
    Submission: _mark,
    MatchEnded: _mark,
    RunEnded: _ended,
}


def _call(event: ToolCall) -> Fact:
    phase = event.phase
    event_id = event.event_id
    call = event.call_id or event_id
    if event_id == f"{call}#{phase}":
        call = ""  # the event's id says it already
    at = event.at
    end = int(event.ended_at or at or NO_TIME)
    start = int(event.started_at or end)
    body: Body
    if not event.tool and not event.arguments:
        body = Answered(call, start, end, answer(event.output, event.status, event.exit_code))
    elif phase == "end":
        body = _done(call, start, end, whole(event), event.parent)
    else:
        question = ask(event.tool, event.arguments, event.cwd, event.files)
        body = Asked(call, start, question, event.parent, pending=phase == "pending")
        end = int(event.started_at or at or NO_TIME)
    return Fact(end, event.seq or 0, event_id, body)


def _done(call: str, start: int, end: int, read: Whole, parent: str) -> Done:
    status = _status(read.status, read.actions)
    error = "" if status == "ok" else read.error
    same, out = read.same & _SHORT, read.out & _SHORT
    return Done(call, start, end, read.tool, read.sub, same, status, read.actions, error, out, parent)


def done(call: str, span: tuple[int, int], question: Ask, read: Answer, parent: str) -> Done:
    """A whole call from what it asked and how it ended; `span` is its start and end (µs)."""
    actions = join(question, read)
    # Only of a poll it matters whether its output changes.
    out = read.out & _SHORT if any(action.cls == "other" for action in actions) else 0
    same, status = question.same & _SHORT, _status(read.status, actions)
    error = "" if status == "ok" else read.error
    return Done(call, *span, question.tool, question.sub, same, status, actions, error, out, parent)


def _status(status: Status, actions: tuple[Action, ...]) -> Status:
    """A probing exit (`grep` 1, `diff` 1) is no failure: the actions say whether one of them failed."""
    if status != "failed":
        return status
    return "ok" if actions and all(action.status == "ok" for action in actions) else status


def call_of(item: Fact) -> str:
    """The id of the call that a fact is a part of; empty for a fact of no call."""
    if isinstance(item.body, Done | Asked | Answered):
        return item.body.call or item.id.rpartition("#")[0]
    return ""


def hash64(text: str) -> int:
    """64 bits of a text."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


_encode = msgspec.msgpack.Encoder(enc_hook=int).encode
_decode = msgspec.msgpack.Decoder(Body).decode
_OFFSET: Final = 1 << 63
_head = struct.Struct(">QQ").pack


def pack(item: Fact) -> bytes:
    """A fact as bytes that sort as facts do: time, sequence number, id, then the body."""
    name = item.id.encode("utf-8", "surrogatepass")
    return b"".join((_head(item.at + _OFFSET, item.seq), name, b"\0", _encode(item.body)))


def order_time(at: int) -> bytes:
    """The first eight bytes of a packed fact: its time, so that bytes sort as times do."""
    return (at + _OFFSET).to_bytes(8, "big")


def unpack(data: bytes) -> Fact:
    """The fact that `pack` made bytes of."""
    end = data.index(b"\0", 16)
    return Fact(
        int.from_bytes(data[:8], "big") - _OFFSET,
        int.from_bytes(data[8:16], "big"),
        data[16:end].decode("utf-8", "surrogatepass"),
        _decode(data[end + 1 :]),
    )


def identity(item: Fact) -> str:
    """What makes two events one: the call and its phase (`<call>#end`) for a tool call, else the event's id."""
    body = item.body
    if type(body) is Done:
        return f"{body.call}#end" if body.call else item.id  # an id that says it already
    if type(body) is Asked:
        return f"{call_of(item)}#{'pending' if body.pending else 'start'}"
    if type(body) is Answered:
        return f"{call_of(item)}#{'pending' if body.answer.status == 'pending' else 'end'}"
    return f"\0{item.id}"
