"""The hot path: bytes in, an event or `Rejected` out, in a few microseconds.

What is accepted and what is rejected is the same as with the pydantic models in `streams.events.models`; the tests hold
the two against each other.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import tzinfo
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import replace

from streams.events import Event, Rejected
from streams.events.base import MAX_OUTPUT_CHARS
from streams.events.control import MatchEnded
from streams.events.times import EARLIEST, LATEST, Micros, micros, plausible
from streams.events.trace import ToolCall
from streams.events.wire import UnreadableError, rejected, text_of, without_lone_surrogates

_canonical = msgspec.msgpack.Encoder(order="deterministic", enc_hook=int)  # the hook: Micros is an int


def decoder(zone: tzinfo | None = None) -> Callable[[bytes | None], Event | Rejected]:
    """A decoder of one JSON value. `zone` is what naive times are read in; without one they are rejected."""

    def hook(_kind: type, value: object) -> object:
        # The only type that msgspec does not know; whole microseconds, as our own producers write them, need no reading.
        return Micros(value) if type(value) is int and EARLIEST <= value < LATEST else micros(value, zone)

    read = msgspec.json.Decoder(Event, dec_hook=hook).decode

    def decode(raw: bytes | None) -> Event | Rejected:
        try:
            text = text_of(raw)
            try:
                return settle(read(text))
            except msgspec.DecodeError as error:
                mended = without_lone_surrogates(text)
                if mended == text or isinstance(error, msgspec.ValidationError):
                    raise
                return settle(read(mended))
        except UnreadableError as error:
            return rejected(raw, error.stage, str(error))
        except msgspec.ValidationError as error:
            return rejected(raw, _stage(error), str(error))
        except (msgspec.DecodeError, RecursionError) as error:
            return rejected(raw, "json", str(error) or type(error).__name__)

    return decode


def _stage(error: msgspec.ValidationError) -> str:
    if error.__cause__ is not None:
        return "time"  # the only field that is read by a function of ours
    text = str(error)
    return "kind" if text.endswith(("`$.kind`", "field `kind`")) else "fields"


def settle(event: Event) -> Event:
    """Fill in what the rest may rely on: `at` and its source, an event id, output within its bound.

    An implausible time (before 2000, from 2100 on) is not used: it becomes none. A pure function of the event, and
    settling twice is settling once.
    """
    changes: dict[str, Any] = {}
    at = event.at if event.at is None or plausible(event.at) else None
    if isinstance(event, ToolCall):
        at = _settle_call(event, at, changes)
    elif isinstance(event, MatchEnded):
        at = _settle_end(event, at, changes)
    if at != event.at:
        changes["at"] = at
    if at is None and event.at_source != "none":
        changes["at_source"] = "none"
    if not event.event_id:
        changes["event_id"] = content_id(event)
    return replace(event, **changes) if changes else event


def _settle_call(event: ToolCall, at: Micros | None, changes: dict[str, Any]) -> Micros | None:
    started, ended = event.started_at, event.ended_at
    if started is not None and not plausible(started):
        changes["started_at"] = started = None
    if ended is not None and not plausible(ended):
        changes["ended_at"] = ended = None
    if started is not None and ended is not None and ended < started:
        # An end before its start says that one of the two is wrong; the later one is the only safe bound.
        started, ended = ended, started
        changes["started_at"], changes["ended_at"] = started, ended
    if len(event.output) > MAX_OUTPUT_CHARS:
        changes["output"] = clip(event.output)
    if at is not None:
        return at
    return ended if ended is not None else started


def _settle_end(event: MatchEnded, at: Micros | None, changes: dict[str, Any]) -> Micros | None:
    ended = event.ended_at
    if ended is not None and not plausible(ended):
        changes["ended_at"] = ended = None
    return at if at is not None else ended


def clip(text: str, limit: int = MAX_OUTPUT_CHARS) -> str:
    """Head and tail of a long text, with how much was cut between them."""
    if len(text) <= limit:
        return text
    half = (limit - 64) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters cut …]\n{text[-half:]}"


def content_id(event: Event) -> str:
    """An id derived from the content: the same content has the same id."""
    return blake2b(_content(event), digest_size=12).hexdigest()


def content_hash(event: Event) -> int:
    """64 bits of the content, to tell two events with one id apart."""
    return int.from_bytes(blake2b(_content(event), digest_size=8).digest(), "little")


def _content(event: Event) -> bytes:
    try:
        return _canonical.encode(event)
    except (OverflowError, UnicodeEncodeError):  # an integer beyond 64 bits or a lone surrogate: JSON can hold both
        return json.dumps(msgspec.to_builtins(event, enc_hook=int), sort_keys=True).encode()
