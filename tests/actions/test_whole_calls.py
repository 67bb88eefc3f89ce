"""A call that comes in one event is read by shorter ways; what comes out is what asking, answering and joining gives."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from streams.actions import answer, ask, join, whole
from streams.actions import reply as long_way
from streams.actions.quiet import LOUD, is_quiet
from streams.events import ToolCall

_PATHS = st.sampled_from(["a.py", "/w/src/b.py", "./tests/test_c.py", "docs/d.md", "/tmp/e.py", "../f"])  # noqa: S108
_TEXTS = st.sampled_from(["", "x = 1\n", "def f():\n    return 1\n", "class A: pass", "  x  =  1", "a\nb\nc", "assert x"])
_LINES = st.sampled_from(
    [
        "sed -n 3,9p a.py",
        "cd /w && sed -n '5p' src/b.py",
        "cat -n a.py | sed -n 1,4p",
        "sed -n 1,4p a.py > b.py",
        "sed -n 1,4p -i a.py",
        "grep -rn x src | head",
        "git status --short",
        "python -m pytest -q tests",
        "python -c 'print(1)'",
        "echo hello > notes.txt",
        "sleep 3",
        "git checkout a.py",
        "test -f a.py",
        "ruff check . || true",
        "cat a.py; pytest -q",
    ]
)
_SAID = st.lists(
    st.sampled_from(
        [
            *LOUD,
            "The file a.py has been updated.",
            "File created successfully at: a.py",
            "1 failed, 3 passed in 0.12s",
            "4 passed in 0.10s",
            "FAILED tests/test_c.py::test_x - AssertionError",
            "Traceback (most recent call last):\n",
            "grep: a.py: No such file or directory",
            "bash: pytset: command not found",
            "Exit code 1\n",
            "Exit code: 0",
            "<returncode>1</returncode>",
            "String to replace not found in file.",
            "ok",
            "error_1 = self.handle(token, 2)",
            "\n",
            "   ",
            "all correct",
            "PASS",
        ]
    ),
    max_size=4,
).map(" ".join)


@st.composite
def _calls(draw: st.DrawFn) -> ToolCall:
    arguments: dict[str, Any]
    tool = draw(
        st.sampled_from(["Bash", "Read", "Grep", "Edit", "Write", "mcp__x__frobnicate", "str_replace_editor", "wait", ""])
    )
    if tool in {"Bash", ""}:
        arguments = {"command": draw(_LINES), "timeout": draw(st.integers(0, 9)), "description": "a"}
        arguments |= draw(st.sampled_from([{}, {"run_in_background": True}, {"workdir": "src"}, {"run_in_background": 1}]))
    elif tool in {"Edit", "str_replace_editor"}:
        arguments = {
            "command": "str_replace",
            "file_path": draw(_PATHS),
            "old_string": draw(_TEXTS),
            "new_string": draw(_TEXTS),
        }
    else:
        arguments = {"file_path": draw(_PATHS), "content": draw(_TEXTS), "offset": draw(st.integers(0, 99)), "pattern": "x"}
        arguments |= draw(st.sampled_from([{}, {"paths": ["a.py", "b.py"]}, {"path": 7}, {"path": ""}]))
    return ToolCall(
        match_id="m",
        tool=tool,
        arguments=draw(st.sampled_from([arguments, draw(_LINES), str(arguments)])),
        cwd=draw(st.sampled_from(["", "/w", "/w/"])),
        status=draw(st.sampled_from([None, "ok", "failed", "interrupted", "denied"])),
        exit_code=draw(st.sampled_from([None, 0, 0, 1, 2, 127])),
        output=draw(_SAID),
    )


@settings(max_examples=400)
@given(_calls())
@example(ToolCall(match_id="m", tool="Bash", arguments={"command": "cat x"}, output="cat: x: Permission denied"))
@example(ToolCall(match_id="m", tool="Bash", arguments={"command": "cat x"}, output="y" * 9000 + "panicked at" + "y" * 30000))
def test_a_whole_call_is_its_question_and_answer_joined(event: ToolCall) -> None:
    """The short way and the long way give the same actions, status, error and hash of the output."""
    question = ask(event.tool, event.arguments, event.cwd, event.files)
    read = answer(event.output, event.status, event.exit_code)
    actions = join(question, read)
    short = whole(event)
    assert short.actions == actions
    assert (short.tool, short.sub, short.same) == (question.tool, question.sub, question.same)
    assert short.status == read.status
    assert short.status == "ok" or short.error == read.error
    assert short.out == (read.out if any(action.cls == "other" for action in actions) else 0)


@pytest.mark.parametrize("name", ["_EXIT_MARKS", "_MISSING_MARKS", "_REFUSED_MARKS", "_TRACE", "_DENIED_MARKS"])
def test_no_mark_that_can_tell_a_failure_is_in_a_quiet_output(name: str) -> None:
    """Every text by which the long way sees a failure makes an output loud."""
    assert [mark for mark in sorted(getattr(long_way, name)) if is_quiet(f"before\n{mark} after")] == []


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from(["", "'", '"']))
def test_which_lines_are_shown_changes_nothing_in_what_is_done(first: int, last: int, quote: str) -> None:
    """Looks at different lines of a file have the same actions, and are different calls."""
    one = ask("Bash", {"command": f"sed -n {quote}{first},{last}p{quote} src/a.py"}, "/w")
    other = ask("Bash", {"command": "cd /w && sed -n 0,0p src/a.py"}, "/w")
    assert one.actions == other.actions
    assert one.actions[0].paths == ("src/a.py",)
    assert one.same != other.same
