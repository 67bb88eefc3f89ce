"""Times: every honest notation of a moment is the same number of microseconds; what is none is refused."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.events.times import EARLIEST, LATEST, Micros, micros, plausible, rfc3339

NOON = 1_769_860_800_000_000  # 2026-01-31 12:00 UTC


@pytest.mark.parametrize(
    "value",
    [
        "2026-01-31T12:00:00Z",
        "2026-01-31t12:00:00z",
        "2026-01-31 12:00:00+00:00",
        "2026-01-31_12:00:00Z",
        "2026-01-31T13:00:00+01:00",
        "2026-01-31T12:00:00-00:00",
        "  2026-01-31T12:00:00Z\n",
        "2026-01-31T12:00:00.000000999Z",
        1769860800,
        1769860800.0,
        1769860800_000,
        1769860800_000_000,
        1769860800_000_000_000,
        1769860800_000_000_999,
        "1769860800",
        "+1769860800",
        "1769860800.",
        "1769860800000",
        "1769860800000000",
        "1769860800000000000",
    ],
)
def test_every_notation_of_a_moment_is_one_number(value: object) -> None:
    """RFC 3339 with any offset and epoch numbers of any unit, as number or text, say the same moment."""
    assert micros(value) == NOON
    assert type(micros(value)) is Micros


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1769860800.123456", NOON + 123_456),
        ("1769860800123.456", NOON + 123_456),
        ("1769860800123456789", NOON + 123_456),
        ("1769860800123456789.9", NOON + 123_456),
        ("1769860800123456999.9", NOON + 123_456),
        (1769860800.5, NOON + 500_000),
        ("2026-01-31T12:00:00,5Z", NOON + 500_000),
        (0, 0),
        (-1, -1_000_000),
    ],
)
def test_fractions_are_exact_to_the_microsecond(value: object, expected: int) -> None:
    """A fraction is kept to the microsecond; what is finer is cut off, in text without going through a float."""
    assert micros(value) == expected


@pytest.mark.parametrize(
    "value",
    ["2016-12-31T23:59:60Z", "2017-01-01T05:29:60+05:30", "2016-12-31t23:59:60z", "2016-12-31T18:59:60-05:00"],
)
def test_a_leap_second_is_the_first_second_of_the_next_day(value: str) -> None:
    """A leap second is read as POSIX clocks show it."""
    assert micros(value) == micros("2017-01-01T00:00:00Z")


@pytest.mark.parametrize(
    "value",
    [
        "",
        " ",
        "now",
        "2026-01-31",
        "20260131T120000Z",
        "2026-W05-6T12:00:00Z",
        "2026-02-30T12:00:00Z",
        "2026-01-31T24:00:00Z",
        "2026-01-31t24:00:00z",
        "2026-01-31T12:00:60Z",
        "2026-01-31T12:00:61Z",
        "2026-01-31T12:00:00Zulu",
        "2026-01-31T12:00:00+24:00",
        "2026-01-31é12:00:00Z",
        "٢٠٢٦-01-31T12:00:00Z",
        "١٧٦٩٨٦٠٨٠٠",
        "12026-01-31T12:00:00Z",
        "0000-01-31T12:00:00Z",
        "+-1",
        ".5",
        "1e9",
        "0x10",
        "1_769_860_800",
        "9" * 5000,
        "NaN",
        float("nan"),
        float("inf"),
        10**20,
        -(10**20),
        10**400,
        1e300,
        True,
        None,
        [],
        {},
        b"1769860800",
    ],
)
def test_what_is_no_time_is_refused(value: object) -> None:
    """Anything else is a ValueError with a short reason, whatever the version of Python reads into it."""
    with pytest.raises(ValueError, match="time") as error:
        micros(value)
    assert len(str(error.value)) < 120


def test_a_naive_time_needs_a_zone() -> None:
    """Without a configured zone it is refused; with one it is read in it, summer time and all."""
    with pytest.raises(ValueError, match="no time zone"):
        micros("2026-07-31T12:00:00")
    berlin = ZoneInfo("Europe/Berlin")
    assert micros("2026-07-31T14:00:00", berlin) == micros("2026-07-31T12:00:00Z")
    assert micros("2026-01-31T13:00:00", berlin) == NOON
    assert micros("2026-01-31T12:00:00Z", berlin) == NOON


@given(st.datetimes(timezones=st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))))
def test_any_aware_datetime_is_read_exactly(moment: datetime) -> None:
    """What the standard library writes is read to the microsecond, in every year and offset."""
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    assert micros(moment.isoformat()) == since // timedelta(microseconds=1)


@given(st.integers(EARLIEST, LATEST - 1))
def test_writing_and_reading_is_lossless(at: int) -> None:
    """A plausible moment written and read again is the same, in every unit that holds it."""
    assert micros(rfc3339(at)) == at
    assert micros(at * 1000) == micros(str(at * 1000)) == at
    assert micros(f"{at // 1_000_000}.{at % 1_000_000:06d}") == at


@given(st.text(max_size=40))
def test_any_text_is_a_moment_or_a_value_error(text: str) -> None:
    """No text raises anything but ValueError."""
    with contextlib.suppress(ValueError):
        assert isinstance(micros(text), Micros)


def test_plausible_is_the_century() -> None:
    """From 2000 up to, not including, 2100."""
    assert [plausible(at) for at in (EARLIEST - 1, EARLIEST, LATEST - 1, LATEST)] == [False, True, True, False]
