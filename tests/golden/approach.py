"""Stories about contradictions and what becomes of an approach."""

from __future__ import annotations

from tests.golden.base import Told, golden
from tests.stories import check, edit, plan, read, revert, say, shell, started, submit


@golden(
    dwell_time=60 / 590,
    time_to_first_correct_fix=70 / 590,
    verification_density=1,
    pivot_latency=47,
    recovery_speed=67,
    thrash_rate=0,
    reversion_ratio="not_applicable",
    scope_growth_after_error=1,
    score_trajectory=0.75,
)
def worked_example() -> Told:
    """The worked example of the definitions: two contradictions, one revert that answers both, and a fix elsewhere."""
    return [
        started(),
        read(5, 25, "a.py", "b.py"),
        check(30, 34, passed=7, failing=("test_1", "test_2", "test_3")),
        edit(60, 61, "a.py", symbols=("f",)),
        check(65, 70, passed=8, failing=("test_1", "test_2")),
        edit(75, 76, "a.py", symbols=("f",)),
        check(80, 86, passed=8, failing=("test_1", "test_2")),
        edit(90, 91, "a.py", symbols=("f",)),
        check(95, 100, passed=6, failing=("test_1", "test_2", "test_4", "test_5")),
        revert(140, 141, "a.py"),
        edit(150, 151, "b.py", symbols=("g",)),
        check(155, 160, passed=10),
        submit(590),
    ]


@golden(
    pivot_latency="not_applicable",
    recovery_speed=20,
    error_detection_speed=10,
    thrash_rate=0,
    time_to_first_correct_fix=50 / 130,
)
def fixed_in_place() -> Told:
    """A regression is put right where it was made: no change of approach is asked for, the incident still counts."""
    return [
        started(),
        read(5, 10, "a.py"),
        check(12, 15, passed=8, failing=("test_1", "test_2")),
        edit(20, 21, "a.py", symbols=("f",)),
        check(25, 30, passed=7, failing=("test_1", "test_2", "test_3")),
        edit(40, 41, "a.py", symbols=("f",)),
        check(45, 50, passed=10),
        submit(130),
    ]


@golden(
    pivot_latency="not_reached",
    recovery_speed="not_reached",
    error_detection_speed="not_reached",
    time_to_first_correct_fix="not_reached",
    repeat_failure_rate=0,
    thrash_rate=0,
)
def never_answered() -> Told:
    """A test that passed is broken, seen to fail, and handed in with confidence: the contradiction stays open."""
    return [
        started(),
        check(10, 12, passed=10),
        edit(20, 21, "a.py"),
        check(30, 35, passed=9, failing=("test_3",)),
        say(60, "All tests pass.", 0.95),
        submit(200),
    ]


@golden(pivot_latency=25, thrash_rate=0.75, scope_growth_after_error=3, recovery_speed="not_reached", repeat_failure_rate=0)
def fruitless_turns() -> Told:
    """Three changes of approach, each followed by the same failure: turning is quick, and leads nowhere."""
    failing = ("test_1",)
    return [
        started(),
        check(5, 10, passed=9, failing=failing),
        edit(20, 21, "a.py"),
        check(25, 30, passed=9, failing=failing),
        edit(50, 51, "b.py"),
        check(55, 60, passed=9, failing=failing),
        revert(90, 91, "b.py"),
        edit(95, 96, "c.py"),
        check(100, 105, passed=9, failing=failing),
        edit(130, 131, "d.py"),
        check(135, 140, passed=9, failing=failing),
        submit(240),
    ]


@golden(pivot_latency=25, recovery_speed=55, thrash_rate=0)
def new_plan() -> Told:
    """A plan with other items answers a contradiction, though the next change is in the same place."""
    return [
        started(),
        plan(5, "change f", "run the tests"),
        check(10, 12, passed=10),
        edit(20, 21, "a.py", symbols=("f",)),
        check(30, 35, passed=9, failing=("test_3",)),
        plan(60, "keep what f returned before", "add a case to f", "run the tests"),
        edit(80, 81, "a.py", symbols=("f",)),
        check(85, 90, passed=10),
        submit(150),
    ]


@golden(pivot_latency="not_applicable", recovery_speed="not_applicable", thrash_rate=0.25, reversion_ratio="not_applicable")
def spontaneous_revert() -> Told:
    """Work that made progress is thrown away with nothing against it: a fruitless change of approach without a latency."""
    return [
        started(),
        check(5, 10, passed=8, failing=("test_1", "test_2")),
        edit(20, 21, "a.py"),
        check(25, 30, passed=9, failing=("test_2",)),
        revert(40, 41, "a.py"),
        submit(240),
    ]


@golden(pivot_latency="not_applicable", recovery_speed="not_applicable", thrash_rate=0, verification_density=1)
def diagnosis_by_stash() -> Told:
    """Stashed, run on the base tree, taken up again: the failure was there before, so that it never spoke against the work."""
    return [
        started(),
        edit(20, 21, "a.py"),
        check(30, 35, passed=9, failing=("test_9",)),
        shell(50, 51, "git stash", "Saved working directory and index state WIP on main: 1c01fd1 Base"),
        check(55, 60, passed=9, failing=("test_9",)),
        shell(65, 66, "git stash pop", "Dropped refs/stash@{0}"),
        edit(70, 71, "b.py"),
        check(80, 85, passed=10),
        submit(130),
    ]


@golden(pivot_latency="not_applicable", recovery_speed="not_applicable", score_trajectory=1, tool_waste=0)
def only_a_baseline() -> Told:
    """Tests fail before the first change and pass after it: no error of the contestant's, hence nothing to recover from."""
    return [
        started(),
        check(5, 10, passed=8, failing=("test_1", "test_2")),
        check(12, 14, passed=3, failing=("test_1", "test_2"), command="pytest -q tests/test_work.py"),
        read(20, 30, "a.py", "b.py"),
        edit(40, 41, "a.py"),
        check(45, 50, passed=10),
        submit(120),
    ]
