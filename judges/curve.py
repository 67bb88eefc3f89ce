"""Exact arithmetic of scores: curves between knots, rounding to two places, shares that add up.

Everything inside is a `Fraction`; a `float` appears only at the end, with two places. Binary fractions would make
the points of an opinion miss its score in the last place, and two machines disagree about a half.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from decimal import Context, Decimal, Inexact
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Sequence

Curve: TypeAlias = tuple[tuple[Decimal, Decimal], ...]
"""Knots (value, score), ascending by value; linear between them, level outside them."""

Lines: TypeAlias = tuple[tuple[Fraction, Fraction, Fraction], ...]

_WIDE: Final = Context(prec=1000, traps=[Inexact])
"""Wide enough for the exact sum of any floating-point numbers."""

HALF: Final = Fraction(1, 2)


@lru_cache(maxsize=4096, typed=True)
def exact(number: object) -> Fraction | None:
    """A number as it is written, not as the machine stores it: 0.1 is one tenth. None: it is no finite number."""
    return Fraction(Decimal(repr(number))) if is_finite(number) else None


def is_finite(number: object) -> TypeGuard[float]:
    """Whether it is a number at all, and finite."""
    return isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)


def score_at(curve: Curve, value: Fraction) -> Fraction:
    """The score of a value, exactly."""
    return _on(_lines(curve), value)


def total_at(curve: Curve, numbers: Sequence[float]) -> Fraction:
    """The sum of the scores of finite numbers, exactly, each number as it is written.

    Numbers on one piece of the curve are summed before anything is multiplied: a long run has hundreds of them.
    """
    lines = _lines(curve)
    ends = [value for value, _ in curve]
    counts, sums = [0] * len(lines), [Decimal()] * len(lines)
    for number in numbers:
        written = Decimal(repr(number))
        place = bisect_left(ends, written)
        counts[place] += 1
        sums[place] = _WIDE.add(sums[place], written)
    pieces = zip(lines, counts, sums, strict=True)
    return sum((start * count + rise * Fraction(total) for (_, rise, start), count, total in pieces if count), Fraction())


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
