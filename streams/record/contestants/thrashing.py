"""Edits before it reads, tries the same again, jumps from file to file, and finds the cause late."""

from __future__ import annotations

from typing import Final

from streams.record.steps import Commit, Edit, Read, Say, Shell, Step, Submit, Write

_SWEEP: Final = '''"""Intervals joined where they overlap or touch."""

from spans.interval import Interval


def merge(intervals):
    """The same time in as few intervals as possible, in order."""
    points = []
    for one in intervals:
        points.append((one.start, 1))
        points.append((one.end, -1))
    points.sort()
    merged = []
    depth = 0
    start = None
    for at, step in points:
        if depth == 0 and step == 1:
            start = at
        depth += step
        if depth == 0:
            merged.append(Interval(start, at))
    return merged
'''

_BY_END: Final = "    for current in sorted(intervals, key=lambda one: one.end):\n"

SCRIPT: Final[tuple[Step, ...]] = (
    Say(3, "I know this one: a sweep over starts and ends. I rewrite merge()."),
    Write(12, "spans/merge.py", _SWEEP),
    Shell(4, "pytest -q"),
    Say(13, "Odd. Again."),
    Shell(3, "pytest -q"),
    Edit(
        16,
        "spans/interval.py",
        "return self.start < other.end and other.start < self.end",
        "return self.start <= other.end and other.start <= self.end",
    ),
    Shell(4, "pytest -q"),
    Edit(
        18,
        "spans/schedule.py",
        "if one.overlaps(other)]",
        "if one.overlaps(other) and one.end > other.start]",
    ),
    Shell(4, "pytest -q"),
    Shell(5, "pytest -q"),
    Shell(4, "pytest -q"),
    Shell(3, "pytest -q"),
    Say(15, "Perhaps the parser is wrong."),
    Edit(9, "spans/interval.py", "return Interval(int(start), int(end))", "return Interval(int(start), int(end) + 1)"),
    Edit(4, "spans/interval.py", "return Interval(int(start), int(end))", "return Interval(int(start), int(end) + 1)"),
    Edit(10, "spans/interval.py", "    return Interval(start, end)\n", "    return Interval(start, end + 1)\n"),
    Shell(4, "pytest -q"),
    Shell(14, "git checkout -- spans/interval.py"),
    Shell(4, "pytest -q"),
    Say(17, "Away with all of it. Another idea: sort by the ends."),
    Shell(4, "git stash && git stash drop -q"),
    Edit(12, "spans/merge.py", "    for current in sorted(intervals):\n", _BY_END),
    Shell(4, "pytest -q"),
    Shell(5, "pytest -q"),
    Edit(
        17,
        "spans/schedule.py",
        "*merge(meetings), Interval(day.end, day.end)",
        "*merge(merge(meetings)), Interval(day.end, day.end)",
    ),
    Shell(4, "pytest -q"),
    Edit(13, "spans/schedule.py", "for block in merge(meetings))", "for block in merge(merge(meetings)))"),
    Shell(4, "pytest -q"),
    Shell(8, "nosetests tests"),
    Shell(16, "git checkout -- ."),
    Edit(
        19,
        "spans/merge.py",
        "    merged = []\n",
        "    merged = []\n    intervals = [Interval(one.start, one.end + 1) for one in intervals]\n",
    ),
    Shell(4, "pytest -q"),
    Shell(6, "git checkout -- spans/merge.py"),
    Say(22, "I have guessed long enough. What do the tests ask for?"),
    Shell(5, "pytest -q tests/test_merge.py"),
    Read(10, "tests/test_merge.py"),
    Read(12, "tests/test_schedule.py"),
    Read(9, "spans/interval.py"),
    Read(6, "spans/merge.py"),
    Say(20, "Two things: the longer end must win, and touching is not the same as overlapping."),
    Edit(
        16,
        "spans/merge.py",
        "Interval(merged[-1].start, current.end)",
        "Interval(merged[-1].start, max(merged[-1].end, current.end))",
    ),
    Shell(4, "pytest -q"),
    Edit(
        20,
        "spans/merge.py",
        "merged[-1].overlaps(current)",
        "current.start <= merged[-1].end",
    ),
    Shell(5, "pytest -q"),
    Commit(16, "Fix merging"),
    Submit(12, "Merging is fixed. All twelve tests pass."),
)
