"""Every curve of the rubric against the table of the definitions, written out here by hand."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.curve import apportion, best_range, exact, hundredths, score_at, total_at
from judges.mark import mark
from judges.rubric import Mark, load
from metrics import all_metrics
from metrics.base import Item, Reading

Knots = list[tuple[float, float]]
TABLE: dict[tuple[str, str], tuple[int, dict[str, Knots]]] = {
    ("process", "verification_density"): (25, {"verification_density": [(0, 0), (0.25, 50), (0.5, 100)]}),
    ("process", "dwell_time"): (15, {"dwell_time": [(0, 20), (0.05, 100), (0.15, 100), (0.40, 40), (0.70, 0)]}),
    ("process", "time_to_first_correct_fix"): (
        15,
        {"time_to_first_correct_fix": [(0.40, 100), (0.80, 40), (1.0, 20)]},
    ),
    ("process", "tool_waste"): (20, {"tool_waste": [(0.15, 100), (0.40, 40), (0.70, 0)]}),
    ("process", "scope"): (10, {"scope_drift": [(0, 100), (0.25, 60), (0.6, 0)]}),
    ("recovery", "pivot_latency"): (20, {"pivot_latency": [(120, 100), (300, 60), (900, 0)]}),
    ("recovery", "recovery_speed"): (25, {"recovery_speed": [(180, 100), (600, 40), (1200, 0)]}),
    ("recovery", "thrash_rate"): (20, {"thrash_rate": [(0.5, 100), (1, 60), (2, 0)]}),
    ("recovery", "reversion_ratio"): (
        10,
        {"reversion_ratio": [(0, 85), (0.05, 100), (0.20, 100), (0.40, 40), (0.60, 0)]},
    ),
    ("recovery", "scope_growth_after_error"): (10, {"scope_growth_after_error": [(1.5, 100), (2.5, 50), (4, 0)]}),
    ("recovery", "error_detection_speed"): (10, {"error_detection_speed": [(60, 100), (300, 40), (900, 0)]}),
    ("recovery", "repetition_and_trajectory"): (
        5,
        {"repeat_failure_rate": [(0, 100), (0.5, 30), (1, 0)], "score_trajectory": [(0.3, 0), (0.8, 100)]},
    ),
}
OWN = {("process", "decomposition"): 15}


def rule(lane: str, criterion: str, metric: str) -> Mark:
    """The rubric's mark for one metric."""
    found = next(one for one in load().lane(lane).criteria if one.name == criterion)
    return next(one for one in found.marks if one.metric == metric)


KNOTS = sorted({value for _, marks in TABLE.values() for knots in marks.values() for value, _ in knots})
CURVES = [(lane, name, metric, knots) for (lane, name), (_, marks) in TABLE.items() for metric, knots in marks.items()]


def points_on(knots: list[tuple[float, float]]) -> list[tuple[Fraction, Fraction]]:
    """Every knot and every midpoint between two, exactly."""
    pairs = [(Fraction(str(value)), Fraction(str(score))) for value, score in knots]
    middles = [((a + b) / 2, (low + high) / 2) for (a, low), (b, high) in pairwise(pairs)]
    return [*pairs, *middles]


@pytest.mark.parametrize(("lane", "name", "metric", "knots"), CURVES)
@given(numbers=st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 1000) | st.sampled_from(KNOTS)))
def test_the_sum_of_scores_is_exact(lane: str, name: str, metric: str, knots: Knots, numbers: list[float]) -> None:
    """Scores summed piece by piece are the sum of the single scores, to the last digit, on knots and far outside too."""
    del knots
    curve = rule(lane, name, metric).curve
    assert total_at(curve, numbers) == sum((score_at(curve, exact(one)) for one in numbers), Fraction())


def test_every_metric_of_the_rubric_exists() -> None:
    """A mark may wait for a metric that nobody has written yet only if it says what its absence means."""
    known = {metric.name for metric in all_metrics()}
    marks = [one for lane in ("process", "recovery") for rule in load().lane(lane).criteria for one in rule.marks]
    assert {one.metric for one in marks if not one.absent} <= known


def test_the_rubric_has_the_criteria_and_weights_of_the_table() -> None:
    """No criterion is missing, none is added, and each has its weight."""
    rubric = load()
    weights = {(lane, one.name): one.weight for lane in ("process", "recovery") for one in rubric.lane(lane).criteria}
    assert weights == {key: weight for key, (weight, _) in TABLE.items()} | OWN
    assert {name: lane.weight for name, lane in rubric.lanes} == {
        "objective": 50,
        "process": 20,
        "strategy": 15,
        "recovery": 15,
    }


@pytest.mark.parametrize(("lane", "criterion", "metric", "knots"), CURVES)
def test_every_knot_and_midpoint_scores_as_the_table_says(
    lane: str, criterion: str, metric: str, knots: list[tuple[float, float]]
) -> None:
    """The curve hits each knot, and half-way between two it is half-way between their scores."""
    curve = rule(lane, criterion, metric).curve
    assert [(float(value), float(score)) for value, score in curve] == knots
    for value, expected in points_on(knots):
        assert score_at(curve, value) == expected


@pytest.mark.parametrize(("lane", "criterion", "metric", "knots"), CURVES)
def test_a_reading_on_a_knot_or_midpoint_gets_that_score(
    lane: str, criterion: str, metric: str, knots: list[tuple[float, float]]
) -> None:
    """The same through a reading, as a value and as the one item of a mean."""
    one = rule(lane, criterion, metric)
    for value, expected in points_on(knots):
        items = (Item(value=float(value)),) if one.figure == "items" else ()
        marked = mark(one, {metric: Reading(metric=metric, state="measured", value=float(value), items=items)})
        assert (marked.state, marked.score) == ("scored", expected)


@pytest.mark.parametrize(("lane", "criterion", "metric", "knots"), CURVES)
def test_outside_its_knots_a_curve_is_level(lane: str, criterion: str, metric: str, knots: list[tuple[float, float]]) -> None:
    """No value, however extreme, leaves 0 to 100."""
    curve = rule(lane, criterion, metric).curve
    assert score_at(curve, Fraction(-1)) == knots[0][1]
    assert score_at(curve, Fraction(10**9)) == knots[-1][1]


def test_time_to_first_fix_is_never_zero() -> None:
    """The lowest score of that curve is 20."""
    assert min(score for _, score in rule("process", *["time_to_first_correct_fix"] * 2).curve) == 20


def test_a_float_is_read_as_it_is_written() -> None:
    """0.1 is a tenth, not the nearest binary fraction; what is no finite number is None."""
    assert exact(0.1) == Fraction(1, 10)
    assert exact(3) == 3
    assert [exact(bad) for bad in (float("nan"), float("inf"), True, "1", None)] == [None] * 5


@pytest.mark.parametrize(("number", "rounded"), [("0.005", 1), ("0.004999", 0), ("2.675", 268), ("100", 10_000)])
def test_a_half_hundredth_is_rounded_up(number: str, rounded: int) -> None:
    """As with a pencil, where binary floats would give 2.67."""
    assert hundredths(Fraction(number)) == rounded


def test_shares_are_raised_where_the_remainder_is_largest_and_earlier_first() -> None:
    """Three thirds of 100 make 100, and the first gets the odd hundredth."""
    assert apportion([Fraction(100, 3)] * 3) == (33.34, 33.33, 33.33)
    assert apportion([Fraction("0.004"), Fraction("0.006"), Fraction(0)]) == (0.0, 0.01, 0.0)
    assert apportion([]) == ()


def test_the_best_range_is_open_where_the_curve_ends_at_its_top() -> None:
    """A curve that falls from its first knot has no lower bound; one with a plateau inside has both."""
    falling = ((Decimal(1), Decimal(100)), (Decimal(2), Decimal(0)))
    inside = (
        (Decimal(0), Decimal(20)),
        (Decimal(1), Decimal(100)),
        (Decimal(2), Decimal(100)),
        (Decimal(3), Decimal(0)),
    )
    assert best_range(falling) == (None, Decimal(1))
    assert best_range(inside) == (Decimal(1), Decimal(2))
