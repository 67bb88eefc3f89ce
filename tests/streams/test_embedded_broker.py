"""The embedded broker starts, keeps records, and ends without a trace."""

from __future__ import annotations

import socket

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from streams.broker import embedded
from streams.topicadmin import create_topics, existing
from streams.topics import declared

pytestmark = pytest.mark.broker


async def test_all_declared_topics_can_be_created_once(embedded_broker: str) -> None:
    """Creating is idempotent and gives every topic the one partition count."""
    wanted = declared("once", 4, "once")
    assert set(await create_topics(embedded_broker, wanted)) == {topic.name for topic in wanted}
    assert await create_topics(embedded_broker, wanted) == []
    there = await existing(embedded_broker)
    assert {there[topic.name] for topic in wanted} == {4}


async def test_a_record_comes_back_with_key_and_headers(embedded_broker: str) -> None:
    """What is produced is what is consumed."""
    topic = next(one for one in declared("back", 2, "back") if one.stream == "traces")
    await create_topics(embedded_broker, [topic])
    async with AIOKafkaProducer(bootstrap_servers=embedded_broker) as producer:
        await producer.send_and_wait(topic.name, b"value", key=b"m/c", headers=[("ce_id", b"1")])
    async with AIOKafkaConsumer(topic.name, bootstrap_servers=embedded_broker, auto_offset_reset="earliest") as consumer:
        record = await consumer.getone()
    assert (record.key, record.value, list(record.headers)) == (b"m/c", b"value", [("ce_id", b"1")])


def test_it_ends_with_its_block() -> None:
    """Nothing listens on its port afterwards."""
    with embedded.start() as address:
        host, port = address.split(":")
        socket.create_connection((host, int(port)), timeout=2).close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((host, int(port)), timeout=2)
