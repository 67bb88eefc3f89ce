"""Stories of diagnosis and chance: checks on the base tree, stashes that come back, tests that pass unchanged."""

from __future__ import annotations

import pytest

from tests.told import Story

A, B = (f"tests/test_x.py::test_{name}" for name in "ab")
OLD, NEW = "def f(x):\n    return 1\n", "def f(x):\n    return 2\n"


def contradicted() -> Story:
    """Green before, the change at 10 s in a.py breaks one test, known at 22 s."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py", old=OLD, new=NEW)
    return story.check(20, 22, passed=9, failing=(A,))


def by_stash(story: Story) -> Story:
    """The base tree is green from 40 to 42 s, then the stash comes back."""
    story.bash(30, 31, "git stash", "Saved working directory\n").check(40, 42, passed=10)
    return story.bash(50, 51, "git stash pop", "Dropped refs/stash@{0}\n")


def by_checkout(story: Story) -> Story:
    """The same with a checkout and the same edit made again."""
    return story.revert(30, 31, "a.py", git=True).check(40, 42, passed=10).edit(50, 51, "a.py", old=OLD, new=NEW)


def in_one_line(story: Story) -> Story:
    """The same in a single shell line."""
    return story.bash(30, 51, "git stash && pytest -q; git stash pop", "Saved\n10 passed in 0.1s\nDropped\n")


def diagnosed(how: str) -> Story:
    """The contradiction at 22 s, looked into in one of three ways from 30 to 51 s."""
    return {"stash": by_stash, "checkout": by_checkout, "one line": in_one_line}[how](contradicted())


WAYS = pytest.mark.parametrize("how", ["stash", "checkout", "one line"])


@WAYS
def test_a_pass_on_the_base_tree_closes_no_contradiction_and_resolves_no_incident(how: str) -> None:
    """The changes that failed are back when the run ends at 90 s: both are open for 68 s."""
    story = diagnosed(how).submit(90)
    readings = story.readings()
    assert (story.against(), story.incidents(), story.turns()) == ([(22, "")], [(22, None)], [])
    assert (readings["pivot_latency"].state, readings["pivot_latency"].items[0].age) == ("not_reached", 68)
    assert (readings["recovery_speed"].state, readings["recovery_speed"].items[0].age) == ("not_reached", 68)
    assert story.facts().reverted_count == 0


@WAYS
def test_after_a_diagnosis_a_change_in_the_same_place_still_fixes(how: str) -> None:
    """Opened at 22 s, closed by the check that ends at 72 s, not by the one on the base tree."""
    story = diagnosed(how).edit(60, 61, "a.py").check(70, 72, passed=10).submit(90)
    assert (story.against(), story.incidents(), story.turns()) == ([(22, "fixed")], [(22, 72)], [])
    assert story.readings()["recovery_speed"].value == 50


@WAYS
def test_after_a_diagnosis_a_narrow_run_still_shows_the_failure_gone(how: str) -> None:
    """That the test passes on the base tree does not make one forget that it fails on the changed one."""
    story = diagnosed(how).edit(60, 61, "a.py").check(70, 72, passed=1, command=f"pytest -q {A}").submit(90)
    assert (story.against(), story.incidents()) == ([(22, "fixed")], [(22, 72)])


@WAYS
def test_a_run_on_the_base_tree_is_no_attempt_and_no_progress(how: str) -> None:
    """One incident, seen once; the next attempt has not come."""
    story = diagnosed(how).submit(90)
    readings = story.readings()
    (incident,) = story.facts().incidents.values()
    assert (incident.count, incident.unchanged, readings["repeat_failure_rate"].value) == (1, 0, 0)
    assert readings["time_to_first_correct_fix"].state == "not_reached"


def test_a_failure_on_the_stashed_tree_is_no_repeat() -> None:
    """Part of the changes is stashed and the test fails all the same: still one contradiction, one incident, seen once."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").edit(12, 13, "b.py")
    story.check(20, 22, passed=9, failing=(A,)).bash(30, 31, "git stash push -- b.py", "Saved working directory\n")
    story.check(40, 42, passed=9, failing=(A,)).bash(50, 51, "git stash pop", "Dropped refs/stash@{0}\n").submit(90)
    (incident,) = story.facts().incidents.values()
    assert (story.against(), incident.count, incident.unchanged) == ([(22, "")], 1, 0)


def test_a_run_on_the_base_tree_verifies_no_change() -> None:
    """One change-set, never run: stashed, checked, taken up again, handed in."""
    density = by_stash(Story().start().edit(10, 11, "a.py")).submit(90).readings()["verification_density"]
    assert (density.numerator, density.denominator, density.details["raw"]) == (0, 1, 1)


def test_a_run_on_the_base_tree_does_not_split_a_change() -> None:
    """What is edited before and after the diagnosis is one change-set, which the check at 70 s verifies."""
    story = by_stash(Story().start().edit(10, 11, "a.py")).edit(60, 61, "a.py").check(70, 72, passed=10).submit(90)
    density = story.readings()["verification_density"]
    assert (density.numerator, density.denominator, density.evidence[0]) == (1, 1, "c-006")


def test_that_the_base_tree_runs_does_not_mend_a_check_that_could_not() -> None:
    """The change broke an import; with the change stashed the tests run, with it they still cannot."""
    story = by_stash(Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").cannot_run(20, 21)).submit(90)
    assert (story.against(), story.incidents()) == ([(21, "")], [(21, None)])


def test_a_pass_without_a_change_is_no_fix() -> None:
    """The same check fails and then passes on the same tree: the contradiction and the incident stay open."""
    story = contradicted().check(30, 32, passed=10).submit(90)
    readings = story.readings()
    assert (story.against(), story.incidents()) == ([(22, "")], [(22, None)])
    assert (readings["pivot_latency"].state, readings["pivot_latency"].items[0].age) == ("not_reached", 68)
    recovery = readings["recovery_speed"]
    assert (recovery.state, recovery.items[0].age, recovery.details) == ("not_reached", 68, {"incidents": 1, "open": 1})


def test_trying_a_flaky_test_again_is_an_unchanged_attempt_and_waste() -> None:
    """Whatever it shows the second time: 1 of 1 incidents, and the repeated call is waste."""
    readings = contradicted().check(30, 32, passed=10).read(40, 41, "a.py").submit(90).readings()
    assert readings["repeat_failure_rate"].value == 1
    assert (readings["tool_waste"].numerator, readings["tool_waste"].denominator) == (1, 5)


def test_a_chance_pass_of_the_target_is_no_progress() -> None:
    """It failed before the change and after it, and passes at the second try: nothing fixed it."""
    story = Story().start().check(5, 6, passed=9, failing=(A,)).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    assert story.check(30, 32, passed=10).submit(90).readings()["time_to_first_correct_fix"].state == "not_reached"


def test_after_a_chance_pass_the_next_change_that_passes_is_the_fix() -> None:
    """Resolved is the first later check that passes after a change: 52 s, not 32 s."""
    story = contradicted().check(30, 32, passed=10).edit(40, 41, "a.py").check(50, 52, passed=10).submit(90)
    assert (story.against(), story.incidents()) == ([(22, "fixed")], [(22, 52)])
    assert story.readings()["recovery_speed"].value == 30


def test_the_best_result_reached_again_ends_an_approach_in_progress_though_not_all_is_green() -> None:
    """9 of 10, then 8 of 10, then an undo and 9 of 10 again: the revert at 40 s answered 32 s and was not fruitless."""
    story = Story().start().check(5, 6, passed=8, failing=(A, B)).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(B,))
    story.edit(24, 25, "a.py").check(30, 32, passed=8, failing=(A, B)).revert(40, 41, "a.py")
    story.check(50, 52, passed=9, failing=(B,)).read(150, 151, "a.py").submit(240)
    assert story.turns() == [(40, "revert", True)]
    assert story.against()[0] == (32, "approach")
    readings = story.readings()
    assert (readings["thrash_rate"].value, readings["pivot_latency"].items[0].value) == (0, 8)
    assert readings["time_to_first_correct_fix"].numerator == 22


def test_a_result_below_the_best_does_not_end_an_approach_in_progress() -> None:
    """9 of 10 at best; after 7 of 10 and an undo 8 of 10: better than just now, and worse than before."""
    story = Story().start().check(5, 6, passed=8, failing=(A, B)).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(B,))
    third = "tests/test_x.py::test_c"
    story.edit(24, 25, "a.py").check(30, 32, passed=7, failing=(A, B, third)).revert(40, 41, "a.py")
    assert story.check(50, 52, passed=8, failing=(A, B)).submit(240).turns() == [(40, "revert", False)]
