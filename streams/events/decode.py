"""The hot path: bytes in, an event or `Rejected` out, in about two microseconds.

What is accepted and what is rejected is the same as with the pydantic models in `streams.events.models`; the tests hold
the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from streams.events import Event, Rejected
from streams.events.base import MAX_MESSAGE_BYTES, MAX_OUTPUT_CHARS
from streams.events.times import Micros, micros, plausible
from streams.events.trace import ToolCall

_RAW_KEPT = 4096
_canonical = msgspec.msgpack.Encoder(order="deterministic", enc_hook=int)  # the hook: Micros is an int


def decoder(zone: tzinfo | None = None) -> Callable[[bytes], Event | Rejected]:
    """A decoder of one JSON value. `zone` is what naive times are read in; without one they are rejected."""

    def hook(kind: type, value: object) -> object:
        if kind is Micros:
            return micros(value, zone)
        raise NotImplementedError(kind)

    read = msgspec.json.Decoder(Event, dec_hook=hook).decode

    def decode(raw: bytes) -> Event | Rejected:
        if len(raw) > MAX_MESSAGE_BYTES:
            return Rejected(stage="size", reason=f"{len(raw)} bytes; the limit is {MAX_MESSAGE_BYTES}", raw=raw[:_RAW_KEPT])
        try:
            return settle(read(raw))
        except msgspec.ValidationError as error:
            return Rejected(stage="fields", reason=str(error), raw=raw[:_RAW_KEPT])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return Rejected(stage="json", reason=str(error) or type(error).__name__, raw=raw[:_RAW_KEPT])

    return decode


def settle(event: Event) -> Event:
    """Fill in what the rest may rely on: `at` and its source, an event id, output within its bound.

    An implausible time (before 2000, from 2100 on) is not used: it becomes none. A pure function of the event.
    """
    changes: dict[str, Any] = {}
    at = event.at
    if isinstance(event, ToolCall):
        at = _settle_call(event, changes)
    elif at is not None and not plausible(at):
        at = None
    if at is None:
        if event.at_source != "none" or event.at is not None:
            changes["at_source"] = "none"
            changes["at"] = None
    elif at is not event.at:
        changes["at"] = at
    if not event.event_id:
        changes["event_id"] = content_id(event)
    return replace(event, **changes) if changes else event


def _settle_call(event: ToolCall, changes: dict[str, Any]) -> Micros | None:
    for name in ("started_at", "ended_at"):
        moment = getattr(event, name)
        if moment is not None and not plausible(moment):
            changes[name] = None
    if event.ended_at is not None and event.started_at is not None and event.ended_at < event.started_at:
        # An end before its start says that one of the two is wrong; the later one is the only safe bound.
        changes["started_at"] = event.ended_at
        changes["ended_at"] = event.started_at
    if len(event.output) > MAX_OUTPUT_CHARS:
        changes["output"] = clip(event.output)
    if event.at is not None and plausible(event.at):
        return event.at
    ended = changes.get("ended_at", event.ended_at)
    return ended if ended is not None else changes.get("started_at", event.started_at)


def clip(text: str, limit: int = MAX_OUTPUT_CHARS) -> str:
    """Head and tail of a long text, with how much was cut between them."""
    if len(text) <= limit:
        return text
    half = (limit - 64) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters cut …]\n{text[-half:]}"


def content_id(event: Event) -> str:
    """An id derived from the content: the same content has the same id."""
    return blake2b(_canonical.encode(event), digest_size=12).hexdigest()


def content_hash(event: Event) -> int:
    """64 bits of the content, to tell two events with one id apart."""
    return int.from_bytes(blake2b(_canonical.encode(event), digest_size=8).digest(), "little")
