"""Exact arithmetic of scores: curves between knots, rounding to two places, shares that add up.

Everything inside is a `Fraction`; a `float` appears only at the end, with two places. Binary fractions would make
the points of an opinion miss its score in the last place, and two machines disagree about a half.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Curve: TypeAlias = tuple[tuple[Decimal, Decimal], ...]
"""Knots (value, score), ascending by value; linear between them, level outside them."""

Lines: TypeAlias = tuple[tuple[Fraction, Fraction, Fraction], ...]

HALF: Final = Fraction(1, 2)


@lru_cache(maxsize=4096, typed=True)
def exact(number: object) -> Fraction | None:
    """A number as it is written, not as the machine stores it: 0.1 is one tenth. None: it is no finite number."""
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        return None
    return Fraction(Decimal(repr(number)))


def score_at(curve: Curve, value: Fraction) -> Fraction:
    """The score of a value, exactly."""
    return scores_at(curve, (value,))[0]


def scores_at(curve: Curve, values: Sequence[Fraction]) -> list[Fraction]:
    """The score of each value, exactly."""
    lines = _lines(curve)
    return [_on(lines, value) for value in values]


def _on(lines: Lines, value: Fraction) -> Fraction:
    for right, rise, start in lines:
        if value <= right:
            return start + rise * value if rise else start
    return lines[-1][2]


@lru_cache(maxsize=256)
def _lines(curve: Curve) -> Lines:
    """The pieces of a curve: up to which value each goes, its rise and its height at 0. The first and last are level."""
    knots = [(Fraction(value), Fraction(score)) for value, score in curve]
    lines = [(knots[0][0], Fraction(), knots[0][1])]
    for (left, low), (right, high) in pairwise(knots):
        rise = (high - low) / (right - left)
        lines.append((right, rise, low - rise * left))
    return (*lines, (knots[-1][0], Fraction(), knots[-1][1]))


def best_range(curve: Curve) -> tuple[Decimal | None, Decimal | None]:
    """The values that get the curve's highest score. None: no bound on that side."""
    top = max(score for _, score in curve)
    values = [value for value, score in curve if score == top]
    low = None if values[0] == curve[0][0] else values[0]
    high = None if values[-1] == curve[-1][0] else values[-1]
    return low, high


def hundredths(number: Fraction) -> int:
    """A non-negative number in hundredths, rounded half up as people do with a pencil."""
    return math.floor(number * 100 + HALF)


def two_places(number: Fraction) -> float:
    """A non-negative number with two places."""
    return hundredths(number) / 100


def apportion(shares: Sequence[Fraction]) -> tuple[float, ...]:
    """Each share with two places, so that together they are the rounded sum, exactly (largest remainders).

    A share moves by less than a hundredth; of equal remainders the earlier is raised first.
    """
    scaled = [share * 100 for share in shares]
    floors = [math.floor(share) for share in scaled]
    missing = hundredths(sum(shares, Fraction())) - sum(floors)
    by_remainder = sorted(range(len(scaled)), key=lambda place: floors[place] - scaled[place])
    raised = set(by_remainder[:missing])
    return tuple((floor + (place in raised)) / 100 for place, floor in enumerate(floors))
