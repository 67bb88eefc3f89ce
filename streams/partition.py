"""What one partition's records mean: taken into the pipeline, moved to where they belong, fanned out, or dead letters. Pure.

All that is known of a run is in the one partition that its key hashes to, whatever a producer did: a record that is
elsewhere is moved there before it touches any state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

from msgspec import Struct, field

from streams.cloudevents import Decode, Headers, read
from streams.events import Event, Rejected
from streams.match import is_match_level
from streams.topics import partition_key

MAX_HOMES: Final = 100_000
"""Runs whose partition is remembered."""


class Record(Protocol):
    """What is needed of a Kafka record."""

    @property
    def topic(self) -> str:
        """Where it was read."""

    @property
    def partition(self) -> int:
        """Where it was read."""

    @property
    def offset(self) -> int:
        """Where it was read."""

    @property
    def key(self) -> bytes | None:
        """The raw key."""

    @property
    def value(self) -> bytes | None:
        """The raw value; None is a tombstone."""

    @property
    def headers(self) -> Headers:
        """Names and raw values."""


class Feeder(Protocol):
    """The part of a pipeline that takes events in."""

    def feed(self, event: Event) -> str:
        """Take an event in; says what became of it: new, duplicate, conflict or dropped."""


class Moved(Struct, frozen=True):
    """A record to be produced again under its right key in its right partition."""

    record: Record
    key: bytes
    partition: int


class Taken(Struct):
    """What became of some records."""

    fed: dict[str, int] = field(default_factory=dict)
    """How many events the pipeline found new, duplicate, conflicting or beyond its limit."""

    unreadable: list[tuple[Record, Rejected]] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    of_matches: list[Event] = field(default_factory=list)
    """Events that speak of a whole match, at home in this partition."""


class Homes:
    """In which partition a run or a match is at home."""

    def __init__(self, partition_of: Callable[[bytes], int]) -> None:
        self._partition_of = partition_of
        self._known: dict[str, int] = {}

    def __call__(self, key: str) -> int:
        """The partition of a run's or a match's key."""
        home = self._known.get(key)
        if home is None:
            if len(self._known) >= MAX_HOMES:
                self._known.clear()
            home = self._known[key] = self._partition_of(partition_key(key))
        return home


def home_key(event: Event) -> str:
    """The key that an event belongs under: its run, or its match if it speaks of all contestants."""
    return event.match_id if is_match_level(event) else event.run


def take(records: Iterable[Record], partition: int, homes: Homes, decode: Decode, pipeline: Feeder) -> Taken:
    """Read the records of a partition and feed what is at home there. The rest is for the caller to send on."""
    taken = Taken()
    fed, feed = taken.fed, pipeline.feed
    for record in records:
        event = _read(record, decode)
        if isinstance(event, Rejected):
            taken.unreadable.append((record, event))
            continue
        key = home_key(event)
        home = homes(key)
        if home != partition:
            taken.moved.append(Moved(record, partition_key(key), home))
        elif not event.contestant_id:
            taken.of_matches.append(event)
        else:
            outcome = feed(event)
            fed[outcome] = fed.get(outcome, 0) + 1
    return taken


def _read(record: Record, decode: Decode) -> Event | Rejected:
    value = record.value
    if value is None:
        return Rejected(stage="value", reason="a tombstone: the record has no value")
    return read(value, record.headers, decode)


def letter_headers(record: Record, rejected: Rejected, time: str) -> Sequence[tuple[str, bytes]]:
    """The headers of a dead letter: the original's own, then where it was read, and why it could not be."""
    why = {
        "topic": record.topic,
        "partition": str(record.partition),
        "offset": str(record.offset),
        "stage": rejected.stage,
        "error_class": "Rejected",
        "message": rejected.reason,
        "time": time,
    }
    original = tuple((name, content or b"") for name, content in record.headers)
    return (*original, *((name, text.encode(errors="replace")) for name, text in why.items()))
