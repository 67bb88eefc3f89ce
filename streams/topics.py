"""Every topic in one table: names, keys, partitions, what is kept and for how long. Pure: creating them is the rim's work.

All topics of one installation have one partition count, fixed at creation: a run's key then lands on the same partition
number everywhere, so the worker that folds a run's traces also gets its errors, its control events and its own state.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final, Literal

from msgspec import Struct

from streams.events import FAMILIES

PREFIX: Final = "bouts"
PARTITIONS: Final = 12
APP_ID: Final = "boutwatch"
TABLES: Final = ("runs", "matches")
"""The worker's tables, each with a changelog topic."""

MAX_MESSAGE_BYTES: Final = 4 << 20
"""What a topic takes. An event is bounded far below that: an oversize one shall reach the dead-letter topic, and be seen."""

_DLQ_HEADROOM_BYTES: Final = 256 << 10
_LEGAL: Final = re.compile(r"[A-Za-z0-9._-]{1,200}")

Direction = Literal["in", "out", "dlq", "table"]


class Topic(Struct, frozen=True, kw_only=True):
    """One topic as it shall be on the broker."""

    name: str
    stream: str
    """The middle of the name (`traces`); for a table's changelog, the table."""
    direction: Direction
    partitions: int
    retention: timedelta | None
    """How long a record is kept; None: for ever, or for a compacted topic until a newer one has its key."""
    compact: bool
    key: str
    """What a record's key is, in words."""
    summary: str = ""

    @property
    def config(self) -> dict[str, str]:
        """The topic's configuration under Kafka's own names."""
        config = {
            "cleanup.policy": "compact" if self.compact else "delete",
            "retention.ms": _milliseconds(self.retention),
            "max.message.bytes": str(self._largest),
        }
        # Retention must count from arrival: by its event time, a bout of last year would be deleted as it is replayed.
        stamped = self.direction in {"in", "dlq"}
        return config | ({"message.timestamp.type": "LogAppendTime"} if stamped else {})

    @property
    def _largest(self) -> int:
        # A dead letter is the original plus headers that say what is wrong with it.
        return MAX_MESSAGE_BYTES + (_DLQ_HEADROOM_BYTES if self.direction == "dlq" else 0)


class _Row(Struct, frozen=True):
    stream: str
    direction: Direction
    retention: timedelta | None
    compact: bool
    key: str
    summary: str


_MONTH: Final = timedelta(days=30)
_RUN: Final = "match_id/contestant_id"


def _carries(stream: str) -> str:
    return ", ".join(str(kind.__struct_config__.tag) for kind in FAMILIES[stream])


_TABLE: Final = (
    *(_Row(stream, "in", _MONTH, False, _RUN, _carries(stream)) for stream in FAMILIES),
    _Row("otlp", "in", timedelta(days=1), False, "any", "OTLP batches of an OpenTelemetry Collector, many events each"),
    _Row("readings", "out", None, True, _RUN, "metrics of a run: provisional while live, then final, with a revision"),
    _Row("alerts", "out", None, True, "fingerprint", "an integrity or health alert"),
    _Row("attempts", "out", None, False, _RUN, "one judge attempt each, append only"),
    _Row("opinions", "out", None, True, "match_id/contestant_id/judge", "one judge's opinion of a run"),
    _Row("verdicts", "out", None, True, _RUN, "the verdict of a run, with its revision and what it supersedes"),
)


def topics(prefix: str = PREFIX, partitions: int = PARTITIONS) -> tuple[Topic, ...]:
    """Every topic of an installation, dead-letter topics last.

    Raises ValueError when the prefix makes no legal topic name or the partition count is below 1.
    """
    _check(prefix, partitions)
    rows = tuple(_topic(row, prefix, partitions) for row in _TABLE)
    return rows + tuple(_dead_letters(row) for row in rows if row.direction == "in")


def changelogs(app_id: str = APP_ID, partitions: int = PARTITIONS, tables: tuple[str, ...] = TABLES) -> tuple[Topic, ...]:
    """The changelog topics of the worker's tables, under the names that Faust gives them."""
    _check(app_id, partitions)
    return tuple(
        Topic(
            name=f"{app_id}-{table}-changelog",
            stream=table,
            direction="table",
            partitions=partitions,
            retention=None,
            compact=True,
            key="table key",
            summary=f"state of the table `{table}`",
        )
        for table in tables
    )


def declared(prefix: str = PREFIX, partitions: int = PARTITIONS, app_id: str = APP_ID) -> tuple[Topic, ...]:
    """All that must be on the broker before a worker starts: `topics` and `changelogs`."""
    return topics(prefix, partitions) + changelogs(app_id, partitions)


def topic_name(stream: str, prefix: str = PREFIX) -> str:
    """`<prefix>.<stream>.v1`."""
    return f"{prefix}.{stream}.v1"


def dlq_name(topic: str) -> str:
    """The dead-letter topic of an input topic, by the input topic's full name."""
    return f"{topic}.dlq"


def stream_of(kind: str) -> str:
    """The input stream that carries events of this kind; KeyError for a kind that none carries."""
    return _STREAM_OF[kind]


_STREAM_OF: Final = {str(event.__struct_config__.tag): stream for stream, family in FAMILIES.items() for event in family}


def partition_key(run: str) -> bytes:
    """The record key of everything about a run (`match_id/contestant_id`)."""
    return run.encode()


def opinion_key(run: str, judge: str) -> bytes:
    """The record key of one judge's opinion of a run. It hashes to another partition than the run: opinions are output."""
    return f"{run}/{judge}".encode()


def _topic(row: _Row, prefix: str, partitions: int) -> Topic:
    return Topic(
        name=topic_name(row.stream, prefix),
        stream=row.stream,
        direction=row.direction,
        partitions=partitions,
        retention=row.retention,
        compact=row.compact,
        key=row.key,
        summary=row.summary,
    )


def _dead_letters(source: Topic) -> Topic:
    return Topic(
        name=dlq_name(source.name),
        stream=f"{source.stream}.dlq",
        direction="dlq",
        partitions=source.partitions,
        retention=_MONTH,
        compact=False,
        key="the original's",
        summary=f"messages of {source.name} that could not be read, with the reason in headers",
    )


def _milliseconds(retention: timedelta | None) -> str:
    return "-1" if retention is None else str(retention // timedelta(milliseconds=1))


def _check(name: str, partitions: int) -> None:
    if not _LEGAL.fullmatch(name):
        raise ValueError(f"{name!r} makes no legal topic name: use 1 to 200 of letters, digits, '.', '_' and '-'")
    if partitions < 1:
        raise ValueError(f"a topic needs at least 1 partition, not {partitions}")
