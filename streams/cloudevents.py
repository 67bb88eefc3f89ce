"""CloudEvents as they come on Kafka: binary mode (`ce_` headers beside a plain value) and structured mode (an envelope).

Both are optional. What the event itself says wins; the attributes fill in what it leaves out: `id` the event id, `time` the
event time, `type` the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import msgspec

from streams.events import FAMILIES, Event, Rejected

Headers = Sequence[tuple[str, bytes | None]]
Decode = Callable[[bytes], Event | Rejected]

STRUCTURED: Final = "application/cloudevents"
"""How the content type of an envelope begins."""

_KINDS: Final = frozenset(str(event.__struct_config__.tag) for family in FAMILIES.values() for event in family)
_FIELDS: Final = {"id": "event_id", "time": "at"}


def read(value: bytes, headers: Headers, decode: Decode) -> Event | Rejected:
    """The event in a record, whichever mode it came in. Costs next to nothing where the value says all by itself."""
    event = decode(value)
    if not headers:
        return _unwrapped(value, event, decode) if isinstance(event, Rejected) and b'"specversion"' in value else event
    if not isinstance(event, Rejected) and event.at is not None and b'"event_id"' in value:
        return event
    given = {name.lower(): (content or b"").decode(errors="replace") for name, content in headers}
    if given.get("content-type", "").startswith(STRUCTURED):
        return _unwrapped(value, event, decode)
    return _filled(value, {name[3:]: text for name, text in given.items() if name.startswith("ce_")}, event, decode)


def kind_of(ce_type: str) -> str | None:
    """The kind that a CloudEvents type names: `tool_call`, `boutwatch.tool_call.v1`; None when it names none."""
    return next((part for part in reversed(ce_type.split(".")) if part in _KINDS), None)


def _unwrapped(value: bytes, event: Event | Rejected, decode: Decode) -> Event | Rejected:
    envelope = _object(value)
    data = envelope.get("data") if envelope else None
    if not envelope or not isinstance(data, dict):
        return event if isinstance(event, Rejected) else _no_data(value)
    return _decoded(data, envelope, decode)


def _filled(value: bytes, attributes: Mapping[str, str], event: Event | Rejected, decode: Decode) -> Event | Rejected:
    data = _object(value) if attributes else None
    return _decoded(data, attributes, decode) if data else event


def _decoded(data: dict[str, Any], attributes: Mapping[str, Any], decode: Decode) -> Event | Rejected:
    for name, field in _FIELDS.items():
        if attributes.get(name) and not data.get(field) and not (field == "at" and _has_time(data)):
            data[field] = attributes[name]
    if "kind" not in data and (kind := kind_of(str(attributes.get("type", "")))):
        data["kind"] = kind
    return decode(msgspec.json.encode(data))


def _has_time(data: Mapping[str, Any]) -> bool:
    """Whether a call says by its own ends when it was."""
    return bool(data.get("ended_at") or data.get("started_at"))


def _object(value: bytes) -> dict[str, Any] | None:
    try:
        return cast("dict[str, Any]", msgspec.json.decode(value, type=dict))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _no_data(value: bytes) -> Rejected:
    return Rejected(stage="fields", reason="a CloudEvents envelope without a JSON object as its data", raw=value[:4096])
