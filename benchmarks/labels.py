"""How well actions match what happened in real files, read by hand: `python -m benchmarks.labels [--json]`.

The labelled files lie beside the project in `../shared/real`; without them there is nothing to measure (exit 2). Actions
are matched by call and class; checks matched that way are compared in outcome, kind and scope. Where a label says what exit
code and summary alone give (`mechanical`), either that or the reading counts as right. What is left out is listed with its
reason.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from streams.actions.base import Action
from streams.actions.calls import calls_of
from streams.events import Rejected
from streams.sources import read_file

REAL: Final = Path(__file__).resolve().parents[2] / "shared" / "real"
FORMATS: Final = {
    "claude_code_jsonl": "claude_code",
    "codex_rollout": "codex",
    "mini_swe_agent": "mini_swe_agent",
    "swe_agent_traj": "swe_agent",
}
FIELDS: Final = ("outcome", "outcome_as_labelled", "kind", "scope", "status", "counts")
"""What is compared of a matched action; `outcome_as_labelled` counts the left-out outcomes as wrong."""

CORE: Final = ("edit", "check", "explore", "revert")

LEFT_OUT: Final[dict[tuple[str, str, str], str]] = {
    ("pytest-dev__pytest-7205.traj.json", "7", "edit"): (
        "two substitutions in one file by one call: one edit, as the label itself notes and as the labels count "
        "four of them elsewhere"
    ),
    **{
        ("codemie_019e1625_tdd.jsonl", ref, "explore"): (
            "a web look-up is `explore`, and `network` in addition to its other class; the label has `network` alone"
        )
        for ref in (
            "ws_023bc037ca71df15016a0195bb758c819ba5b12d072d9bb0ae",
            "ws_023bc037ca71df15016a019620b190819ba7eace465d2dd516",
            "ws_023bc037ca71df15016a019633e7cc819bbd3924bbd3e48ff1",
        )
    },
}
"""Real disagreements between a label and the definitions: file, call, class, and the reason."""

UNKNOWN_PROBE: Final = (
    "a probe that asserts nothing and exits 0 is `unknown` by definition; the label, read before, says `passed`"
)


def labelled() -> Iterator[tuple[Path, dict[str, Any]]]:
    """The labelled files of the formats that are measured, with their labels."""
    for path in sorted((REAL / "labels").glob("*.labels.json")):
        labels = json.loads(path.read_text())
        folder = FORMATS.get(labels["format"])
        if folder:
            yield REAL / folder / labels["file"], labels


def actions_of(path: Path) -> list[tuple[str, Action]]:
    """The actions of a file with their calls."""
    events = [event for event in read_file(path) if not isinstance(event, Rejected)]
    return [(call.ref, action) for call in calls_of(events) for action in call.actions]


def compare(path: Path, labels: dict[str, Any], tally: dict[str, Any]) -> None:
    """Count hits and misses of one file into the tally."""
    name = labels["file"]
    wanted: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    got: dict[tuple[str, str], list[Action]] = defaultdict(list)
    for label in labels["actions"]:
        if label.get("needs_reading"):
            tally["left_out"].append((name, label["ref"], label["class"], "no rule can see it (needs reading)"))
        else:
            wanted[label["ref"], label["class"]].append(label)
    for ref, action in actions_of(path):
        got[ref, action.cls].append(action)
    for key in sorted(wanted.keys() | got.keys()):
        want, have = wanted[key], got[key]
        reason = LEFT_OUT.get((name, *key)) if len(want) != len(have) else None
        if reason:
            tally["left_out"].append((name, *key, reason))
        hits = min(len(want), len(have))
        counts = tally["classes"][key[1]]
        counts["hit"] += hits
        if not reason:
            counts["missed"] += len(want) - hits
            counts["extra"] += len(have) - hits
            if len(want) != len(have):
                tally["misses"].append((name, *key, f"{len(want)} wanted", f"{len(have)} got"))
        for label, action in zip(want, have, strict=False):
            _details(name, label, action, tally)


def _details(name: str, label: dict[str, Any], action: Action, tally: dict[str, Any]) -> None:
    if "outcome" in label:
        _outcome(name, label, action, tally)
    for field in ("kind", "scope", "status"):
        if label.get(field):
            right = getattr(action, field) == label[field]
            tally[field][right] += 1
            if not right:
                tally["misses"].append((name, label["ref"], field, label[field], getattr(action, field)))
    counts = label.get("counts")
    if counts:
        mine = {"passed": action.passed, "failed": action.failed, "errors": action.errors, "skipped": action.skipped}
        right = all(mine[key] == counts[key] for key in mine)
        tally["counts"][right] += 1
        if not right:
            tally["misses"].append((name, label["ref"], "counts", str(counts), str(mine)))


def _outcome(name: str, label: dict[str, Any], action: Action, tally: dict[str, Any]) -> None:
    accepted = {label["outcome"], label.get("mechanical", label["outcome"])}
    if action.outcome not in accepted and action.outcome == "unknown" and action.kind == "probe" and "passed" in accepted:
        tally["left_out"].append((name, label["ref"], "outcome", UNKNOWN_PROBE))
        tally["outcome_as_labelled"][False] += 1
        return
    right = action.outcome in accepted
    tally["outcome"][right] += 1
    tally["outcome_as_labelled"][right] += 1
    if not right:
        tally["misses"].append((name, label["ref"], "outcome", label["outcome"], action.outcome))


def measure() -> dict[str, Any]:
    """The tally over all labelled files."""
    tally: dict[str, Any] = {"classes": defaultdict(Counter), "misses": [], "left_out": [], "files": 0}
    for field in FIELDS:
        tally[field] = Counter()
    for path, labels in labelled():
        tally["files"] += 1
        compare(path, labels, tally)
    return tally


def summary(tally: dict[str, Any]) -> dict[str, Any]:
    """Figures of a tally: precision, recall and F1 per class; accuracy per field."""
    classes = {}
    for name, counts in sorted(tally["classes"].items()):
        precision = _share(counts["hit"], counts["hit"] + counts["extra"])
        recall = _share(counts["hit"], counts["hit"] + counts["missed"])
        both = precision + recall if precision is not None and recall is not None else 0
        f1 = round(2 * precision * recall / both, 4) if precision is not None and recall is not None and both else 0.0
        classes[name] = {**counts, "precision": precision, "recall": recall, "f1": f1}
    fields = {
        name: {"n": sum(tally[name].values()), "accuracy": _share(tally[name][True], sum(tally[name].values()))}
        for name in FIELDS
    }
    return {"files": tally["files"], "classes": classes, **fields, "misses": tally["misses"], "left_out": tally["left_out"]}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def show(figures: dict[str, Any]) -> None:
    console = Console(width=160)
    table = Table("class", "hit", "missed", "extra", "precision", "recall", "F1", title=f"{figures['files']} labelled files")
    for name, row in figures["classes"].items():
        cells = (row.get("hit", 0), row.get("missed", 0), row.get("extra", 0), row["precision"], row["recall"], row["f1"])
        table.add_row(name, *map(str, cells))
    console.print(table)
    for name in FIELDS:
        console.print(f"{name}: {figures[name]['accuracy']} of {figures[name]['n']}")
    for title in ("misses", "left_out"):
        console.print(f"\n{title} ({len(figures[title])}):")
        for item in figures[title]:
            console.print("  " + " | ".join(map(str, item)), highlight=False, markup=False)


def main() -> int:
    if not (REAL / "labels").is_dir():
        print(f"{REAL}: no labelled files there; put them beside the project", file=sys.stderr)
        return 2
    figures = summary(measure())
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))
    else:
        show(figures)
    good = (
        all(figures["classes"].get(name, {"f1": 1})["f1"] >= 0.95 for name in CORE) and figures["outcome"]["accuracy"] >= 0.95
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
