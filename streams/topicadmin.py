"""Topics on a real broker: which are there, and making those that are declared."""

from __future__ import annotations

from collections.abc import Iterable

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from streams.topics import Topic

REQUEST_MS = 10_000
_NO_ERROR = 0


async def existing(bootstrap: str) -> dict[str, int]:
    """The broker's topics and how many partitions each has. Raises KafkaError."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=REQUEST_MS)
    try:
        await admin.start()
        return {one["topic"]: len(one["partitions"]) for one in await admin.describe_topics()}
    finally:
        await admin.close()


async def create_topics(bootstrap: str, topics: Iterable[Topic]) -> list[str]:
    """Create the topics that are not there yet; those that are stay as they are. Returns what was created.

    Raises KafkaError for a topic that the broker refuses.
    """
    there = await existing(bootstrap)
    missing = [topic for topic in topics if topic.name not in there]
    if not missing:
        return []
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=REQUEST_MS)
    try:
        await admin.start()
        wanted = [NewTopic(one.name, one.partitions, 1, topic_configs=one.config) for one in missing]
        _check(await admin.create_topics(wanted))
    finally:
        await admin.close()
    return [one.name for one in missing]


def _check(answer: object) -> None:
    for name, code, *_ in getattr(answer, "topic_errors", []):
        error = for_code(code) if code != _NO_ERROR else None
        # Another process may have been faster: the topic is there, which is what was asked for.
        if error is not None and error is not TopicAlreadyExistsError:
            raise KafkaError(f"the broker does not create {name}: {error.__name__}")
