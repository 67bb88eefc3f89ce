"""The task of the bout: a small package whose tests fail in three places, for reasons that lie in two modules."""

from __future__ import annotations

from typing import Final

NAME: Final = "interval-merge"

TEXT: Final = (
    "Three tests of the package `spans` fail. Make all tests pass without changing what the existing tests say, "
    "commit, and hand in."
)

EXPECTED: Final = ("spans/interval.py", "spans/merge.py")
"""What a good solution changes."""

_INTERVAL: Final = '''"""Half-open intervals of minutes since midnight: the start belongs to them, the end does not."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Interval:
    start: int
    end: int

    def __post_init__(self):
        if self.end < self.start:
            raise ValueError(f"ends before it starts: {self}")

    def __str__(self):
        return f"{clock(self.start)}-{clock(self.end)}"

    def overlaps(self, other):
        """Whether the two share any time."""
        return self.start < other.end and other.start < self.end


def clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def parse(text):
    """An interval from `09:00-10:30`."""
    start, end = (int(part[:2]) * 60 + int(part[3:]) for part in text.split("-"))
    return Interval(start, end)
'''

_MERGE: Final = '''"""Intervals joined where they overlap or touch."""

from spans.interval import Interval


def merge(intervals):
    """The same time in as few intervals as possible, in order."""
    merged = []
    for current in sorted(intervals):
        if merged and merged[-1].overlaps(current):
            merged[-1] = Interval(merged[-1].start, current.end)
        else:
            merged.append(current)
    return merged
'''

_SCHEDULE: Final = '''"""What a day of meetings looks like."""

from itertools import combinations, pairwise

from spans.interval import Interval
from spans.merge import merge


def conflicts(meetings):
    """Pairs of meetings that nobody can attend both of."""
    return [(one, other) for one, other in combinations(sorted(meetings), 2) if one.overlaps(other)]


def free(meetings, day):
    """The gaps that a day has left."""
    edges = [Interval(day.start, day.start), *merge(meetings), Interval(day.end, day.end)]
    return [Interval(one.end, other.start) for one, other in pairwise(edges) if one.end < other.start]


def describe(meetings):
    """The busy blocks in words."""
    return ", ".join(str(block) for block in merge(meetings))
'''

_TEST_INTERVAL: Final = """import pytest

from spans.interval import Interval, parse


def test_intervals_that_share_time_overlap():
    assert parse("09:00-11:00").overlaps(parse("10:00-12:00"))


def test_intervals_that_touch_do_not_overlap():
    assert not parse("09:00-10:00").overlaps(parse("10:00-11:00"))


def test_parse_reads_minutes():
    assert parse("09:05-10:30") == Interval(545, 630)


def test_a_reversed_interval_is_refused():
    with pytest.raises(ValueError, match="ends before it starts"):
        Interval(10, 9)
"""

_TEST_MERGE: Final = """from spans.interval import parse
from spans.merge import merge


def merged(*texts):
    return [str(one) for one in merge(parse(text) for text in texts)]


def test_overlapping_intervals_are_joined():
    assert merged("09:00-10:30", "10:00-11:00") == ["09:00-11:00"]


def test_separate_intervals_stay_apart():
    assert merged("13:00-14:00", "09:00-10:00") == ["09:00-10:00", "13:00-14:00"]


def test_touching_intervals_are_joined():
    assert merged("09:00-10:00", "10:00-11:00") == ["09:00-11:00"]


def test_an_interval_inside_another_changes_nothing():
    assert merged("09:00-12:00", "10:00-11:00") == ["09:00-12:00"]
"""

_TEST_SCHEDULE: Final = """from spans.interval import parse
from spans.schedule import conflicts, describe, free


def test_meetings_at_the_same_time_conflict():
    first, second = parse("09:00-10:00"), parse("09:30-11:00")
    assert conflicts([second, first]) == [(first, second)]


def test_back_to_back_meetings_do_not_conflict():
    assert conflicts([parse("09:00-10:00"), parse("10:00-11:00")]) == []


def test_what_is_left_of_a_day_is_free():
    meetings = [parse("09:00-10:00"), parse("11:00-12:00")]
    assert [str(gap) for gap in free(meetings, parse("09:00-13:00"))] == ["10:00-11:00", "12:00-13:00"]


def test_a_busy_morning_reads_as_one_block():
    meetings = [parse("09:00-12:00"), parse("10:00-11:00"), parse("12:00-13:00")]
    assert describe(meetings) == "09:00-13:00"
"""

FILES: Final = {
    "README.md": "# spans\n\nIntervals of a day: merge them, find conflicts and free time.\n",
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n',
    "spans/__init__.py": "",
    "spans/interval.py": _INTERVAL,
    "spans/merge.py": _MERGE,
    "spans/schedule.py": _SCHEDULE,
    "tests/test_interval.py": _TEST_INTERVAL,
    "tests/test_merge.py": _TEST_MERGE,
    "tests/test_schedule.py": _TEST_SCHEDULE,
}
"""The base commit, by path."""
