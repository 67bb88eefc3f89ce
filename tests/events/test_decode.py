"""Decoding: what the rest may rely on holds of every event that comes out."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.events import Event, MatchEnded, Message, Rejected, ToolCall
from streams.events.base import MAX_OUTPUT_CHARS, run_key, split_run
from streams.events.decode import clip, content_hash, content_id, decoder, settle
from streams.events.times import Micros, micros, plausible

NOON = micros("2026-01-31T12:00:00Z")
PAST = micros("1970-01-01T00:00:01Z")
FUTURE = micros("2100-01-01T00:00:00Z")


def read(**fields: object) -> Event:
    """The event of these fields, a tool call unless they say otherwise."""
    found = decoder()(json.dumps({"kind": "tool_call", "match_id": "m", **fields}).encode())
    assert not isinstance(found, Rejected), found
    return found


def test_an_event_without_id_gets_one_from_its_content() -> None:
    """The same content has the same id, however its time is written; another content has another."""
    one = read(at="2026-01-31T12:00:00Z", tool="bash")
    assert one.event_id == read(at=1769860800, tool="bash").event_id
    assert one.event_id != read(at=1769860801, tool="bash").event_id
    assert read(event_id="mine").event_id == "mine"


@pytest.mark.parametrize("at", ["1970-01-01T00:00:01Z", "2100-01-01T00:00:00Z", "9999-12-31T23:59:59Z", -5, 10**19])
def test_an_implausible_time_is_not_used(at: object) -> None:
    """A clock outside 2000 to 2100 gives no time, and the event says so; the event itself stays."""
    found = read(at=at)
    assert (found.at, found.at_source) == (None, "none")


def test_a_call_without_time_takes_its_end_then_its_start() -> None:
    """`at` is the end where there is one, else the start, else nothing."""
    assert read(started_at=1769860700, ended_at=1769860800).at == NOON
    assert read(started_at=1769860800).at == NOON
    assert read(at=5, started_at=1769860800).at == NOON
    assert read().at_source == "none"


def test_an_end_before_its_start_is_turned_round() -> None:
    """The two moments stay, in the only order that can be."""
    found = read(started_at=1769860900, ended_at=1769860800)
    assert isinstance(found, ToolCall)
    assert (found.started_at, found.ended_at, found.at) == (NOON, NOON + 100_000_000, NOON + 100_000_000)


@pytest.mark.parametrize(("started", "ended"), [(FUTURE, NOON), (NOON, PAST), (FUTURE, PAST), (PAST, FUTURE)])
def test_a_broken_clock_never_comes_back_through_the_other_end(started: Micros, ended: Micros) -> None:
    """An implausible start or end is dropped, not swapped into the other's place."""
    found = settle(ToolCall(match_id="m", started_at=started, ended_at=ended))
    assert isinstance(found, ToolCall)
    kept = [moment for moment in (found.started_at, found.ended_at, found.at) if moment is not None]
    assert all(plausible(moment) for moment in kept)
    assert found.at == (NOON if NOON in {started, ended} else None)


def test_a_match_end_is_settled_too() -> None:
    """Its own end time is checked, and stands in for a missing `at`."""
    found = settle(MatchEnded(match_id="m", ended_at=NOON))
    assert found.at == NOON
    broken = settle(MatchEnded(match_id="m", at=NOON, ended_at=FUTURE))
    assert isinstance(broken, MatchEnded)
    assert (broken.at, broken.ended_at) == (NOON, None)


def test_long_output_keeps_head_and_tail() -> None:
    """The middle is cut, with a note of how much, and the result is within the bound."""
    text = "a" * MAX_OUTPUT_CHARS + "b" * 100
    found = read(output=text)
    assert isinstance(found, ToolCall)
    assert len(found.output) <= MAX_OUTPUT_CHARS
    assert found.output.startswith("aaa")
    assert found.output.endswith("b" * 100)
    cut = int(found.output.split("[… ")[1].split()[0])
    assert len(found.output) - len(f"\n[… {cut} characters cut …]\n") + cut == len(text)
    assert clip("short") == "short"


def test_two_contents_under_one_id_are_told_apart() -> None:
    """The content hash differs where the content does, and only there."""
    one, other = read(event_id="e", tool="a"), read(event_id="e", tool="b")
    assert content_hash(one) != content_hash(other)
    assert content_hash(one) == content_hash(read(tool="a", event_id="e"))
    assert content_id(read(arguments={"a": 1, "b": 2})) == content_id(read(arguments={"b": 2, "a": 1}))


@pytest.mark.parametrize("value", [10**30, -(10**30), "\ud800", {"deep": ["\udcff", 2**64]}])
def test_content_that_no_binary_form_holds_has_an_id_too(value: object) -> None:
    """Integers beyond 64 bits and lone surrogates, which JSON can hold, get an id like any other content."""
    event = ToolCall(match_id="m", arguments={"a": value})
    assert settle(event).event_id == content_id(event)
    assert content_id(event) != content_id(ToolCall(match_id="m", arguments={"a": 1}))
    assert 0 <= content_hash(event) < 2**64


def test_a_lone_surrogate_costs_no_event() -> None:
    """It is read as the replacement character; a proper pair stays what it is."""
    found = decoder()(rb'{"kind":"message","match_id":"m","text":"a\udcff \ud83d\ude00 \\udcff"}')
    assert isinstance(found, Message)
    assert found.text == "a\ufffd 😀 \\udcff"


MOMENTS = st.none() | st.integers(-(10**17), 10**17).map(Micros) | st.sampled_from([PAST, NOON, FUTURE])


@given(at=MOMENTS, started=MOMENTS, ended=MOMENTS, source=st.sampled_from(["event", "derived", "receive", "none"]))
def test_settling_twice_is_settling_once(at: Micros | None, started: Micros, ended: Micros, source: str) -> None:
    """Settled events are left alone, their times are plausible, their id is there."""
    event = ToolCall(match_id="m", at=at, started_at=started, ended_at=ended, at_source=source)
    once = settle(event)
    assert settle(once) == once
    assert once.event_id
    assert once.at is None or plausible(once.at)
    assert (once.at is None) <= (once.at_source == "none")


def test_decoding_what_was_encoded_changes_nothing() -> None:
    """An event written as JSON and read again is the same event."""
    event = read(at=1769860800, seq=3, arguments={"a": [1, 2.5, None]}, exit_code=1, files=[{"path": "p"}])
    assert decoder()(msgspec.json.encode(event, enc_hook=int)) == event


NAMES = st.text(st.sampled_from("a/%2F5"), max_size=8)


@given(match=NAMES, contestant=NAMES)
def test_a_run_key_is_split_into_what_it_was_made_of(match: str, contestant: str) -> None:
    """Slashes in names neither mix two runs up nor get lost."""
    key = Message(match_id=match, contestant_id=contestant).run
    assert key == run_key(match, contestant)
    assert split_run(key) == (match, contestant)


def test_a_plain_run_key_is_match_slash_contestant() -> None:
    """Names without a slash stand in the key as they are."""
    assert run_key("m-17", "blue") == "m-17/blue"
