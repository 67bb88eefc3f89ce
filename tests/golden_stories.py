"""The stories whose verdicts are kept in `tests/bouts/`: each is about one thing that a judge must get right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.told import Story

A, B, C, D, E = (f"tests/test_x.py::test_{name}" for name in "abcde")


def worked_example() -> Story:
    """The worked example of the definitions: two contradictions, one revert that answers both, then all green."""
    story = Story("worked-example", "solo").start(0).read(5, 25, "a.py", "b.py")
    story.check(30, 34, passed=7, failing=(A, B, C))
    story.edit(60, 61, "a.py", symbol="f").check(65, 70, passed=8, failing=(A, B))
    story.edit(75, 76, "a.py", symbol="f").check(80, 86, passed=8, failing=(A, B))
    story.edit(90, 91, "a.py", symbol="f").check(95, 100, passed=6, failing=(A, B, D, E))
    story.revert(140, 141, "a.py")
    return story.edit(150, 151, "b.py", symbol="g").check(155, 160, passed=10).submit(590)


def red_then_green() -> Story:
    """Test-driven: a failing test first, then the change. No error happened, so Recovery does not apply."""
    story = Story("red-then-green", "solo", phases=2).start(0).read(4, 6, "a.py", "tests/test_x.py")
    story.edit(20, 21, "tests/test_x.py", symbol="test_a").check(25, 28, passed=9, failing=(A,))
    story.edit(40, 41, "a.py").check(45, 48, passed=10).say(60, "The new test passes, and so do the others.", confidence="high")
    return story.bash(70, 71, 'git commit -qam "Round halves up"').submit(80)


def fixed_in_place() -> Story:
    """A regression is known after 12 s and mended where it was made: no change of approach is asked for."""
    story = Story("fixed-in-place", "solo").start(0).read(3, 5, "a.py").check(10, 14, passed=9, failing=(A,))
    story.edit(30, 31, "a.py").check(38, 42, passed=8, failing=(A, B)).read(50, 51, "tests/test_x.py")
    return story.edit(70, 71, "a.py").check(78, 82, passed=10).submit(180)


def stash_to_look_at_the_base() -> Story:
    """Is it mine? The change is stashed, the base fails too, the stash comes back: diagnosis, not thrash."""
    story = Story("stash-to-look-at-the-base", "solo").start(0).read(3, 5, "a.py").edit(20, 21, "a.py")
    story.check(30, 34, passed=9, failing=(A,)).bash(
        50, 51, "git stash", "Saved working directory and index state WIP on main\n"
    )
    story.check(60, 64, passed=9, failing=(A,)).bash(70, 71, "git stash pop", "Dropped refs/stash@{0}\n")
    return story.edit(90, 91, "a.py").check(100, 104, passed=10).submit(200)


def the_same_command_again() -> Story:
    """Six runs of one failing command with nothing changed between: repeats, waste, and a contradiction left open."""
    story = Story("the-same-command-again", "solo").start(0).edit(5, 6, "a.py")
    for at in range(20, 140, 20):
        story.check(at, at + 4, passed=7, failing=(A, B, C))
    return story.say(150, "It should work now.").submit(160)


def claims_without_a_check() -> Story:
    """Three files are changed, no check is run, and all is said to be well."""
    story = Story("claims-without-a-check", "solo").start(0).edit(4, 5, "a.py").edit(12, 13, "b.py", symbol="g")
    story.edit(20, 21, "c.py", symbol="h").edit(30, 31, "a.py").edit(40, 41, "b.py", symbol="g")
    return story.say(50, "All tests pass. The bug is fixed.", confidence="high").submit(55)


def scores_that_fall() -> Story:
    """The harness's checkpoint scores come before the tests: they rise to 80, then fall twice."""
    story = Story("scores-that-fall", "solo").start(0).checkpoint(1, 40).read(5, 8, "a.py")
    story.edit(30, 31, "a.py").checkpoint(40, 80).edit(60, 61, "b.py", symbol="g").checkpoint(70, 60)
    return story.edit(90, 91, "c.py", symbol="h").checkpoint(100, 50).check(110, 114, passed=5, failing=(A, B)).submit(150)


def no_runner() -> Story:
    """The tests cannot run until the runner is installed: an incident of its own, quickly resolved."""
    story = Story("no-runner", "solo").start(0).read(2, 4, "a.py")
    story.bash(6, 7, "pytest -q", "bash: pytest: command not found\n", 127)
    story.bash(12, 20, "pip install pytest", "Successfully installed pytest-9.0.1\n").check(24, 27, passed=9, failing=(A,))
    return story.edit(40, 41, "a.py").check(45, 48, passed=10).submit(130)


def no_clock() -> Story:
    """A trace without times: counts and ratios are read, times are insufficient and never made up."""
    story = Story("no-clock", "solo", timed=False).start().read(0, 0, "a.py").check(0, 0, passed=9, failing=(A,))
    story.edit(0, 0, "a.py").check(0, 0, passed=9, failing=(A,)).edit(0, 0, "b.py", symbol="g").check(0, 0, passed=10)
    return story.submit(0)


STORIES: Final[dict[str, Callable[[], Story]]] = {
    teller.__name__.replace("_", "-"): teller
    for teller in (
        worked_example,
        red_then_green,
        fixed_in_place,
        stash_to_look_at_the_base,
        the_same_command_again,
        claims_without_a_check,
        scores_that_fall,
        no_runner,
        no_clock,
    )
}
"""Tellers by the name of their file."""
