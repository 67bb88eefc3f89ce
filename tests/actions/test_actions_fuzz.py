"""Arbitrary input never raises and stays bounded."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.actions import answer, ask, join, learn, revise
from streams.actions.base import Action

TOOLS = st.sampled_from(
    [
        "Bash",
        "Edit",
        "MultiEdit",
        "Write",
        "Read",
        "apply_patch",
        "shell",
        "TodoWrite",
        "str_replace_editor",
        "edit",
        "ipython",
        "mcp__a__b",
        "",
    ]
) | st.text(max_size=20)
JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = [
    "command",
    "cmd",
    "file_path",
    "path",
    "old_string",
    "new_string",
    "content",
    "edits",
    "todos",
    "plan",
    "code",
    "input",
    "workdir",
]
ARGUMENTS = st.text(max_size=200) | st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5)
PIECES = st.sampled_from(
    [
        "pytest",
        "sed -i s/a/b/ x.py",
        "cd a",
        "&&",
        "||",
        "|",
        ";",
        "(",
        ")",
        "\n",
        "<<EOF",
        "EOF",
        "'EOF'",
        ">",
        ">>",
        "&",
        "$(",
        "`",
        '"',
        "'",
        "git checkout -- a",
        "python -c",
        "bash -c",
        "eval",
        "xargs",
        "find . -exec",
        "cat",
        "x.py",
        "--",
        "-",
        "{",
        "}",
        "for i in",
        "do",
        "done",
        "if",
        "then",
        "fi",
        "!",
        "timeout 5",
        "env",
        "sudo",
    ]
)
LINES = st.lists(PIECES | st.text(max_size=6), max_size=25).map(" ".join)
OUTPUTS = st.lists(
    st.sampled_from(
        [
            "1 failed, 2 passed in 0.1s",
            "Ran 3 tests in 1s",
            "FAILED (errors=1)",
            "--- FAIL: T",
            "test result: ok. 1 passed; 0 failed; 0 ignored",
            "Traceback (most recent call last):",
            'File "a.py", line 3',
            "Error: x",
            "Expected 3, got 4",
            "Tests: 1 failed, 2 total",
            "Exit code 1",
            "error TS1",
            "command not found",
            "File created",
        ]
    )
    | st.text(max_size=60),
    max_size=12,
).map("\n".join)


@given(
    TOOLS,
    ARGUMENTS,
    st.text(max_size=10),
    OUTPUTS,
    st.sampled_from([None, "ok", "failed", "interrupted", "pending", "denied"]),
    st.none() | st.integers(-2, 300),
)
@settings(max_examples=300, deadline=None)
def test_any_call_becomes_actions(  # noqa: PLR0917 - hypothesis fills them in order
    tool: str, arguments: Any, cwd: str, output: str, status: str | None, code: int | None
) -> None:
    """Whatever comes, a call has at least one action, and its actions survive a round trip as bytes."""
    actions = join(ask(tool, arguments, cwd), answer(output, status, code))
    assert actions
    knowledge = learn([actions])
    revised = [revise(action, knowledge) for action in actions]
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(revised), type=list[Action]) == revised


@given(LINES, OUTPUTS, st.none() | st.integers(0, 130))
@settings(max_examples=400, deadline=None)
def test_any_shell_line_becomes_actions(line: str, output: str, code: int | None) -> None:
    """Broken syntax too; nothing is pending that the harness says has ended."""
    actions = join(ask("Bash", {"command": line}), answer(output, None, code))
    assert actions
    assert len(actions) <= 60
    assert all(action.outcome in {"passed", "failed", "error", "unknown"} for action in actions if action.cls == "check")


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_output_is_answered_twice_the_same(text: str) -> None:
    """Reading is a function of the text."""
    assert answer(text, None, None) == answer(text, None, None)
    assert len(answer(text, "failed", 1).error) <= 200


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "\n" * 300_000,
        " " * 300_000,
        "=" * 300_000,
        "FAILED " * 40_000,
        "1 passed, " * 30_000,
        "expected got " * 20_000,
        ("x" * 70 + ": ") * 4000,
        'File "' * 50_000,
        "(/" * 100_000,
        "Error: " * 40_000,
        "  1) a\n" + "      b\n" * 30_000,
        "./" * 100_000,
        "\n    at (" * 30_000,
        "1 failed, " + "9" * 100_000,
    ],
)
def test_hostile_outputs_are_answered_in_bounded_time(text: str) -> None:
    """No pattern runs away on repetition."""
    for code in (0, 1, None):
        answer(text, None, code)


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "line",
    [
        "a;" * 50_000,
        "(" * 20_000,
        "a|" * 50_000,
        "bash -c '" * 50 + "ls",
        "eval " * 5000 + "ls",
        "sudo " * 5000 + "ls",
        "$(" * 10_000,
        "if " * 10_000,
        "x" * 500_000,
        "cat <<EOF\n" * 3000,
    ],
)
def test_hostile_lines_are_asked_in_bounded_time(line: str) -> None:
    """Nesting and length have bounds."""
    assert ask("Bash", {"command": line}).actions
