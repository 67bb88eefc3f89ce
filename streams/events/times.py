"""Event time: any honest notation in, whole microseconds since 1970 UTC out.

Integers keep sums exact whatever their order, which the promise "the verdict depends only on the set of events" needs.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Final

SECOND: Final = 1_000_000
"""Microseconds in a second."""

EARLIEST: Final = 946_684_800 * SECOND
"""2000-01-01. A time before it is a default or a broken clock, and is not used."""

LATEST: Final = 4_102_444_800 * SECOND
"""2100-01-01. A time from here on is a broken clock, and is not used."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Micros(int):
    """A moment as microseconds since 1970-01-01 UTC."""

    __slots__ = ()


def micros(value: object, zone: tzinfo | None = None) -> Micros:
    """Read a time: RFC 3339, or epoch seconds, milliseconds, microseconds or nanoseconds as a number or a string.

    The unit of an epoch number is told from its size: a present-day moment has 10 digits in seconds, 13 in milliseconds,
    16 in microseconds and 19 in nanoseconds. `zone` is what a naive time is read in; without one it is refused.

    Raises ValueError with what is wrong.
    """
    if isinstance(value, str):
        return _from_text(value.strip(), zone)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"a time is text or a number, not {type(value).__name__}")
    return _from_number(value)


def _from_number(value: float) -> Micros:
    size = abs(value)
    if not size < 1e20:
        raise ValueError(f"{value!r} is no epoch time")
    if size < 1e11:
        return Micros(round(value * SECOND))
    if size < 1e14:
        return Micros(round(value * 1000))
    if size < 1e17:
        return Micros(round(value))
    return Micros(int(value) // 1000)


def _from_text(text: str, zone: tzinfo | None) -> Micros:
    if text and text.lstrip("+-").replace(".", "", 1).isdecimal() and text.isascii():
        return _from_number(float(text) if "." in text else int(text))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text[:40]!r} is no RFC 3339 time and no epoch number") from None
    if moment.tzinfo is None:
        if zone is None:
            raise ValueError(f"{text[:40]!r} has no time zone; give one with its offset, or configure the zone it is in")
        moment = moment.replace(tzinfo=zone)
    try:
        since = moment.astimezone(UTC) - _EPOCH
    except OverflowError:
        raise ValueError(f"{text[:40]!r} is outside the calendar") from None
    return Micros((since.days * 86_400 + since.seconds) * SECOND + since.microseconds)


def plausible(at: int) -> bool:
    """Whether a moment lies between 2000 and 2100: outside it the clock is broken and the time is not used."""
    return EARLIEST <= at < LATEST


def rfc3339(at: int) -> str:
    """A moment as RFC 3339 UTC with microseconds, the same text for the same moment always."""
    seconds, micro = divmod(at, SECOND)
    moment = datetime.fromtimestamp(seconds, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{micro:06d}Z"
