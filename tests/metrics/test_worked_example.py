"""The worked example of the definitions, to the digit, from native lines through the whole real path."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.base import Reading
from streams.events import Event
from streams.pipeline import Pipeline
from tests.told import Story

A, B, C, D, E = (f"tests/test_x.py::test_{name}" for name in "abcde")


def worked_example(phases: int = 1) -> Story:
    """Three failing tests; one is fixed, one attempt shows nothing, one breaks two, the revert and another file fix all."""
    story = Story(phases=phases).start(0).read(5, 25, "a.py", "b.py")
    story.check(30, 34, passed=7, failing=(A, B, C))
    story.edit(60, 61, "a.py", symbol="f").check(65, 70, passed=8, failing=(A, B))
    story.edit(75, 76, "a.py", symbol="f").check(80, 86, passed=8, failing=(A, B))
    story.edit(90, 91, "a.py", symbol="f").check(95, 100, passed=6, failing=(A, B, D, E))
    story.revert(140, 141, "a.py")
    story.edit(150, 151, "b.py", symbol="g").check(155, 160, passed=10)
    return story.submit(590)


@pytest.fixture(params=[1, 2], ids=["one event a call", "two events a call"])
def readings(request: pytest.FixtureRequest) -> dict[str, Reading]:
    """The readings, whichever way the harness sends its calls."""
    return worked_example(request.param).readings()


def items(reading: Reading) -> list[float | None]:
    """The values that a mean is made of."""
    return [item.value for item in reading.items]


def test_each_edit_is_a_change_set_of_its_own_and_is_verified(readings: dict[str, Reading]) -> None:
    """Four change-sets of one unit each, four effective checks; the baseline check is raw only."""
    density = readings["verification_density"]
    assert (density.value, density.numerator, density.denominator) == (1.0, 4, 4)
    assert (density.details["change_sets"], density.details["units"], density.details["raw"]) == (4, 4, 5)
    assert density.in_good_range is True


def test_it_looked_for_a_tenth_of_its_time(readings: dict[str, Reading]) -> None:
    """From the start to the edit at 60 s, of 590 s."""
    dwell = readings["dwell_time"]
    assert (dwell.numerator, dwell.denominator, round(dwell.value or 0, 4)) == (60, 590, 0.1017)
    assert dwell.in_good_range is True


def test_the_first_right_fix_is_the_check_that_ends_at_70(readings: dict[str, Reading]) -> None:
    """8 of 10 after 7 of 10 is progress, though later contradictions stood against it."""
    fix = readings["time_to_first_correct_fix"]
    assert (fix.numerator, fix.denominator, round(fix.value or 0, 4)) == (70, 590, 0.1186)
    assert fix.details["basis"] == "fixed"
    assert fix.in_good_range is True


def test_one_revert_answers_both_contradictions(readings: dict[str, Reading]) -> None:
    """86 s (no progress) and 100 s (regression), answered at 140 s; the move to b.py belongs to the revert."""
    pivot = readings["pivot_latency"]
    assert (items(pivot), pivot.value, pivot.details) == ([54, 40], 47.0, {"max_s": 54, "open": 0})
    assert pivot.in_good_range is True


def test_both_incidents_are_resolved_by_the_green_check(readings: dict[str, Reading]) -> None:
    """The two tests from 86 s, the four tests from 100 s, both until 160 s."""
    recovery = readings["recovery_speed"]
    assert (items(recovery), recovery.value) == ([74, 60], 67.0)
    assert recovery.details == {"incidents": 2, "open": 0}


def test_an_approach_that_ends_green_is_no_thrash(readings: dict[str, Reading]) -> None:
    """Active are 160 s: the gap up to the submission is over five minutes."""
    thrash = readings["thrash_rate"]
    assert (thrash.value, thrash.numerator, round((thrash.denominator or 0) * 60, 3)) == (0.0, 0, 160)
    assert thrash.details == {"fruitless_approaches": 0, "approaches": 1, "count": 0}


def test_too_few_edits_for_a_reversion_ratio(readings: dict[str, Reading]) -> None:
    """Not applicable under five edits; the raw count is shown."""
    reversion = readings["reversion_ratio"]
    assert (reversion.state, reversion.value) == ("not_applicable", None)
    assert (reversion.numerator, reversion.denominator) == (1, 4)


def test_one_file_before_the_first_incident_and_one_after(readings: dict[str, Reading]) -> None:
    """{a.py} before 86 s, {b.py} after."""
    scope = readings["scope_growth_after_error"]
    assert (scope.value, scope.numerator, scope.denominator) == (1.0, 1, 1)
    assert scope.details == {"before": ["a.py"], "after": ["b.py"]}


def test_three_of_four_steps_do_not_fall(readings: dict[str, Reading]) -> None:
    """0.7, 0.8, 0.8, 0.6, 1.0."""
    trajectory = readings["score_trajectory"]
    assert (trajectory.value, trajectory.numerator, trajectory.denominator) == (0.75, 3, 4)
    assert trajectory.details == {"basis": "tests", "results": [0.7, 0.8, 0.8, 0.6, 1.0]}
    assert trajectory.in_good_range is False


def test_the_reactions_to_both_incidents_are_the_next_actions(readings: dict[str, Reading]) -> None:
    """The edit at 90 s reacts to 86 s, the revert at 140 s to 100 s: (4 + 40) / 2; nothing was tried again unchanged."""
    detection, repeats = readings["error_detection_speed"], readings["repeat_failure_rate"]
    assert (items(detection), detection.value) == ([4, 40], 22.0)
    assert (repeats.value, repeats.denominator) == (0.0, 2)


def test_no_call_is_wasted(readings: dict[str, Reading]) -> None:
    """Every check had a change before it."""
    waste = readings["tool_waste"]
    assert (waste.value, waste.denominator) == (0.0, 12)


EVENTS = worked_example(2).events()


@settings(max_examples=20, deadline=None)
@given(st.permutations([*EVENTS, *EVENTS[::3]]))
def test_the_order_in_which_events_arrive_changes_nothing(stream: list[Event]) -> None:
    """The verdict's bytes are the same for shuffled and repeated events."""
    pipeline = Pipeline()
    for event in stream:
        pipeline.feed(event)
    assert pipeline.runs["m/c"].verdict_bytes() == worked_example(2).run().verdict_bytes()
