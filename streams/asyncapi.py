"""The AsyncAPI 3 document: every topic, what it carries, under which key and headers. Pure, derived from the code.

Topics come from `streams.topics`, event schemas from the models, output schemas from the Structs that are published.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from judges.base import Opinion
from judges.verdict import Verdict
from streams.events import FAMILIES
from streams.events.examples import EXAMPLES
from streams.events.models import MODELS
from streams.events.schema import DIALECT, component_schemas
from streams.pipeline import LiveReadings
from streams.topics import Topic, topics

OUTPUTS: Final[dict[str, type[msgspec.Struct]]] = {"readings": LiveReadings, "opinions": Opinion, "verdicts": Verdict}
"""What each output topic carries."""

_REF: Final = "#/components/schemas/{name}"
_TEXT: Final = {"type": "string"}
_EVENT_HEADERS: Final = {
    "type": "object",
    "description": "CloudEvents binary mode; all optional: the value alone is enough",
    "properties": {
        **dict.fromkeys(("ce_id", "ce_type", "ce_source", "ce_specversion"), _TEXT),
        "ce_time": {"type": "string", "format": "date-time"},
        "content-type": {"type": "string", "examples": ["application/json", "application/cloudevents+json"]},
    },
}
_OUTPUT_HEADERS: Final = {
    "type": "object",
    "description": "CloudEvents binary mode; `ce_id` is the same for the same statement, however often it is sent",
    "properties": dict.fromkeys(("ce_id", "ce_type", "ce_source", "ce_specversion", "content-type"), _TEXT),
    "required": ["ce_id", "ce_type"],
}
DLQ_HEADERS: Final = ("topic", "partition", "offset", "stage", "error_class", "message", "time")
"""What is put beside a dead letter's own headers."""

_DLQ_HEADERS: Final = {
    "type": "object",
    "description": "the original's headers, and where and why it could not be read",
    "properties": {**dict.fromkeys(DLQ_HEADERS, _TEXT), "value_bytes": {"type": "string", "description": "if cut"}},
    "required": list(DLQ_HEADERS),
}


def output_schema(stream: str) -> dict[str, Any]:
    """The JSON Schema of what an output topic carries, complete in itself. KeyError for a topic that is none."""
    schema = msgspec.json.schema(OUTPUTS[stream])
    return {"$schema": DIALECT, "$id": f"urn:boutwatch:{stream}:v1", **schema}


def document(version: str) -> dict[str, Any]:
    """The AsyncAPI 3 document of this version of Boutwatch, with the default names of the topics."""
    table = topics()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Boutwatch",
            "version": version,
            "description": "Events of matches between AI coding agents in; readings, opinions and verdicts out.",
            "license": {"name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {"local": {"host": "localhost:9092", "protocol": "kafka"}},
        "channels": {topic.stream: _channel(topic) for topic in table},
        "operations": {_verb(topic) + "_" + topic.stream: _operation(topic) for topic in table if _carries(topic)},
        "components": {"messages": _messages(), "schemas": _schemas()},
    }


def _carries(topic: Topic) -> tuple[str, ...]:
    """The names of the messages on a topic; none: the topic is declared, but nothing reads or writes it yet."""
    if topic.stream in FAMILIES:
        return tuple(str(event.__struct_config__.tag) for event in FAMILIES[topic.stream])
    if topic.direction == "dlq":
        return ("dead_letter",)
    return (topic.stream,) if topic.stream in OUTPUTS else ()


def _channel(topic: Topic) -> dict[str, Any]:
    carries = _carries(topic)
    about = topic.summary if carries else f"{topic.summary} (declared; nothing is read from it or written to it yet)"
    return {
        "address": topic.name,
        "description": f"{about}; key: {topic.key}",
        "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in carries},
        "bindings": {"kafka": _kafka(topic)},
    }


def _kafka(topic: Topic) -> dict[str, Any]:
    return {
        "topic": topic.name,
        "partitions": topic.partitions,
        "topicConfiguration": {
            "cleanup.policy": [topic.config["cleanup.policy"]],
            "retention.ms": int(topic.config["retention.ms"]),
            "max.message.bytes": int(topic.config["max.message.bytes"]),
        },
        "bindingVersion": "0.5.0",
    }


def _verb(topic: Topic) -> str:
    return "receive" if topic.direction == "in" else "send"


def _operation(topic: Topic) -> dict[str, Any]:
    channel = f"#/channels/{topic.stream}"
    return {
        "action": _verb(topic),
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{name}"} for name in _carries(topic)],
    }


def _messages() -> dict[str, Any]:
    events = {kind: _message(kind, model.__name__, _EVENT_HEADERS) for kind, model in MODELS.items()}
    for kind, message in events.items():
        message["examples"] = [{"payload": EXAMPLES[kind]}]
    outputs = {stream: _message(stream, kind.__name__, _OUTPUT_HEADERS) for stream, kind in OUTPUTS.items()}
    dead = {
        "name": "dead_letter",
        "summary": "the original value, byte for byte",
        "contentType": "application/octet-stream",
        "headers": _DLQ_HEADERS,
        "payload": {"description": "whatever came"},
    }
    return events | outputs | {"dead_letter": dead}


def _message(name: str, schema: str, headers: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "headers": headers,
        "payload": {"$ref": _REF.format(name=schema)},
        "bindings": {"kafka": {"key": {"type": "string"}, "bindingVersion": "0.5.0"}},
    }


def _schemas() -> dict[str, Any]:
    _, outputs = msgspec.json.schema_components(OUTPUTS.values(), ref_template=_REF)
    events = component_schemas()
    twice = sorted(events.keys() & outputs.keys())
    if twice:
        raise ValueError(f"an event and an output have the same name: {', '.join(twice)}; rename one")
    return dict(sorted((events | outputs).items()))
