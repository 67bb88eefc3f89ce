"""When to send what: a replay as a list of moments and events. Pure; the same seed gives the same plan."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from streams.events import Event, Micros, ToolCall
from streams.events.times import SECOND


class Step(NamedTuple):
    """One event to send."""

    due_s: float
    """Seconds after the start of the replay."""

    event: Event


def plan(events: Iterable[Event], *, speed: float = 1, shuffle: int | None = None, duplicate: float = 0) -> list[Step]:
    """The steps of a replay in sending order.

    Each event is due at its own time after the first, over `speed` (infinite: all at once); one without a time comes
    with the event before it. `duplicate` is the share of events that are sent a second time, later. `shuffle` is a seed:
    the events then change places, the moments stay.
    """
    placed = _by_time(events)
    chance = random.Random(shuffle or 0)  # noqa: S311 - places in a queue, no secret
    placed = _with_duplicates(placed, duplicate, chance)
    order = [event for _, event in placed]
    if shuffle is not None:
        chance.shuffle(order)
    start = placed[0][0] if placed else 0
    moments = [0.0 if math.isinf(speed) else (at - start) / SECOND / speed for at, _ in placed]
    return [Step(due, event) for due, event in zip(moments, order, strict=True)]


def _by_time(events: Iterable[Event]) -> list[tuple[int, Event]]:
    placed: list[tuple[int | None, Event]] = []
    last: int | None = None
    for event in events:
        last = event.at if event.at is not None else last
        placed.append((last, event))
    first = min((at for at, _ in placed if at is not None), default=0)
    return sorted(((first if at is None else at, event) for at, event in placed), key=lambda one: one[0])


def _with_duplicates(placed: list[tuple[int, Event]], share: float, chance: random.Random) -> list[tuple[int, Event]]:
    again = chance.sample(range(len(placed)), round(len(placed) * share))
    later = [(placed[chance.randrange(place, len(placed))][0], placed[place][1]) for place in again]
    # The sort is stable: a repetition that falls on its original's moment still comes after it.
    return sorted([*placed, *later], key=lambda one: one[0])


def shifted(events: Sequence[Event], by_us: int) -> list[Event]:
    """The events with every time moved; ids, order and the spaces between them stay."""
    return [replace(event, **_moved(event, by_us)) for event in events] if by_us else list(events)


def _moved(event: Event, by_us: int) -> dict[str, Any]:
    names = ("at", "started_at", "ended_at") if isinstance(event, ToolCall) else ("at", "ended_at")
    found = {name: getattr(event, name, None) for name in names}
    return {name: Micros(at + by_us) for name, at in found.items() if at is not None}


def span(events: Iterable[Event]) -> tuple[int, int]:
    """First and last event time (µs); (0, 0) where no event has one."""
    times = [event.at for event in events if event.at is not None]
    return (min(times), max(times)) if times else (0, 0)
