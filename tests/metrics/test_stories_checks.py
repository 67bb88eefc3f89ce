"""Stories of checks: what is a baseline, progress, a contradiction; what counts as verified."""

from __future__ import annotations

import pytest

from tests.told import Story

A, B, C, D = (f"tests/test_x.py::test_{name}" for name in "abcd")


def test_a_failure_before_any_change_is_a_baseline() -> None:
    """Reproducing the bug is neither a contradiction nor an incident."""
    story = Story().start().check(10, 12, passed=7, failing=(A,)).check(20, 22, passed=7, failing=(A,)).submit(60)
    assert (story.against(), story.incidents()) == ([], [])


def test_a_new_failing_test_before_the_work_changes_is_a_baseline() -> None:
    """Red, then the change, then green: test-driven work has no contradiction and no incident."""
    story = Story().start().check(5, 6, passed=9)
    story.edit(10, 11, "tests/test_x.py", symbol="test_a").check(20, 22, passed=9, failing=(A,))
    story.edit(30, 31, "a.py").check(40, 42, passed=10).submit(100)
    assert (story.against(), story.incidents()) == ([], [])
    assert story.readings()["dwell_time"].numerator == 30, "tests are no work: the dwell ends with the first work change"


def test_a_check_that_cannot_run_neither_counts_nor_uses_up_the_change() -> None:
    """The next check that runs is the effective one."""
    density = Story().start().edit(10, 11, "a.py").cannot_run(20, 21).check(30, 32, passed=10).submit(60).readings()
    assert density["verification_density"].numerator == 1
    assert density["verification_density"].details["raw"] == 1


def test_the_same_check_again_without_a_change_proves_nothing_new() -> None:
    """Raw checks rise, effective ones do not; the repeated call is waste."""
    story = Story().start().edit(10, 11, "a.py").check(20, 22, passed=10).check(30, 32, passed=10).check(40, 42, passed=10)
    readings = story.read(50, 51, "a.py").submit(60).readings()
    density, waste = readings["verification_density"], readings["tool_waste"]
    assert (density.numerator, density.details["raw"], density.details["raw_ratio"]) == (1, 3, 3.0)
    assert (waste.numerator, waste.details["repeated"]) == (2, 2)


def test_a_check_of_lint_is_no_verification() -> None:
    """Lint, format and types tell nothing of whether the work works."""
    story = Story().start().edit(10, 11, "a.py").bash(20, 21, "ruff check a.py", "All checks passed!\n").submit(60)
    assert story.readings()["verification_density"].numerator == 0


def test_a_regression_under_the_same_command_contradicts() -> None:
    """What passed fails after the change."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,)).submit(60)
    assert story.against() == [(22, "")]
    assert story.incidents() == [(22, None)]


def test_the_target_that_fails_as_before_contradicts() -> None:
    """The change has not helped."""
    story = Story().start().check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py")
    assert story.check(20, 22, passed=9, failing=(A,)).submit(60).against() == [(22, "")]


def test_a_resolved_failure_that_is_back_contradicts() -> None:
    """Fixed once, and broken again by a later change."""
    story = Story().start().check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py").check(20, 22, passed=10)
    story.edit(30, 31, "a.py").check(40, 42, passed=9, failing=(A,)).submit(60)
    assert story.against() == [(42, "")]
    assert story.readings()["time_to_first_correct_fix"].details["first_progress_kept"] is False


def test_the_first_run_of_the_base_trees_tests_after_a_change_contradicts() -> None:
    """Tests of the base tree are presumed to pass."""
    story = Story().start().edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,)).submit(60)
    assert story.against() == [(22, "")]


def test_it_is_withdrawn_when_the_failure_shows_on_the_base_tree_too() -> None:
    """The presumption was wrong: after the change is taken back the test fails as before, so it was a baseline failure."""
    story = Story().start().edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    story.revert(30, 31, "a.py", git=True).check(40, 42, passed=9, failing=(A,)).submit(60)
    assert (story.against(), story.incidents()) == ([], [])


def test_eight_of_ten_after_seven_is_no_contradiction() -> None:
    """A failing check that shows progress is none."""
    story = Story().start().check(5, 6, passed=7, failing=(A, B, C)).edit(10, 11, "a.py")
    story.check(20, 22, passed=8, failing=(A, B)).submit(60)
    assert (story.against(), story.incidents()) == ([], [])
    assert story.readings()["time_to_first_correct_fix"].numerator == 22


def test_one_test_more_and_another_less_is_no_progress() -> None:
    """What passed fails: the best result does not rise, whatever the count says."""
    story = Story().start().check(5, 6, passed=7, failing=(A, B, C)).edit(10, 11, "a.py")
    assert story.check(20, 22, passed=8, failing=(C, D)).submit(60).against() == [(22, "")]


def test_failing_checks_with_no_change_between_them_are_one() -> None:
    """Looking twice at the same evidence is one contradiction and one incident."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    story.check(30, 32, passed=9, failing=(A,)).check(40, 41, failing=(A,), command=f"pytest -q {A}").submit(60)
    assert story.against() == [(22, "")]


def test_a_first_failing_probe_contradicts_if_its_traceback_enters_a_changed_file() -> None:
    """The crash is in what was changed."""
    story = Story().start().edit(10, 11, "a.py").probe(20, 21, enters="a.py").submit(60)
    assert (story.against(), story.incidents()) == ([(21, "")], [(21, None)])


def test_a_first_failing_probe_elsewhere_is_no_contradiction() -> None:
    """The crash is in a file that nobody touched."""
    story = Story().start().edit(10, 11, "a.py").probe(20, 21, enters="other.py").submit(60)
    assert (story.against(), story.incidents()) == ([], [])


def test_a_check_that_cannot_run_contradicts_only_if_it_ran_before() -> None:
    """Broken imports after a green run are evidence; a runner that never ran is an incident alone."""
    ran = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").cannot_run(20, 21).submit(60)
    never = Story().start().edit(10, 11, "a.py").cannot_run(20, 21).submit(60)
    assert (ran.against(), ran.incidents()) == ([(21, "")], [(21, None)])
    assert (never.against(), never.incidents()) == ([], [(21, None)])


def test_the_first_green_run_after_a_change_is_progress() -> None:
    """With no earlier result the first pass counts, and says on what basis."""
    fix = Story().start().edit(10, 11, "a.py").check(20, 22, passed=10).submit(60).readings()["time_to_first_correct_fix"]
    assert (fix.numerator, fix.details["basis"]) == (22, "first_green")


def test_passing_by_editing_the_failing_test_is_no_progress() -> None:
    """Only the test changed: nothing was fixed."""
    story = Story().start().edit(3, 4, "a.py").check(5, 6, passed=9, failing=(A,))
    story.edit(10, 11, "tests/test_x.py", symbol="test_a").check(20, 22, passed=10).submit(60)
    assert story.readings()["time_to_first_correct_fix"].state == "not_reached"


def test_checks_without_progress_are_not_reached_and_no_checks_not_applicable() -> None:
    """What could have happened and did not is told apart from what could not happen."""
    tried = Story().start().check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    blind = Story().start().edit(10, 11, "a.py").edit(20, 21, "b.py")
    assert tried.submit(60).readings()["time_to_first_correct_fix"].state == "not_reached"
    assert blind.submit(60).readings()["time_to_first_correct_fix"].state == "not_applicable"


def test_250_lines_are_three_units() -> None:
    """One change-set of 250 changed lines, one check: a third."""
    text = "".join(f"x{number} = {number}\n" for number in range(250))
    density = Story().start().write(10, 11, "src/a.py", text).check(20, 22, passed=10).submit(60).readings()
    assert (density["verification_density"].numerator, density["verification_density"].denominator) == (1, 3)
    assert density["verification_density"].in_good_range is False


def test_where_lines_are_unknown_files_are_counted() -> None:
    """Three files changed by `sed -i` are three units."""
    story = Story().start().bash(10, 11, "sed -i 's/one/two/' src/a.py src/b.py src/c.py").check(20, 22, passed=10)
    assert story.submit(60).readings()["verification_density"].denominator == 3


def test_white_space_documents_and_scratch_are_no_change() -> None:
    """None of them needs a check, so nothing is to be verified."""
    story = Story().start().edit(10, 11, "a.py", old="def f(x):\n  return x\n", new="def f(x):\n    return x\n")
    story.edit(20, 21, "README.md", old="Old words.", new="New words.").write(30, 31, "/tmp/note.py", "print(1)\n").submit(60)
    assert story.readings()["verification_density"].state == "not_applicable"


def test_one_patch_of_many_hunks_and_many_edits_are_the_same_change() -> None:
    """How a harness cuts its edits makes no difference: one change-set between two checks."""
    many = Story().start().edit(10, 11, "a.py").edit(12, 13, "a.py", symbol="g").edit(14, 15, "b.py").check(20, 22, passed=3)
    density = many.submit(60).readings()["verification_density"]
    assert (density.value, density.details["change_sets"], density.details["edits"]) == (1.0, 1, 3)


def test_checkpoint_scores_come_before_tests() -> None:
    """Where the harness gives scores, the trajectory is theirs, whatever the tests say."""
    story = Story().start().check(5, 6, passed=5, failing=(A,)).checkpoint(10, 40).edit(12, 13, "a.py")
    story.checkpoint(20, 60).check(25, 26, passed=6).checkpoint(30, 50).checkpoint(40, 50).submit(60)
    readings = story.readings()
    trajectory = readings["score_trajectory"]
    assert (trajectory.numerator, trajectory.denominator) == (2, 3)
    assert trajectory.details == {"basis": "checkpoints", "results": [40, 60, 50, 50]}
    assert readings["time_to_first_correct_fix"].numerator == 20


def test_one_result_is_no_trajectory() -> None:
    """Nothing rises or falls alone."""
    assert Story().start().check(5, 6, passed=5).submit(9).readings()["score_trajectory"].state == "not_applicable"


@pytest.mark.parametrize(("end", "inside"), [(139.999, True), (140, False), (141, False)])
def test_at_exactly_two_minutes_a_pivot_is_out_of_range(end: float, *, inside: bool) -> None:
    """The range is open: below 120 s is good, 120 s is not."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(18, 20, passed=9, failing=(A,))
    pivot = story.revert(end, 142, "a.py").submit(200).readings()["pivot_latency"]
    assert (pivot.value, pivot.in_good_range) == (end - 20, inside)
