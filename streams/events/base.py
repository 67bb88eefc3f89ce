"""What every event has in common, and the limits that hold for all of them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from streams.events.times import Micros

MAX_MESSAGE_BYTES: Final = 1 << 20
"""A message larger than 1 MiB is rejected."""

MAX_OUTPUT_CHARS: Final = 256 * 1024
"""Tool output kept per event; the head and the tail stay, the middle is cut with a note of how much."""

MAX_ID_CHARS: Final = 256

Id = Annotated[str, Meta(min_length=1, max_length=MAX_ID_CHARS)]
Count = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
"""A number of things; 64 bits, so that whatever keeps it can hold it."""

AtSource = Literal["event", "derived", "receive", "none"]


def run_key(match_id: str, contestant_id: str) -> str:
    """The key of a run. Two different runs have two different keys, whatever is in their names."""
    if "/" in contestant_id or "%" in contestant_id:
        contestant_id = contestant_id.replace("%", "%25").replace("/", "%2F")
    return f"{match_id}/{contestant_id}"


def split_run(run: str) -> tuple[str, str]:
    """Match and contestant of a run's key."""
    match_id, _, contestant_id = run.rpartition("/")
    return match_id, contestant_id.replace("%2F", "/").replace("%25", "%")


class EventBase(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Fields that every event has."""

    match_id: Annotated[Id, Meta(description="the match (bout)")]
    contestant_id: Annotated[
        str, Meta(max_length=MAX_ID_CHARS, description="who is judged; empty on a match-level event: all contestants")
    ] = ""
    event_id: Annotated[str, Meta(max_length=MAX_ID_CHARS, description="unique; empty: derived from the content")] = ""
    seq: Annotated[Count | None, Meta(description="the producer's counter, per run and producer")] = None
    producer: Annotated[str, Meta(max_length=MAX_ID_CHARS, description="who sent it")] = ""
    at: Annotated[Micros | None, Meta(description="event time: RFC 3339 with an offset, or epoch s, ms, µs or ns")] = None
    at_source: Annotated[AtSource, Meta(description="how good `at` is")] = "event"

    @property
    def run(self) -> str:
        """The run's key on every topic: `match_id/contestant_id`. A slash in the contestant's name is escaped: `%2F`."""
        return run_key(self.match_id, self.contestant_id)


class Rejected(Struct, frozen=True, kw_only=True):
    """A line or message that could not be read, as data: it goes to the dead-letter topic or into an error message."""

    stage: Annotated[str, Meta(description="where it failed: size, json, kind, fields, time, source")]
    reason: Annotated[str, Meta(description="what is wrong, in words for the person who sent it")]
    where: Annotated[str, Meta(description="file and line, or topic, partition and offset")] = ""
    raw: Annotated[bytes, Meta(description="the beginning of what came, at most 4 KiB")] = b""
