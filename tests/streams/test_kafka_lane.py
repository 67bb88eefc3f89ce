"""The same promises on Apache Kafka itself, and what only it has: transactions that leave holes in the offsets."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer

from streams.broker.kafka import Kafka
from streams.events import FAMILIES
from tests.streams.lab import Lab, bout, disordered, offline

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(300)]


@pytest.fixture
async def lab(kafka_broker: Kafka, tmp_path: Path) -> AsyncIterator[Lab]:
    """Topics of its own on Apache Kafka, and no worker yet."""
    made = Lab(kafka_broker.bootstrap, tmp_path)
    await made.create()
    yield made
    made.close()


async def test_verdicts_after_kills_equal_the_offline_ones(lab: Lab) -> None:
    """Shuffled, duplicated, two times `kill -9` midway: the verdicts equal the offline ones byte for byte."""
    sent = bout(6000, 12, seed=21)
    mixed = disordered(sent, seed=8)
    worker = lab.start()
    await lab.send(mixed[:1500])
    await lab.until(lambda: lab.read(lab.name("readings")), 60, "no reading")
    for start in (1500, 3000):
        await lab.send(mixed[start : start + 1500], batch=50, pause_s=0.02)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        worker = lab.start()
    await lab.send(mixed[4500:])
    await lab.until_verdicts(offline(sent), timeout_s=120)


async def test_a_static_member_is_back_at_once(lab: Lab) -> None:
    """With a name of its own a killed worker has its partitions back without waiting for its session to run out."""
    sent = bout(600, 4, seed=5)
    settings = {"worker_id": "one", "session_timeout_s": 60, "rebalance_timeout_s": 60}
    worker = lab.start(**settings)
    await lab.send(sent[:300])
    await lab.until(lambda: lab.read(lab.name("readings")), 60, "no reading")
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    await lab.send(sent[300:])
    lab.start(**settings)
    await lab.until_verdicts(offline(sent), timeout_s=45)


async def test_a_rebalance_loses_nothing(lab: Lab) -> None:
    """A second worker joins, the first is killed: the verdicts are the offline ones, and all is committed at the end."""
    sent = bout(2000, 8, seed=17)
    first = lab.start()
    await lab.send(sent[:600])
    await lab.until(lambda: lab.read(lab.name("readings")), 60, "no reading")
    second = lab.start()
    await lab.send(sent[600:1400], batch=20, pause_s=0.25)
    first.send_signal(signal.SIGKILL)
    first.wait()
    await lab.send(sent[1400:])
    await lab.until_verdicts(offline(sent), timeout_s=120)
    second.send_signal(signal.SIGTERM)
    assert second.wait(30) == 0
    assert await lab.committed() == await lab.ends(FAMILIES)


async def test_holes_in_the_offsets(lab: Lab) -> None:
    """Markers of transactions take offsets without being records: the worker commits past them all the same."""
    sent = bout(300, 3, seed=6)
    producer = AIOKafkaProducer(bootstrap_servers=lab.broker, transactional_id=lab.prefix)
    await producer.start()
    worker = lab.start()
    for start in range(0, len(sent), 7):
        async with producer.transaction():
            for stream, key, value in sent[start : start + 7]:
                await producer.send(lab.name(stream), value, key=key)
    await producer.stop()
    await lab.until_verdicts(offline(sent))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
    ends, committed = await lab.ends(FAMILIES), await lab.committed()
    assert all(committed[one] >= end for one, end in ends.items())


async def test_the_state_alone_brings_everything_back(lab: Lab) -> None:
    """A worker on another machine has the runs from the changelog: late events change the verdicts of finished runs rightly."""
    sent = bout(800, 4, seed=19)
    early, late = sent[:500] + sent[-4:], sent[500:-4]
    worker = lab.start()
    await lab.send(early)
    await lab.until_verdicts(offline(early))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
    lab.start()
    await lab.send(late)
    await lab.until_verdicts(offline(sent))


async def test_the_broker_restarts(lab: Lab, kafka_broker: Kafka) -> None:
    """The broker is killed and started again under a working worker, which goes on as if nothing had been."""
    sent = bout(900, 4, seed=23)
    worker = lab.start()
    await lab.send(sent[:400])
    await lab.until(lambda: lab.read(lab.name("readings")), 60, "no reading")
    await lab.send(sent[400:600])
    kafka_broker.kill()
    kafka_broker.start()
    await lab.send(sent[600:])
    await lab.until_verdicts(offline(sent), timeout_s=120)
    assert worker.poll() is None
