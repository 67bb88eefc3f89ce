"""Event time: any honest notation in, whole microseconds since 1970 UTC out.

Integers keep sums exact whatever their order, which the promise "the verdict depends only on the set of events" needs.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from typing import Any, Final

SECOND: Final = 1_000_000
"""Microseconds in a second."""

EARLIEST: Final = 946_684_800 * SECOND
"""2000-01-01. A time before it is a default or a broken clock, and is not used."""

LATEST: Final = 4_102_444_800 * SECOND
"""2100-01-01. A time from here on is a broken clock, and is not used."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY: Final = 86_400 * SECOND
_MARKS: Final = frozenset({"--T::", "--t::", "-- ::", "--_::"})
"""What stands between the numbers of `2026-01-31T12:00:00`: the standard library alone would also read `2026-W05`."""

_SIXTEEN_DIGITS: Final = 10**15
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?", re.ASCII)
_LEAP: Final = re.compile(r"(.{17})60(.*)", re.DOTALL)
_LONGEST: Final = 64


class Micros(int):
    """A moment as microseconds since 1970-01-01 UTC."""

    __slots__ = ()


def micros(value: object, zone: tzinfo | None = None) -> Micros:
    """Read a time: RFC 3339, or epoch seconds, milliseconds, microseconds or nanoseconds as a number or a string.

    The unit of an epoch number is told from its size: a present-day moment has 10 digits in seconds, 13 in
    milliseconds, 16 in microseconds and 19 in nanoseconds. `zone` is what a naive time is read in; without one it is
    refused.

    Raises ValueError with what is wrong.
    """
    if type(value) is int and _SIXTEEN_DIGITS <= value < 10 * _SIXTEEN_DIGITS:
        return Micros(value)  # as our own producers write it
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return _from_text(value.strip(), zone)
        if value[4:17:3] not in _MARKS or moment.tzinfo is None or value[11:13] == "24":
            return _from_text(value.strip(), zone)
        return _since_epoch(moment)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a time is text or a number, not {type(value).__name__}")  # noqa: TRY004 - all are ValueErrors
    return _from_number(value)


def _since_epoch(moment: datetime) -> Micros:
    since = moment - _EPOCH
    return Micros((since.days * 86_400 + since.seconds) * SECOND + since.microseconds)


def _from_number(value: int | float | Decimal) -> Micros:  # noqa: PYI041 - a Decimal's order is not a float's
    size: Any = abs(value)
    if not size < 1e20:
        raise ValueError(f"{value!s:.40} is no epoch time")
    if size < 1e11:
        return Micros(round(value * SECOND))
    if size < 1e14:
        return Micros(round(value * 1000))
    if size < 1e17:
        return Micros(round(value))
    return Micros(int(value) // 1000)


def _from_text(text: str, zone: tzinfo | None) -> Micros:
    if text[4:17:3] not in _MARKS or not text.isascii():
        return _from_digits(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _from_unusual(text, zone)
    return _from_moment(moment, text, zone)


def _from_digits(text: str) -> Micros:
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no RFC 3339 time and no epoch number")
    return _from_number(Decimal(text) if "." in text else int(text))


def _from_unusual(text: str, zone: tzinfo | None) -> Micros:
    """A leap second, or RFC 3339 in small letters: rare, so it may cost more."""
    leap = _LEAP.fullmatch(text)
    common = (f"{leap[1]}59{leap[2]}" if leap else text).upper()
    try:
        moment = datetime.fromisoformat(common)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is no RFC 3339 time and no epoch number") from None
    at = _from_moment(moment, text, zone)
    if not leap:
        return at
    if (at + SECOND) % _DAY >= SECOND:
        raise ValueError(f"{text[:40]!r} is no time: a leap second ends a day in UTC")
    return Micros(at + SECOND)  # as POSIX clocks do: it is the first second of the next day


def _from_moment(moment: datetime, text: str, zone: tzinfo | None) -> Micros:
    if text[11:13] == "24":  # some versions of Python read it as the next midnight, others refuse it
        raise ValueError(f"{text[:40]!r} is no RFC 3339 time: there is no hour 24")
    if moment.tzinfo is None:
        if zone is None:
            raise ValueError(f"{text[:40]!r} has no time zone; give its offset, or configure the zone it is in")
        moment = moment.replace(tzinfo=zone)
    return _since_epoch(moment)


def plausible(at: int) -> bool:
    """Whether a moment lies between 2000 and 2100: outside it the clock is broken and the time is not used."""
    return EARLIEST <= at < LATEST


def rfc3339(at: int) -> str:
    """A moment as RFC 3339 UTC with microseconds, the same text for the same moment always."""
    seconds, micro = divmod(at, SECOND)
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{micro:06d}Z"
