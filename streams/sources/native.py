"""Our own events, one JSON object a line: plain, or in a CloudEvents envelope (structured mode)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar

import msgspec
from msgspec.structs import replace

from streams.events import Event, Rejected
from streams.events.base import MAX_MESSAGE_BYTES
from streams.events.decode import decoder
from streams.sources.base import Source, SourceContext
from streams.sources.rows import head_rows, mapping, numbered_lines, string

_KIND = re.compile(rb'"kind"\s*:\s*"[a-z_]+"')
_MATCH = re.compile(rb'"match_id"\s*:')


class Native(Source):
    """JSON Lines of Boutwatch events."""

    name: ClassVar[str] = "native"
    about: ClassVar[str] = "Boutwatch events (JSON Lines), plain or as CloudEvents"

    def matches(self, head: bytes, name: str) -> float:
        """A kind and a match in the first lines, or a CloudEvents envelope."""
        del name
        rows = head_rows(head)
        if not rows:
            return 0.5 if _KIND.search(head) and _MATCH.search(head) else 0.0
        return 0.8 if any(_is_event(row) for row in rows) else 0.0

    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """Line by line; nothing is kept."""
        decode = decoder(context.zone)
        for number, line in numbered_lines(file, MAX_MESSAGE_BYTES):
            result = decode(unwrapped(line))
            if isinstance(result, Rejected):
                yield replace(result, where=f"{context.name}:{number}")
            else:
                yield _renamed(result, context)


def _is_event(row: dict[str, Any]) -> bool:
    return bool(string(row, "kind") and "match_id" in row) or bool(string(row, "specversion") and "data" in row)


def _renamed(event: Event, context: SourceContext) -> Event:
    changes: dict[str, Any] = {}
    if context.match_id is not None:
        changes["match_id"] = context.match_id
    if context.contestant_id is not None and event.contestant_id:
        changes["contestant_id"] = context.contestant_id  # an event of the match stays one of all contestants
    return replace(event, **changes) if changes else event


def unwrapped(line: bytes) -> bytes:
    """The event in a line: itself, or the data of its CloudEvents envelope with the envelope's id and time filled in."""
    if b'"specversion"' not in line:
        return line
    try:
        envelope = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return line  # the decoder says what is wrong with it
    if not string(envelope, "specversion") or not mapping(envelope, "data"):
        return line
    data = dict(envelope["data"])
    for key, attribute in (("event_id", "id"), ("at", "time"), ("producer", "source")):
        if key not in data and string(envelope, attribute):
            data[key] = envelope[attribute]
    data.setdefault("kind", string(envelope, "type").rsplit(".", 1)[-1])
    return msgspec.json.encode(data)
