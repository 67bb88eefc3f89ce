"""Everything in the documentation that the code already knows: `python docs/generate.py`, or `--check` to only compare.

Writes `docs/reference.md`, the schemas in `docs/schema/`, and the marked block of the README.
"""

# ruff: noqa: INP001, T201

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from judges import all_judges
from metrics import all_metrics
from metrics.base import Metric
from streams.cli.schema import documents
from streams.settings import Settings
from streams.sources import discover

ROOT: Final = Path(__file__).resolve().parents[1]
BOUTS: Final = "tests/bouts/*.jsonl"
"""The README shows what `boutwatch score` prints for the first of them."""

_HEAD: Final = """# Reference

Generated from the code by `python docs/generate.py`: every metric, judge, source format and setting. A new one appears
here by itself; edit its docstring, not this file.
"""
_BLOCK: Final = re.compile(r"(<!-- generated: score -->\n).*?(<!-- end -->)", re.DOTALL)


def main(arguments: list[str]) -> int:
    """Write what differs, or with `--check` name it and return 1."""
    check = "--check" in arguments
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        name = path.relative_to(ROOT)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(pages()[path], "utf-8")
        print(f"{name}: not as the code says; run 'python docs/generate.py'" if check else f"{name} written")
    return 1 if check and stale else 0


def pages() -> dict[Path, str]:
    """Every generated file's text."""
    schemas = {ROOT / "docs/schema" / name: text for name, text in documents().items()}
    return {ROOT / "docs/reference.md": reference(), ROOT / "README.md": readme(), **schemas}


def reference() -> str:
    """The whole of `docs/reference.md`."""
    parts = [_HEAD, *_metrics(), *_judges(), *_sources(), *_settings()]
    return "\n".join(parts).rstrip() + "\n"


def _metrics() -> Iterator[str]:
    yield "## Metrics\n"
    yield (
        "A reading is `measured`, `not_applicable` (nothing of the kind happened), `not_reached` (it could have happened "
        "and did not) or `insufficient` (telemetry was lost or has no usable time). A good range is strict.\n"
    )
    yield from _table(("metric", "unit", "good", "needs time"), map(_row, all_metrics()))
    for metric in all_metrics():
        yield f"### {metric.name}\n"
        yield f"{_doc(type(metric))}\n"


def _row(metric: Metric) -> tuple[str, ...]:
    good = str(metric.good) if metric.good else "–"
    return (f"[`{metric.name}`](#{metric.name})", metric.unit, good, "yes" if metric.needs_time else "no")


def _judges() -> Iterator[str]:
    yield "## Judges\n"
    for judge in all_judges():
        yield f"### {judge.name}\n"
        yield f"{_doc(type(judge))}\n"


def _sources() -> Iterator[str]:
    yield "## Source formats\n"
    yield "The format of a file is told from its content; `--format` overrides it.\n"
    for name, source in sorted(discover().items()):
        yield f"### {name}\n"
        yield f"{source.about}\n"
        yield f"{_doc(type(source))}\n"


def _settings() -> Iterator[str]:
    yield "## Settings\n"
    yield (
        "From the environment, else from `boutwatch.toml` in the current folder (or the file that `BOUTWATCH_CONFIG` "
        "names), where the keys are the names in small letters without the prefix, else the default.\n"
    )
    prefix = str(Settings.model_config.get("env_prefix", ""))
    rows = (
        (f"`{(prefix + name).upper()}`", _default(field), field.description or "")
        for name, field in Settings.model_fields.items()
    )
    yield from _table(("variable", "default", "meaning"), rows)


def _default(field: FieldInfo) -> str:
    value: Any = field.get_default(call_default_factory=True, validated_data={})
    if value is PydanticUndefined:
        return "(required)"
    return "" if value is None or value == "" else f"`{getattr(value, 'value', value)}`"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    yield "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _doc(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "")


def readme() -> str:
    """The README with its generated block filled; unchanged while no bout is recorded."""
    text = (ROOT / "README.md").read_text("utf-8")
    bouts = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(BOUTS))
    if not bouts or not _BLOCK.search(text):
        return text
    shown = f"```console\n$ boutwatch score {bouts[0]}\n{_score(bouts[0])}\n```\n"
    return _BLOCK.sub(lambda found: found[1] + shown + found[2], text)


def _score(bout: str) -> str:
    """What the command prints, at a fixed width."""
    command = [sys.executable, "-c", "import sys; from streams.cli import main; sys.exit(main())", "score", bout]
    environment = {**os.environ, "COLUMNS": "118", "NO_COLOR": "1", "TERM": "dumb"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
