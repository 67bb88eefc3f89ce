"""Pydantic models of the events, for the edges: all errors of an input at once, and the JSON Schemas.

Nothing is defined here a second time: each model is derived from its Struct, field by field. `parse` accepts and
rejects what `streams.events.decode` does, and gives the same event; it takes longer and says more.
"""

from __future__ import annotations

import types
from datetime import tzinfo
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal, Union, cast, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo as StructField
from msgspec.structs import fields
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError

from streams.events import Event, FileChange, Rejected, Rules, TestCounts
from streams.events.decode import settle
from streams.events.strictjson import Object, loads, sound
from streams.events.times import Micros, micros
from streams.events.wire import UnreadableError, rejected

_TIME_SCHEMA: Final = {
    "anyOf": [
        {"type": "string", "examples": ["2026-01-31T12:00:00Z", "1769860800"]},
        {"type": "number", "examples": [1769860800, 1769860800000]},
    ],
    "description": "RFC 3339 with an offset, or epoch s, ms, µs or ns",
}


class EventModelBase(BaseModel):
    """What all derived models share: strict, frozen, unknown fields ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False)
    struct: ClassVar[type[msgspec.Struct]]

    @model_validator(mode="wrap")
    @classmethod
    def _every_occurrence(cls, value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        """Of a key that is there twice the last counts, but the earlier one must be valid too, as in the hot path."""
        if isinstance(value, Object):
            for key, earlier in value.earlier:
                handler({**value, key: earlier})
        return handler(value)


def _time(value: object, info: ValidationInfo) -> Micros:
    try:
        return micros(value, (info.context or {}).get("zone"))
    except ValueError as error:
        raise PydanticCustomError("time", "{why}", {"why": str(error)}) from None


_TIME: Final = Annotated[Micros, PlainValidator(_time), WithJsonSchema(_TIME_SCHEMA)]


def _type(kind: Any) -> Any:
    """The pydantic type for a Struct field's type."""
    if kind is Micros:
        return _TIME
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return model(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return Annotated[(_type(inner[0]), *map(_field, inner[1:]))]
    if origin in (Union, types.UnionType):
        return Union[tuple(map(_type, inner))]  # noqa: UP007 - from a list
    if origin is tuple:
        # Strictly a tuple is no JSON array; what is inside it stays strict.
        item: Any = _type(inner[0])
        return Annotated[tuple[item, ...], Field(strict=False)]
    if origin is dict:
        return Annotated[kind, BeforeValidator(sound)]
    return kind


def _field(meta: msgspec.Meta) -> Any:
    limits = {name: getattr(meta, name) for name in ("gt", "ge", "lt", "le", "min_length", "max_length")}
    said = {name: limit for name, limit in limits.items() if limit is not None}
    return Field(**said, description=meta.description)


@cache
def model(struct: type[msgspec.Struct]) -> type[EventModelBase]:
    """The pydantic model of a Struct, under the same name and with its docstring."""
    tag = struct.__struct_config__.tag
    own: dict[str, Any] = {"kind": (Literal[tag], ...)} if tag else {}
    own |= {field.name: (_type(field.type), _default(field)) for field in fields(struct)}
    made = create_model(struct.__name__, __base__=EventModelBase, __doc__=struct.__doc__, **own)
    made.struct = struct
    return made


def _default(field: StructField) -> Any:
    if field.required:
        return ...
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    if isinstance(value, msgspec.Struct):
        return Field(default_factory=model(type(value)))
    return value


MODELS: Final[dict[str, type[EventModelBase]]] = {
    str(struct.__struct_config__.tag): model(struct) for struct in get_args(Event)
}
"""The model of each kind."""

_NAMES: Final = frozenset(
    field.name for struct in (*get_args(Event), FileChange, Rules, TestCounts) for field in fields(struct)
)

_ANY: Any = Annotated[Union[tuple(MODELS.values())], Field(discriminator="kind")]  # noqa: UP007 - from a list
EventModel: Final[TypeAdapter[EventModelBase]] = TypeAdapter(_ANY)
"""Validates any event; the models are told apart by `kind`."""


def parse(raw: bytes | None, zone: tzinfo | None = None) -> Event | Rejected:
    """Read one JSON value: the event that the fast decoder gives, or `Rejected` with all that is wrong.

    `zone` is what naive times are read in; without one they are rejected.
    """
    try:
        value = loads(raw)
        found = EventModel.validate_python(value, context={"zone": zone})
    except UnreadableError as error:
        return rejected(raw, error.stage, str(error))
    except ValidationError as error:
        return rejected(raw, *_reasons(error))
    return settle(cast("Event", _struct(found)))


def _struct(value: Any) -> Any:
    """The Struct for a model, all the way down."""
    if isinstance(value, tuple):
        return tuple(map(_struct, value))
    if not isinstance(value, EventModelBase):
        return value
    given = {name: _struct(getattr(value, name)) for name in value.model_fields_set if name != "kind"}
    return value.struct(**given)


def _reasons(error: ValidationError) -> tuple[str, str]:
    """The stage at which it failed, and everything that is wrong, each with its place."""
    stages = {"union_tag_invalid": "kind", "union_tag_not_found": "kind", "time": "time"}
    found = error.errors(include_url=False)
    reasons = [f"{each['msg']} - at `{_place(each['loc'])}`" for each in found]
    return stages.get(found[0]["type"], "fields"), "; ".join(dict.fromkeys(reasons))


def _place(steps: tuple[int | str, ...]) -> str:
    named = (step for step in steps[1:] if isinstance(step, int) or step in _NAMES)  # else a branch of a union
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in named)
