"""The embedded broker starts, keeps records, and ends without a trace."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
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


def test_a_port_that_was_taken_meanwhile_is_left_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one who took it answers there, and is not mistaken for the broker."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        ports = iter([taken, taken, embedded.free_port()])
        monkeypatch.setattr(embedded, "free_port", lambda: next(ports))
        with embedded.start() as address:
            assert address != f"127.0.0.1:{taken}"
            socket.create_connection(("127.0.0.1", int(address.split(":")[1])), timeout=2).close()


def test_when_every_port_is_taken_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few, with the broker's own words, and without a process left."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(embedded, "free_port", lambda: other.getsockname()[1])
        before = psutil.Process().children(recursive=True)
        with pytest.raises(embedded.BrokerStartError, match=r"(?is)does not answer.*in use"), embedded.start():
            pass
        assert psutil.Process().children(recursive=True) == before


def test_a_broker_that_cannot_run_says_so_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No other port would help."""
    program = tmp_path / "tansu"
    program.write_text("#!/bin/sh\necho no such processor\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("CALF_TANSU_BIN", str(program))
    with pytest.raises(embedded.BrokerStartError, match="it said last: no such processor"), embedded.start():
        pass


def test_settings_of_another_broker_in_the_environment_do_not_concern_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema registry that is not there would keep it from starting."""
    monkeypatch.setenv("SCHEMA_REGISTRY", "file:///nowhere")
    with embedded.start() as address:
        assert address


OWNER = """
import sys, time
from streams.broker import embedded
with embedded.start() as address:
    print(address, flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_it_ends_with_its_owner_however_that_ends(number: signal.Signals, tmp_path: Path) -> None:
    """No process and no file stays, even if the owner is killed and can do nothing."""
    root = Path(__file__).parents[2]
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(root)},
    )
    assert owner.stdout is not None
    port = int(owner.stdout.readline().decode().split(":")[1])
    started = psutil.Process(owner.pid).children(recursive=True)
    assert started
    assert list(tmp_path.iterdir())
    owner.send_signal(number)
    owner.wait(10)
    owner.stdout.close()
    assert psutil.wait_procs(started, timeout=10)[1] == []
    until = time.monotonic() + 10
    while list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=2)
