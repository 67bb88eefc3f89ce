"""Runs told as stories: native events as a harness writes them, with seconds for times. Nothing is parsed ahead.

Example: `Story().start(0).read(5, 25, "a.py").edit(60, 61, "a.py").check(65, 70, passed=10).submit(590).readings()`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from metrics.base import Reading
from metrics.run import NEVER, RunFacts
from streams.events import Event, Micros, Rejected, rfc3339
from streams.events.decode import decoder
from streams.pipeline import Pipeline, Report, Run

T0 = 1_767_225_600_000_000
"""2026-01-01T00:00:00Z: second 0 of every story."""

SECOND = 1_000_000


def moment(seconds: float) -> str:
    """A story's second as RFC 3339."""
    return rfc3339(Micros(T0 + round(seconds * SECOND)))


def seconds(at: int) -> float:
    """Event time as a story's second."""
    return (at - T0) / SECOND


def pytest_output(passed: int, failing: Sequence[str], errors: Sequence[str] = (), took: float = 0.12) -> str:
    """What `pytest -q` prints: dots, tracebacks, the short summary, the counts."""
    total = passed + len(failing) + len(errors)
    dots = "F" * len(failing) + "E" * len(errors) + "." * passed
    lines = [dots + " " * max(1, 60 - len(dots)) + "[100%]"] if total else []
    if failing:
        lines.append(f"{' FAILURES ':=^79}")
    for name in failing:
        path, _, test = name.partition("::")
        lines += [
            f"{f' {test} ':_^79}",
            "",
            f"    def {test}() -> None:",
            ">       assert actual == expected",
            "E       assert 3 == 4",
            "",
            f"{path}:7: AssertionError",
        ]
    if failing or errors:
        lines.append(f"{' short test summary info ':=^79}")
    lines += [f"FAILED {name} - assert 3 == 4" for name in failing]
    lines += [f"ERROR {name} - fixture 'store' not found" for name in errors]
    counts = [(len(failing), "failed"), (passed, "passed"), (len(errors), "errors" if len(errors) > 1 else "error")]
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    return "\n".join([*lines, f"{said or 'no tests ran'} in {took:.2f}s", ""])


class Story:
    """A run in the making. Every teller gives the story back, so that lines can be chained; times are seconds."""

    def __init__(
        self, match: str = "m", contestant: str = "c", *, phases: int = 1, timed: bool = True, cwd: str = "/repo"
    ) -> None:
        self.names = {"match_id": match, "contestant_id": contestant, "producer": "harness"}
        self.phases, self.timed, self.cwd = phases, timed, cwd
        self.rows: list[dict[str, Any]] = []
        self._edits = 0

    # events

    def event(self, kind: str, at: float | None, **fields: Any) -> Story:
        """Any event; fields that are None are left out."""
        number = len(self.rows)
        row = {"kind": kind, **self.names, "event_id": f"{self.names['contestant_id']}-{number:03}", "seq": number}
        if self.timed and at is not None:
            row["at"] = moment(at)
        self.rows.append({**row, **{name: value for name, value in fields.items() if value is not None}})
        return self

    def start(self, at: float = 0) -> Story:
        """The contestant begins."""
        return self.event("run_started", at, cwd=self.cwd, harness="story")

    def submit(self, at: float) -> Story:
        """The contestant hands its work in."""
        return self.event("submission", at)

    def say(self, at: float, text: str, *, role: str = "assistant", confidence: str | None = None) -> Story:
        """Something is said."""
        return self.event("message", at, role=role, text=text, confidence=confidence)

    def plan(self, at: float, *items: str, change: bool = False) -> Story:
        """A plan event of the harness."""
        return self.event("plan", at, items=list(items), is_change=change)

    def checkpoint(
        self, at: float, score: float | None = None, *, tests: tuple[int, int] | None = None, commit: str = ""
    ) -> Story:
        """A checkpoint, with a score or with (passed, failed)."""
        counts = {"passed": tests[0], "failed": tests[1]} if tests else None
        return self.event("checkpoint", at, score=score, tests=counts, commit=commit)

    def error(
        self, at: float, message: str, sort: str = "runtime_crash", *, resolves: str = "", fingerprint: str = ""
    ) -> Story:
        """An error that the harness reports."""
        return self.event("error", at, error_type=sort, message=message, resolves=resolves, fingerprint=fingerprint)

    # calls

    def call(self, start: float, end: float | None, tool: str, arguments: dict[str, Any] | str, **told: Any) -> Story:
        """A tool call: in one event, or in two where the story's harness sends both phases; no end: it stays open."""
        call_id = f"call-{len(self.rows):03}"
        asked = {"tool": tool, "arguments": arguments, "cwd": self.cwd}
        begun = {"started_at": moment(start)} if self.timed else {}
        if end is None or self.phases == 2:
            self.event("tool_call", start, call_id=call_id, **asked, **begun)
        if end is None:
            return self
        ended = {**begun, "ended_at": moment(end)} if self.timed else {}
        told = {"status": "ok", **told}
        return self.event("tool_call", end, call_id=call_id, **(asked if self.phases == 1 else {}), **ended, **told)

    def bash(self, start: float, end: float | None, command: str, output: str = "", exit_code: int | None = 0) -> Story:
        """A shell call."""
        status = {0: "ok", None: None}.get(exit_code, "failed")
        return self.call(start, end, "bash", {"command": command}, status=status, output=output, exit_code=exit_code)

    def read(self, start: float, end: float, *paths: str) -> Story:
        """Files are read, one call each, at the same time."""
        for path in paths:
            self.call(start, end, "read", {"file_path": path}, output="     1\timport math\n")
        return self

    def edit(
        self, start: float, end: float, path: str, *, symbol: str = "f", old: str = "", new: str = "", **told: Any
    ) -> Story:
        """A replacement in one file; without texts one line of a function, another at each edit."""
        self._edits += 1
        old = old or f"def {symbol}(x: int) -> int:\n    return x + {self._edits}\n"
        new = new or f"def {symbol}(x: int) -> int:\n    return x * {self._edits + 1}\n"
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        return self.call(start, end, "edit", arguments, **{"output": f"The file {path} has been updated.", **told})

    def write(self, start: float, end: float, path: str, text: str) -> Story:
        """A file is written whole."""
        return self.call(start, end, "write", {"file_path": path, "content": text}, output=f"File created at: {path}")

    def refused(self, start: float, end: float, path: str, old: str = "absent") -> Story:
        """An edit tool finds no place for the edit."""
        arguments = {"file_path": path, "old_string": old, "new_string": "present"}
        output = f"String to replace not found in file.\nString: {old}"
        return self.call(start, end, "edit", arguments, status="failed", output=output)

    def check(
        self,
        start: float,
        end: float,
        *,
        passed: int = 0,
        failing: Iterable[str] = (),
        errors: Iterable[str] = (),
        command: str = "pytest -q",
    ) -> Story:
        """A run of the tests with pytest's own output and exit code."""
        failed, broken = tuple(failing), tuple(errors)
        return self.bash(start, end, command, pytest_output(passed, failed, broken), int(bool(failed or broken)))

    def cannot_run(self, start: float, end: float, command: str = "pytest -q") -> Story:
        """Pytest stops at collection: a module is missing."""
        output = (
            f"{' ERRORS ':=^79}\n{' ERROR collecting tests/test_x.py ':_^79}\n"
            "ImportError while importing test module '/repo/tests/test_x.py'.\n"
            "tests/test_x.py:1: in <module>\n    import a\nE   ModuleNotFoundError: No module named 'a'\n"
            f"{' short test summary info ':=^79}\nERROR tests/test_x.py\n"
            f"{' Interrupted: 1 error during collection ':!^79}\n1 error in 0.08s\n"
        )
        return self.bash(start, end, command, output, 2)

    def probe(self, start: float, end: float, *, enters: str = "", command: str = "python run_app.py") -> Story:
        """The work is run by hand; with `enters` it crashes, and the traceback's last frame is in that file."""
        if not enters:
            return self.bash(start, end, command, "done\n")
        output = (
            'Traceback (most recent call last):\n  File "/repo/run_app.py", line 3, in <module>\n    main()\n'
            f'  File "/repo/{enters}", line 12, in main\n    return 1 / 0\nZeroDivisionError: division by zero\n'
        )
        return self.bash(start, end, command, output, 1)

    def revert(self, start: float, end: float, path: str, *, git: bool = False) -> Story:
        """The last edit of a file is undone by the editor; with git, all since the commit are."""
        if git:
            return self.bash(start, end, f"git checkout -- {path}", "Updated 1 path from the index\n")
        arguments = {"command": "undo_edit", "path": path}
        return self.call(start, end, "str_replace_editor", arguments, output=f"Last edit to {path} undone successfully.")

    # what is said of it

    def lines(self) -> bytes:
        """The story as native JSON Lines."""
        return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in self.rows)

    def events(self) -> list[Event]:
        """The events as they are read from those lines."""
        read = decoder()
        found = [read(line) for line in self.lines().splitlines()]
        events = [one for one in found if not isinstance(one, Rejected)]
        assert len(events) == len(found), "a story's lines are sound"
        return events

    def run(self) -> Run:
        """The run after all events went through the pipeline."""
        pipeline = Pipeline()
        for event in self.events():
            assert pipeline.feed(event) == "new"
        (run,) = pipeline.runs.values()
        return run

    def facts(self) -> RunFacts:
        """The folded state."""
        return self.run().facts()

    def against(self) -> list[tuple[float, str]]:
        """The contradictions: when each was known, and how it was answered (`approach`, `fixed`, empty: open)."""
        return [(seconds(one.at), one.answer) for one in self.facts().contradictions]

    def turns(self) -> list[tuple[float, str, bool]]:
        """The changes of approach: when, by what, and whether they ended in progress."""
        return [(seconds(one.at), one.how, one.progress) for one in self.facts().approaches]

    def incidents(self) -> list[tuple[float, float | None]]:
        """The incidents: when each was opened, and when it was resolved."""
        found = self.facts().incidents.values()
        return [(seconds(one.opened), None if one.resolved == NEVER else seconds(one.resolved)) for one in found]

    def report(self) -> Report:
        """Readings, opinions, verdict."""
        return self.run().report()

    def readings(self) -> dict[str, Reading]:
        """The readings by metric."""
        return {reading.metric: reading for reading in self.run().readings()}
