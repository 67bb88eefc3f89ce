"""Strict JSON for the edges: what the hot path's parser accepts, with every occurrence of a repeated key kept."""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec
from pydantic_core import PydanticCustomError

from streams.events.wire import UnreadableError, text_of, without_lone_surrogates

_grammar = msgspec.json.Decoder(msgspec.Raw).decode
_DIGITS: Final = 4300
"""Characters of an integer at most: where Python itself stops reading decimal numbers."""


class Object(dict[str, Any]):
    """A JSON object; `earlier` holds the occurrences of repeated keys that do not count."""

    earlier: tuple[tuple[str, Any], ...] = ()


class OutOfRange:
    """In place of a number that no float or integer here holds: allowed in an unknown field, an error elsewhere."""


def loads(raw: bytes | None) -> Any:
    """The message's JSON value. Raises UnreadableError with the stage and what is wrong."""
    text = _grammatical(text_of(raw))
    value = json.loads(text, object_pairs_hook=_object, parse_int=_integer, parse_float=_float)
    if isinstance(value, Object) and any(key == "kind" and kind != value["kind"] for key, kind in value.earlier):
        raise UnreadableError("kind", "two different kinds in one event")
    return value


def sound(value: Any) -> Any:
    """The value as plain dicts and lists. Raises PydanticCustomError (a ValueError): a number in it is out of range."""
    if isinstance(value, OutOfRange):
        raise PydanticCustomError("number_range", "Number out of range")
    if isinstance(value, list):
        return [sound(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    for _, inner in getattr(value, "earlier", ()):
        sound(inner)
    return {key: sound(inner) for key, inner in value.items()}


def _grammatical(text: str) -> str:
    try:
        _grammar(text)
    except msgspec.DecodeError as error:
        mended = without_lone_surrogates(text)
        if mended == text:
            raise UnreadableError("json", str(error)) from None
        return _grammatical(mended)
    return text


def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = Object(pairs)
    if len(found) < len(pairs):
        last = {key: place for place, (key, _) in enumerate(pairs)}
        found.earlier = tuple(pair for place, pair in enumerate(pairs) if last[pair[0]] != place)
    return found


def _integer(text: str) -> int | OutOfRange:
    return int(text) if len(text) < _DIGITS or (len(text) == _DIGITS and text[0] != "-") else OutOfRange()


def _float(text: str) -> float | OutOfRange:
    value = float(text)
    return value if abs(value) != float("inf") else OutOfRange()
