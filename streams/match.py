"""Events that speak of a whole match, made into one for each contestant.

Match events carry the match id as their key, so that they meet in one partition; the runs they speak of may lie in others.
What comes out is derived from the set of what came in: the same events in another order give the same events.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from streams.events import Event, MatchEnded, MatchStarted
from streams.events.base import MAX_ID_CHARS
from streams.events.decode import decoder

MAX_WAITING = 1_000
"""Match events kept until the contestants are known."""


def is_match_level(event: Event) -> bool:
    """Whether an event speaks of all contestants of its match."""
    return not event.contestant_id


def fan_out(event: Event, contestants: tuple[str, ...]) -> tuple[Event, ...]:
    """The event once for each contestant, with ids derived from its own."""
    return tuple(replace(event, contestant_id=one, event_id=_derived(event.event_id, one)) for one in contestants)


def _derived(event_id: str, contestant: str) -> str:
    plain = f"{event_id}/{contestant}"
    if len(plain) <= MAX_ID_CHARS:
        return plain
    return blake2b(plain.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class _State(Struct, array_like=True):
    contestants: list[str] = []
    events: list[bytes] = []


_read = decoder()


class Match:
    """What is known of one match on the match level."""

    def __init__(self, state: bytes = b"") -> None:
        self._state = msgspec.msgpack.decode(state, type=_State) if state else _State()

    @property
    def contestants(self) -> tuple[str, ...]:
        """The contestants that match events have named, sorted."""
        return tuple(self._state.contestants)

    def feed(self, event: Event) -> tuple[Event, ...]:
        """What this event means for each contestant, and what earlier events mean for contestants that it names first."""
        named = event.contestants if isinstance(event, MatchStarted | MatchEnded) else ()
        new = tuple(sorted(set(named) - set(self._state.contestants)))
        out = fan_out(event, self.contestants)
        self._state.contestants = sorted({*self._state.contestants, *new})
        self._remember(event)
        for raw in self._state.events:
            earlier = _read(raw)
            if isinstance(earlier, MatchStarted | MatchEnded):
                out += fan_out(earlier, new)
        return out

    def _remember(self, event: Event) -> None:
        raw = msgspec.json.encode(event, enc_hook=int)
        if raw not in self._state.events and len(self._state.events) < MAX_WAITING:
            self._state.events.append(raw)

    def dump(self) -> bytes:
        """The state, for a table."""
        return msgspec.msgpack.encode(self._state)
