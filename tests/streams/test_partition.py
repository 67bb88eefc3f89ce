"""What becomes of a partition's records: fed, moved, fanned out or dead."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from streams.cloudevents import Headers
from streams.events import Event, Rejected
from streams.events.decode import decoder
from streams.partition import MAX_HOMES, Homes, Taken, letter_headers, take

PARTITIONS = 4


class Raw(NamedTuple):
    """A record without a broker."""

    value: bytes | None
    key: bytes | None = b"k"
    topic: str = "bouts.traces.v1"
    partition: int = 1
    offset: int = 7
    headers: Headers = ()


class Seen:
    """A pipeline that remembers what it was fed."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def feed(self, event: Event) -> str:
        self.events.append(event)
        return "new"


def message(match: str, contestant: str) -> bytes:
    """A message event."""
    return json.dumps({"kind": "message", "match_id": match, "contestant_id": contestant, "text": "x"}).encode()


def home(key: bytes) -> int:
    """A partitioner that a test can foresee."""
    return sum(key) % PARTITIONS


def taken(records: Sequence[Raw], partition: int = 1) -> tuple[Taken, Seen]:
    """What becomes of these records."""
    seen = Seen()
    return take(records, partition, Homes(home), decoder(), seen), seen


names = st.text("abc/%", min_size=1, max_size=4)
values = st.one_of(st.none(), st.binary(max_size=20), st.builds(message, names, names), st.builds(message, names, st.just("")))


@given(st.lists(values, max_size=30), st.integers(0, PARTITIONS - 1))
def test_every_record_has_exactly_one_fate(raws: list[bytes | None], partition: int) -> None:
    """Fed, moved, fanned out or dead: nothing is lost and nothing is taken twice."""
    result, seen = taken([Raw(value) for value in raws], partition)
    fates = [len(seen.events), len(result.moved), len(result.of_matches), len(result.unreadable)]
    assert sum(fates) == len(raws)
    assert sum(result.fed.values()) == len(seen.events)
    assert all(home(event.run.encode()) == partition for event in seen.events)
    assert all(one.partition == home(one.key) != partition for one in result.moved)


def test_the_key_comes_from_the_value() -> None:
    """A null, empty or foreign key makes no difference where the record is at home."""
    partition = home(b"m/c")
    result, seen = taken([Raw(message("m", "c"), key) for key in (None, b"", b"other")], partition)
    assert result.fed == {"new": 3}
    assert len(seen.events) == 3


def test_a_record_elsewhere_is_moved_under_its_right_key() -> None:
    """It touches no state where it lies, and will be at home where it is sent."""
    there = (home(b"m/c") + 1) % PARTITIONS
    result, seen = taken([Raw(message("m", "c"), b"wrong")], there)
    assert not seen.events
    assert [(one.key, one.partition) for one in result.moved] == [(b"m/c", home(b"m/c"))]


def test_a_dead_letter_says_where_it_lay_and_why() -> None:
    """The original's headers first, then ours."""
    record = Raw(None, headers=(("mine", b"1"),))
    result, _ = taken([record])
    (_, why), *_ = result.unreadable
    assert isinstance(why, Rejected)
    headers = dict(letter_headers(record, why, "now"))
    assert headers["mine"] == b"1"
    assert (headers["topic"], headers["partition"], headers["offset"]) == (b"bouts.traces.v1", b"1", b"7")
    assert headers["stage"] == b"value"
    assert b"tombstone" in headers["message"]
    assert headers["time"] == b"now"


def test_the_memory_of_homes_is_bounded() -> None:
    """Past its limit it starts anew, and still answers rightly."""
    homes = Homes(home)
    assert all(homes(str(number)) == home(str(number).encode()) for number in range(MAX_HOMES + 10))
    assert len(homes._known) <= MAX_HOMES
