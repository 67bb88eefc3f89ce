"""Match-level events become one event for each contestant, whatever their order."""

from __future__ import annotations

from itertools import permutations

from streams.events import Event, MatchEnded, MatchStarted, Micros
from streams.events.decode import settle
from streams.match import Match
from streams.pipeline import Pipeline

T0 = 1_767_225_600_000_000


def started(*contestants: str) -> Event:
    """The start of the match."""
    return settle(MatchStarted(match_id="m", event_id="start", at=Micros(T0), contestants=contestants))


def ended(*contestants: str) -> Event:
    """The end of the match, ten minutes later."""
    return settle(MatchEnded(match_id="m", event_id="end", at=Micros(T0 + 600_000_000), contestants=contestants))


def ids(events: list[Event]) -> set[tuple[str, str]]:
    """Contestant and id of each."""
    return {(event.contestant_id, event.event_id) for event in events}


def test_every_contestant_gets_start_and_end_in_any_order() -> None:
    """An end that comes before the start waits until the contestants are known."""
    wanted = {(who, f"{what}/{who}") for who in ("a", "b") for what in ("start", "end")}
    for order in permutations([started("a", "b"), ended()]):
        match = Match()
        assert ids([one for event in order for one in match.feed(event)]) == wanted


def test_contestants_named_by_several_events_are_all_told_everything() -> None:
    """Whoever is named later gets the earlier events too."""
    more = settle(MatchStarted(match_id="m", event_id="more", at=Micros(T0 + 1), contestants=("c",)))
    events = [started("a"), ended("b"), more]
    wanted = {(who, f"{what}/{who}") for who in "abc" for what in ("start", "end", "more")}
    for order in permutations(events):
        match = Match()
        assert ids([one for event in order for one in match.feed(event)]) == wanted


def test_state_goes_on_after_a_restart() -> None:
    """What was known is in the dump."""
    match = Match()
    match.feed(started("a", "b"))
    again = Match(match.dump())
    assert again.contestants == ("a", "b")
    assert ids(list(again.feed(ended()))) == {("a", "end/a"), ("b", "end/b")}


def test_ids_of_long_names_stay_within_their_bound() -> None:
    """Derived ids are legal ids, and still different for each contestant."""
    match = Match()
    out = match.feed(settle(MatchStarted(match_id="m", event_id="x" * 250, at=Micros(T0), contestants=("a" * 250, "b" * 250))))
    assert len({event.event_id for event in out}) == 2
    assert all(len(event.event_id) <= 256 for event in out)


def test_the_pipeline_feeds_match_events_to_every_contestant() -> None:
    """Offline the fan-out happens inside."""
    pipeline = Pipeline()
    for event in (ended(), started("a", "b")):
        pipeline.feed(event)
    assert set(pipeline.runs) == {"m/a", "m/b"}
    assert {run.report().end for run in pipeline.runs.values()} == {"match_ended"}
