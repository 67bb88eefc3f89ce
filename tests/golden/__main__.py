"""`python -m tests.golden`: write the golden bouts, and the verdict on every bout, to `tests/bouts/`."""

from __future__ import annotations

import sys

from tests.golden import approach, frame, incidents, results
from tests.golden.base import BOUTS, STORIES, verdicts

TOLD = (approach, frame, incidents, results)


def main() -> int:
    """Write what is told, then judge every bout that is there; say what changed."""
    for name, bout in STORIES.items():
        _write(f"{name}.jsonl", bout.lines)
    for path in sorted(BOUTS.glob("*.jsonl")):
        _write(f"{path.stem}.verdict.json", verdicts(path))
    return 0


def _write(name: str, content: bytes) -> None:
    path = BOUTS / name
    before = path.read_bytes() if path.exists() else None
    if content != before:
        path.write_bytes(content)
        sys.stdout.write(f"{'new' if before is None else 'changed'}: {path.relative_to(BOUTS.parents[1])}\n")


if __name__ == "__main__":
    sys.exit(main())
