"""Runs told by hand: one line an event, as `edit(60, 61, "a.py", symbols=("f",))`, in seconds since the start.

What comes out are native events as a harness sends them (tool calls with arguments, output and exit code), so that a story
goes the whole way from the wire to the verdict. An event's id says what and when (`check-80`): readings are easy to follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

from msgspec.structs import replace

from streams.events import (
    Checkpoint,
    Error,
    Event,
    FileChange,
    Message,
    Micros,
    Plan,
    RunEnded,
    RunStarted,
    Submission,
    TestCounts,
    ToolCall,
)
from streams.events.decode import settle

T0 = 1_767_603_600_000_000
"""When every story starts: 2026-01-05 09:00 UTC, in µs."""

Second = int | float
TESTS = "tests/test_work.py"


def moment(second: Second) -> Micros:
    """Seconds since the start as event time."""
    return Micros(T0 + round(second * 1_000_000))


def story(*events: Event | Iterable[Event], match: str = "story", contestant: str = "solo") -> list[Event]:
    """The events of one run, numbered in the order in which they are told; where two have one id, the later gets a number."""
    taken: set[str] = set()
    told = []
    for seq, event in enumerate(_flat(events)):
        name = next(one for one in _names(event.event_id) if one not in taken)
        taken.add(name)
        changes = {"event_id": name, "seq": seq, "match_id": match, "contestant_id": contestant, "producer": "story"}
        told.append(settle(replace(event, **changes)))
    return told


def _flat(events: Iterable[Event | Iterable[Event]]) -> Iterable[Event]:
    for one in events:
        if isinstance(one, Iterable):
            yield from one
        else:
            yield one


def _names(name: str) -> Iterable[str]:
    yield name
    yield from (f"{name}.{number}" for number in count(2))


def call(name: str, start: Second, end: Second, tool: str, arguments: dict[str, Any] | str, **more: Any) -> ToolCall:
    """Any tool call, in one event at its end."""
    spoken = f"{name}-{start:g}"
    return ToolCall(
        match_id="story",
        event_id=spoken,
        call_id=f"call-{spoken}",
        tool=tool,
        arguments=arguments,
        started_at=moment(start),
        ended_at=moment(end),
        at=moment(end),
        cwd="/workspace/story",
        **{"status": "ok", **more},
    )


def phases(event: ToolCall) -> tuple[ToolCall, ToolCall]:
    """The same call in two events: one as it starts, one as it ends."""
    begun = replace(
        event,
        event_id=f"{event.event_id}-start",
        at=event.started_at,
        ended_at=None,
        status=None,
        exit_code=None,
        output="",
        files=(),
    )
    return begun, replace(event, tool="", arguments="", cwd="")


def open_call(event: ToolCall) -> ToolCall:
    """Only the start of the call: its end never comes."""
    return phases(event)[0]


def shell(start: Second, end: Second, command: str, output: str = "", *, code: int = 0, name: str = "shell") -> ToolCall:
    """A shell line, with what it printed and its exit code."""
    return call(
        name, start, end, "bash", {"command": command}, status="failed" if code else "ok", exit_code=code, output=output
    )


def read(start: Second, end: Second, *paths: str) -> list[ToolCall]:
    """Files read with the read tool, one call each, one after the other."""
    step = (end - start) / max(1, len(paths))
    return [
        call("read", start + step * place, start + step * (place + 1), "read", {"file_path": path}, output=f"1  # {path}")
        for place, path in enumerate(paths)
    ]


def edit(  # noqa: PLR0913 - one argument for each thing that a definition hangs on
    start: Second,
    end: Second,
    path: str,
    *,
    symbols: Sequence[str] = (),
    lines: int = 1,
    old: str | None = None,
    new: str | None = None,
    files: tuple[FileChange, ...] = (),
    refused: bool = False,
) -> ToolCall:
    """An edit with the edit tool: `lines` lines added, in the functions `symbols`; or exactly `old` by `new`.

    `files` is what the harness knows of contents. `refused`: the tool did not find the text and changed nothing.
    """
    head = "".join(f"def {symbol}(value):\n" for symbol in symbols)
    before = f"{head}    return value\n" if old is None else old
    after = _body(head, start, lines) if new is None else new
    arguments = {"file_path": path, "old_string": before, "new_string": after}
    if refused:
        return call("edit", start, end, "edit", arguments, status="failed", output="String to replace not found in file.")
    return call("edit", start, end, "edit", arguments, output=f"The file {path} has been updated.", files=files)


def _body(head: str, start: Second, lines: int) -> str:
    added = "".join(f"    value += {start:g}  # step {number}\n" for number in range(lines))
    return f"{head}{added}    return value\n"


def write(start: Second, end: Second, path: str, text: str) -> ToolCall:
    """A whole file with the write tool."""
    return call(
        "write", start, end, "write", {"file_path": path, "content": text}, output=f"File created successfully at: {path}"
    )


def check(  # noqa: PLR0913 - one argument for each thing that a definition hangs on
    start: Second,
    end: Second,
    *,
    passed: int = 0,
    failed: int = 0,
    failing: Sequence[str] = (),
    command: str = "pytest -q",
    place: str = TESTS,
) -> ToolCall:
    """A run of the tests. Failing tests are named by function; without names they are `test_1`, `test_2` and so on."""
    functions = failing or [f"test_{number}" for number in range(1, failed + 1)]
    names = [name if "::" in name else f"{place}::{name}" for name in functions]
    return shell(start, end, command, pytest_output(passed, names), code=1 if names else 0, name="check")


def pytest_output(passed: int, failing: Sequence[str]) -> str:
    """What `pytest -q` prints."""
    dots = f"{'F' * len(failing)}{'.' * passed}"
    lines = [f"{dots:<73}[100%]"]
    if failing:
        lines.append(f"{' FAILURES ':=^80}")
        for name in failing:
            path, _, function = name.partition("::")
            lines += [
                f"{f' {function} ':_^80}",
                f"    def {function}():",
                ">       assert work() == 2",
                "E       assert 1 == 2",
                "",
            ]
            lines.append(f"{path}:7: AssertionError")
        lines.append(f"{' short test summary info ':=^80}")
        lines += [f"FAILED {name} - assert 1 == 2" for name in failing]
    counts = ", ".join(f"{number} {word}" for number, word in ((len(failing), "failed"), (passed, "passed")) if number)
    return "\n".join([*lines, f"{counts} in 0.12s"])


def broken(start: Second, end: Second, *, command: str = "pytest -q", path: str = TESTS, module: str = "work") -> ToolCall:
    """A run of the tests that cannot collect them: the work does not import."""
    output = "\n".join(
        [
            f"{' ERRORS ':=^80}",
            f"{f' ERROR collecting {path} ':_^80}",
            f"ImportError while importing test module '/workspace/story/{path}'.",
            "Traceback:",
            f"{path}:1: in <module>",
            f"    from {module} import step",
            f"E   ImportError: cannot import name 'step' from '{module}' (/workspace/story/{module}.py)",
            f"{' short test summary info ':=^80}",
            f"ERROR {path}",
            f"{' Interrupted: 1 error during collection ':!^80}",
            "1 error in 0.08s",
        ]
    )
    return shell(start, end, command, output, code=2, name="check")


def revert(start: Second, end: Second, *paths: str) -> ToolCall:
    """Files back to their last commit."""
    return shell(start, end, f"git checkout -- {' '.join(paths)}", f"Updated {len(paths)} paths from the index", name="revert")


def commit(start: Second, end: Second, message: str = "Fix it") -> ToolCall:
    """A commit of everything."""
    return shell(start, end, f'git commit -qam "{message}"', name="commit")


def plan(at: Second, *items: str, is_change: bool = False) -> Plan:
    """A plan, written or changed."""
    return Plan(match_id="story", event_id=f"plan-{at:g}", at=moment(at), items=items, is_change=is_change)


def say(at: Second, text: str, confidence: float | None = None, role: str = "assistant") -> Message:
    """Something said."""
    return Message(match_id="story", event_id=f"say-{at:g}", at=moment(at), text=text, confidence=confidence, role=role)


def error(at: Second, message: str, *, error_type: str = "runtime_crash", fingerprint: str = "", resolves: str = "") -> Error:
    """An error that the harness reports by itself."""
    return Error(
        match_id="story",
        event_id=f"error-{at:g}",
        at=moment(at),
        error_type=error_type,
        message=message,
        fingerprint=fingerprint,
        resolves=resolves,
    )


def checkpoint(at: Second, *, score: float | None = None, passed: int = 0, failed: int = 0, sha: str = "") -> Checkpoint:
    """A snapshot by the harness, with a score, or counts of tests, or neither."""
    tests = TestCounts(passed=passed, failed=failed) if passed or failed else None
    return Checkpoint(match_id="story", event_id=f"checkpoint-{at:g}", at=moment(at), score=score, tests=tests, commit=sha)


def started(at: Second = 0) -> RunStarted:
    """The contestant begins."""
    return RunStarted(match_id="story", event_id=f"started-{at:g}", at=moment(at), cwd="/workspace/story", harness="story")


def submit(at: Second, text: str = "") -> Submission:
    """The contestant hands in."""
    return Submission(match_id="story", event_id=f"submit-{at:g}", at=moment(at), text=text)


def ended(at: Second, reason: str = "") -> RunEnded:
    """The contestant stops."""
    return RunEnded(match_id="story", event_id=f"ended-{at:g}", at=moment(at), reason=reason)
