"""What a worker sends, beside its state: outputs, moved records, events for contestants, dead letters.

Every method hands the records over in the order of the calls and gives futures, to be awaited before the acknowledgement.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from streams.events.times import rfc3339
from streams.partition import home_key, letter_headers
from streams.topics import MAX_MESSAGE_BYTES, dlq_name, partition_key, stream_of, topic_name

if TYPE_CHECKING:
    from streams.events import Event, Rejected
    from streams.partition import Moved, Record
    from streams.pipeline import Output

Futures = list[asyncio.Future[Any]]
Headers = Sequence[tuple[str, bytes | None]]
Sending = tuple[str, bytes | None, bytes | None, int | None, Headers]
"""Topic, key, value, partition (None: as the key hashes) and headers."""

SOURCE: Final = b"boutwatch"
_KEPT_OF_OVERSIZE: Final = 64 << 10

_encode: Final = msgspec.json.Encoder(enc_hook=int).encode


class Producer(Protocol):
    """The part of Faust's producer that is used."""

    async def send(  # noqa: PLR0913, PLR0917 # Faust's
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        partition: int | None,
        timestamp: float | None,
        headers: Any,
    ) -> Any:
        """Hand a record over; what comes back is done when the broker has it."""


class Publisher:
    """Sends on behalf of one worker."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        # Two senders must not mix: on a compacted topic the newest of a key has to come last.
        self._order = asyncio.Lock()

    async def outputs(self, producer: Producer, outputs: Iterable[Output]) -> Futures:
        """Readings, opinions and verdicts, keyed so that a compacted topic keeps the newest of each."""
        return await self._send(
            producer,
            ((topic_name(one.stream, self._prefix), one.key.encode(), one.value, None, _about(one)) for one in outputs),
        )

    async def moved(self, producer: Producer, moved: Iterable[Moved]) -> Futures:
        """Records that lay elsewhere, as they came, under the key and in the partition of their run."""
        return await self._send(
            producer,
            ((one.record.topic, one.key, one.record.value, one.partition, one.record.headers) for one in moved),
        )

    async def events(self, producer: Producer, events: Iterable[tuple[Event, int]]) -> Futures:
        """Events made from match-level ones, each into the given partition of its topic."""
        return await self._send(
            producer,
            ((self._topic(one), partition_key(home_key(one)), _encode(one), home, ()) for one, home in events),
        )

    async def dead_letters(self, producer: Producer, unreadable: Iterable[tuple[Record, Rejected]], now: int) -> Futures:
        """What could not be read by `now` (µs): original key, value, headers, and why. An oversize value is cut."""
        return await self._send(producer, (_letter(record, why, rfc3339(now)) for record, why in unreadable))

    def _topic(self, event: Event) -> str:
        return topic_name(stream_of(str(event.__struct_config__.tag)), self._prefix)

    async def _send(self, producer: Producer, records: Iterable[Sending]) -> Futures:
        async with self._order:
            return [
                asyncio.ensure_future(await producer.send(topic, key, value, partition, None, list(headers) or None))
                for topic, key, value, partition, headers in records
            ]


def _about(output: Output) -> Headers:
    return (
        ("ce_specversion", b"1.0"),
        ("ce_id", output.id.encode()),
        ("ce_type", f"boutwatch.{output.stream}.v1".encode()),
        ("ce_source", SOURCE),
        ("content-type", b"application/json"),
    )


def _letter(record: Record, why: Rejected, time: str) -> Sending:
    value: bytes | None = record.value
    headers: Headers = letter_headers(record, why, time)
    if value is not None and len(value) > MAX_MESSAGE_BYTES:
        headers = (*headers, ("value_bytes", str(len(value)).encode()))
        value = value[:_KEPT_OF_OVERSIZE]
    return dlq_name(record.topic), record.key, value, None, headers
