"""`boutwatch topics` on real brokers: what is missing is created, what differs is told and, where that works, mended."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec import structs

from streams.topicadmin import create_topics, existing
from streams.topics import Topic, declared

Cli = Callable[..., "subprocess.CompletedProcess[str]"]

pytestmark = pytest.mark.broker


@pytest.fixture(params=["embedded_broker", pytest.param("kafka_broker", marks=pytest.mark.kafka)])
def address(request: pytest.FixtureRequest) -> str:
    """A running broker's address: the embedded one, and Apache Kafka."""
    broker = request.getfixturevalue(request.param)
    return broker if isinstance(broker, str) else broker.bootstrap


def _rows(text: str) -> list[dict[str, object]]:
    return [json.loads(row) for row in text.splitlines()]


def _create(address: str, *wanted: Topic) -> None:
    asyncio.run(create_topics(address, wanted))


def _scope(prefix: str, address: str, partitions: int = 2) -> tuple[tuple[str, ...], dict[str, str], tuple[Topic, ...]]:
    """Options, environment and declared topics of a test of its own."""
    options = ("--broker", f"kafka://{address}", "--topic-prefix", prefix)
    environment = {"BOUTWATCH_PARTITIONS": str(partitions), "BOUTWATCH_APP_ID": prefix}
    return options, environment, declared(prefix, partitions, prefix)


def test_diff_then_apply_then_no_difference(boutwatch: Cli, address: str) -> None:
    """All is missing, all is created, nothing is left; a second apply does nothing."""
    options, environment, wanted = _scope("clean", address)
    before = boutwatch("topics", "diff", "--json", *options, **environment)
    assert before.returncode == 1, before.stderr
    assert {(row["topic"], row["what"]) for row in _rows(before.stdout)} == {(one.name, "missing") for one in wanted}
    applied = boutwatch("topics", "apply", *options, **environment)
    assert (applied.returncode, len(applied.stdout.splitlines())) == (0, len(wanted)), applied.stderr
    after = boutwatch("topics", "diff", *options, **environment)
    assert (after.returncode, after.stdout) == (0, ""), after.stderr
    again = boutwatch("topics", "apply", *options, **environment)
    assert (again.returncode, again.stdout) == (0, "")
    assert "no changes made, no differences left" in again.stderr
    there = asyncio.run(existing(address))
    assert {there[one.name] for one in wanted} == {2}


def test_another_partition_count_stays_and_is_an_exit_code(boutwatch: Cli, address: str) -> None:
    """Apply neither deletes nor widens: it says what to do instead."""
    options, environment, wanted = _scope("wide", address)
    _create(address, structs.replace(wanted[0], partitions=3), *wanted[1:])
    applied = boutwatch("topics", "apply", *options, **environment)
    assert (applied.returncode, applied.stdout) == (1, f"{wanted[0].name}: partitions is 3, declared 2\n"), applied.stderr
    assert "Kafka cannot lower a partition count, with --force neither" in applied.stderr
    assert "BOUTWATCH_PARTITIONS" in applied.stderr
    assert boutwatch("topics", "apply", "--force", *options, **environment).returncode == 1
    assert asyncio.run(existing(address))[wanted[0].name] == 3


def test_a_partition_count_is_not_raised_and_the_reason_is_told(boutwatch: Cli, address: str) -> None:
    """Kafka would do it, and every run's key would lie elsewhere than its state."""
    options, environment, wanted = _scope("narrow", address)
    _create(address, structs.replace(wanted[0], partitions=1), *wanted[1:])
    applied = boutwatch("topics", "apply", "--force", *options, **environment)
    assert applied.returncode == 1
    assert "a partition count is not raised" in applied.stderr
    assert "lower" not in applied.stderr
    assert asyncio.run(existing(address))[wanted[0].name] == 1


def test_what_would_delete_data_is_left_and_told(boutwatch: Cli, address: str) -> None:
    """On either broker: the difference, what it would cost, and how to have it all the same."""
    options, environment, wanted = _scope("long", address)
    _create(address, structs.replace(wanted[0], retention=timedelta(days=90)), *wanted[1:])
    applied = boutwatch("topics", "apply", *options, **environment)
    assert applied.returncode == 1, applied.stderr
    assert applied.stdout == (
        f"{wanted[0].name}: retention.ms is 7776000000, declared 2592000000; to set it deletes what is older than 30 d\n"
    )
    assert "1 difference left because to mend would delete data: 'topics apply --force' does it" in applied.stderr
    assert boutwatch("topics", "diff", *options, **environment).stdout == applied.stdout


@pytest.mark.kafka
def test_force_mends_what_deletes_data_too(boutwatch: Cli, kafka_broker) -> None:
    """Without it the rest is mended, and what deletes stays as it was; with it, all is."""
    options, environment, wanted = _scope("force", kafka_broker.bootstrap)
    first, second = wanted[0], wanted[1]
    spoiled = structs.replace(first, retention=timedelta(days=90)), structs.replace(second, retention=timedelta(hours=1))
    _create(kafka_broker.bootstrap, *spoiled, *wanted[2:])
    applied = boutwatch("topics", "apply", "--json", *options, **environment)
    assert applied.returncode == 1, applied.stderr
    assert {(row["topic"], row["mended"]) for row in _rows(applied.stdout)} == {(first.name, False), (second.name, True)}
    forced = boutwatch("topics", "apply", "--force", "--json", *options, **environment)
    assert forced.returncode == 0, forced.stderr
    assert {(row["topic"], row["mended"]) for row in _rows(forced.stdout)} == {(first.name, True)}
    assert boutwatch("topics", "diff", *options, **environment).returncode == 0


def test_other_retention_is_found(boutwatch: Cli, address: str) -> None:
    """Both brokers tell a topic's configuration."""
    options, environment, wanted = _scope("short", address)
    _create(address, structs.replace(wanted[0], retention=timedelta(hours=1)), *wanted[1:])
    found = boutwatch("topics", "diff", "--json", *options, **environment)
    assert found.returncode == 1, found.stderr
    assert _rows(found.stdout) == [
        {
            "topic": wanted[0].name,
            "what": "retention.ms",
            "declared": "2592000000",
            "found": "3600000",
            "loses": "",
            "mended": False,
        }
    ]


@pytest.mark.kafka
def test_apache_kafka_is_configured_as_declared_and_keeps_what_else_was_set(boutwatch: Cli, kafka_broker) -> None:
    """Retention and size are mended in place; a setting that nobody declared is the operator's."""
    from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType  # noqa: PLC0415 - of this test alone

    from streams.cli import _topicstate  # noqa: PLC0415 - as above

    options, environment, wanted = _scope("mend", kafka_broker.bootstrap)
    _create(kafka_broker.bootstrap, *wanted)

    async def spoil() -> None:
        own = {"retention.ms": "1000", "max.message.bytes": "1000", "segment.bytes": "2097152"}
        async with _topicstate.admin(kafka_broker.bootstrap) as client:
            await client.alter_configs([ConfigResource(ConfigResourceType.TOPIC, wanted[0].name, own)])

    asyncio.run(spoil())
    assert boutwatch("topics", "diff", *options, **environment).returncode == 1
    applied = boutwatch("topics", "apply", "--json", *options, **environment)
    assert applied.returncode == 0, applied.stderr
    assert {(row["topic"], row["mended"]) for row in _rows(applied.stdout)} == {(wanted[0].name, True)}
    there = asyncio.run(_topicstate.found(kafka_broker.bootstrap, {wanted[0].name}))[wanted[0].name]
    assert there.own["segment.bytes"] == "2097152"
    assert {name: there.config[name] for name in wanted[0].config} == wanted[0].config


@pytest.mark.kafka
def test_apply_waits_until_apache_kafka_shows_what_it_made(boutwatch: Cli, kafka_broker) -> None:
    """Its controller says yes seconds before its broker shows that many partitions: none of them is told as missing."""
    for prefix in ("many", "more"):
        options, environment, wanted = _scope(prefix, kafka_broker.bootstrap, partitions=12)
        applied = boutwatch("topics", "apply", *options, **environment)
        assert (applied.returncode, len(applied.stdout.splitlines())) == (0, len(wanted)), applied.stdout + applied.stderr


def test_the_embedded_broker_cannot_change_a_configuration_and_says_so(boutwatch: Cli, embedded_broker: str) -> None:
    """The difference is left, with a note, and the exit code tells."""
    options, environment, wanted = _scope("fixed", embedded_broker)
    _create(embedded_broker, structs.replace(wanted[0], retention=timedelta(hours=1)), *wanted[1:])
    applied = boutwatch("topics", "apply", *options, **environment)
    assert applied.returncode == 1
    assert "cannot change the configuration" in applied.stderr
    assert "retention.ms is 3600000" in applied.stdout


def test_list_shows_what_is_declared_beside_what_is_there(boutwatch: Cli, address: str) -> None:
    """For programs one object a line; for people a table with a line for each."""
    options, environment, wanted = _scope("list", address)
    _create(address, *wanted[:3])
    rows = _rows(boutwatch("topics", "list", "--json", *options, **environment).stdout)
    assert [row["name"] for row in rows] == [one.name for one in wanted]
    assert [row["found_partitions"] for row in rows] == [2] * 3 + [None] * (len(wanted) - 3)
    assert rows[0]["retention_s"] == 30 * 86400
    shown = boutwatch("topics", "list", *options, **environment, COLUMNS="40")
    assert (shown.returncode, len(shown.stdout.splitlines())) == (0, len(wanted) + 1)
    assert shown.stdout.count("missing") == len(wanted) - 3


@pytest.mark.parametrize("verb", ["apply", "diff", "list"])
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--broker", "127.0.0.1:1"), "broker 127.0.0.1:1: "),
        (("--broker", "embedded"), "name one with kafka://"),
        (("--broker", "http://x"), "names no broker"),
        (("--topic-prefix", "a b"), "no legal topic name"),
    ],
    ids=["unreachable", "embedded", "no broker", "bad prefix"],
)
def test_wrong_usage_and_no_broker_are_exit_code_two(boutwatch: Cli, verb: str, options: tuple[str, ...], says: str) -> None:
    """One line that says what is wrong."""
    done = boutwatch("topics", verb, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
