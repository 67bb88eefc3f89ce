"""A replay on the embedded broker: every event arrives once, in its topic, under its run's key."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from streams.broker import embedded
from streams.cli import _kafka
from streams.events import FAMILIES
from streams.topicadmin import create_topics
from streams.topics import topic_name, topics

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from aiokafka import ConsumerRecord

    Cli = Callable[..., subprocess.CompletedProcess[str]]
    Native = Callable[..., Path]
    Rows = Callable[..., list[dict[str, Any]]]

pytestmark = pytest.mark.broker


@pytest.fixture
def broker() -> Iterator[str]:
    """A broker with the input and output topics."""
    with embedded.start() as address:
        asyncio.run(create_topics(address, topics("bouts", 2)))
        yield address


def arrived(address: str) -> list[ConsumerRecord]:
    """What the input topics hold."""

    async def read() -> list[ConsumerRecord]:
        async with _kafka.reader(address, [topic_name(family) for family in FAMILIES]) as consumer:
            return [record async for record in _kafka.to_end(consumer)]

    return asyncio.run(read())


def test_every_event_arrives_in_the_topic_of_its_kind_under_its_run(
    boutwatch: Cli, broker: str, native: Native, bout_rows: Rows
) -> None:
    """Keys, headers and values as declared; the summary counts them."""
    shown = boutwatch("replay", native(*bout_rows()), "--speed", "max", "--broker", f"kafka://{broker}")
    assert (shown.returncode, shown.stdout) == (0, "")
    assert shown.stderr == "replayed 7 events of 1 run; all acknowledged\n"
    records = arrived(broker)
    assert {record.key for record in records} == {b"m/c"}
    assert Counter(record.topic for record in records) == {"bouts.traces.v1": 5, "bouts.control.v1": 2}
    for record in records:
        headers = dict(record.headers)
        assert headers["ce_id"].decode() == json.loads(record.value)["event_id"]
        assert headers["ce_specversion"] == b"1.0"


def test_shuffled_and_duplicated_events_all_arrive(boutwatch: Cli, broker: str, native: Native, bout_rows: Rows) -> None:
    """The share of duplicates comes on top; nothing is missing."""
    rows = bout_rows()
    shown = boutwatch("replay", native(*rows), "--speed", "max", "--shuffle", 3, "--duplicate", 0.5, "--broker", broker)
    assert shown.returncode == 0
    ids = Counter(json.loads(record.value)["event_id"] for record in arrived(broker))
    assert set(ids) == {row["event_id"] for row in rows}
    assert sum(ids.values()) == len(rows) + round(len(rows) / 2)


def test_a_retimed_replay_begins_now_and_keeps_the_spaces(boutwatch: Cli, broker: str, native: Native, bout_rows: Rows) -> None:
    """Event times move together."""
    boutwatch("replay", native(*bout_rows()), "--speed", "max", "--retime", "--broker", broker)
    times = sorted(json.loads(record.value)["at"] for record in arrived(broker))
    assert times[0] > "2025-12"
    assert len(set(times)) == len(bout_rows())


def test_no_verdict_yet_is_said_and_is_no_error(boutwatch: Cli, broker: str) -> None:
    """An empty topic is read to its end at once."""
    shown = boutwatch("verdicts", "--json", "--broker", broker)
    assert (shown.returncode, shown.stdout) == (0, "")
    assert "no verdict there yet" in shown.stderr


def test_a_broker_without_the_topics_is_told_apart_from_none(
    boutwatch: Cli, broker: str, native: Native, bout_rows: Rows
) -> None:
    """The first needs `topics apply`, the second an address; neither creates anything by accident."""
    path = native(*bout_rows())
    untold = boutwatch("replay", path, "--speed", "max", "--broker", broker, "--topic-prefix", "other")
    nobody = boutwatch("replay", path, "--speed", "max", "--broker", f"127.0.0.1:{embedded.free_port()}")
    assert (untold.returncode, nobody.returncode) == (2, 2)
    assert "topics apply" in untold.stderr
    assert "--broker" in nobody.stderr
    assert "Traceback" not in untold.stderr + nobody.stderr


def test_wrong_speeds_and_brokers_are_wrong_usage(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """Before anything is sent."""
    path = native(*bout_rows())
    for wrong in (["--speed", "0"], ["--speed", "fast"], ["--duplicate", "2"], ["--broker", "amqp://x"]):
        shown = boutwatch("replay", path, *wrong)
        assert shown.returncode == 2
        assert shown.stderr.startswith("boutwatch: ")
        assert len(shown.stderr.splitlines()) == 1
