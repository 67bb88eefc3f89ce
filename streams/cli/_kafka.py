"""The command line's dealings with a broker: produce with every acknowledgement awaited, read a topic to its end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING, Final

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaConnectionError, KafkaError

from streams.topics import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord

    from streams.cli._wire import Record

REQUEST_MS: Final = 10_000
_POLL_MS: Final = 200
_LEAVE_S: Final = 2.0
"""Told to end, we wait so long for what was sent: without a broker it would be the whole request timeout."""


class BrokerError(ConnectionError):
    """The broker cannot be reached or refuses; the message says which one and what to do."""


@contextlib.asynccontextmanager
async def reaching(address: str) -> AsyncIterator[None]:
    """Turn what Kafka's client raises into one sentence for the user."""
    log = logging.getLogger("aiokafka")
    before = log.level
    # The client logs each failed attempt; the one message at the end is enough.
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    except KafkaError as error:
        lost = isinstance(error, KafkaConnectionError)
        what = "cannot be reached" if lost else str(error).split("{", 1)[0].strip() or type(error).__name__
        raise BrokerError(f"broker {address}: {what}; is it up? 'boutwatch doctor' looks, --broker names another") from error
    finally:
        log.setLevel(before)


async def partitions(address: str) -> dict[str, list[int]]:
    """The topics on the broker with their partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address, request_timeout_ms=REQUEST_MS)
    try:
        await admin.start()
        described = await admin.describe_topics()
    finally:
        await admin.close()
    return {topic["topic"]: sorted(one["partition"] for one in topic["partitions"]) for topic in described}


async def require(address: str, topics: Collection[str]) -> dict[str, list[int]]:
    """The partitions of these topics. Raises BrokerError naming those that are missing: nothing is created by accident."""
    found = await partitions(address)
    missing = sorted(set(topics) - set(found))
    if missing:
        raise BrokerError(f"broker {address} has no topic {', '.join(missing)}; create them with 'boutwatch topics apply'")
    return {topic: found[topic] for topic in topics}


@contextlib.asynccontextmanager
async def producer(address: str) -> AsyncIterator[AIOKafkaProducer]:
    """A producer that asks for every replica's acknowledgement."""
    made = AIOKafkaProducer(
        bootstrap_servers=address,
        acks="all",
        linger_ms=2,
        max_request_size=MAX_MESSAGE_BYTES,
        request_timeout_ms=REQUEST_MS,
    )
    try:
        await made.start()
        yield made
    except asyncio.CancelledError:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(made.stop(), _LEAVE_S)
        raise
    finally:
        await made.stop()


async def send(to: AIOKafkaProducer, one: Record) -> asyncio.Future[object]:
    """Hand a record over; the future is done when the broker has it."""
    sent: asyncio.Future[object] = await to.send(one.topic, one.value, key=one.key, headers=list(one.headers))
    sent.add_done_callback(_seen)
    return sent


def _seen(sent: asyncio.Future[object]) -> None:
    """Take note of an error: when we are told to end, nobody waits for it, and Python would complain."""
    if not sent.cancelled():
        sent.exception()


@contextlib.asynccontextmanager
async def reader(address: str, topics: Sequence[str]) -> AsyncIterator[AIOKafkaConsumer]:
    """A consumer of every partition of some topics from their beginning, in no group: it leaves no trace."""
    found = await require(address, topics)
    made = AIOKafkaConsumer(
        bootstrap_servers=address,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        request_timeout_ms=REQUEST_MS,
        max_partition_fetch_bytes=MAX_MESSAGE_BYTES,
    )
    try:
        await made.start()
        made.assign([TopicPartition(topic, one) for topic in topics for one in found[topic]])
        yield made
    finally:
        await made.stop()


async def to_end(consumer: AIOKafkaConsumer) -> AsyncIterator[ConsumerRecord]:
    """What the topics hold now, up to the end that they had when the reading began."""
    assigned = list(consumer.assignment())
    ends = await consumer.end_offsets(assigned)
    await consumer.seek_to_beginning(*assigned)
    while behind := [one for one in assigned if await consumer.position(one) < ends[one]]:
        for records in (await consumer.getmany(*behind, timeout_ms=_POLL_MS)).values():
            for found in records:
                yield found


async def onwards(consumer: AIOKafkaConsumer) -> AsyncIterator[ConsumerRecord]:
    """Everything that comes from here on, without end."""
    while True:
        for records in (await consumer.getmany(timeout_ms=_POLL_MS)).values():
            for found in records:
                yield found
