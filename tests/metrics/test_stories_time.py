"""Stories of time: starts, ends, idleness, events without time, calls that are sent twice."""

from __future__ import annotations

import pytest

from tests.told import Story, seconds

TIMED = (
    "dwell_time",
    "time_to_first_correct_fix",
    "recovery_speed",
    "error_detection_speed",
    "pivot_latency",
)
A = "tests/test_x.py::test_a"


def story() -> Story:
    """A change at 50 s and nothing after 61 s."""
    return Story().start(0).edit(50, 51, "a.py").check(60, 61, passed=3)


def test_without_any_end_the_last_own_event_is_the_end() -> None:
    """What a user says later is not the contestant's own."""
    run = story().say(70, "Done.").say(500, "thanks!", role="user").facts()
    assert (seconds(run.t_end), run.end) == (70, "abandoned")


def test_the_last_submission_ends_a_run_before_all_else() -> None:
    """With several the last counts; what ends the run or the match comes after it in rank."""
    run = story().submit(100).submit(150).event("run_ended", 200).event("match_ended", 300).facts()
    assert (seconds(run.t_end), run.end) == (150, "submitted")


@pytest.mark.parametrize(("kind", "at"), [("run_ended", 200), ("match_ended", 300)])
def test_without_a_submission_the_end_of_run_or_match_counts(kind: str, at: float) -> None:
    """An end is an explicit event."""
    run = story().event(kind, at).facts()
    assert (seconds(run.t_end), run.end) == (at, kind)


def test_a_submitting_tool_is_a_submission() -> None:
    """Its end hands the work in."""
    run = story().call(100, 102, "submit", {}, output="submitted").say(130, "bye").facts()
    assert (seconds(run.t_end), run.end) == (102, "submitted")


def test_without_a_start_the_match_starts_a_run_else_its_first_event() -> None:
    """In this order of worth."""
    bare = Story().edit(50, 51, "a.py").submit(150)
    framed = Story().event("match_started", 20).edit(50, 51, "a.py").submit(150)
    assert (seconds(bare.facts().t0), bare.readings()["dwell_time"].value) == (50, 0.0)
    assert (seconds(framed.facts().t0), framed.readings()["dwell_time"].numerator) == (20, 30)


def test_dwell_never_ends_with_edits_of_tests_alone() -> None:
    """Tests are not the work: no change of the work, no dwell time."""
    only = Story().start().edit(20, 21, "tests/test_x.py").check(30, 31, passed=3).submit(100).readings()
    assert only["dwell_time"].state == "not_applicable"
    assert only["verification_density"].value == 1.0


@pytest.mark.parametrize(("back", "active"), [(361, 361), (361.001, 300 - 239 + 0.0)])
def test_a_gap_of_over_five_minutes_is_no_active_time(back: float, active: float) -> None:
    """Exactly 300 s between two actions are still work; a moment more is idleness."""
    run = story().read(back, back, "a.py").submit(back).facts()
    assert run.active / 1_000_000 == active


def test_events_without_time_leave_times_insufficient_and_counts_whole() -> None:
    """No number stands in for a time that nobody measured."""
    bare = Story(timed=False).start().read(0, 0, "a.py").check(0, 0, passed=9, failing=(A,)).edit(0, 0, "a.py")
    bare.check(0, 0, passed=9, failing=(A,)).edit(0, 0, "b.py", symbol="g").check(0, 0, passed=10).submit(0)
    readings = bare.readings()
    assert {name: readings[name].state for name in TIMED} == dict.fromkeys(TIMED, "insufficient")
    assert readings["verification_density"].value == 1.0
    assert readings["tool_waste"].value == 0.0
    assert readings["score_trajectory"].value == 1.0


def test_without_times_neither_thrash_nor_growth_is_measured_though_both_happened() -> None:
    """A turn after an error and a file more: how often a minute, and what came after what, nobody knows."""
    bare = Story(timed=False).start().check(0, 0, passed=10).edit(0, 0, "a.py").check(0, 0, passed=9, failing=(A,))
    readings = bare.edit(0, 0, "b.py", symbol="g").check(0, 0, passed=9, failing=(A,)).submit(0).readings()
    assert (readings["thrash_rate"].state, readings["thrash_rate"].value) == ("insufficient", None)
    assert (readings["scope_growth_after_error"].state, readings["scope_growth_after_error"].value) == ("insufficient", None)
    assert readings["scope_growth_after_error"].reason == "the run's events carry no usable time"


def test_without_times_and_without_errors_growth_does_not_apply() -> None:
    """Nothing of the kind happened, and that is known without a clock."""
    readings = Story(timed=False).start().edit(0, 0, "a.py").check(0, 0, passed=3).submit(0).readings()
    assert readings["scope_growth_after_error"].state == "not_applicable"
    assert readings["thrash_rate"].state == "insufficient"


@pytest.mark.parametrize("timed", [True, False])
def test_a_submission_without_a_time_still_submits(*, timed: bool) -> None:
    """How the run ended is known, when is not: in a run with times the last own event at 61 s stands for it."""
    run = Story(timed=timed).start(0).edit(50, 51, "a.py").check(60, 61, passed=3).event("submission", None)
    assert (run.facts().end, run.report().verdict.end) == ("submitted", "submitted")
    if timed:
        assert seconds(run.facts().t_end) == 61


def test_a_submission_without_a_time_ranks_before_the_end_of_the_match() -> None:
    """It is how the run ended; the end of the match is only when."""
    run = story().event("submission", None).event("match_ended", 300).facts()
    assert (run.end, seconds(run.t_end)) == ("submitted", 300)


def test_a_submitting_tool_without_a_time_submits_and_does_not_end_at_the_epoch() -> None:
    """One of twenty-one calls has no time: that many may lack it, and times are measured up to the last own event."""
    run = story()
    for at in range(70, 88):
        run.read(at, at + 1, f"file{at}.py")
    run.event("tool_call", None, call_id="last", tool="submit", arguments={}, status="ok", output="submitted")
    assert (run.facts().end, seconds(run.facts().t_end), run.facts().calls) == ("submitted", 88, 21)
    assert run.readings()["dwell_time"].value == round(50 / 88, 6)


def test_a_call_sent_twice_is_one_call() -> None:
    """Start and end join to what one event would have said."""

    def told(phases: int) -> Story:
        one = Story(phases=phases).start().read(1, 4, "a.py").edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
        return one.edit(30, 31, "b.py", symbol="g").check(40, 42, passed=10).submit(60)

    def shares(phases: int) -> dict[str, tuple[str, float | None]]:
        readings = told(phases).readings()
        return {name: (one.state, one.value) for name, one in readings.items()}

    values = [shares(1), shares(2)]
    assert values[0] == values[1]


def test_the_moment_between_two_calls_belongs_to_the_second_and_recovery_to_its_own_phase() -> None:
    """10 s of looking, 10 s of editing, 10 s of checking, then 20 s while an incident is open."""
    mix = Story().start().read(0, 10, "a.py").edit(15, 20, "a.py").check(25, 30, passed=2, failing=(A,))
    mix.edit(35, 40, "a.py").check(45, 50, passed=3).submit(60)
    shares = mix.readings()["phase_mix"].details
    assert shares == {"explore": 0.2, "plan": 0, "edit": 0.2, "check": 0.2, "recover": 0.4, "other": 0}
