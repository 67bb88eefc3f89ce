"""CloudEvents modes and what fills in what."""

from __future__ import annotations

import json

import pytest

from streams.cloudevents import Headers, kind_of, read
from streams.events import Message, Rejected, ToolCall
from streams.events.decode import decoder

DECODE = decoder()
DATA = {"match_id": "m", "contestant_id": "c", "text": "hello"}
AT = "2026-01-01T00:00:00Z"


def got(value: object, *headers: tuple[str, bytes]) -> Message:
    """What is read; it must be a message."""
    event = read(json.dumps(value).encode(), headers, DECODE)
    assert isinstance(event, Message), event
    return event


BINARY: Headers = (("ce_id", b"one"), ("ce_type", b"boutwatch.message.v1"), ("ce_time", AT.encode()))


def test_binary_mode_fills_in_id_kind_and_time() -> None:
    """A plain value under headers that name its id, kind and time."""
    event = got(DATA, *BINARY)
    assert (event.event_id, event.text) == ("one", "hello")
    assert event == got({**DATA, "kind": "message", "event_id": "one", "at": AT})


def test_the_event_itself_wins_over_its_headers() -> None:
    """Headers fill in; they never replace."""
    whole = {**DATA, "kind": "message", "event_id": "own", "at": "2026-02-02T00:00:00Z"}
    assert got(whole, *BINARY) == got(whole)


@pytest.mark.parametrize("headers", [(), (("Content-Type", b"application/cloudevents+json; charset=utf-8"),)])
def test_structured_mode_is_unwrapped(headers: Headers) -> None:
    """An envelope is known by its content type, or by its looks where there are no headers."""
    envelope = {"specversion": "1.0", "id": "one", "type": "message", "source": "x", "time": AT, "data": DATA}
    event = read(json.dumps(envelope).encode(), headers, DECODE)
    assert event == got(DATA, *BINARY)


def test_a_call_with_its_own_end_keeps_that_time() -> None:
    """The envelope's time is when it was sent; a call that says when it ended knows better."""
    call = {"kind": "tool_call", "match_id": "m", "contestant_id": "c", "ended_at": "2026-01-01T00:00:05Z"}
    event = read(json.dumps(call).encode(), BINARY, DECODE)
    assert isinstance(event, ToolCall)
    assert event.at == event.ended_at


@pytest.mark.parametrize("value", [b"{", b"[]", b"7", b'{"specversion": "1.0", "data": 3}', b"\xff"])
@pytest.mark.parametrize("headers", [(), BINARY, (("content-type", b"application/cloudevents+json"),), (("ce_id", None),)])
def test_what_is_no_event_stays_rejected(value: bytes, headers: Headers) -> None:
    """No mode makes an event of what is none, and none of them raises."""
    assert isinstance(read(value, headers, DECODE), Rejected)


@pytest.mark.parametrize(
    ("ce_type", "kind"), [("message", "message"), ("boutwatch.tool_call.v1", "tool_call"), ("com.example", None), ("", None)]
)
def test_kind_of_a_type(ce_type: str, kind: str | None) -> None:
    """The kind is a part between dots, whatever stands around it."""
    assert kind_of(ce_type) == kind
