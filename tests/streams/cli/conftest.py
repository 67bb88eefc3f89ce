"""The real command in a process of its own, and small runs as native files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def boutwatch(tmp_path: Path) -> Cli:
    """Run the command; keyword arguments are its environment."""

    def run(
        *arguments: object, timeout: float = 60, stdin: str | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BOUTWATCH_")}
        return subprocess.run(
            [sys.executable, "-m", "streams.cli", *map(str, arguments)],
            capture_output=True,
            input=stdin,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            cwd=tmp_path,
            env={**kept, "PYTHONPATH": str(Path(__file__).parents[3]), **environment},
            check=False,
        )

    return run


def call(second: int, tool: str, arguments: dict[str, Any], run: tuple[str, str] = ("m", "c"), **more: Any) -> dict[str, Any]:
    """A tool call of one second that ends at `second` of the match."""
    at = f"2025-06-01T10:{second // 60:02d}:{second % 60:02d}Z"
    frame = {"kind": "tool_call", "match_id": run[0], "contestant_id": run[1], "at": at, "ended_at": at}
    return {**frame, "event_id": f"{run[1]}-{second}", "tool": tool, "arguments": arguments, "status": "ok", **more}


def bout(contestant: str = "c", match: str = "m") -> list[dict[str, Any]]:
    """A run that breaks a test, sees it, mends it and hands in."""
    run = (match, contestant)
    frame = {"match_id": match, "contestant_id": contestant}
    edit = {"file_path": "/w/calc.py", "old_string": "a - b", "new_string": "a * b"}
    mend = {"file_path": "/w/calc.py", "old_string": "a * b", "new_string": "a + b"}
    failed = "FAILED test_calc.py::test_add - assert 0\n1 failed, 2 passed in 0.02s"
    return [
        {**frame, "kind": "run_started", "event_id": f"{contestant}-start", "at": "2025-06-01T10:00:00Z", "cwd": "/w"},
        call(20, "Read", {"file_path": "/w/calc.py"}, run, output="def add(a, b): return a - b"),
        call(40, "Edit", edit, run),
        call(60, "Bash", {"command": "pytest -q"}, run, exit_code=1, output=failed, status="failed"),
        call(80, "Edit", mend, run),
        call(100, "Bash", {"command": "pytest -q"}, run, exit_code=0, output="3 passed in 0.02s"),
        {**frame, "kind": "submission", "event_id": f"{contestant}-end", "at": "2025-06-01T10:02:00Z"},
    ]


@pytest.fixture
def native(tmp_path: Path) -> Callable[..., Path]:
    """Write rows (dicts, or text for broken ones) as a native JSONL file."""

    def write(*rows: dict[str, Any] | str, name: str = "bout.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return path

    return write


@pytest.fixture
def bout_rows() -> Callable[..., list[dict[str, Any]]]:
    """The small run, for any contestant and match."""
    return bout
