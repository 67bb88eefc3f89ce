"""The packaged bout is the recorded one, and its verdicts do not depend on when it is shown."""

from __future__ import annotations

import json
from pathlib import Path

from judges.verdict import Verdict, decode
from streams.cli._bout import FOLDER, bout, revisions
from streams.cli._plan import shifted
from streams.pipeline import Pipeline
from streams.sources import read_file

RECORDED = Path(__file__).parents[2] / "bouts"


def verdicts(by_us: int = 0) -> dict[str, Verdict]:
    """The verdict of each run, with all times moved."""
    pipeline = Pipeline()
    for event in shifted(bout(), by_us):
        pipeline.feed(event)
    return {key: decode(run.verdict_bytes()) for key, run in pipeline.runs.items()}


def test_the_packaged_bout_is_a_copy_of_the_recorded_one() -> None:
    """Recorded once, under tests/bouts; what is packaged is the same to the byte."""
    packaged = sorted(FOLDER.glob("*.jsonl"))
    assert packaged
    for path in packaged:
        assert path.read_bytes() == (RECORDED / path.name).read_bytes(), f"{path.name}: record it again"


def test_three_contestants_come_to_three_different_verdicts() -> None:
    """The demo has something to tell."""
    figures = {run: (verdict.provisional, verdict.reason) for run, verdict in verdicts().items()}
    assert len(figures) == 3
    assert len(set(figures.values())) == 3


def test_the_verdicts_are_the_same_a_year_later() -> None:
    """The demo moves the bout to now; no figure and no byte hangs on the date."""
    assert verdicts() == verdicts(by_us=365 * 86_400 * 1_000_000)


def test_the_verdicts_are_those_of_the_recorded_file() -> None:
    """What the demo ends with is what `boutwatch score` says of the recording."""
    pipeline = Pipeline()
    for path in sorted(FOLDER.glob("*.jsonl")):
        for event in read_file(RECORDED / path.name):
            pipeline.feed(event)
    assert {key: run.report().verdict for key, run in pipeline.runs.items()} == verdicts()


def test_the_revisions_are_those_of_the_verdicts() -> None:
    """The demo waits for the verdict that rests on every event of its run."""
    assert revisions(bout()) == {run: verdict.revision for run, verdict in verdicts().items()}


def test_every_line_of_the_bout_is_a_json_object() -> None:
    """It is an example for those who write the format, too."""
    for path in FOLDER.glob("*.jsonl"):
        assert all(isinstance(json.loads(line), dict) for line in path.read_text().splitlines())
