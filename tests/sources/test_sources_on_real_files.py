"""Real files of each format: every labelled call is found, nothing is rejected, ids are unique."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from streams.events import Rejected, ToolCall
from streams.sources import SourceReport, read_file

REAL = Path(__file__).parents[3] / "shared" / "real"
FORMATS = ("claude_code", "codex", "mini_swe_agent", "swe_agent")
FILES = [path for name in FORMATS for path in sorted((REAL / name).glob("*"))]

pytestmark = pytest.mark.skipif(not FILES, reason="the collection of real files is not beside the repository")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_file_is_read_whole(path):
    """Its format is told, no row is rejected or unknown, every event has its own id and number."""
    report = SourceReport()
    events = list(read_file(path, report=report))
    assert not [item for item in events if isinstance(item, Rejected)]
    assert not report.unknown_rows
    assert {event.producer for event in events} == {path.parent.name}
    assert len({event.event_id for event in events}) == len(events) > 0
    assert [event.seq for event in events] == list(range(len(events)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_calls_are_those_read_by_hand(path):
    """Each labelled reference is a call's id, or an event's where no call was made; the number of calls agrees."""
    labels = REAL / "labels" / f"{path.name}.labels.json"
    if not labels.exists():
        pytest.skip("this file was not read by hand")
    read_by_hand = json.loads(labels.read_text())
    events = list(read_file(path))
    calls = {event.call_id for event in events if isinstance(event, ToolCall)}
    assert {action["ref"] for action in read_by_hand["actions"]} <= calls | {event.event_id for event in events}
    assert len(calls) == read_by_hand["calls"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reading_twice_gives_the_same(path):
    """Nothing depends on when or how often a file is read."""
    assert list(read_file(path)) == list(read_file(path))
