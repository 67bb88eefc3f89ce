"""Process and Recovery: states, weights that move, adjustments, reasons and cited events."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges import Criterion, Opinion, all_judges
from judges.process import Process
from judges.recovery import Recovery
from judges.rubric import load
from metrics.base import Item, Reading

RUBRIC = load()
METRICS = sorted({m.metric for lane in ("process", "recovery") for c in RUBRIC.lane(lane).criteria for m in c.marks})
DENSITY = {"units": 4, "change_sets": 4, "effective": 4, "raw": 4, "raw_ratio": 1.0, "changed_lines": 60, "plans": 0}


def measured(metric: str, value: float, **more: Any) -> Reading:
    """A reading with a value."""
    more.setdefault("evidence", (f"{metric}-1",))
    return Reading(metric=metric, state="measured", value=value, **more)


def absent(metric: str, state: Any = "not_applicable", reason: str = "none") -> Reading:
    """A reading without one."""
    return Reading(metric=metric, state=state, reason=reason)


def of(*readings: Reading) -> dict[str, Reading]:
    """Readings by name."""
    return {reading.metric: reading for reading in readings}


def good_process() -> dict[str, Reading]:
    """A process with nothing to object to."""
    return of(
        measured("verification_density", 1.0, details=DENSITY),
        measured("dwell_time", 0.1),
        measured("time_to_first_correct_fix", 0.2),
        measured("tool_waste", 0.05),
    )


def good_recovery() -> dict[str, Reading]:
    """The recovery of the definitions' worked example."""
    return of(
        measured("pivot_latency", 47.0, items=(Item(54.0), Item(40.0))),
        measured("recovery_speed", 67.0, items=(Item(74.0), Item(60.0))),
        measured("thrash_rate", 0.0),
        absent("reversion_ratio"),
        measured("scope_growth_after_error", 1.0),
        measured("error_detection_speed", 10.0),
        measured("repeat_failure_rate", 0.0),
        measured("score_trajectory", 0.75),
    )


def process(readings: dict[str, Reading]) -> Opinion:
    """What the process judge says."""
    return Process().opine("m/c", readings, RUBRIC)


def recovery(readings: dict[str, Reading]) -> Opinion:
    """What the recovery judge says."""
    return Recovery().opine("m/c", readings, RUBRIC)


def criterion(opinion: Opinion, name: str) -> Criterion:
    """One criterion by its name."""
    return next(one for one in opinion.criteria if one.name == name)


def test_discovery_finds_the_judges_in_their_fixed_order() -> None:
    """Process comes before Recovery, whatever their files are called."""
    assert [judge.name for judge in all_judges()] == ["process", "recovery"]


def test_a_flawless_process_scores_100_and_says_from_what() -> None:
    """Scope does not apply without rules and leaves its 10 to the others in proportion."""
    opinion = process(good_process())
    assert (opinion.status, opinion.score, opinion.basis) == ("ok", 100.0, "metrics")
    assert criterion(opinion, "scope").score is None
    assert criterion(opinion, "scope").points is None
    assert criterion(opinion, "scope").reason == "no rules and no accepted diff say which files belong to the task"
    assert criterion(opinion, "verification_density").weight == pytest.approx(25 / 90 * 100, abs=0.01)
    assert opinion.reason == "measured 90 of 90 of the weight that applies; does not apply: scope"
    assert opinion.provenance is not None
    assert (opinion.provenance.rubric, opinion.provenance.rubric_hash) == (RUBRIC.version, RUBRIC.hash)


def test_a_reason_is_a_sentence_with_value_range_and_score() -> None:
    """The reader sees the figure, what would have been best, and what it gave."""
    reason = criterion(process(good_process()), "dwell_time").reason
    assert reason == "first change at 10 % of the time, full marks at 5–15 %: 100 of 100"


def test_a_criterion_cites_the_events_of_its_reading() -> None:
    """The ids come from the reading, or from its items where the reading itself has none."""
    assert criterion(process(good_process()), "tool_waste").evidence == ("tool_waste-1",)
    readings = good_recovery()
    items = (Item(54.0, evidence=("a", "b")), Item(40.0, evidence=("b", "c")))
    readings["pivot_latency"] = measured("pivot_latency", 47.0, items=items, evidence=())
    assert criterion(recovery(readings), "pivot_latency").evidence == ("a", "b", "c")


@pytest.mark.parametrize(
    ("value", "raw", "expected"),
    [(1.0, 2.0, 100), (1.0, 2.1, 99), (1.0, 3.0, 90), (1.0, 9.0, 70), (0.3, 9.0, 60), (0.375, 2.2, 73)],
)
def test_raw_runs_above_two_a_change_lose_a_point_a_tenth_down_to_70(value: float, raw: float, expected: int) -> None:
    """A score that is below 70 already loses nothing."""
    readings = good_process()
    readings["verification_density"] = measured("verification_density", value, details=DENSITY | {"raw_ratio": raw})
    assert criterion(process(readings), "verification_density").score == expected


def test_points_off_are_named_in_the_reason() -> None:
    """Nobody has to guess where ten points went."""
    readings = good_process()
    readings["verification_density"] = measured("verification_density", 1.0, details=DENSITY | {"raw_ratio": 3.0})
    assert "3 runs per change, above 2: 10 points off" in criterion(process(readings), "verification_density").reason


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"change_sets": 1, "changed_lines": 5}, 100),
        ({"change_sets": 1, "changed_lines": 400}, 40),
        ({"change_sets": 1, "changed_lines": 400, "plans": 1}, 55),
        ({"change_sets": 2, "changed_lines": 400, "plans": 2}, 85),
        ({"change_sets": 10, "changed_lines": 100}, 100),
        ({"change_sets": 20, "changed_lines": 80}, 80),
        ({"change_sets": 40, "changed_lines": 100, "plans": 1}, 75),
        ({"change_sets": 4, "changed_lines": 350, "plans": 3}, 100),
        ({"change_sets": 1, "changed_lines": None, "units": 4}, 40),
    ],
)
def test_decomposition_counts_change_sets_per_hundred_lines_and_a_plan(details: dict[str, Any], expected: int) -> None:
    """One change-set for each 100 lines is full marks; a plan adds up to 15; unknown lines count by change units."""
    readings = good_process()
    readings["verification_density"] = measured("verification_density", 1.0, details=DENSITY | details)
    assert criterion(process(readings), "decomposition").score == expected


def test_decomposition_without_counts_is_not_measured() -> None:
    """A reading without its details gives no score, not a low one."""
    readings = good_process()
    readings["verification_density"] = measured("verification_density", 1.0)
    one = criterion(process(readings), "decomposition")
    assert (one.score, one.points) == (None, None)
    assert "does not count the change-sets" in one.reason


def test_scope_counts_once_there_is_a_reading_for_it() -> None:
    """A quarter of unrelated files gives 60."""
    opinion = process(good_process() | of(measured("scope_drift", 0.25)))
    assert criterion(opinion, "scope").score == 60
    assert (opinion.score, opinion.reason) == (96.0, "measured 100 of 100 of the weight")


def test_a_fix_that_never_came_scores_20_and_says_so() -> None:
    """Not reached stands at the very end of the time; it is not 0 and not left out."""
    readings = good_process() | of(absent("time_to_first_correct_fix", "not_reached", "3 checks, no progress"))
    one = criterion(process(readings), "time_to_first_correct_fix")
    assert one.score == 20
    assert one.reason.startswith("no progress at any time, marked as if it had come at the end")


def test_not_reached_where_the_rubric_has_no_value_for_it_is_not_measured() -> None:
    """Only the rubric may say what stands for it."""
    readings = good_process() | of(absent("tool_waste", "not_reached", "odd"))
    assert criterion(process(readings), "tool_waste").reason == "not measured: odd"


def test_an_item_that_stays_open_scores_zero_in_the_mean() -> None:
    """One contradiction answered at once and one never: 50, whatever the reading's own value says."""
    items = (Item(100.0), Item(None, open=True, age=400.0))
    readings = good_recovery() | of(measured("pivot_latency", 100.0, items=items))
    one = criterion(recovery(readings), "pivot_latency")
    assert one.score == 50
    assert one.reason == (
        "1 of 2 contradictions answered with another approach (100 s); 1 still open, counted as 0; "
        "full marks at 120 s or less: 50 of 100 on average"
    )


def test_a_mean_is_of_scores_not_of_values() -> None:
    """0 s and 1200 s are 100 and 0; their mean value, 600 s, would have scored 40."""
    readings = good_recovery() | of(measured("recovery_speed", 600.0, items=(Item(0.0), Item(1200.0))))
    assert criterion(recovery(readings), "recovery_speed").score == 50


@pytest.mark.parametrize("state", ["measured", "not_reached"])
def test_nothing_ever_resolved_is_zero_even_without_a_value(state: Any) -> None:
    """All items open: the mean is 0, a real one."""
    reading = Reading(metric="recovery_speed", state=state, items=(Item(None, open=True), Item(None, open=True)))
    one = criterion(recovery(good_recovery() | of(reading)), "recovery_speed")
    assert (one.score, one.points) == (0, 0)
    assert one.reason.startswith("0 of 2 incidents resolved; 2 still open")


def test_a_reopened_item_scores_zero_though_it_has_a_value() -> None:
    """What came back is not resolved."""
    readings = good_recovery() | of(measured("recovery_speed", 10.0, items=(Item(10.0, open=True),)))
    assert criterion(recovery(readings), "recovery_speed").score == 0


@pytest.mark.parametrize(
    ("repeat", "trajectory", "expected"),
    [(0.0, 0.3, 50), (0.5, 0.8, 65), (0.0, None, 100), (None, 0.55, 50)],
)
def test_repeats_and_trajectory_share_one_weight(repeat: float | None, trajectory: float | None, expected: int) -> None:
    """The mean of the two, or the one that was measured."""
    pair = {"repeat_failure_rate": repeat, "score_trajectory": trajectory}
    readings = good_recovery() | of(*(absent(n) if v is None else measured(n, v) for n, v in pair.items()))
    assert criterion(recovery(readings), "repetition_and_trajectory").score == expected


def test_the_worked_example_of_recovery_adds_up() -> None:
    """All at their best but the trajectory of 0.75 (90): the mean of 100 and 90 has 5 of 90."""
    opinion = recovery(good_recovery())
    assert opinion.score == 99.72  # 100 - 5/90 * 5 = 99.7222
    assert criterion(opinion, "repetition_and_trajectory").score == 95


def test_without_any_error_recovery_does_not_apply() -> None:
    """No score, neither 80 nor 50, although the thrash rate could be measured."""
    readings = of(*(absent(metric) for metric in METRICS)) | of(measured("thrash_rate", 0.0))
    opinion = recovery(readings)
    assert (opinion.status, opinion.score) == ("not_applicable", None)
    assert opinion.reason == "nothing happened that this lane judges"
    assert all(one.points is None for one in opinion.criteria)


def test_a_contradiction_without_incident_still_makes_recovery_apply() -> None:
    """One of the two telling metrics is enough."""
    readings = good_recovery() | of(absent("recovery_speed"))
    assert recovery(readings).status == "ok"


@pytest.mark.parametrize("judge", all_judges(), ids=lambda judge: judge.name)
def test_a_run_in_which_nothing_happened_is_not_applicable(judge: Any) -> None:
    """Every reading says there was nothing of its kind: so does the judge."""
    opinion = judge.opine("m/c", of(*(absent(metric) for metric in METRICS)), RUBRIC)
    assert (opinion.status, opinion.score) == ("not_applicable", None)


@pytest.mark.parametrize("judge", all_judges(), ids=lambda judge: judge.name)
def test_lost_telemetry_is_insufficient_and_never_a_score(judge: Any) -> None:
    """Neither absent readings nor insufficient ones become a number or an exception."""
    for readings in ({}, of(*(absent(metric, "insufficient", "no usable time") for metric in METRICS))):
        opinion = judge.opine("m/c", readings, RUBRIC)
        assert (opinion.status, opinion.score) == ("insufficient", None)
        assert opinion.reason.startswith("measured 0 of ")


@pytest.mark.parametrize(
    ("kept", "status"),
    [
        (("verification_density", "time_to_first_correct_fix"), "ok"),  # 25 + 15 + 15
        (("verification_density",), "insufficient"),  # 25 + 15
        (("dwell_time", "time_to_first_correct_fix", "tool_waste"), "ok"),  # 15 + 15 + 20, exactly half
        (("dwell_time", "time_to_first_correct_fix"), "insufficient"),
    ],
)
def test_below_half_of_the_weight_there_is_no_score(kept: tuple[str, ...], status: str) -> None:
    """At exactly half there is one; what was measured stays visible either way."""
    readings = {name: one if name in kept else absent(name, "insufficient") for name, one in good_process().items()}
    opinion = process(readings)
    assert opinion.status == status
    assert (opinion.score is None) == (status == "insufficient")
    assert all(criterion(opinion, name).score == 100 for name in kept)


def test_a_measured_reading_without_a_finite_value_is_not_measured() -> None:
    """NaN never reaches a score."""
    for value in (float("nan"), float("inf"), None):
        reading = Reading(metric="tool_waste", state="measured", value=value)
        assert criterion(process(good_process() | of(reading)), "tool_waste").score is None


numbers = st.one_of(
    st.none(),
    st.floats(-1, 3, allow_nan=False).map(lambda value: round(value, 6)),
    st.integers(0, 2000).map(float),
    st.just(float("nan")),
)
items = st.lists(
    st.builds(Item, value=numbers, open=st.booleans(), evidence=st.tuples(st.sampled_from("abc"))), max_size=7
).map(tuple)
details = st.fixed_dictionaries(
    {},
    optional={
        "raw_ratio": st.floats(0, 20),
        "change_sets": st.integers(0, 50),
        "units": st.integers(0, 50),
        "changed_lines": st.none() | st.integers(0, 5000),
        "plans": st.integers(0, 3),
    },
)


@st.composite
def readings_of_any_kind(draw: st.DrawFn) -> dict[str, Reading]:
    """Readings in every state, with odd values and details."""
    names = draw(st.lists(st.sampled_from(METRICS), unique=True, min_size=len(METRICS) // 2))
    states: st.SearchStrategy[Any] = st.sampled_from(["measured"] * 6 + ["not_applicable", "not_reached", "insufficient"])
    return {
        name: Reading(metric=name, state=draw(states), value=draw(numbers), items=draw(items), details=draw(details))
        for name in names
    }


def cents(number: float) -> Decimal:
    """A number of two places, exactly."""
    return Decimal(str(number))


@pytest.mark.parametrize("judge", all_judges(), ids=lambda judge: judge.name)
@given(readings=readings_of_any_kind())
def test_points_add_up_exactly_and_a_score_is_in_range_or_absent(judge: Any, readings: dict[str, Reading]) -> None:
    """Whatever the readings: a score only with `ok`, its points and weights add up to the last place, marks in range."""
    opinion = judge.opine("m/c", readings, RUBRIC)
    assert (opinion.score is not None) == (opinion.status == "ok")
    for one in opinion.criteria:
        assert one.score is None or 0 <= one.score <= 100
        assert one.reason
        assert (one.points is None) == (one.score is None or opinion.score is None)
    if opinion.score is not None:
        assert 0 <= opinion.score <= 100
        assert sum(cents(one.points) for one in opinion.criteria if one.points is not None) == cents(opinion.score)
        assert sum(cents(one.weight) for one in opinion.criteria) == 100
        assert cents(opinion.score) == round(cents(opinion.score), 2)


@given(readings=readings_of_any_kind(), seed=st.randoms(use_true_random=False))
def test_the_order_of_the_readings_changes_nothing(readings: dict[str, Reading], seed: Any) -> None:
    """Same readings, same opinion; and judging does not change them."""
    names = list(readings)
    seed.shuffle(names)
    before = repr(readings)
    for judge in all_judges():
        first = judge.opine("m/c", readings, RUBRIC)
        assert judge.opine("m/c", {name: readings[name] for name in names}, RUBRIC) == first
    assert repr(readings) == before
