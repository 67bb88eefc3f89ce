"""`python -m streams.record`: play the scripts and write the bout."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from streams.record.bout import lines, record
from streams.record.contestants import SCRIPTS
from streams.record.task import NAME

_ROOT: Final = Path(__file__).resolve().parents[2]
_FOLDERS: Final = (_ROOT / "tests" / "bouts", _ROOT / "streams" / "bouts")
"""The recorded bout, and the copy that is packaged for the demo."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Record and write; return the exit code."""
    given = _parser().parse_args(arguments)
    if given.pace <= 0:
        _parser().error("--pace is a factor above 0")
    content = lines(record(SCRIPTS, pace=given.pace))
    for folder in given.out or _FOLDERS:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{NAME}.jsonl"
        path.write_bytes(content)
        print(f"{path}: {content.count(bytes([10]))} events", file=sys.stderr)  # noqa: T201 - a command's word to its user
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m streams.record", description=__doc__)
    parser.add_argument(
        "--out", type=Path, action="append", metavar="FOLDER", help="where to write; default: where the project keeps it"
    )
    parser.add_argument("--pace", type=float, default=1.0, metavar="N", help="divides the pauses between steps; 1: as scripted")
    return parser


if __name__ == "__main__":
    sys.exit(main())
