"""JSON Schema of the events, derived from the models. Pure: writing files is the command's work."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from streams.events.examples import EXAMPLES
from streams.events.models import MODELS

DIALECT: Final = GenerateJsonSchema.schema_dialect


class _Plain(GenerateJsonSchema):
    """Without a title for each field: it would repeat the field's name."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - as it is inherited
        return False


def event_schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of one kind of event, complete in itself, with an example. KeyError for an unknown kind."""
    schema = MODELS[kind].model_json_schema(schema_generator=_Plain)
    return {"$schema": DIALECT, "$id": f"urn:boutwatch:event:{kind}:v1", **schema, "examples": [EXAMPLES[kind]]}


def component_schemas(template: str = "#/components/schemas/{model}") -> dict[str, dict[str, Any]]:
    """The schemas of all kinds and their parts by model name, each reference as the template says."""
    wanted: list[tuple[type[BaseModel], JsonSchemaMode]] = [(model, "validation") for model in MODELS.values()]
    _, whole = models_json_schema(wanted, ref_template=template, schema_generator=_Plain)
    found: dict[str, dict[str, Any]] = whole["$defs"]
    return found
