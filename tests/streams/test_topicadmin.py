"""Topics that were created can be used at once, by anybody."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError
from msgspec import structs

from streams.broker.kafka import Kafka
from streams.topicadmin import create_topics, existing, until_ready
from streams.topics import declared

pytestmark = pytest.mark.broker


@pytest.fixture(params=["embedded_broker", pytest.param("kafka_broker", marks=pytest.mark.kafka)])
def address(request: pytest.FixtureRequest) -> str:
    """A running broker's address: the embedded one, and Apache Kafka."""
    broker = request.getfixturevalue(request.param)
    return broker if isinstance(broker, str) else broker.bootstrap


async def test_another_client_finds_what_was_just_created(address: str) -> None:
    """Every topic, every partition, and each takes a record; three times, for it is a matter of moments."""
    for number in range(3):
        wanted = declared(f"soon{number}", 6, f"soon{number}")
        assert await create_topics(address, wanted) == [topic.name for topic in wanted]
        there = await existing(address)
        assert {topic.name: there.get(topic.name) for topic in wanted} == {topic.name: 6 for topic in wanted}
        async with AIOKafkaProducer(bootstrap_servers=address, acks="all", request_timeout_ms=5000) as producer:
            sent = [await producer.send(topic.name, b"v", b"k", partition=5) for topic in wanted]
            await asyncio.gather(*sent)


async def test_two_that_create_the_same_both_succeed(address: str) -> None:
    """Who comes second finds the topics there, and can use them as well."""
    wanted = declared("both", 3, "both")
    await asyncio.gather(create_topics(address, wanted), create_topics(address, wanted))
    there = await existing(address)
    assert {there[topic.name] for topic in wanted} == {3}


async def test_waiting_ends_when_the_topic_comes(address: str) -> None:
    """Whoever creates it."""
    wanted = declared("late", 2, "late")[:1]
    waiting = asyncio.create_task(until_ready(address, [wanted[0].name]))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    await create_topics(address, wanted)
    await asyncio.wait_for(waiting, 20)


async def test_a_topic_that_never_comes_is_named(address: str) -> None:
    """After the time given, and not before."""
    with pytest.raises(KafkaError, match=r"does not show never\.v1 with a leader"):
        await until_ready(address, ["never.v1"], timeout_s=0.3)


@pytest.mark.kafka
async def test_a_topic_that_the_broker_refuses_is_named_at_once(kafka_broker: Kafka) -> None:
    """A name that is too long stays too long: there is no second try."""
    wrong = structs.replace(declared("refused", 1, "refused")[0], name="x" * 250)
    with pytest.raises(KafkaError, match=r"does not create x+: InvalidTopic"):
        await asyncio.wait_for(create_topics(kafka_broker.bootstrap, [wrong]), 10)
