"""Windows in event time: the same definitions over the last minute and the last five, hopping by ten seconds."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from metrics.base import Reading
from metrics.discovery import all_metrics
from metrics.facts import Answered, Done, Fact, Fault
from metrics.ledger import Ledger
from metrics.run.fold import fold
from metrics.run.state import RunFacts
from streams.events.times import SECOND

SIZES_S: Final = (60, 300)
HOP_S: Final = 10


class Window(Struct, frozen=True, omit_defaults=True):
    """One window: the readings of what happened in it, and rates."""

    start: int
    """First microsecond of the window."""

    end: int
    """First microsecond after the window."""

    calls_per_min: float
    errors_per_min: float
    checks_per_min: float
    readings: tuple[Reading, ...]


def hop(newest: int) -> int:
    """The end of the newest window that is over at `newest` (µs)."""
    step = HOP_S * SECOND
    return newest // step * step


def window(ledger: Ledger, end: int, size_s: int) -> Window:
    """The window of `size_s` seconds that ends at `end`: a function of the facts whose time lies in it."""
    start = end - size_s * SECOND
    facts = list(ledger.between(start, end))
    state = _fold(facts)
    state.run_started, state.run_ended = start, end
    minutes = size_s / 60
    calls = sum(isinstance(one.body, Done | Answered) for one in facts)
    errors = sum(isinstance(one.body, Fault) for one in facts) + len(state.incidents)
    return Window(
        start,
        end,
        round(calls / minutes, 6),
        round(errors / minutes, 6),
        round(state.raw_checks / minutes, 6),
        tuple(metric.read(state) for metric in all_metrics()),
    )


def _fold(facts: list[Fact]) -> RunFacts:
    state = RunFacts()
    place = 0
    while place < len(facts):
        place += 1
        if fold(state, facts[place - 1]):
            state, place = RunFacts(knowledge=state.knowledge), 0
    return state
