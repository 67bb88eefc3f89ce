"""Promises that every metric keeps, whatever it measures: one test runs over all that discovery finds."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Metric, all_metrics
from metrics.ledger import Ledger
from metrics.run import RunFacts, Timeline
from streams.events import Event
from streams.pipeline import Pipeline
from tests.strategies import runs


def encode(state: RunFacts) -> bytes:
    """The whole state as bytes, sets in a fixed order."""
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True, order="deterministic"), order="deterministic")


def facts(events: list[Event]) -> RunFacts:
    """The folded state of events fed in this order."""
    ledger = Ledger()
    for event in events:
        ledger.add(event)
    return Timeline(ledger).facts()


def readings(events: list[Event]) -> bytes:
    """Every metric's reading, as bytes."""
    state = facts(events)
    return msgspec.json.encode([metric.read(state) for metric in all_metrics()])


def test_thirteen_definitions_are_found() -> None:
    """Discovery finds every metric of the definitions' table."""
    assert {metric.name for metric in all_metrics()} >= {
        "dwell_time", "error_detection_speed", "phase_mix", "pivot_latency", "recovery_speed", "repeat_failure_rate",
        "reversion_ratio", "scope_growth_after_error", "score_trajectory", "thrash_rate", "time_to_first_correct_fix",
        "tool_waste", "verification_density",
    }  # fmt: skip


@pytest.mark.parametrize("metric", all_metrics(), ids=lambda metric: metric.name)
def test_a_run_without_events_reads_not_applicable(metric: Metric) -> None:
    """Nothing happened, so nothing applies: no zero, no neutral number."""
    reading = metric.read(RunFacts())
    assert (reading.state, reading.value) == ("not_applicable", None)
    assert reading.reason


@given(runs(), st.randoms(use_true_random=False))
def test_any_arrival_order_gives_the_same_readings(events: list[Event], random) -> None:
    """The readings are a function of the set of events."""
    shuffled = list(events)
    random.shuffle(shuffled)
    assert readings(shuffled) == readings(events)


@given(runs(), st.randoms(use_true_random=False))
def test_duplicates_change_nothing(events: list[Event], random) -> None:
    """An event that comes twice or thrice, anywhere, is one event."""
    doubled = events + random.choices(events, k=len(events)) if events else []
    random.shuffle(doubled)
    assert readings(doubled) == readings(events)


@settings(max_examples=40)
@given(runs(), st.randoms(use_true_random=False))
def test_reading_while_events_arrive_changes_nothing(events: list[Event], random) -> None:
    """Streaming state equals the state folded at once, at every prefix of a disordered, duplicated stream."""
    stream = events + random.choices(events, k=len(events) // 3) if events else []
    random.shuffle(stream)
    ledger = Ledger()
    timeline = Timeline(ledger)
    for place, event in enumerate(stream):
        ledger.add(event)
        if random.random() < 0.3:
            timeline.cool()
        state = timeline.facts()
        assert encode(state) == encode(facts(stream[: place + 1])), place
        assert msgspec.json.encode([metric.read(state) for metric in all_metrics()]) == readings(stream[: place + 1])


@settings(max_examples=40)
@given(runs(), st.integers(0, 25))
def test_a_round_trip_of_the_state_in_mid_stream_changes_nothing(events: list[Event], cut: int) -> None:
    """State written as blocks and read again goes on as if nothing had happened."""
    ledger = Ledger()
    for event in events[:cut]:
        ledger.add(event)
    blocks = ledger.take_blocks()
    again = Ledger.load(msgspec.json.decode(msgspec.json.encode(blocks), type=dict[str, bytes]))
    for event in events:
        again.add(event)
    assert again.revision == len(events)
    assert encode(Timeline(again).facts()) == encode(facts(events))


@given(runs())
def test_reading_never_changes_the_facts(events: list[Event]) -> None:
    """A metric takes the facts as they are and leaves them so."""
    state = facts(events)
    before = encode(state)
    for metric in all_metrics():
        metric.read(state)
    assert encode(state) == before


@given(runs())
def test_cited_events_exist(events: list[Event]) -> None:
    """Every number points at its events, and they are events of the run."""
    ids = {event.event_id for event in events}
    state = facts(events)
    for metric in all_metrics():
        reading = metric.read(state)
        cited = {*reading.evidence, *(one for item in reading.items for one in item.evidence)}
        assert cited <= ids, (metric.name, cited - ids)


@given(runs())
def test_a_value_is_there_exactly_when_it_was_measured(events: list[Event]) -> None:
    """No number stands in for a missing one, and a missing one says why."""
    state = facts(events)
    for metric in all_metrics():
        reading = metric.read(state)
        assert (reading.value is not None) == (reading.state == "measured"), reading
        assert reading.state == "measured" or reading.reason


@settings(max_examples=30)
@given(runs(contestant="c"), runs(contestant="d"), st.randoms(use_true_random=False))
def test_interleaved_runs_stay_independent(one: list[Event], other: list[Event], random) -> None:
    """What one contestant does moves nobody else's readings."""
    pipeline = Pipeline()
    mixed = [*one, *other]
    random.shuffle(mixed)
    for event in mixed:
        pipeline.feed(event)
    for events in (one, other):
        if events:
            run = pipeline.runs[events[0].run]
            assert msgspec.json.encode(list(run.readings())) == readings(events)
