"""The JSON Schemas say what the models say: examples pass, faults do not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from streams.events import Event, Rejected
from streams.events.decode import decoder
from streams.events.examples import EXAMPLES
from streams.events.models import MODELS
from streams.events.schema import component_schemas, event_schema

FAULTS: dict[str, dict[str, Any]] = {
    "no match": {"match_id": ...},
    "empty match": {"match_id": ""},
    "long id": {"event_id": "x" * 257},
    "bool as count": {"seq": True},
    "text as count": {"seq": "1"},
    "negative count": {"seq": -1},
    "unknown source of time": {"at_source": "guess"},
    "object as time": {"at": {}},
    "bool as time": {"at": True},
    "another kind": {"kind": "nobody_knows"},
}


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_the_schema_of_a_kind_is_sound_and_takes_its_example(kind: str) -> None:
    """Each is a valid schema of its dialect, names every field, and accepts its own example."""
    schema = event_schema(kind)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(EXAMPLES[kind])
    assert set(schema["properties"]) == set(MODELS[kind].model_fields)
    assert schema["properties"]["kind"]["const"] == kind


@pytest.mark.parametrize("kind", sorted(MODELS))
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_schema_and_decoder_reject_the_same_faults(kind: str, fault: dict[str, Any]) -> None:
    """An example with one fault is rejected by the schema and by the decoder."""
    value = {name: field for name, field in {**EXAMPLES[kind], **fault}.items() if field is not ...}
    with pytest.raises(ValidationError):
        Draft202012Validator(event_schema(kind)).validate(value)
    assert isinstance(decoder()(json.dumps(value).encode()), Rejected)


def test_every_kind_of_the_union_has_a_schema_and_an_example() -> None:
    """None is forgotten when a kind is added."""
    kinds = {str(event.__struct_config__.tag) for event in Event.__args__}
    assert kinds == set(MODELS) == set(EXAMPLES)
    assert {model.__name__ for model in MODELS.values()} <= set(component_schemas())


def test_every_field_of_the_arguments_is_described_or_named_plainly() -> None:
    """The common fields carry their description into the schema."""
    fields = event_schema("tool_call")["properties"]
    for name in ("match_id", "contestant_id", "event_id", "seq", "producer", "at", "at_source"):
        assert fields[name]["description"]
