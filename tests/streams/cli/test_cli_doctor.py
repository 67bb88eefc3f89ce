"""`boutwatch doctor` on real brokers: what is well, what is a warning, what fails, and the exit code."""

from __future__ import annotations

import asyncio
import json
import platform
import subprocess
from collections.abc import Callable
from importlib import metadata

import pytest
from aiokafka import AIOKafkaConsumer
from packaging.requirements import Requirement

from streams.cli import _checks
from streams.topicadmin import create_topics, existing
from streams.topics import declared

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def _states(text: str) -> dict[str, tuple[str, str]]:
    return {row["check"]: (row["state"], row["says"]) for row in map(json.loads, text.splitlines())}


@pytest.mark.broker
def test_the_embedded_broker_is_well_but_for_its_clock(boutwatch: Cli, embedded_broker: str) -> None:
    """It puts no time on records, so its clock is a warning; warnings do not fail."""
    asyncio.run(create_topics(embedded_broker, declared("well", 2, "well")))
    environment = {"BOUTWATCH_PARTITIONS": "2", "BOUTWATCH_APP_ID": "well"}
    done = boutwatch("doctor", "--json", "--broker", embedded_broker, "--topic-prefix", "well", **environment)
    assert done.returncode == 0, done.stdout
    states = _states(done.stdout)
    assert states["topics"][0] == "ok"
    assert states["clock"] == ("warn", "not measured: this broker puts no time of its own on records")
    assert states["python"] == ("ok", platform.python_version())
    assert states["aiokafka"] == ("ok", metadata.version("aiokafka"))
    assert states["faust-streaming"] == ("ok", metadata.version("faust-streaming"))


@pytest.mark.kafka
def test_the_clock_of_apache_kafka_on_this_machine_is_this_machines(boutwatch: Cli, kafka_broker) -> None:
    """The skew is measured, and nothing of the measuring stays on the broker."""
    asyncio.run(create_topics(kafka_broker.bootstrap, declared("well", 2, "well")))
    environment = {"BOUTWATCH_PARTITIONS": "2", "BOUTWATCH_APP_ID": "well"}
    options = ("--broker", f"kafka://{kafka_broker.bootstrap}", "--topic-prefix", "well")
    done = boutwatch("doctor", "--json", *options, **environment)
    assert done.returncode == 0, done.stdout
    assert _states(done.stdout)["clock"][0] == "ok"
    assert "this machine (±" in _states(done.stdout)["clock"][1]
    assert not [name for name in asyncio.run(existing(kafka_broker.bootstrap)) if ".doctor." in name]


@pytest.mark.kafka
async def test_workers_are_counted_by_their_group_on_apache_kafka(kafka_broker) -> None:
    """None is a warning; a member of the group is a worker until it leaves."""
    address, group = kafka_broker.bootstrap, "counted"
    (topic, *_) = declared(group, 1, group)
    await create_topics(address, [topic])
    assert await _checks.workers(address, group) == _checks.none_runs(group)
    async with AIOKafkaConsumer(topic.name, bootstrap_servers=address, group_id=group) as member:
        await member.getmany(timeout_ms=100)
        assert await _checks.workers(address, group) == _checks.Finding("workers", "ok", "1 worker in group counted")
    assert await _checks.workers(address, group) == _checks.none_runs(group)


@pytest.mark.broker
async def test_no_worker_on_the_embedded_broker_is_a_warning(embedded_broker: str) -> None:
    """It says what to start."""
    finding = await _checks.workers(embedded_broker, "nobody")
    assert (finding.state, "boutwatch worker" in finding.says) == ("warn", True)


@pytest.mark.broker
def test_missing_topics_fail_with_what_to_run(boutwatch: Cli, embedded_broker: str) -> None:
    """The table for people has the state first, and one line a check where no terminal limits its width."""
    prefix = "ill-" + "long" * 20
    options = ("--broker", embedded_broker, "--topic-prefix", prefix)
    done = boutwatch("doctor", *options, BOUTWATCH_APP_ID="ill", COLUMNS="40")
    assert done.returncode == 1
    assert {row.split()[0] for row in done.stdout.splitlines()} <= {"ok", "warn", "fail"}
    (row,) = [row for row in done.stdout.splitlines() if row.split()[1] == "topics"]
    assert row.startswith("fail")
    assert "'topics apply' mends" in row


def test_an_unreachable_broker_fails_and_the_versions_are_still_told(boutwatch: Cli) -> None:
    """What rests on the broker is left out: it could say nothing."""
    done = boutwatch("doctor", "--json", "--broker", "127.0.0.1:1")
    states = _states(done.stdout)
    assert done.returncode == 1
    assert states["broker"][0] == "fail"
    assert states["boutwatch"][0] == "ok"
    assert not {"topics", "clock"} & set(states)


def test_wrong_usage_is_exit_code_two(boutwatch: Cli) -> None:
    """An embedded broker cannot be looked at from outside."""
    assert boutwatch("doctor", "--broker", "embedded").returncode == 2


@pytest.mark.parametrize(
    ("ahead_s", "give_s", "state"),
    [
        (0.0, 0.002, "ok"),
        (0.9, 0.002, "ok"),
        (1.5, 0.002, "warn"),
        (-1.5, 0.002, "warn"),
        (-25.0, 0.002, "fail"),
        (1.5, 3.0, "ok"),
        (21.0, 3.0, "warn"),
    ],
)
def test_a_clock_is_judged_by_what_is_certain(ahead_s: float, give_s: float, state: str) -> None:
    """In both directions; what the round trip leaves open is never held against it."""
    assert _checks.judged(ahead_s, give_s, warn_s=1.0, fail_s=20.0).state == state


def test_a_clock_behind_is_called_behind() -> None:
    """The direction says which clock to look at."""
    assert "1.500 s behind this machine" in _checks.judged(-1.5, 0.0, warn_s=1.0, fail_s=20.0).says
    assert "1.500 s ahead of this machine" in _checks.judged(1.5, 0.0, warn_s=1.0, fail_s=20.0).says


@pytest.mark.parametrize(
    ("limit", "state"), [("aiokafka>=0.1", "ok"), ("aiokafka<0.1", "fail"), ("no-such-package-here>=1", "fail")]
)
def test_a_version_outside_the_limit_fails_with_what_to_install(limit: str, state: str) -> None:
    """So does a package that is not there."""
    requirement = Requirement(limit)
    finding = _checks._version(requirement.name, requirement)
    assert finding.state == state
    assert ("pip install" in finding.says) == (state == "fail")
