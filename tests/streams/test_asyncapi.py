"""The AsyncAPI document: complete, without loose ends, and as the code says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import typer
from aiokafka.structs import ConsumerRecord  # noqa: TID251 - the record as it comes
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from streams.asyncapi import DLQ_HEADERS, OUTPUTS, document, output_schema
from streams.cli.schema import differing, documents, register, write
from streams.events import Rejected
from streams.events.examples import EXAMPLES
from streams.partition import letter_headers
from streams.topics import topics

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = document(version("boutwatch"))


def references(value: Any) -> Iterator[str]:
    """Every `$ref` in a document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_every_reference_leads_somewhere() -> None:
    """No `$ref` points at nothing."""
    found = list(references(DOCUMENT))
    assert len(found) > 50
    for reference in found:
        assert reference.startswith("#/")
        steps = reference[2:].split("/")
        assert reduce(lambda value, step: value[step], steps, DOCUMENT) is not None


def test_it_has_what_asyncapi_3_asks_for() -> None:
    """The parts that the standard requires are there, and operations only send or receive."""
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(DOCUMENT["info"])
    for operation in DOCUMENT["operations"].values():
        assert operation["action"] in {"send", "receive"}
        assert operation["messages"]
    for message in DOCUMENT["components"]["messages"].values():
        assert message["payload"]


def test_every_topic_is_a_channel_with_its_settings() -> None:
    """All topics of the table are there under their names, with partitions and retention."""
    channels = DOCUMENT["channels"]
    assert [channel["address"] for channel in channels.values()] == [topic.name for topic in topics()]
    for topic in topics():
        kafka = channels[topic.stream]["bindings"]["kafka"]
        assert kafka["partitions"] == topic.partitions
        assert kafka["topicConfiguration"]["cleanup.policy"] == [topic.config["cleanup.policy"]]
    assert {"readings", "opinions", "verdicts", "traces.dlq"} <= set(channels)


def test_a_topic_that_carries_nothing_yet_says_so() -> None:
    """A declared topic without messages is no promise."""
    for channel in DOCUMENT["channels"].values():
        assert bool(channel["messages"]) != ("nothing is read from it" in channel["description"])


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_the_message_of_a_kind_takes_its_example(kind: str) -> None:
    """An example is valid against the schema that its message refers to, inside the document."""
    schema = DOCUMENT["components"]["messages"][kind]["payload"]
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(EXAMPLES[kind])


@pytest.mark.parametrize("stream", sorted(OUTPUTS))
def test_the_schema_of_an_output_is_sound(stream: str) -> None:
    """Each output has a valid schema that refuses an empty object."""
    schema = output_schema(stream)
    Draft202012Validator.check_schema(schema)
    assert list(Draft202012Validator(schema).iter_errors({}))


def test_the_headers_of_a_dead_letter_are_those_that_are_sent() -> None:
    """The document names what the worker puts beside the original's headers."""
    record = ConsumerRecord(
        topic="bouts.traces.v1",
        partition=3,
        offset=41,
        timestamp=0,
        timestamp_type=0,
        key=b"key",
        value=b"value",
        checksum=None,
        serialized_key_size=3,
        serialized_value_size=5,
        headers=(("own", b"1"),),
    )
    sent = letter_headers(record, Rejected(stage="json", reason="why"), "2026-01-31T12:00:00Z")
    assert [name for name, _ in sent] == ["own", *DLQ_HEADERS]


def test_the_files_in_docs_are_as_the_code_says() -> None:
    """`boutwatch schema export` has been run since the last change."""
    assert differing(ROOT / "docs/schema", documents()) == []


def command() -> typer.Typer:
    """An application with this one verb."""
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    return app


def test_export_writes_checks_and_finds_drift(tmp_path: Path) -> None:
    """What was written passes the check; a changed, a missing and a left-over file do not, and are named."""
    run = CliRunner()
    assert run.invoke(command(), ["schema", "export", "--dir", str(tmp_path)]).exit_code == 0
    assert run.invoke(command(), ["schema", "export", "--dir", str(tmp_path), "--check"]).exit_code == 0
    (tmp_path / "events/claim.json").write_text("{}")
    (tmp_path / "events/plan.json").unlink()
    (tmp_path / "events/old.json").write_text("{}")
    assert differing(tmp_path, documents()) == ["events/claim.json", "events/old.json", "events/plan.json"]
    found = run.invoke(command(), ["schema", "export", "--dir", str(tmp_path), "--check"])
    assert found.exception is not None
    assert "events/old.json" in str(found.exception)
    write(tmp_path, documents())
    assert differing(tmp_path, documents()) == []
    assert json.loads((tmp_path / "asyncapi.json").read_text())["asyncapi"] == "3.0.0"
