"""The pipeline publishes at its pace, and what it publishes depends on the set of events alone."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from streams.events import Event, Message, Micros, Submission
from streams.events.decode import settle
from streams.pipeline import Output, Pipeline
from tests.strategies import T0, runs

S = 1_000_000


def said(number: int, at_s: float, contestant: str = "c") -> Event:
    """Something said at a second of the match."""
    at = Micros(T0 + round(at_s * S))
    return settle(Message(match_id="m", contestant_id=contestant, event_id=f"{contestant}{number}", at=at, text=str(number)))


def submitted(at_s: float, contestant: str = "c") -> Event:
    """A submission at a second of the match."""
    at = Micros(T0 + round(at_s * S))
    return settle(Submission(match_id="m", contestant_id=contestant, event_id=f"{contestant}-s", at=at))


def streams(outputs: list[Output]) -> list[str]:
    """Which streams were published on, in order."""
    return [one.stream for one in outputs]


def verdicts(outputs: list[Output]) -> dict[str, bytes]:
    """Verdict values by run."""
    return {one.key: one.value for one in outputs if one.stream == "verdicts"}


def test_the_first_reading_comes_at_once_and_later_ones_once_an_interval() -> None:
    """A spectator sees a new run immediately; a fast run does not flood the topic."""
    pipeline = Pipeline(interval_us=S)
    now = T0
    pipeline.feed(said(1, 0))
    assert streams(pipeline.collect(now)) == ["readings"]
    pipeline.feed(said(2, 0.1))
    assert pipeline.collect(now + S // 2) == []
    assert streams(pipeline.collect(now + S)) == ["readings"]
    assert pipeline.collect(now + 3 * S) == []


def test_the_verdict_comes_when_the_run_is_over_and_the_lateness_has_passed() -> None:
    """Readings before are provisional, the last is final, opinions and verdict come with it, once."""
    pipeline = Pipeline(interval_us=S, lateness_us=20 * S)
    pipeline.feed(said(1, 0))
    pipeline.feed(submitted(10))
    first = pipeline.collect(T0 + 10 * S)
    assert json.loads(first[0].value)["provisional"] is True
    assert pipeline.next_due() == T0 + 30 * S
    assert pipeline.collect(T0 + 29 * S) == []
    last = pipeline.collect(T0 + 30 * S)
    assert streams(last) == ["readings", "opinions", "opinions", "verdicts"]
    assert json.loads(last[0].value)["provisional"] is False
    assert pipeline.collect(T0 + 60 * S) == []
    assert pipeline.next_due() is None


def test_a_late_event_makes_a_new_revision() -> None:
    """What comes after the verdict is folded all the same, its verdict an interval later; the revision counts the events."""
    pipeline = Pipeline(interval_us=S)
    for event in (said(1, 0), submitted(10)):
        pipeline.feed(event)
    pipeline.collect(T0 + 10 * S)
    before = verdicts(pipeline.collect(T0 + 40 * S))["m/c"]
    pipeline.feed(said(2, 5))
    assert verdicts(pipeline.collect(T0 + 50 * S)) == {}
    after = verdicts(pipeline.collect(T0 + 51 * S))["m/c"]
    assert [json.loads(one)["revision"] for one in (before, after)] == [2, 3]
    assert json.loads(before)["verdict_id"] != json.loads(after)["verdict_id"]


def test_a_verdict_waits_until_nothing_has_come_for_an_interval() -> None:
    """An old match that is replayed is final at once: while its events still come, each verdict would be out of date."""
    pipeline = Pipeline(interval_us=S)
    now = T0 + 10**6 * S
    pipeline.feed(submitted(100))
    for number in range(50):
        pipeline.feed(said(number, number))
        now += S // 5
        assert verdicts(pipeline.collect(now)) == {}
    assert json.loads(verdicts(pipeline.collect(now + S))["m/c"])["revision"] == 51


def test_a_duplicate_publishes_nothing() -> None:
    """A replayed chunk changes nothing that anybody sees."""
    pipeline = Pipeline(interval_us=S)
    for event in (said(1, 0), submitted(10)):
        pipeline.feed(event)
    pipeline.collect(T0 + 10 * S)
    pipeline.collect(T0 + 40 * S)
    assert pipeline.feed(said(1, 0)) == "duplicate"
    assert pipeline.collect(T0 + 60 * S) == []
    pipeline.take_state()
    assert pipeline.feed(said(1, 0)) == "duplicate"
    assert pipeline.take_state() == {}


def test_a_run_without_an_end_is_given_up_after_the_idle_limit_of_arrivals() -> None:
    """Idleness is counted from the last arrival, not from event time: an old bout can be replayed."""
    pipeline = Pipeline(interval_us=S, idle_us=900 * S)
    pipeline.feed(said(1, 0))
    now = T0 + 10**6 * S  # long after the event's own time
    assert streams(pipeline.collect(now)) == ["readings"]
    assert verdicts(pipeline.collect(now + 899 * S)) == {}
    final = verdicts(pipeline.collect(now + 900 * S))
    assert json.loads(final["m/c"])["end"] == "abandoned"


@settings(max_examples=25)
@given(runs(contestant="c"), runs(contestant="d"), st.randoms(use_true_random=False))
def test_live_verdicts_equal_offline_ones_byte_for_byte(one: list[Event], other: list[Event], random) -> None:
    """Shuffled, duplicated, collected at any moment, saved and restored midway: the verdicts are the same bytes."""
    events = [*one, *other]
    offline = Pipeline()
    for event in events:
        offline.feed(event)
    wanted = {key: run.verdict_bytes() for key, run in offline.runs.items()}
    stream = events + (random.choices(events, k=len(events) // 3) if events else [])
    random.shuffle(stream)
    table: dict[str, bytes] = {}
    live, now, seen = Pipeline(interval_us=S), T0, {}
    for event in stream:
        live.feed(event)
        now += random.randrange(S)
        seen |= verdicts(live.collect(now))
        if random.random() < 0.1:
            table |= live.take_state()
        elif random.random() < 0.1:
            # Killed before its state was kept: what was not acknowledged comes again.
            live = Pipeline(interval_us=S)
            live.restore(table.items())
            for again in stream:
                live.feed(again)
    for _ in range(3):
        now += 10**10
        seen |= verdicts(live.collect(now))
    assert seen == wanted


def test_only_changed_blocks_are_taken() -> None:
    """What an event costs to keep does not grow with the run."""
    pipeline = Pipeline()
    for number in range(2_000):
        pipeline.feed(said(number, number))
    whole = sum(map(len, pipeline.take_state().values()))
    pipeline.feed(said(2_000, 2_000))
    little = sum(map(len, pipeline.take_state().values()))
    assert little < whole / 5


def test_a_contestant_with_a_slash_in_its_name_is_its_own_run() -> None:
    """Match `a` with contestant `b/c` is not match `a/b` with contestant `c`."""
    pipeline = Pipeline()
    for match, contestant in (("a", "b/c"), ("a/b", "c")):
        pipeline.feed(settle(Message(match_id=match, contestant_id=contestant, event_id="1", at=Micros(T0))))
    assert {(run.match_id, run.contestant_id) for run in pipeline.runs.values()} == {("a", "b/c"), ("a/b", "c")}
