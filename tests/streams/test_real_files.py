"""Real files of others: every one gives a sane report, and where hand-made labels speak of the same thing they agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metrics.base import Reading
from streams.events import Rejected
from streams.pipeline import Pipeline, Report
from streams.sources import read_file
from tests.conftest import REAL

FOLDERS = ("claude_code", "codex", "mini_swe_agent", "swe_agent")
FILES = sorted(path for folder in FOLDERS for path in (REAL / folder).glob("*")) if REAL.is_dir() else []
TIMED = ("dwell_time", "pivot_latency", "recovery_speed", "thrash_rate", "time_to_first_correct_fix")


def report(path: Path) -> Report:
    """The report of the one run in a file."""
    pipeline = Pipeline()
    for event in read_file(path):
        assert not isinstance(event, Rejected), event
        pipeline.feed(event)
    [run] = pipeline.runs.values()
    return run.report()


def readings(path: Path) -> dict[str, Reading]:
    """The readings of a file by metric."""
    return {one.metric: one for one in report(path).readings}


@pytest.mark.skipif(not FILES, reason=f"the real files are not here: {REAL} is no folder")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_gives_a_report(path: Path) -> None:
    """Values only where measured, times within the run, a verdict that says what is missing."""
    made = report(path)
    for one in made.readings:
        assert (one.value is not None) == (one.state == "measured"), one
        assert one.state == "measured" or one.reason, one
    assert made.verdict.state == "incomplete"
    assert made.verdict.final is None
    assert made.t_end >= made.t0


@pytest.mark.parametrize("name", ["6e44b9__sweagenttestrepo-1c2844.traj", "pandas-dev__pandas.95280573.pr_53856.traj"])
def test_files_without_times_say_insufficient_and_never_a_number(name: str, real_files: Path) -> None:
    """Counts and ratios still work; what needs time says that there is none, unless nothing of the kind happened."""
    found = readings(real_files / "swe_agent" / name)
    assert {found[metric].state for metric in TIMED} <= {"insufficient", "not_applicable"}
    assert found["dwell_time"].state == "insufficient"
    assert found["verification_density"].state == "measured"


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("claude_code/vsc_4c289ca8_edit_bash.jsonl", "dwell_time"),
        ("claude_code/ccv_5c0375b4_inline_sidechain.jsonl", "dwell_time"),
        ("mini_swe_agent/sympy__sympy-16597.traj.json", "dwell_time"),
        ("mini_swe_agent/pytest-dev__pytest-7205.traj.json", "dwell_time"),
        # codex: the label counts from the first test edit, the definition from the first change of the work.
        ("codex/codemie_019e1625_tdd.jsonl", "recovery_speed"),
    ],
)
def test_readings_agree_with_the_labels(name: str, metric: str, real_files: Path) -> None:
    """To one percent: the label's own clock is the start of a call, the definition's its end."""
    label = json.loads((real_files / "labels" / f"{Path(name).name}.labels.json").read_text())["metrics"][metric]
    assert readings(real_files / name)[metric].value == pytest.approx(label, rel=0.01)


def test_a_contradiction_fixed_in_place_is_read_as_the_label_reads_it(real_files: Path) -> None:
    """One idea breaks nine tests of the base tree and is then narrowed: an incident, and no pivot."""
    found = readings(real_files / "mini_swe_agent" / "pytest-dev__pytest-7205.traj.json")
    assert (found["pivot_latency"].state, found["recovery_speed"].value) == ("not_applicable", pytest.approx(49, abs=1.5))
    assert (found["verification_density"].numerator, found["verification_density"].denominator) == (2, 2)
