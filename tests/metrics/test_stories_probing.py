"""Stories of exit codes that only answer a question, and of errors that nobody reacts to."""

from __future__ import annotations

import pytest

from tests import oracle
from tests.told import Story

A, B = (f"tests/test_x.py::test_{name}" for name in "ab")


def contradicted() -> Story:
    """Green before, the change at 10 s in a.py breaks one test, known at 22 s."""
    return Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))


def wasted(story: Story) -> tuple[dict[str, int], float | None]:
    """What was wasted by kind, and the share; the batch oracle counts the same."""
    reading, counted = story.readings()["tool_waste"], oracle.waste(story.events())
    assert {**reading.details, "calls": reading.denominator} == counted
    return reading.details, reading.value


PROBES = [
    ("grep -n missing a.py", ""),
    ("git status --short | grep missing", ""),
    ("diff a.py b.py", "1c1\n< x = 1\n---\n> x = 2\n"),
    ("test -f missing.txt", ""),
    ("[ -d missing ]", ""),
]


@pytest.mark.parametrize("phases", [1, 2])
@pytest.mark.parametrize(("command", "output"), PROBES)
def test_an_exit_code_that_answers_no_is_no_failed_call(command: str, output: str, *, phases: int) -> None:
    """Asked twice with an edit between: neither waste nor an incident, however the harness tells calls."""
    story = Story(phases=phases).start().bash(1, 2, command, output, 1).edit(5, 6, "a.py").bash(10, 11, command, output, 1)
    story.check(20, 22, passed=10).read(30, 31, "b.py").submit(60)
    assert wasted(story) == ({"failed": 0, "repeated": 0, "never_used": 0}, 0)
    assert story.incidents() == []
    assert story.facts().failed_calls == 0


def test_the_same_question_again_with_nothing_changed_is_a_repeat_whatever_its_exit_code() -> None:
    """One of five calls."""
    story = Story().start().bash(1, 2, "grep -n missing a.py", "", 1).bash(5, 6, "grep -n missing a.py", "", 1)
    story.edit(10, 11, "a.py").check(20, 22, passed=10).read(30, 31, "b.py").submit(60)
    assert wasted(story) == ({"failed": 0, "repeated": 1, "never_used": 0}, 0.2)
    assert story.incidents() == []


def test_a_search_that_says_that_it_failed_has_failed() -> None:
    """A file that is not there: two of six calls, and an incident as the target is tried again."""
    said = "grep: missing.py: No such file or directory\n"
    story = Story().start().bash(1, 2, "grep -n x missing.py", said, 2).edit(5, 6, "a.py")
    story.bash(10, 11, "grep -n x missing.py", said, 2).check(20, 22, passed=10).read(30, 31, "b.py").read(32, 33, "c.py")
    assert wasted(story.submit(60)) == ({"failed": 2, "repeated": 0, "never_used": 0}, round(2 / 6, 6))
    assert story.incidents() == [(2, None)]


def test_a_failing_test_is_no_failed_call_and_one_that_could_not_run_is() -> None:
    """One of five."""
    story = contradicted().cannot_run(30, 31).read(40, 41, "b.py").submit(60)
    assert wasted(story) == ({"failed": 1, "repeated": 0, "never_used": 0}, 0.2)


def test_an_error_that_nothing_reacts_to_has_no_speed() -> None:
    """It could have been noticed and was not: no number, but its age of 68 s at the end."""
    speed = contradicted().read(30, 31, "elsewhere.py").say(40, "All good.").submit(90).readings()["error_detection_speed"]
    assert (speed.state, speed.value, speed.in_good_range) == ("not_reached", None, None)
    (item,) = speed.items
    assert (item.value, item.open, item.age, item.evidence) == (None, True, 68, ("c-003",))


def test_without_an_error_there_is_nothing_to_notice() -> None:
    """Not applicable is told apart from not reached."""
    green = Story().start().edit(10, 11, "a.py").check(20, 22, passed=10).submit(60).readings()
    assert green["error_detection_speed"].state == "not_applicable"


def test_one_of_two_errors_noticed_is_a_mean_over_one() -> None:
    """Noticed after 8 s; the other is listed with its age of 48 s and counted as undetected."""
    story = contradicted().edit(30, 31, "a.py").check(40, 42, passed=8, failing=(A, B)).submit(90)
    speed = story.readings()["error_detection_speed"]
    assert (speed.value, speed.denominator, speed.details) == (8, 1, {"undetected": 1})
    assert [(item.value, item.open, item.age) for item in speed.items] == [(8, False, None), (None, True, 48)]


def test_at_exactly_a_minute_noticing_is_out_of_range() -> None:
    """The range is open."""
    late, just = (contradicted().edit(at, at + 1, "a.py").submit(200).readings() for at in (82, 81.9))
    assert (late["error_detection_speed"].value, late["error_detection_speed"].in_good_range) == (60, False)
    assert just["error_detection_speed"].in_good_range is True


def test_what_resolves_an_error_has_noticed_it_at_the_latest() -> None:
    """The harness says after 30 s that the crash is over; nobody had done anything before."""
    speed = Story().start().error(10, "boom", fingerprint="boom").error(40, "", resolves="boom").submit(60).readings()
    assert (speed["error_detection_speed"].value, speed["recovery_speed"].value) == (30, 30)


def test_an_action_that_began_before_the_error_was_known_does_not_react_to_it() -> None:
    """The edit from 15 s to 25 s overlaps the check that ends at 22 s; the read of the failing test at 47 s reacts."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(12, 22, passed=9, failing=(A,))
    speed = story.edit(15, 25, "a.py").read(47, 48, "tests/test_x.py").submit(60).readings()["error_detection_speed"]
    assert speed.value == 25
