"""Both halves of a call together: status, outcome, and whose failure it was."""

from __future__ import annotations

import pytest

from streams.actions import answer, ask, join
from streams.actions.base import Action

PASSED = "===== 3 passed in 0.1s =====\n"
FAILED = "FAILED tests/a.py::test_x - assert 0\n===== 1 failed, 2 passed in 0.1s =====\n"
TRACE = 'Traceback (most recent call last):\n  File "/repo/src/a.py", line 3, in f\nValueError: x\n'


@pytest.mark.parametrize(
    ("line", "output", "code", "outcome"),
    [
        ("pytest", PASSED, 0, "passed"),
        ("pytest", FAILED, 1, "failed"),
        ("pytest", "===== 2 errors in 0.29s =====", 1, "failed"),
        ("pytest", "Interrupted: 1 error during collection\n== 1 error in 0.1s ==", 2, "error"),
        ("pytest x.py", "ERROR: file or directory not found: x.py\n\nno tests ran in 0.00s", 4, "error"),
        ("pytest", "no tests ran in 0.01s", 5, "error"),
        ("pytest", "bash: pytest: command not found", 127, "error"),
        ("python -m pytest", "/usr/bin/python: No module named pytest", 1, "error"),
        ("pytest", FAILED, None, "failed"),
        ("pytest", PASSED, None, "passed"),
        ("pytest | tail -3", FAILED, 0, "failed"),
        ("pytest || true", PASSED, 0, "passed"),
        ("pytest | tail -1", "nothing to tell", 0, "unknown"),
        ("pytest", "", 124, "error"),
        ("go test ./...", "FAIL\tx [build failed]\n", 1, "error"),
        ("cargo test", "error: could not compile `x`", 101, "error"),
        ("npm test", 'npm ERR! Missing script: "test"', 1, "error"),
        ("npm test", " Test Files  1 failed (1)\n      Tests  1 failed (1)\n", 1, "failed"),
        ("make", "a.c:1:2: error: x\nmake: *** [a.o] Error 1", 2, "failed"),
        ("make foo", "make: *** No rule to make target 'foo'.  Stop.", 2, "error"),
        ("mypy src", "Found 1 error in 1 file", 1, "failed"),
        ("ruff check x", "error: unrecognized option", 2, "error"),
        ("python a.py", "8.2", 0, "unknown"),
        ("python a.py", "8.2", None, "unknown"),
        ("python a.py", TRACE, 1, "failed"),
        ("python a.py | head", TRACE, 0, "failed"),
        ("python a.py", "ModuleNotFoundError: No module named 'foo'", 1, "error"),
        ("python a.py", "python: can't open file 'a.py': [Errno 2] No such file or directory", 2, "error"),
        ("python a.py", "case 1: PASS\ncase 2: FAIL\n", 0, "failed"),
        ("python a.py", "Error: cannot be called\n", 0, "failed"),
        ("python a.py", "Expected 3, got 4\n", 0, "failed"),
        ("python a.py", "Expected 3, got 3\n", 0, "unknown"),
        ("python a.py", "ValueError: raised as expected\n", 0, "unknown"),
        ("python a.py", "Success! it was written\n", 0, "passed"),
        ("python a.py", "Issue reproduced: x\n", 0, "failed"),
        ("python a.py", "Issue not reproduced\n", 0, "passed"),
        ("python -c 'import a; assert a.f() == 1'", "", 0, "passed"),
        ("python -c 'import a; print(a.f())'", "1", 0, "unknown"),
        ("node x.js", "Error: Cannot find module '/x.js'", 1, "error"),
    ],
)
def test_a_checks_outcome_follows_exit_code_then_summary_then_prints(
    run, line: str, output: str, code: int | None, outcome: str
) -> None:
    """Exit code first; where it is hidden or absent the framework's summary; for a probe what it prints of itself."""
    (check,) = [action for action in run(line, output, code) if action.cls == "check"]
    assert check.outcome == outcome


def test_an_outcome_that_rests_on_prints_is_weak(run) -> None:
    """A program's own word is marked."""
    assert run("python a.py", "FAIL: x", 0)[0].weak
    assert not run("python a.py", TRACE, 1)[0].weak


def test_counts_names_and_places_are_kept(run) -> None:
    """A failing check says how many, which, and where."""
    (check,) = run("pytest", 'File "/repo/src/a.py", line 3\n' + FAILED, 1)
    assert (check.passed, check.failed, check.failing, check.places) == (2, 1, ("tests/a.py::test_x",), ("/repo/src/a.py",))


def test_an_edit_before_a_failing_check_is_not_failed(run) -> None:
    """The failure of `sed … && pytest` is the check's."""
    edit, check = run("sed -i s/a/b/ x.py && pytest", FAILED, 1)
    assert (edit.status, check.outcome) == ("ok", "failed")


def test_what_never_ran_is_no_action(run) -> None:
    """After a failing check an `&&` list ends: nothing is committed."""
    assert [action.cls for action in run("pytest && git commit -m x", FAILED, 1)] == ["check"]


def test_the_message_names_the_command_that_failed(run) -> None:
    """`sed: can't read` is the edit's failure; the check behind it never ran."""
    found = run("sed -i s/a/b/ x.py && pytest", "sed: can't read x.py: No such file or directory", 2)
    assert [(action.cls, action.status) for action in found] == [("edit", "failed")]


QUESTIONS = [
    "test -f a",
    "[ -d a ]",
    "[[ -f a ]]",
    '[[ "$a" == b ]]',
    "[ -f a ] && echo there",
    "cd src && [ -f a ]",
    "test -f a -a -f b",
]


@pytest.mark.parametrize("line", ["grep x a", "diff a b", "rg x", "test -f a && cat a", "grep x a | head", *QUESTIONS])
def test_probing_exits_are_no_failures(run, line: str) -> None:
    """`grep` 1, `diff` 1 and `test` 1 are answers."""
    assert [action.status for action in run(line, "", 1)] == ["ok"]


def test_an_edit_is_not_blamed_for_what_a_question_behind_it_answers(run) -> None:
    """The exit code is the last command's."""
    found = run("sed -i s/a/b/ x.py && [ -f y.py ]", "", 1)
    assert [(action.cls, action.status, action.paths) for action in found] == [
        ("edit", "ok", ("x.py",)),
        ("explore", "ok", ("y.py",)),
    ]


@pytest.mark.parametrize(
    ("line", "output", "code"),
    [("[ -f a", "bash: [: missing `]'", 2), ("test -f a b", "bash: test: a: binary operator expected", 2), ("false", "", 1)],
)
def test_a_question_that_cannot_be_asked_has_failed(run, line: str, output: str, code: int) -> None:
    """An exit code above 1 is no answer, nor is that of a command that asks nothing."""
    assert [action.status for action in run(line, output, code)] == ["failed"]


@pytest.mark.parametrize(
    "line", ["if [ -f a ]; then pytest; fi", "[ -d build ] || mkdir build", "while test -f a; do sleep 1; done"]
)
def test_a_question_that_only_steers_is_no_look(run, line: str) -> None:
    """Its answer is not the call's."""
    assert "explore" not in {action.cls for action in run(line, "", 0)}


def test_a_look_up_with_error_text_is_failed(run) -> None:
    """A missing folder is no answer."""
    assert run("rg x nowhere", "rg: nowhere: No such file or directory (os error 2)", 2)[0].status == "failed"


def test_a_refused_edit_is_failed() -> None:
    """String not found, file not read, linter refusal: nothing was changed."""
    question = ask("Edit", {"file_path": "/r/a.py", "old_string": "a", "new_string": "b"}, "/r")
    for text in ("String to replace not found in file.", "File has not been read yet. Read it first before writing to it."):
        assert join(question, answer(text, "failed", None))[0].status == "failed"
    edit = ask("edit", {"search": "a", "replace": "b"})
    assert join(edit, answer("Your proposed edit has introduced new syntax error(s).", None, None))[0].status == "failed"


def test_a_refused_call_is_denied_whatever_it_was(run) -> None:
    """Refused by a person or a policy: one `denied`, no failure."""
    (action,) = run("pytest && rm a.py", "The user doesn't want to proceed with this tool use.", None, "failed")
    assert (action.cls, action.status) == ("denied", "denied")


def test_a_running_call_is_pending(run) -> None:
    """Its outcome comes later."""
    assert run("pytest", "", None, "pending")[0].outcome == "pending"


def test_an_interrupted_check_could_not_run(run) -> None:
    """Stopped is neither passed nor failed."""
    assert run("pytest", "", None, "interrupted")[0].outcome == "error"


def test_two_checks_of_one_summary_are_told_apart_by_the_failing_names(run) -> None:
    """`pytest a; pytest b`: what failed says which."""
    first, second = run("pytest tests/a.py; pytest tests/b.py", FAILED + PASSED, 0)
    assert (first.outcome, second.outcome) == ("failed", "passed")


def test_join_is_a_function_of_its_halves(run) -> None:
    """The same halves give the same whole, whatever else was joined."""
    assert run("pytest", FAILED, 1) == run("pytest", FAILED, 1)


def test_a_told_exit_code_is_read_from_the_text() -> None:
    """Harnesses that write it into the output are understood."""
    assert answer("Exit code 2\nboom", "failed", None).exit_code == 2
    assert answer("<returncode>1</returncode>\n<output>\n</output>", None, None).status == "failed"


def test_no_masked_flag_survives_the_join(run) -> None:
    """It says something about the line, not about the action."""
    found: tuple[Action, ...] = run("sed -i s/a/b/ x; pytest | tail; git stash | cat", PASSED, 0)
    assert found
    assert not any(action.masked for action in found)
