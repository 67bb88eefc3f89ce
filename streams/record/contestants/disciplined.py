"""Reads before it edits, verifies every step, and turns at once when a test speaks against its approach."""

from __future__ import annotations

from typing import Final

from streams.record.steps import Commit, Edit, Read, Say, Shell, Step, Submit, Think

_JOINS: Final = '''    def overlaps(self, other):
        """Whether the two share any time."""
        return self.start < other.end and other.start < self.end

    def joins(self, other):
        """Whether the two make one block: they overlap or touch."""
        return self.start <= other.end and other.start <= self.end
'''

_CHAIN: Final = """

def test_a_chain_of_touching_and_nested_intervals_is_one_block():
    assert merged("09:00-10:00", "10:00-12:00", "10:15-10:30", "12:00-13:00") == ["09:00-13:00"]


def test_nothing_merges_to_nothing():
    assert merged() == []
"""

_TOUCH: Final = '    assert not parse("09:00-10:00").overlaps(parse("10:00-11:00"))\n'

_JOIN_TESTS: Final = """

def test_intervals_that_touch_join():
    assert parse("09:00-10:00").joins(parse("10:00-11:00"))


def test_intervals_with_time_between_them_do_not_join():
    assert not parse("09:00-10:00").joins(parse("10:01-11:00"))
"""

SCRIPT: Final[tuple[Step, ...]] = (
    Say(4, "I will run the tests and read the code before I change anything."),
    Shell(3, "git log --oneline && git ls-files"),
    Shell(3, "pytest -q"),
    Read(4, "spans/merge.py"),
    Read(3, "spans/interval.py"),
    Read(4, "tests/test_merge.py"),
    Think(
        8,
        (
            "keep the longer end when one interval lies inside another",
            "join intervals that touch",
            "run all tests after each change",
            "add tests for chains of intervals",
        ),
    ),
    Say(4, "merge() takes the later start's end even where the earlier interval ends later. That first."),
    Edit(
        9,
        "spans/merge.py",
        "Interval(merged[-1].start, current.end)",
        "Interval(merged[-1].start, max(merged[-1].end, current.end))",
    ),
    Shell(4, "pytest -q"),
    Say(8, "One of three is fixed. The other two are about intervals that touch: overlaps() compares strictly."),
    Edit(
        14,
        "spans/interval.py",
        "return self.start < other.end and other.start < self.end",
        "return self.start <= other.end and other.start <= self.end",
    ),
    Shell(4, "pytest -q"),
    Read(9, "tests/test_schedule.py"),
    Read(7, "spans/schedule.py"),
    Say(
        10,
        "conflicts() needs the strict comparison: back-to-back meetings do not conflict. Touching is a question of its own; "
        "I take this change back.",
    ),
    Shell(5, "git checkout -- spans/interval.py"),
    Edit(22, "spans/interval.py", _JOINS[: _JOINS.index("\n    def joins")], _JOINS),
    Edit(12, "spans/merge.py", "merged[-1].overlaps(current)", "merged[-1].joins(current)"),
    Shell(4, "pytest -q"),
    Say(16, "All twelve pass. The chains that I planned to cover are not tested yet."),
    Edit(
        25,
        "tests/test_merge.py",
        '    assert merged("09:00-12:00", "10:00-11:00") == ["09:00-12:00"]\n',
        '    assert merged("09:00-12:00", "10:00-11:00") == ["09:00-12:00"]\n' + _CHAIN,
    ),
    Shell(5, "pytest -q"),
    Edit(22, "tests/test_interval.py", _TOUCH, _TOUCH + _JOIN_TESTS),
    Shell(6, "pytest -q"),
    Shell(14, "git diff --stat"),
    Edit(
        22,
        "README.md",
        "Intervals of a day: merge them, find conflicts and free time.\n",
        "Intervals of a day: merge them, find conflicts and free time. Touching intervals are merged and do not conflict.\n",
    ),
    Shell(12, "python -W error -m pytest -q"),
    Commit(12, "Merge intervals that touch or lie inside one another"),
    Submit(
        20, "Nested and touching intervals are merged; conflicts stay strict. All sixteen tests pass; four of them are new."
    ),
)
