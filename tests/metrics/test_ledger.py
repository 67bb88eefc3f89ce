"""The ledger holds the set of a run's facts, in whatever order and however often they come."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from metrics import ledger as module
from metrics.facts import pack
from metrics.ledger import Ledger
from streams.events import Event, Message, Micros, RunStarted
from streams.events.decode import settle
from tests.strategies import T0, runs


def message(number: int, text: str = "", *, at: int | None = None, seq: int | None = None) -> Event:
    """A message event with a plain id."""
    moment = Micros(T0 + number * 1_000_000 if at is None else at)
    return settle(Message(match_id="m", contestant_id="c", event_id=f"e{number}", at=moment, text=text or str(number), seq=seq))


def content(ledger: Ledger) -> tuple[object, ...]:
    """All that a ledger holds."""
    facts = [pack(one) for one in ledger.facts()]
    return facts, ledger.head.marks, ledger.head.conflicts, ledger.head.truncated, ledger.revision


def filled(events: list[Event]) -> Ledger:
    """A ledger fed with events in this order."""
    ledger = Ledger()
    for event in events:
        ledger.add(event)
    return ledger


def test_events_are_new_once_and_duplicates_after() -> None:
    """The same event again is told apart from a new one."""
    ledger = Ledger()
    assert [ledger.add(message(1)), ledger.add(message(1)), ledger.add(message(2))] == ["new", "duplicate", "new"]
    assert (len(ledger), ledger.revision) == (2, 2)


def test_the_same_id_with_another_content_is_counted_and_one_content_kept() -> None:
    """Which content is kept does not depend on which came first."""
    first, second = message(1, "one"), message(1, "two", at=T0 + 99)
    one, other = filled([first, second]), filled([second, first])
    assert one.add(second) == one.add(first) == "duplicate"
    assert content(one) == content(other)
    assert (len(one), one.conflicts, one.revision) == (1, 1, 2)


def test_three_contents_under_one_id_are_two_conflicts_in_any_order() -> None:
    """Conflicts count contents, not arrivals."""
    events = [message(1, text) for text in ("one", "two", "three")]
    orders = [[events[place] for place in order] for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0))]
    contents = {str(content(filled([*order, *order]))) for order in orders}
    assert len(contents) == 1
    assert filled(events).conflicts == 2


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 700))
def test_any_order_gives_the_same_facts_across_many_blocks(seed: int, count: int) -> None:
    """Sealed blocks are re-opened for late facts, split when they grow, and hold the sorted set."""
    events = [message(number) for number in range(count)]
    stream = events + events[: count // 5]
    random.Random(seed).shuffle(stream)
    ledger = filled(stream)
    facts = [one.id for one in ledger.facts()]
    assert facts == [event.event_id for event in events]
    assert [one.id for one in ledger.facts(count // 2)] == facts[count // 2 :]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_blocks_written_whenever_and_loaded_again_are_the_same_ledger(seed: int) -> None:
    """The newest block under each key is the whole state, wherever the writing stopped."""
    dice = random.Random(seed)
    events = [message(number) for number in range(400)]
    for place in range(0, 400, 7):  # disorder of up to 30 places
        other = min(399, place + dice.randrange(30))
        events[place], events[other] = events[other], events[place]
    ledger, table = Ledger(), {}
    for event in events:
        ledger.add(event)
        if dice.random() < 0.05:
            table.update(ledger.take_blocks())
    table.update(ledger.take_blocks())
    again = Ledger.load(table)
    assert content(again) == content(ledger)
    assert {again.add(event) for event in events} == {"duplicate"}


def test_facts_between_two_times_are_those_and_only_those() -> None:
    """The lower bound belongs to the range, the upper does not; sealed and open blocks alike."""
    ledger = filled([message(number) for number in range(300)])
    found = [one.id for one in ledger.between(T0 + 10_000_000, T0 + 290_000_000)]
    assert found == [f"e{number}" for number in range(10, 290)]


def test_past_the_limit_the_first_facts_in_order_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which facts a truncated run keeps is a function of their set; frame events are never cut."""
    monkeypatch.setattr(module, "MAX_FACTS", 200)
    events: list[Event] = [message(number) for number in range(260)]
    start = settle(RunStarted(match_id="m", contestant_id="c", event_id="s", at=Micros(T0 + 10**9)))
    contents = set()
    for seed in range(6):
        stream = [*events, start]
        random.Random(seed).shuffle(stream)
        ledger = filled(stream)
        assert ledger.head.truncated
        assert len(ledger) == 200
        contents.add(str(content(ledger)))
    assert len(contents) == 1
    assert [one.id for one in ledger.facts()] == [f"e{number}" for number in range(200)]


def test_missing_sequence_numbers_are_counted_as_lost() -> None:
    """Between the lowest and the highest number that came, each that is missing is a lost event."""
    assert filled([message(number, seq=number) for number in (3, 5, 4, 9)]).lost == 3
    assert filled([message(number) for number in range(4)]).lost == 0


@given(runs())
def test_a_change_of_any_telling_field_is_a_conflict_not_a_duplicate(events: list[Event]) -> None:
    """An event under a known id that says another time is never taken for the same one."""
    ledger = filled(events)
    for event in events:
        if event.at is not None:
            later = replace(event, at=Micros(event.at + 1))
            if getattr(event, "ended_at", None) is None and getattr(event, "started_at", None) is None:
                assert ledger.add(later) == "conflict"
