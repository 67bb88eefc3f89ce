"""A replay's plan keeps every event, its pace and its seed's order."""

from __future__ import annotations

import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from streams.cli._plan import plan, shifted, span
from streams.events import Event, Message, Micros, ToolCall

BASE = 1_750_000_000_000_000


def event(number: int, second: float | None) -> Event:
    """An event at a second of the match, or without a time."""
    at = None if second is None else Micros(BASE + round(second * 1_000_000))
    return Message(match_id="m", contestant_id="c", event_id=str(number), at=at)


EVENTS = st.lists(st.one_of(st.none(), st.integers(0, 600))).map(
    lambda seconds: [event(number, second) for number, second in enumerate(seconds)]
)


@given(EVENTS, st.one_of(st.none(), st.integers(0, 99)), st.floats(0, 1), st.sampled_from([1.0, 7.5, math.inf]))
def test_a_plan_sends_every_event_and_the_share_of_them_twice(
    events: list[Event], seed: int | None, share: float, speed: float
) -> None:
    """Nothing is lost whatever the order; moments only go forward."""
    steps = plan(events, speed=speed, shuffle=seed, duplicate=share)
    counts = Counter(step.event.event_id for step in steps)
    assert set(counts) == {one.event_id for one in events}
    assert len(steps) - len(events) == round(len(events) * share)
    assert max(counts.values(), default=1) <= 2
    assert [step.due_s for step in steps] == sorted(step.due_s for step in steps)


def test_events_come_in_the_order_of_their_times_at_the_pace_asked_for() -> None:
    """Ten times as fast: what happened after 60 s comes after 6 s."""
    steps = plan([event(2, 60), event(1, 0), event(3, 90)], speed=10)
    assert [(step.due_s, step.event.event_id) for step in steps] == [(0.0, "1"), (6.0, "2"), (9.0, "3")]


def test_an_event_without_a_time_comes_with_the_one_before_it() -> None:
    """It has no moment of its own and keeps its place in the file."""
    steps = plan([event(1, None), event(2, 5), event(3, None), event(4, 9)])
    assert [(step.due_s, step.event.event_id) for step in steps] == [(0.0, "1"), (0.0, "2"), (0.0, "3"), (4.0, "4")]


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    """A fault found with a seed can be found again."""
    events = [event(number, number) for number in range(50)]
    first, again, other = (plan(events, shuffle=seed, duplicate=0.2) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def test_a_shift_moves_all_times_of_an_event_and_nothing_else() -> None:
    """Calls keep their lengths, events their ids."""
    call = ToolCall(match_id="m", event_id="x", at=Micros(BASE), started_at=Micros(BASE - 5), ended_at=Micros(BASE))
    (moved,) = shifted([call], 1_000)
    assert isinstance(moved, ToolCall)
    assert (moved.at, moved.started_at, moved.ended_at) == (BASE + 1_000, BASE + 995, BASE + 1_000)
    assert moved.event_id == "x"


def test_the_span_is_of_the_events_that_have_a_time() -> None:
    """Events without one are left out; none at all spans nothing."""
    assert span([event(1, None), event(2, 3), event(3, 1)]) == (BASE + 1_000_000, BASE + 3_000_000)
    assert span([event(1, None)]) == (0, 0)
