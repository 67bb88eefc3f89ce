"""Stories about time and what is missing: idle gaps, lost ends, no clock."""

from __future__ import annotations

from msgspec.structs import replace

from streams.events import Event, ToolCall
from tests.golden.base import Told, golden
from tests.stories import check, edit, open_call, phases, read, shell, started, submit


def _timeless(event: Event) -> Event:
    changes = {"at": None, "at_source": "none"}
    return (
        replace(event, **changes, started_at=None, ended_at=None) if isinstance(event, ToolCall) else replace(event, **changes)
    )


@golden(thrash_rate="not_applicable", dwell_time=20 / 450, time_to_first_correct_fix=30 / 450)
def idle_gap() -> Told:
    """More than six minutes in which nothing happens: they are no active time, and what is left is under two minutes."""
    return [
        started(),
        edit(20, 21, "a.py"),
        check(25, 30, passed=10),
        edit(400, 401, "a.py"),
        check(405, 410, passed=10),
        submit(450),
    ]


@golden(tool_waste=1 / 6, verification_density=1, dwell_time=40 / 130)
def call_without_an_end() -> Told:
    """Every call comes in two events; one never ends, and counts as never used. A repeated event is one event."""
    last = phases(check(60, 65, passed=10))
    return [
        started(),
        phases(shell(5, 6, "git status --short")),
        [phase for one in read(10, 30, "a.py", "b.py") for phase in phases(one)],
        phases(edit(40, 41, "a.py")),
        open_call(shell(50, 55, "sleep 600", name="lost")),
        last,
        submit(130),
    ]


@golden(
    dwell_time="insufficient",
    recovery_speed="insufficient",
    pivot_latency="not_applicable",
    time_to_first_correct_fix="insufficient",
    verification_density=1,
    tool_waste=0,
    score_trajectory=1,
)
def no_clock() -> Told:
    """No event carries a time: what needs time is not measured, counts and ratios are."""
    told = [
        started(),
        *read(5, 10, "a.py"),
        check(12, 15, passed=9, failing=("test_1",)),
        edit(20, 21, "a.py"),
        check(25, 30, passed=9, failing=("test_1",)),
        edit(40, 41, "a.py"),
        check(45, 50, passed=10),
        submit(130),
    ]
    return [_timeless(event) for event in told]


@golden(dwell_time=20 / 30, time_to_first_correct_fix=1, thrash_rate="not_applicable")
def no_end() -> Told:
    """No submission and no end of the run: it is as long as what the contestant did, and its end is `abandoned`."""
    return [started(), read(5, 10, "a.py"), edit(20, 21, "a.py"), check(25, 30, passed=10)]
