"""Numbers and ranges in the sentences of a reason."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from judges.curve import Curve, best_range, hundredths

if TYPE_CHECKING:
    from decimal import Decimal

UNITS = {"share": " %", "s": " s", "1/min": " a minute", "ratio": ""}


def number(value: Fraction, unit: str = "ratio") -> str:
    """A value with at most two places and its unit; a share in percent."""
    scaled = hundredths(abs(value) * (100 if unit == "share" else 1))
    sign = "-" if value < 0 and scaled else ""
    whole, places = divmod(scaled, 100)
    return f"{sign}{whole}{f'.{places:02}'.rstrip('0').rstrip('.')}{UNITS[unit]}"


@lru_cache(maxsize=256)
def full_marks(curve: Curve, unit: str) -> str:
    """Where the curve is highest: "5-15 %", "120 s or less", "0.5 or more"."""
    low, high = best_range(curve)
    if low is not None and high is not None:
        return _between(low, high, unit)
    if high is not None:
        # No value is below 0, so "or less" would say nothing there.
        return f"{number(Fraction(high), unit)}{' or less' if high else ''}"
    return f"{number(Fraction(low), unit)} or more" if low is not None else "any value"


def _between(low: Decimal, high: Decimal, unit: str) -> str:
    if low == high:
        return number(Fraction(low), unit)
    return f"{number(Fraction(low), unit).removesuffix(UNITS[unit])}–{number(Fraction(high), unit)}"  # noqa: RUF001 - a range takes an en dash
