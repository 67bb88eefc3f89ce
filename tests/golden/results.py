"""Stories about change, verification and results."""

from __future__ import annotations

from tests.golden.base import Told, golden
from tests.stories import TESTS, check, checkpoint, edit, read, shell, started, submit, write


@golden(time_to_first_correct_fix=30 / 130, score_trajectory="not_applicable", verification_density=1)
def first_green() -> Told:
    """Nothing was run before the change: the first pass after it is progress."""
    return [started(), read(5, 10, "a.py"), edit(20, 21, "a.py"), check(25, 30, passed=10), submit(130)]


@golden(time_to_first_correct_fix="not_reached", dwell_time="not_applicable", verification_density=1)
def tests_edited() -> Told:
    """A failing test is made to pass by editing the test: that is no progress, and no change of the work."""
    return [
        started(),
        check(5, 10, passed=9, failing=("test_1",)),
        edit(20, 21, TESTS),
        check(25, 30, passed=10),
        submit(60),
    ]


@golden(verification_density=0.25)
def large_change() -> Told:
    """350 lines in one go and one run of the tests: four change units, of which a quarter is verified."""
    return [started(), read(5, 10, "a.py"), edit(20, 60, "a.py", lines=350), check(70, 75, passed=10), submit(130)]


@golden(verification_density=0.25, time_to_first_correct_fix=120 / 180)
def verified_at_the_end() -> Told:
    """Edits, runs of what was not changed, and one real run at the end: checks without a change between prove nothing."""
    return [
        started(),
        check(5, 10, passed=9, failing=("test_1",)),
        check(12, 17, passed=9, failing=("test_1",)),
        edit(20, 40, "a.py", lines=150),
        edit(50, 70, "b.py", lines=180),
        check(115, 120, passed=10),
        check(130, 135, passed=10),
        submit(180),
    ]


@golden(score_trajectory=2 / 3, time_to_first_correct_fix=40 / 120, verification_density=0)
def harness_scores() -> Told:
    """The harness's own checkpoints have scores: they are the results, and the first that rises is progress."""
    return [
        started(),
        checkpoint(10, score=40),
        edit(20, 21, "a.py"),
        checkpoint(40, score=55),
        edit(50, 51, "a.py"),
        checkpoint(70, score=50),
        edit(80, 81, "a.py"),
        checkpoint(100, score=90),
        submit(120),
    ]


@golden(dwell_time="not_applicable", verification_density="not_applicable", tool_waste=0, recovery_speed="not_applicable")
def nothing_but_scratch() -> Told:
    """A script in a temp folder is written and run: the work itself is never changed, so that most metrics do not apply."""
    return [
        started(),
        read(5, 15, "a.py", "b.py"),
        write(20, 21, "/tmp/look.py", "import a\n\nprint(a.f(1))\n"),
        shell(25, 27, "python /tmp/look.py", "2", name="probe"),
        shell(40, 42, "python /tmp/look.py --twice", "4", name="probe"),
        submit(130),
    ]


@golden(verification_density=1, reversion_ratio="not_applicable", tool_waste=0)
def prose_is_no_change() -> Told:
    """Beside a change of the work, prose is written: it needs no check and counts as no change."""
    return [
        started(),
        read(5, 10, "a.py"),
        edit(20, 21, "a.py"),
        check(25, 30, passed=10),
        edit(40, 60, "README.md", lines=120),
        edit(70, 80, "docs/usage.md", lines=60),
        submit(130),
    ]
