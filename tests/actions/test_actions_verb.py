"""The verb `boutwatch actions`: one object a line, and clear words on bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from streams.cli.actions import register


@pytest.fixture
def app() -> typer.Typer:
    """The command line with this verb alone."""
    app = typer.Typer()
    register(app)
    app.callback()(lambda: None)
    return app


def line(**fields: object) -> str:
    """One native line."""
    return json.dumps({"kind": "tool_call", "match_id": "m", "contestant_id": "c", **fields})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A native file: an edit and a check in one call that comes in two phases, and a checkpoint."""
    path = tmp_path / "run.jsonl"
    rows = [
        line(
            event_id="1",
            call_id="a",
            tool="Bash",
            arguments={"command": "sed -i s/a/b/ src/x.py && pytest"},
            started_at="2026-01-01T00:00:01Z",
        ),
        line(
            event_id="2",
            call_id="a",
            ended_at="2026-01-01T00:00:05Z",
            exit_code=1,
            output="===== 1 failed, 2 passed in 0.1s =====",
        ),
        json.dumps(
            {"kind": "checkpoint", "match_id": "m", "contestant_id": "c", "event_id": "row:9", "at": "2026-01-01T00:00:06Z"}
        ),
    ]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_each_action_is_one_json_line(app: typer.Typer, file: Path) -> None:
    """Reference, place, class, kind, outcome, status, scope, paths, counts and time."""
    result = CliRunner().invoke(app, ["actions", str(file), "--json"])
    rows = [json.loads(text) for text in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [(row["ref"], row["i"], row["class"]) for row in rows] == [
        ("a", 0, "edit"),
        ("a", 0, "check"),
        ("row:9", None, "checkpoint"),
    ]
    assert rows[0] | {"at": None} == {
        "ref": "a",
        "i": 0,
        "class": "edit",
        "kind": None,
        "outcome": None,
        "status": "ok",
        "scope": "work",
        "paths": ["src/x.py"],
        "counts": None,
        "at": None,
    }
    assert (rows[1]["kind"], rows[1]["outcome"], rows[1]["counts"]) == (
        "test",
        "failed",
        {"passed": 2, "failed": 1, "errors": 0, "skipped": 0},
    )
    assert rows[0]["at"].startswith("2026-01-01T00:00:01")


def test_without_json_a_table_is_printed(app: typer.Typer, file: Path) -> None:
    """For people."""
    result = CliRunner().invoke(app, ["actions", str(file)])
    assert result.exit_code == 0
    assert "3 actions" in result.stdout


def test_a_bad_line_is_named_and_the_rest_is_shown(app: typer.Typer, file: Path) -> None:
    """Exit 2, with file, line and reason; nothing that could be read is lost."""
    file.write_text(file.read_text() + '{"kind": "tool_call"\n')
    result = CliRunner().invoke(app, ["actions", str(file), "--json"])
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 3
    assert "run.jsonl:4" in result.stderr


def test_an_unknown_format_is_refused(app: typer.Typer, tmp_path: Path) -> None:
    """Exit 2 and what to do."""
    path = tmp_path / "x.bin"
    path.write_bytes(b"\x00\x01nonsense")
    result = CliRunner().invoke(app, ["actions", str(path)])
    assert result.exit_code == 2
    assert "x.bin" in result.stderr
