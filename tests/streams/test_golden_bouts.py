"""Golden bouts: whatever changes in the code, a change of a verdict is seen and has to be meant."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from streams.pipeline import Pipeline
from streams.sources import read_file
from tests.golden.__main__ import TOLD
from tests.golden.base import BOUTS, STORIES, verdicts

ALL = sorted(BOUTS.glob("*.jsonl"))


def kept_at(bout: Path) -> Path:
    """Where a bout's verdicts are kept."""
    return bout.with_suffix(".verdict.json")


def leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a verdict with where it stands; list items that have a name stand under it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            named = inner.get("judge") or inner.get("name") or inner.get("metric") if isinstance(inner, dict) else None
            yield from leaves(inner, f"{place}[{named or number}]")
    else:
        yield place.lstrip("."), value


def by_run(lines: bytes) -> dict[str, dict[str, Any]]:
    """Verdicts, flattened, by run."""
    found = [json.loads(line) for line in lines.splitlines()]
    return {one["run"]: dict(leaves(one)) for one in found}


def differences(kept: bytes, made: bytes) -> list[str]:
    """What differs between two files of verdicts, one line a value, as a person reads it."""
    old, new = by_run(kept), by_run(made)
    said = [f"{run}: no longer there" for run in old.keys() - new.keys()] + [
        f"{run}: is new" for run in new.keys() - old.keys()
    ]
    for run in sorted(old.keys() & new.keys()):
        before, after = old[run], new[run]
        said += [
            f"{run} {place}: kept {before.get(place)!r}, now {after.get(place)!r}"
            for place in sorted({*before, *after})
            if before.get(place) != after.get(place)
        ]
    return said or (["the same values in other bytes"] if kept != made else [])


@pytest.mark.parametrize("bout", ALL, ids=lambda path: path.stem)
def test_a_bouts_verdicts_are_those_on_record(bout: Path) -> None:
    """To the byte. A change that is meant is written with `python -m tests.golden`."""
    kept, made = kept_at(bout).read_bytes(), verdicts(bout)
    if kept != made:
        pytest.fail("\n".join([f"{bout.name}: verdicts changed", *differences(kept, made)[:60]]), pytrace=False)


@pytest.mark.parametrize("name", STORIES)
def test_a_told_bout_is_as_it_is_told(name: str) -> None:
    """The file on record is what the story's teller tells."""
    assert (BOUTS / f"{name}.jsonl").read_bytes() == STORIES[name].lines


@pytest.mark.parametrize("name", STORIES)
def test_a_told_bout_reads_as_worked_out_by_hand(name: str) -> None:
    """The figures follow from the definitions, not from the code: a state where there is no value."""
    pipeline = Pipeline()
    for event in read_file(BOUTS / f"{name}.jsonl"):
        assert pipeline.feed(event) == "new"
    (run,) = pipeline.runs.values()
    readings = {one.metric: one.state if one.value is None else one.value for one in run.readings()}
    for metric, expected in STORIES[name].expected.items():
        told = expected if isinstance(expected, str) else pytest.approx(expected, abs=1e-6)
        assert readings[metric] == told, metric


def test_every_verdict_on_record_has_its_bout() -> None:
    """Nothing is left over, and every module of stories is told."""
    assert sorted(BOUTS.glob("*.verdict.json")) == sorted(kept_at(bout) for bout in ALL)
    assert {*STORIES} < {bout.stem for bout in ALL}
    assert len(TOLD) == len([*BOUTS.parent.joinpath("golden").glob("[a-z]*.py")]) - 1


def test_a_difference_is_told_by_run_and_place() -> None:
    """One line a value: what was kept and what comes out now."""
    kept = b'{"run":"m/c","lanes":[{"judge":"process","score":70}]}\n'
    made = b'{"run":"m/c","lanes":[{"judge":"process","score":71}]}\n'
    assert differences(kept, made) == ["m/c lanes[process].score: kept 70, now 71"]
    assert differences(kept, kept) == []
