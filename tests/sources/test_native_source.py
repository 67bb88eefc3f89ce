"""Our own events as JSON Lines."""

from __future__ import annotations

from streams.events import micros

CALL = {
    "kind": "tool_call",
    "match_id": "m",
    "contestant_id": "a",
    "call_id": "c",
    "tool": "bash",
    "ended_at": "2026-01-01T00:00:02Z",
}


def test_events_are_read_line_by_line(read):
    """Defaults are filled in: the time is the call's end, the id comes from the content."""
    (event,) = read([CALL], "e.jsonl").events
    assert (event.call_id, event.at) == ("c", micros("2026-01-01T00:00:02Z"))
    assert event.event_id


def test_names_given_outside_win(read):
    """An event of the whole match stays one of all contestants."""
    ended = {"kind": "match_ended", "match_id": "m", "at": "2026-01-01T00:00:09Z"}
    call, match = read([CALL, ended], "e.jsonl", match_id="n", contestant_id="b").events
    assert (call.run, match.run) == ("n/b", "n/")


def test_a_cloudevents_envelope_is_taken_off(read):
    """Id, time, source and type of the envelope fill what the event leaves open."""
    envelope = {
        "specversion": "1.0",
        "type": "dev.boutwatch.message",
        "source": "harness",
        "id": "e-9",
        "time": "2026-01-01T00:00:05Z",
        "data": {"match_id": "m", "contestant_id": "a", "text": "hi"},
    }
    (event,) = read([envelope], "e.jsonl").events
    assert (event.event_id, event.producer, event.at, event.text) == ("e-9", "harness", micros("2026-01-01T00:00:05Z"), "hi")


def test_each_kind_of_bad_line_is_rejected_in_its_place(read):
    """Broken JSON, an unknown kind, wrong types, no object, a naive time, raw zero bytes, a huge line."""
    lines = [
        CALL,
        b"{",
        {**CALL, "kind": "dance"},
        {**CALL, "exit_code": "x"},
        b"[]",
        {"kind": "message", "match_id": "m", "at": "2026-01-01T00:00:00"},
        b'{"kind":"message","match_id":"m","text":"\x00"}',
        b'{"kind":"message","match_id":"m","text":"' + b"x" * (2 << 20) + b'"}',
        {**CALL, "call_id": "last"},
    ]
    reading = read(lines, "e.jsonl")
    assert [item.where.rsplit(":", 1)[1] for item in reading.rejected] == ["2", "3", "4", "5", "6", "7", "8"]
    assert reading.rejected[-1].stage == "size"
    assert [event.call_id for event in reading.events] == ["c", "last"]
    assert (reading.report.events, reading.report.rejected) == (2, 7)
