"""Runs as hypothesis makes them: any mix of what contestants do, with real commands and real-looking output."""

from __future__ import annotations

from hypothesis import strategies as st

from streams.events import Checkpoint, Error, Event, Message, Micros, Plan, RunStarted, Submission, TestCounts, ToolCall
from streams.events.decode import settle

T0 = 1_767_225_600_000_000
FILES = ("src/a.py", "src/b.py", "tests/test_a.py", "README.md", "repro.py")


def _pytest_output(passed: int, failing: tuple[str, ...]) -> str:
    lines = [f"FAILED tests/test_a.py::{name} - AssertionError" for name in failing]
    counts = ", ".join(part for part in (f"{len(failing)} failed" if failing else "", f"{passed} passed") if part)
    return "\n".join([*lines, f"{counts} in 0.12s"])


@st.composite
def _doing(draw: st.DrawFn) -> dict[str, object]:
    sorts = ["read", "edit", "edit", "check", "check", "revert", "fail", "grep", "probe", "missing", "make", "remove"]
    sort = draw(st.sampled_from(sorts))
    path = draw(st.sampled_from(FILES))
    if sort == "read":
        return {"tool": "read", "arguments": {"file_path": path}, "status": "ok", "output": "text"}
    if sort == "edit":
        old, new = draw(st.sampled_from([("x", "y"), ("y", "x"), ("p", "q\nr")]))
        arguments = {"file_path": path, "old_string": old, "new_string": new}
        return {"tool": "edit", "arguments": arguments, "status": draw(st.sampled_from(["ok", "ok", "failed"]))}
    if sort == "check":
        failing = tuple(sorted(draw(st.sets(st.sampled_from(["test_x", "test_y", "test_z"]), max_size=3))))
        command = draw(st.sampled_from(["pytest -q", "pytest tests/test_a.py", "cd src && python -m pytest -q"]))
        return _bash(command, _pytest_output(5 - len(failing), failing), 1 if failing else 0)
    if sort == "revert":
        commands = [f"git checkout -- {path}", "git stash", "git stash pop", "git reset --hard"]
        return _bash(draw(st.sampled_from(commands)), "", 0)
    if sort == "fail":
        return _bash(f"sed -i 's/a/b/' {path}", f"sed: can't read {path}: No such file or directory", 2)
    if sort == "grep":
        return _bash(f"grep -rn needle {path}", "", 1)
    if sort == "make":
        path = draw(st.sampled_from(["repro.py", "check_it.py"]))
        arguments = {"file_path": path, "content": "import a\nassert a.f() == 1\n"}
        return {"tool": "Write", "arguments": arguments, "status": "ok", "output": "File created successfully"}
    if sort == "remove":
        return _bash(draw(st.sampled_from(["rm repro.py", "rm -f check_it.py repro.py"])), "", 0)
    if sort == "probe":
        trace = 'Traceback (most recent call last):\n  File "src/a.py", line 3'
        return _bash("python repro.py", draw(st.sampled_from(["ok", trace])), 0)
    return _bash("pytest -q", "bash: pytest: command not found", 127)


def _bash(command: str, output: str, code: int) -> dict[str, object]:
    status = "ok" if code == 0 else "failed"
    return {"tool": "bash", "arguments": {"command": command}, "status": status, "output": output, "exit_code": code}


@st.composite
def runs(draw: st.DrawFn, *, most: int = 25, contestant: str = "c") -> list[Event]:
    """The events of one run in the order in which they happened; a call comes in one event or in two."""
    at, events = T0, []
    base = {"match_id": "m", "contestant_id": contestant, "producer": "h"}
    for number in range(draw(st.integers(0, most))):
        at += draw(st.integers(0, 90)) * 1_000_000
        names = {**base, "event_id": f"{contestant}{number}", "seq": number, "at": Micros(at)}
        sort = draw(st.sampled_from(["call"] * 8 + ["say", "error", "checkpoint", "plan"]))
        if sort == "say":
            events.append(Message(**names, role=draw(st.sampled_from(["assistant", "user"])), text="so it is"))
        elif sort == "error":
            events.append(Error(**names, error_type="runtime_crash", message=draw(st.sampled_from(["boom", "bang"]))))
        elif sort == "checkpoint":
            passed = draw(st.integers(0, 5))
            events.append(Checkpoint(**names, tests=TestCounts(passed=passed, failed=5 - passed)))
        elif sort == "plan":
            events.append(Plan(**names, items=(draw(st.sampled_from(["look", "fix"])),)))
        else:
            phases = draw(st.sampled_from(["one", "one", "two", "two", "open"]))
            events += _call(names, draw(_doing()), draw(st.integers(0, 40)), phases=phases)
            at = int(events[-1].at or at)
    if draw(st.booleans()):
        events.append(RunStarted(**base, event_id=f"{contestant}-start", at=Micros(T0)))
    if draw(st.booleans()):
        events.append(Submission(**base, event_id=f"{contestant}-submit", at=Micros(at + 1_000_000)))
    return [settle(event) for event in events]


def _call(names: dict, doing: dict, seconds: int, *, phases: str) -> list[Event]:
    start = names["at"]
    end = Micros(start + seconds * 1_000_000)
    call = f"call-{names['event_id']}"
    if phases == "one":
        return [ToolCall(**{**names, "at": end}, call_id=call, started_at=start, ended_at=end, **doing)]
    asked = {"tool": doing["tool"], "arguments": doing["arguments"]}
    told = {key: value for key, value in doing.items() if key not in asked}
    begun = ToolCall(**names, call_id=call, started_at=start, **asked)
    if phases == "open":
        return [begun]
    names = {**names, "event_id": f"{names['event_id']}-end", "seq": None, "at": end}
    return [begun, ToolCall(**names, call_id=call, started_at=start, ended_at=end, **told)]
