"""Apache Kafka starts from jars, keeps its data over stops and crashes, and says what it lacks."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from streams.broker import jars, kafka
from streams.broker.embedded import BrokerStartError
from streams.topicadmin import create_topics, existing
from streams.topics import declared


@pytest.mark.kafka
async def test_every_declared_topic_is_accepted_as_declared(kafka_broker: kafka.Kafka) -> None:
    """No name, count or configuration is one that Apache Kafka refuses."""
    wanted = declared("accept", 3, "accept")
    assert set(await create_topics(kafka_broker.bootstrap, wanted)) == {topic.name for topic in wanted}
    there = await existing(kafka_broker.bootstrap)
    assert {there[topic.name] for topic in wanted} == {3}


@pytest.mark.kafka
@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
async def test_what_was_acknowledged_survives(kafka_broker: kafka.Kafka, crash: bool) -> None:
    """After a stop and after a crash the node is back on the same port with the same records."""
    topic = next(one for one in declared(f"kept{crash:d}", 1, "kept") if one.stream == "traces")
    await create_topics(kafka_broker.bootstrap, [topic])
    async with AIOKafkaProducer(bootstrap_servers=kafka_broker.bootstrap, acks="all") as producer:
        await producer.send_and_wait(topic.name, b"kept", key=b"m/c")
    (kafka_broker.kill if crash else kafka_broker.stop)()
    assert not kafka_broker.running
    kafka_broker.start()
    consumer = AIOKafkaConsumer(topic.name, bootstrap_servers=kafka_broker.bootstrap, auto_offset_reset="earliest")
    async with consumer:
        assert (await consumer.getone()).value == b"kept"


@pytest.mark.kafka
def test_starting_what_runs_changes_nothing(kafka_broker: kafka.Kafka) -> None:
    """A second start is harmless."""
    before = kafka_broker.log.read_bytes()
    kafka_broker.start()
    assert kafka_broker.running
    assert kafka_broker.log.read_bytes() == before


@pytest.mark.kafka
def test_a_node_that_cannot_start_says_why_and_leaves_no_process(tmp_path: Path) -> None:
    """Its port taken by another, the node ends, and the message holds its own words."""
    node = kafka.Kafka(tmp_path, jars.fetched())
    node.format()
    host, port = node.bootstrap.split(":")
    with (
        socket.create_server((host, int(port))),
        pytest.raises(BrokerStartError, match=r"(?i)ended while starting.*(bind|in use)"),
    ):
        node.start()
    assert not node.running


@pytest.mark.kafka
def test_a_node_ends_with_its_block() -> None:
    """Nothing listens on its port afterwards, and its folder is gone."""
    with kafka.start() as node:
        host, port = node.bootstrap.split(":")
        socket.create_connection((host, int(port)), timeout=2).close()
    assert not node.log.exists()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((host, int(port)), timeout=2)


def test_without_java_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No Java at all."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrokerStartError, match="java is not on the PATH; install Java 17 or newer"), kafka.start():
        pass


def test_an_old_java_is_told_by_its_version(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`1.8` is Java 8, which the broker does not run on."""
    _program(tmp_path / "java", "echo 'openjdk version \"1.8.0_412\"' >&2")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrokerStartError, match="is Java 8; install Java 17"):
        kafka.java()


def test_without_maven_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No Maven, and no jars fetched before."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BrokerStartError, match="mvn is not on the PATH; install Maven"):
        jars.fetched(tmp_path / "cache")


def test_a_failing_maven_leaves_no_half_filled_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What it said is in the message, and the next try begins anew."""
    _program(tmp_path / "mvn", "echo 'no route to the repository'; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(BrokerStartError, match="no route to the repository"):
        jars.fetched(tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_fetched_jars_are_fetched_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the folder there, not even Maven is needed."""
    (tmp_path / f"libs-{jars.version()}").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert jars.fetched(tmp_path) == tmp_path / f"libs-{jars.version()}"


def test_the_cache_folder_is_named_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Else it is `.kafka` here."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(jars.HOME, raising=False)
    assert jars.home() == tmp_path / ".kafka"
    monkeypatch.setenv(jars.HOME, str(tmp_path / "elsewhere"))
    assert jars.home() == tmp_path / "elsewhere"


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
