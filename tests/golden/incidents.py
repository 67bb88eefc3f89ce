"""Stories about errors: noticed, repeated, resolved, come back."""

from __future__ import annotations

from tests.golden.base import Told, golden
from tests.stories import broken, call, check, edit, error, read, shell, started, submit

_TRACE = 'Traceback (most recent call last):\n  File "/workspace/story/{}", line 3, in <module>\n    step()\nTypeError: step'


@golden(
    repeat_failure_rate=1,
    tool_waste=6 / 11,
    thrash_rate=0.4,
    recovery_speed=175,
    error_detection_speed=165,
    pivot_latency="not_applicable",
)
def the_same_again() -> Told:
    """A failing check is run six times more with nothing changed: every third time counts as thrashing."""
    failing = ("test_3",)
    return [
        started(),
        check(10, 12, passed=10),
        edit(20, 21, "a.py"),
        check(30, 35, passed=9, failing=failing),
        [check(start, start + 5, passed=9, failing=failing) for start in range(50, 151, 20)],
        edit(200, 201, "a.py"),
        check(205, 210, passed=10),
        submit(300),
    ]


@golden(verification_density=1, recovery_speed=28, pivot_latency="not_applicable", tool_waste=0.2)
def could_not_run() -> Told:
    """A change breaks an import: the check that cannot run proves nothing, and does not use up the change."""
    return [
        started(),
        check(10, 12, passed=10),
        edit(20, 21, "work.py"),
        broken(30, 32),
        edit(50, 51, "work.py"),
        check(55, 60, passed=10),
        submit(130),
    ]


@golden(dwell_time=40 / 130, repeat_failure_rate=1, recovery_speed=20, error_detection_speed=9, tool_waste=0.4)
def refused_edits() -> Told:
    """An edit is refused twice in the same words, then the file is read: refusals change nothing and are waste."""
    return [
        started(),
        edit(20, 21, "a.py", new="x", refused=True),
        edit(25, 26, "a.py", new="x", refused=True),
        read(30, 32, "a.py"),
        edit(40, 41, "a.py"),
        check(45, 50, passed=10),
        submit(130),
    ]


@golden(recovery_speed=25, error_detection_speed=10, pivot_latency="not_applicable")
def reported_errors() -> Told:
    """The harness reports a crash and its end; its report of a failing check is the same incident as the check."""
    return [
        started(),
        check(10, 12, passed=10),
        edit(20, 21, "a.py"),
        error(30, "boom", fingerprint="boom"),
        edit(40, 41, "a.py"),
        error(60, "", resolves="boom"),
        edit(70, 71, "a.py"),
        check(80, 85, passed=9, failing=("test_3",)),
        error(86, "1 failed, 9 passed", error_type="test_failure"),
        edit(95, 96, "a.py"),
        check(100, 105, passed=10),
        submit(130),
    ]


@golden(recovery_speed=40, pivot_latency="not_applicable", time_to_first_correct_fix="not_reached")
def failure_comes_back() -> Told:
    """A failure is resolved and returns: one incident with the time of both; getting back to green is no progress."""
    failing = ("test_3",)
    return [
        started(),
        check(10, 12, passed=10),
        edit(20, 21, "a.py"),
        check(25, 30, passed=9, failing=failing),
        edit(40, 41, "a.py"),
        check(45, 50, passed=10),
        edit(60, 61, "a.py"),
        check(65, 70, passed=9, failing=failing),
        edit(80, 81, "a.py"),
        check(85, 90, passed=10),
        submit(130),
    ]


@golden(recovery_speed="not_applicable", pivot_latency="not_applicable", tool_waste=0)
def refused_by_policy() -> Told:
    """A call that a person or a policy refuses is no error of the contestant's."""
    return [
        started(),
        read(5, 10, "a.py"),
        call("denied", 12, 13, "bash", {"command": "pip install left-pad"}, status="denied", output="denied by policy"),
        check(15, 20, passed=9, failing=("test_1",)),
        edit(30, 31, "a.py"),
        check(40, 45, passed=10),
        submit(130),
    ]


@golden(pivot_latency=25, verification_density=1)
def crash_in_the_change() -> Told:
    """A first failing probe speaks against the work only where its traceback enters a changed file."""
    return [
        started(),
        edit(20, 21, "a.py"),
        shell(25, 30, "python other.py", _TRACE.format("other.py"), code=1, name="probe"),
        shell(35, 40, "python app.py", _TRACE.format("a.py"), code=1, name="probe"),
        edit(65, 66, "b.py"),
        check(70, 75, passed=10),
        submit(130),
    ]
