"""An event as a Kafka record: topic, key, JSON value, CloudEvents headers (binary mode)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import quote

import msgspec

from streams.events import Event, Micros, rfc3339
from streams.match import is_match_level
from streams.topics import partition_key, stream_of, topic_name


class Record(NamedTuple):
    """What a producer sends."""

    topic: str
    key: bytes
    value: bytes
    headers: Sequence[tuple[str, bytes]]


def record(event: Event, prefix: str) -> Record:
    """The record of a settled event; reading it back gives an equal event.

    The key is the run; events that speak of a whole match have the match for their key and so meet in one partition.
    """
    key = event.match_id if is_match_level(event) else event.run
    return Record(topic_name(stream_of(kind_of(event)), prefix), partition_key(key), _encoder.encode(event), headers(event))


def headers(event: Event) -> list[tuple[str, bytes]]:
    """CloudEvents 1.0 attributes as Kafka headers."""
    made = {
        "ce_specversion": "1.0",
        "ce_id": event.event_id,
        "ce_type": f"boutwatch.{kind_of(event)}.v1",
        "ce_source": f"boutwatch:{quote(event.producer or 'replay')}",
        "content-type": "application/json",
    }
    if event.at is not None:
        made["ce_time"] = rfc3339(event.at)
    return [(name, value.encode()) for name, value in made.items()]


def kind_of(event: Event) -> str:
    """The event's `kind`, as its JSON says it."""
    return str(event.__struct_config__.tag)


def _time(value: object) -> str:
    if isinstance(value, Micros):
        return rfc3339(value)
    raise NotImplementedError(type(value))


_encoder: Final = msgspec.json.Encoder(enc_hook=_time)
