"""Writes the golden bouts anew: `python -m tests.update_golden`. Then look at the difference before it is committed.

A bout is `tests/bouts/<name>.jsonl`; its verdicts, as they are published, one line a run, are `<name>.verdict.json`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from streams.events import Rejected
from streams.pipeline import Pipeline
from streams.sources import read_file
from tests.golden_stories import STORIES

BOUTS: Final = Path(__file__).parent / "bouts"


def verdicts(bout: Path) -> bytes:
    """The verdicts of a bout as bytes, one line a run, sorted by run."""
    pipeline = Pipeline()
    for event in read_file(bout):
        assert not isinstance(event, Rejected), f"{event.where}: {event.reason}"
        pipeline.feed(event)
    return b"".join(pipeline.runs[run].verdict_bytes() + b"\n" for run in sorted(pipeline.runs))


def golden(bout: Path) -> Path:
    """Where a bout's verdicts are kept."""
    return bout.with_suffix(".verdict.json")


def bouts() -> list[Path]:
    """All golden bouts."""
    return sorted(BOUTS.glob("*.jsonl"))


def main() -> None:
    """Write the told stories, then the verdicts of all bouts."""
    BOUTS.mkdir(exist_ok=True)
    for name, teller in STORIES.items():
        _write(BOUTS / f"{name}.jsonl", teller().lines())
    for bout in bouts():
        _write(golden(bout), verdicts(bout))


def _write(path: Path, data: bytes) -> None:
    if not path.exists() or path.read_bytes() != data:
        path.write_bytes(data)
        sys.stdout.write(f"written: {path.name}\n")


if __name__ == "__main__":
    main()
