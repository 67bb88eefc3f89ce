"""Topics on a real broker: which are there, making those that are declared, and waiting until they can be used."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, KafkaTimeoutError, TopicAlreadyExistsError, for_code

from streams.topics import Topic

REQUEST_MS: Final = 10_000

READY_S: Final = 30.0
"""Apache Kafka says yes first and shows it later: 2 s for 200 partitions on two busy cores."""

_POLL_S: Final = 0.1


async def existing(bootstrap: str) -> dict[str, int]:
    """The broker's topics and how many partitions each has. Raises KafkaError."""
    async with _admin(bootstrap) as admin:
        return {one["topic"]: len(one["partitions"]) for one in await admin.describe_topics()}


async def create_topics(bootstrap: str, topics: Iterable[Topic], *, timeout_s: float = READY_S) -> list[str]:
    """Create the topics that are not there yet; those that are stay as they are. Returns what was created.

    When it returns, any client finds what was created, every partition with a leader that answers. Raises KafkaError for a
    topic that the broker refuses, and when it does not get so far within `timeout_s` seconds.
    """
    until = time.monotonic() + timeout_s
    there = await existing(bootstrap)
    missing = [topic for topic in topics if topic.name not in there]
    if missing:
        async with _admin(bootstrap) as admin:
            await _create(admin, missing, until)
        await until_ready(bootstrap, [one.name for one in missing], timeout_s=until - time.monotonic())
    return [one.name for one in missing]


async def until_ready(bootstrap: str, names: Collection[str], *, timeout_s: float = READY_S) -> None:
    """Wait until the broker shows these topics, and the leader of each of their partitions answers.

    Raises KafkaError, naming the topics, when that is not so within `timeout_s` seconds.
    """
    until = time.monotonic() + timeout_s
    async with _admin(bootstrap) as admin:
        while late := sorted(set(names) - set(shown := await _led(admin))):
            if time.monotonic() > until:
                raise KafkaError(f"the broker does not show {_some(late)} with a leader after {timeout_s:.0f} s; try again")
            await asyncio.sleep(_POLL_S)
    await _answering(bootstrap, {name: shown[name] for name in names}, until)


@contextlib.asynccontextmanager
async def _admin(bootstrap: str) -> AsyncIterator[AIOKafkaAdminClient]:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=REQUEST_MS)
    try:
        await admin.start()
        yield admin
    finally:
        await admin.close()


async def _create(admin: AIOKafkaAdminClient, topics: Sequence[Topic], until: float) -> None:
    """Ask until the broker has taken every topic: one that is busy, or just lost its controller, takes it the next time."""
    left = {one.name: NewTopic(one.name, one.partitions, 1, topic_configs=one.config) for one in topics}
    while left:
        refused = _refused(await admin.create_topics(list(left.values())))
        left = {name: one for name, one in left.items() if name in refused}
        for name, error in refused.items():
            if not error.retriable or time.monotonic() > until:
                raise KafkaError(f"the broker does not create {name}: {error.__name__}")
        await asyncio.sleep(_POLL_S if left else 0)


def _refused(answer: Any) -> dict[str, type[KafkaError]]:
    errors = {name: for_code(code) for name, code, *_ in answer.topic_errors if code}
    # Another process may have been faster: the topic is there, which is what was asked for.
    return {name: error for name, error in errors.items() if error is not TopicAlreadyExistsError}


async def _led(admin: AIOKafkaAdminClient) -> dict[str, int]:
    """The topics all of whose partitions have a leader, with how many these are."""
    # All topics are asked for: a broker may be set to create one that is asked for by its name.
    shown = {one["topic"]: one["partitions"] for one in await admin.describe_topics()}
    return {name: len(found) for name, found in shown.items() if found and all(one["leader"] >= 0 for one in found)}


async def _answering(bootstrap: str, topics: Mapping[str, int], until: float) -> None:
    """A leader is shown before it leads: until then it refuses, and the client asks again."""
    left_ms = max(1000, round(1000 * (until - time.monotonic())))
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, enable_auto_commit=False, request_timeout_ms=left_ms)
    try:
        await consumer.start()
        partitions = [TopicPartition(name, one) for name, count in topics.items() for one in range(count)]
        consumer.assign(partitions)
        await consumer.end_offsets(partitions)
    except KafkaTimeoutError:
        raise KafkaError(f"the leaders of {_some(sorted(topics))} do not answer in time; try again") from None
    finally:
        await consumer.stop()


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more topics"
