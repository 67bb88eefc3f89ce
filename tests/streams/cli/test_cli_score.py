"""`boutwatch score` as its users run it: files in, tables or JSON out, exit codes that scripts can rest on."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Cli = Callable[..., subprocess.CompletedProcess[str]]
    Native = Callable[..., Path]
    Rows = Callable[..., list[dict[str, Any]]]


def test_a_run_is_reported_with_metrics_scores_and_verdict(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """All of the report is there, and nothing on stderr."""
    shown = boutwatch("score", native(*bout_rows()))
    assert (shown.returncode, shown.stderr) == (0, "")
    for part in ("m/c", "verification_density", "Incidents", "Process", "Recovery", "incomplete", "coverage"):
        assert part in shown.stdout


def test_json_is_one_object_a_run_with_the_canonical_verdict_in_it(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """Exactly four keys; the verdict is byte for byte what `--verdict` prints."""
    path = native(*bout_rows("b"), *bout_rows("a"))
    lines = boutwatch("score", path, "--json").stdout.splitlines()
    objects = [json.loads(line) for line in lines]
    assert [one["run"] for one in objects] == ["m/a", "m/b"]
    assert all(list(one) == ["run", "readings", "opinions", "verdict"] for one in objects)
    verdicts = boutwatch("score", path, "--verdict").stdout.splitlines()
    assert [line.partition('"verdict":')[2][:-1] for line in lines] == verdicts
    assert {one["judge"] for one in objects[0]["opinions"]} == {"process", "recovery"}
    assert objects[0]["verdict"]["revision"] == len(bout_rows())


def test_the_order_of_lines_and_repetitions_change_no_byte(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """A verdict is a function of the set of events."""
    rows = [*bout_rows("a"), *bout_rows("b"), {"kind": "match_ended", "match_id": "m", "event_id": "over",
             "contestants": ["a", "b"], "at": "2025-06-01T10:03:00Z"}]  # fmt: skip
    mixed = [*rows, *rows[3:9]]
    random.Random(5).shuffle(mixed)  # noqa: S311, TID251 - an order, no secret
    straight = boutwatch("score", native(*rows), "--json")
    other = boutwatch("score", native(*mixed, name="mixed.jsonl"), "--json")
    assert straight.stdout == other.stdout
    assert straight.returncode == other.returncode == 0


def test_a_bar_that_is_missed_exits_with_1_and_says_which(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """The report is printed all the same."""
    path = native(*bout_rows())
    score = json.loads(boutwatch("score", path, "--json").stdout)["opinions"][0]["score"]
    kept = boutwatch("score", path, "--json", "--min-process", score)
    missed = boutwatch("score", path, "--json", "--min-process", score + 0.01)
    assert (kept.returncode, kept.stderr) == (0, "")
    assert missed.returncode == 1
    assert missed.stderr.startswith("boutwatch: m/c process is ")
    assert missed.stdout == kept.stdout


def test_a_score_that_does_not_apply_keeps_its_bar_and_one_that_was_not_measured_does_not(
    boutwatch: Cli, native: Native
) -> None:
    """Nothing stands in for a missing score: no error is no fault, but an unmeasured Process shows nothing."""
    frame = {"match_id": "m", "contestant_id": "c"}
    path = native(
        {**frame, "kind": "run_started", "at": "2025-06-01T10:00:00Z"},
        {**frame, "kind": "submission", "at": "2025-06-01T10:02:00Z"},
    )
    statuses = {one["judge"]: one["status"] for one in json.loads(boutwatch("score", path, "--json").stdout)["opinions"]}
    assert statuses["recovery"] == "not_applicable"
    assert boutwatch("score", path, "--min-recovery", 90).returncode == 0
    expected = 0 if statuses["process"] == "not_applicable" else 1
    assert boutwatch("score", path, "--min-process", 1).returncode == expected


def test_rejected_lines_are_told_by_file_and_line_and_the_rest_is_scored(
    boutwatch: Cli, native: Native, bout_rows: Rows
) -> None:
    """Nothing is lost silently; `--strict` makes it an error."""
    rows = bout_rows()
    path = native(*rows[:3], "{broken", *rows[3:], {"kind": "nonsense", "match_id": "m"})
    shown = boutwatch("score", path, "--verdict")
    assert shown.returncode == 0
    first, second, count = shown.stderr.splitlines()
    assert first.startswith(f"{path}:4: ")
    assert second.startswith(f"{path}:9: ")
    assert count == "boutwatch: 2 rejected lines, listed above"
    assert shown.stdout == boutwatch("score", native(*rows, name="whole.jsonl"), "--verdict").stdout
    strict = boutwatch("score", path, "--verdict", "--strict")
    assert (strict.returncode, strict.stdout) == (2, shown.stdout)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.jsonl", b""),
        ("binary.jsonl", bytes(range(256)) * 8),
        ("prose.txt", b"not telemetry\n"),
        ("blank.jsonl", b"\n\n"),
    ],
)
def test_a_file_that_cannot_be_read_exits_with_2_and_says_what_to_do(
    boutwatch: Cli, tmp_path: Path, name: str, content: bytes
) -> None:
    """One line names the file; no traceback, no report of nothing."""
    path = tmp_path / name
    path.write_bytes(content)
    shown = boutwatch("score", path)
    assert (shown.returncode, shown.stdout) == (2, "")
    (line,) = shown.stderr.splitlines()
    assert line.startswith(f"boutwatch: {path}: ")


def test_one_unreadable_file_does_not_keep_the_others_from_their_scores(
    boutwatch: Cli, native: Native, bout_rows: Rows
) -> None:
    """What can be scored is scored; the exit code still tells."""
    shown = boutwatch("score", "missing.jsonl", native(*bout_rows()), "--json")
    assert shown.returncode == 2
    assert json.loads(shown.stdout)["run"] == "m/c"
    assert "missing.jsonl" in shown.stderr


def test_an_unknown_format_or_zone_is_wrong_usage(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """The message lists what there is."""
    path = native(*bout_rows())
    formatted, zoned = boutwatch("score", path, "--format", "nope"), boutwatch("score", path, "--zone", "Mars/Base")
    assert (formatted.returncode, zoned.returncode) == (2, 2)
    assert "native" in formatted.stderr
    assert "Europe/Berlin" in zoned.stderr


def test_naive_times_are_rejected_without_a_zone_and_read_with_one(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """The same wall clock in Berlin gives the same metrics as its UTC times."""
    naive = [{**row, **{name: row[name].rstrip("Z") for name in ("at", "ended_at") if name in row}} for row in bout_rows()]
    path = native(*naive)
    without = boutwatch("score", path, "--json")
    assert without.returncode == 2
    assert "zone" in without.stderr
    aware = native(*bout_rows(), name="aware.jsonl")
    zoned = boutwatch("score", path, "--verdict", "--zone", "Europe/Berlin")
    assert zoned.stdout == boutwatch("score", aware, "--verdict").stdout


def test_match_and_contestant_can_be_named_on_the_command_line(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """They take the place of what the file says."""
    shown = boutwatch("score", native(*bout_rows()), "--json", "--match-id", "final", "--contestant", "red")
    assert json.loads(shown.stdout)["run"] == "final/red"


def test_control_characters_of_a_contestant_never_reach_the_terminal(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """A run named with an escape sequence is shown with the sequence spelled out."""
    shown = boutwatch("score", native(*bout_rows("\x1b[2Jred")))
    assert shown.returncode == 0
    assert "\x1b" not in shown.stdout
    assert r"\x1b[2Jred" in shown.stdout


def test_a_terminal_without_the_characters_still_gets_its_report(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """In an ASCII locale the marks are replaced; nothing breaks."""
    shown = boutwatch("score", native(*bout_rows()), LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "verification_density" in shown.stdout
