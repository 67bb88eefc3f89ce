"""Stories of tests first, narrow runs, names that are unknown, probes that assert nothing."""

from __future__ import annotations

import pytest

from tests.told import Story

A, B, C = (f"tests/test_x.py::test_{name}" for name in "abc")
N, M = (f"tests/test_new.py::test_{name}" for name in "nm")
NEW = "from a import f\n\n\ndef test_n():\n    assert f(1) == 2\n"
ONE_FAILED = "1 failed, 9 passed in 0.12s\n"
"""What is left of pytest's words where its names are filtered out."""


def contradicted() -> Story:
    """Green before, the change at 10 s in a.py breaks one test, known at 22 s."""
    return Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))


# tests first


@pytest.mark.parametrize("path", ["tests/test_x.py", "tests/test_new.py"])
def test_green_then_an_own_test_red_then_a_change_and_green_is_progress(path: str) -> None:
    """The test never passed before the change that makes it pass; in a file of its own or in one that was there."""
    name = f"{path}::test_n"
    story = Story().start().check(5, 6, passed=9).write(10, 11, path, NEW).check(20, 22, passed=9, failing=(name,))
    story.edit(30, 31, "a.py").check(40, 42, passed=10).submit(84)
    fix = story.readings()["time_to_first_correct_fix"]
    assert (fix.numerator, fix.value, fix.details) == (42, 0.5, {"basis": "fixed", "first_progress_kept": True})
    assert (story.against(), story.incidents()) == ([], [])


def test_red_before_the_first_change_and_green_after_it_is_progress() -> None:
    """A test of the base tree fails, goes on failing in other company, and passes after the change."""
    story = Story().start().check(3, 4, passed=10).check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py")
    story.check(20, 22, passed=10).submit(60)
    assert story.readings()["time_to_first_correct_fix"].numerator == 22
    assert (story.against(), story.incidents()) == ([], [])


def test_a_second_round_of_tests_first_contradicts_nothing_either() -> None:
    """After the first change a new test file is red under the command that was green: it has never passed."""
    story = Story().start().edit(10, 11, "a.py").check(14, 15, passed=9).write(20, 21, "tests/test_new.py", NEW)
    story.check(30, 32, passed=9, failing=(N,)).edit(40, 41, "a.py").check(50, 52, passed=10).submit(90)
    readings = story.readings()
    assert (story.against(), story.incidents(), story.turns()) == ([], [], [])
    assert readings["time_to_first_correct_fix"].details == {"basis": "first_green", "first_progress_kept": True}
    assert readings["recovery_speed"].state == "not_applicable"


def test_an_own_test_that_stays_red_after_a_change_contradicts() -> None:
    """The target still fails as before: known at 52 s."""
    story = Story().start().edit(10, 11, "a.py").check(14, 15, passed=9).write(20, 21, "tests/test_new.py", NEW)
    story.check(30, 32, passed=9, failing=(N,)).edit(40, 41, "a.py").check(50, 52, passed=9, failing=(N,)).submit(90)
    assert (story.against(), story.incidents()) == ([(52, "")], [(52, None)])


def test_an_own_test_that_has_passed_can_regress() -> None:
    """Written and run green at 32 s; the change after it breaks it."""
    story = Story().start().edit(10, 11, "a.py").check(14, 15, passed=9).write(20, 21, "tests/test_new.py", NEW)
    story.check(30, 32, passed=10).edit(40, 41, "a.py").check(50, 52, passed=9, failing=(N,)).submit(90)
    assert (story.against(), story.incidents()) == ([(52, "")], [(52, None)])


def test_a_red_own_test_hides_no_regression() -> None:
    """A test of the base tree fails beside the new one: that contradicts."""
    story = Story().start().check(5, 6, passed=9).edit(10, 11, "a.py").write(15, 16, "tests/test_new.py", NEW)
    assert story.check(30, 32, passed=8, failing=(A, N)).submit(60).against() == [(32, "")]


def test_a_new_red_test_does_not_hide_that_the_target_passes() -> None:
    """The baseline failure passes now; only what never passed fails: progress."""
    story = Story().start().check(5, 6, passed=8, failing=(A,)).edit(10, 11, "a.py").write(15, 16, "tests/test_new.py", NEW)
    story.check(30, 32, passed=9, failing=(N,)).submit(64)
    assert story.against() == []
    assert story.readings()["time_to_first_correct_fix"].value == 0.5


def test_editing_the_failing_test_is_no_progress_under_another_command_either() -> None:
    """The work failed it at 22 s and has not changed since: a narrower run proves nothing more."""
    story = Story().start().check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    story.edit(30, 31, "tests/test_x.py", symbol="test_a").check(40, 42, passed=1, command=f"pytest -q {A}").submit(60)
    assert story.readings()["time_to_first_correct_fix"].state == "not_reached"


# narrow runs


def test_a_narrow_run_of_a_target_that_everything_showed_failing_is_progress() -> None:
    """The name is known from the run of everything."""
    story = Story().start().check(5, 6, passed=7, failing=(A, B, C)).edit(10, 11, "a.py")
    fix = story.check(20, 22, passed=1, command=f"pytest -q {A}").submit(88).readings()["time_to_first_correct_fix"]
    assert (fix.value, fix.details["basis"]) == (0.25, "fixed")


@pytest.mark.parametrize("failing", [(), (A,)])
def test_a_narrow_run_of_what_passed_before_is_no_first_green(failing: tuple[str, ...]) -> None:
    """The run of everything showed it to pass, whether or not something else failed."""
    story = Story().start().check(5, 6, passed=9, failing=failing).edit(10, 11, "a.py")
    story.check(20, 22, passed=1, command=f"pytest -q {B}").submit(60)
    assert (story.against(), story.readings()["time_to_first_correct_fix"].state) == ([], "not_reached")


def test_a_narrow_run_closes_what_it_covers() -> None:
    """The only failing test is shown to pass, by itself or with its file."""
    for target in (A, "tests/test_x.py", "tests"):
        story = contradicted().edit(30, 31, "a.py").check(40, 42, passed=1, command=f"pytest -q {target}").submit(60)
        assert (story.against(), story.incidents()) == ([(22, "fixed")], [(22, 42)])


def test_a_narrow_run_closes_nothing_that_it_does_not_cover() -> None:
    """Another test, and one of two that fail."""
    other = contradicted().edit(30, 31, "a.py").check(40, 42, passed=1, command=f"pytest -q {B}").submit(60)
    half = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=8, failing=(A, B))
    half.edit(30, 31, "a.py").check(40, 42, passed=1, command=f"pytest -q {A}").submit(60)
    assert (other.against(), other.incidents()) == ([(22, "")], [(22, None)])
    assert (half.against(), half.incidents()) == ([(22, "")], [(22, None)])


def test_a_narrow_run_can_show_a_regression_of_what_everything_showed_to_pass() -> None:
    """Green before; the part that is run after the change fails."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py")
    assert story.check(20, 22, failing=(A,), command=f"pytest -q {A}").submit(60).against() == [(22, "")]


# names that are unknown, checks that could not run


def unnamed() -> Story:
    """Green before; after the change one test fails, and which one is not said."""
    return Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").bash(20, 22, "pytest -q", ONE_FAILED, 1)


def test_what_is_known_by_its_command_alone_closes_on_a_pass() -> None:
    """The command stands for its names."""
    story = unnamed().edit(30, 31, "a.py").check(40, 42, passed=10).submit(60)
    assert (story.against(), story.incidents()) == ([(22, "fixed")], [(22, 42)])


def test_what_is_known_by_its_command_alone_does_not_close_on_another_failure() -> None:
    """At 42 s a test fails by name: it may be the same one. Both close with the pass at 62 s."""
    story = unnamed().edit(30, 31, "a.py").check(40, 42, passed=9, failing=(A,))
    assert (story.against(), story.incidents()) == ([(22, ""), (42, "")], [(22, None), (42, None)])
    story.edit(50, 51, "a.py").check(60, 62, passed=10).submit(90)
    assert (story.against(), story.incidents()) == ([(22, "fixed"), (42, "fixed")], [(22, 62), (42, 62)])


def test_a_narrow_run_does_not_close_what_is_known_by_its_command_alone() -> None:
    """Whether the test that passes is the one that failed is not known."""
    story = unnamed().edit(30, 31, "a.py").check(40, 42, passed=1, command=f"pytest -q {A}").submit(60)
    assert (story.against(), story.incidents()) == ([(22, "")], [(22, None)])


def test_a_check_that_could_not_run_closes_nothing() -> None:
    """It says nothing of the failing test; as the check ran before, it is a contradiction of its own."""
    story = contradicted().edit(30, 31, "a.py").cannot_run(40, 41)
    assert (story.against(), story.incidents()) == ([(22, ""), (41, "")], [(22, None), (41, None)])
    story.edit(50, 51, "a.py").check(60, 62, passed=10).submit(90)
    assert (story.against(), story.incidents()) == ([(22, "fixed"), (41, "fixed")], [(22, 62), (41, 62)])


def test_that_it_runs_again_resolves_the_incident_and_not_the_contradiction() -> None:
    """It could not run at 21 s, ran and failed at 42 s, passed at 62 s."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").cannot_run(20, 21).edit(30, 31, "a.py")
    story.check(40, 42, passed=9, failing=(A,))
    assert (story.against(), story.incidents()) == ([(21, ""), (42, "")], [(21, 42), (42, None)])
    story.edit(50, 51, "a.py").check(60, 62, passed=10).submit(90)
    assert (story.against(), story.incidents()) == ([(21, "fixed"), (42, "fixed")], [(21, 42), (42, 62)])


# probes


def test_a_probe_that_crashed_and_then_ends_well_has_passed() -> None:
    """It asserts nothing, but it shows that much: fixed in place after 20 s."""
    story = Story().start().edit(10, 11, "a.py").probe(20, 21, enters="a.py").edit(30, 31, "a.py").probe(40, 41).submit(60)
    assert (story.against(), story.incidents()) == ([(21, "fixed")], [(21, 41)])
    assert story.readings()["recovery_speed"].value == 20


def test_a_reproduced_crash_that_is_gone_after_the_change_is_progress() -> None:
    """The crash before the change is a baseline; that it is gone is the first progress."""
    story = Story().start().probe(5, 6, enters="a.py").edit(10, 11, "a.py").probe(20, 21).submit(84)
    fix = story.readings()["time_to_first_correct_fix"]
    assert (story.against(), fix.value, fix.details["basis"]) == ([], 0.25, "fixed")


def test_a_probe_that_said_that_it_failed_and_then_does_not_has_passed() -> None:
    """Both times its exit code is 0."""
    story = Story().start().bash(5, 6, "python run_app.py", "FAIL: expected 4, got 3\n").edit(10, 11, "a.py")
    fix = story.bash(20, 21, "python run_app.py", "done\n").submit(84).readings()["time_to_first_correct_fix"]
    assert (story.against(), fix.value) == ([], 0.25)


def test_a_probe_that_asserts_nothing_and_never_failed_shows_nothing() -> None:
    """It runs, which verifies the change; it is no first green."""
    readings = Story().start().probe(5, 6).edit(10, 11, "a.py").probe(20, 21).submit(60).readings()
    assert readings["time_to_first_correct_fix"].state == "not_reached"
    assert readings["verification_density"].numerator == 1


def test_another_probe_that_ends_well_does_not_close_a_crash() -> None:
    """Another command, another question."""
    story = Story().start().edit(10, 11, "a.py").probe(20, 21, enters="a.py").edit(30, 31, "a.py")
    story.probe(40, 41, command="python run_app.py --help").submit(60)
    assert (story.against(), story.incidents()) == ([(21, "")], [(21, None)])
