"""An event as a record: read back it is the same event, in the topic and under the key of its run."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from streams.cli._wire import record
from streams.events import FAMILIES, Event, MatchStarted, Micros, ToolCall
from streams.events.decode import decoder, settle

TIMES = st.one_of(st.none(), st.integers(946_684_800_000_000, 4_102_444_799_999_999).map(Micros))
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(TIMES, TIMES, TEXT, TEXT, st.one_of(st.none(), st.integers(-5, 300)))
def test_a_call_read_back_from_its_record_is_the_same_call(
    at: Micros | None, ended: Micros | None, output: str, command: str, code: int | None
) -> None:
    """To the microsecond and to the id: the topic says exactly what the file said."""
    call = settle(
        ToolCall(
            match_id="m",
            contestant_id="c",
            at=at,
            ended_at=ended,
            output=output,
            exit_code=code,
            arguments={"command": command},
            tool="Bash",
        )
    )
    assert decoder()(record(call, "bouts").value) == call


def test_every_kind_goes_to_the_topic_of_its_family() -> None:
    """Kinds and topics are told from the one table of families."""
    required = {"name": "x", "value": 1.0, "ok": True}
    for family, kinds in FAMILIES.items():
        for kind in kinds:
            fields = {name: value for name, value in required.items() if name in kind.__struct_fields__}
            event: Event = settle(kind(match_id="m", contestant_id="c", **fields))
            assert record(event, "p").topic == f"p.{family}.v1"


def test_a_run_is_keyed_by_match_and_contestant_and_a_match_event_by_its_match() -> None:
    """All of a run meets in one partition; so does all that speaks of a match."""
    call = settle(ToolCall(match_id="m/1", contestant_id="c"))
    started = settle(MatchStarted(match_id="m/1", contestants=("c", "d")))
    assert record(call, "bouts").key == b"m/1/c"
    assert record(started, "bouts").key == b"m/1"


def test_the_headers_are_cloudevents_of_the_event() -> None:
    """Id, type, source, time and version; no time where the event has none."""
    call = settle(ToolCall(match_id="m", contestant_id="c", event_id="e1", at=Micros(1_750_000_000_000_001), producer="ä b"))
    assert dict(record(call, "bouts").headers) == {
        "ce_specversion": b"1.0",
        "ce_id": b"e1",
        "ce_type": b"boutwatch.tool_call.v1",
        "ce_source": b"boutwatch:%C3%A4%20b",
        "content-type": b"application/json",
        "ce_time": b"2025-06-15T15:06:40.000001Z",
    }
    assert "ce_time" not in dict(record(settle(ToolCall(match_id="m", contestant_id="c")), "bouts").headers)
