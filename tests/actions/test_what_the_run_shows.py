"""Roles that only the rest of the run shows: scratch files, scripts that edit or assert, tests that are the work."""

from __future__ import annotations

import pytest

from streams.actions import Learner, answer, ask, join, learn, revise
from streams.actions.base import Action
from streams.actions.paths import scope_of

Calls = list[tuple[Action, ...]]


def call(line: str, output: str = "", code: int | None = 0) -> tuple[Action, ...]:
    """A shell call with its end."""
    return join(ask("Bash", {"command": line}, "/r"), answer(output, None, code))


def revised(calls: Calls) -> list[list[Action]]:
    """The actions of calls as the whole run shows them."""
    knowledge = learn(calls)
    return [[revise(action, knowledge) for action in actions] for actions in calls]


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("src/a.py", "work"),
        ("README.md", "docs"),
        ("docs/usage.rst", "docs"),
        ("requirements.txt", "work"),
        ("CMakeLists.txt", "work"),
        ("tests/test_a.py", "test"),
        ("pkg/a_test.go", "test"),
        ("src/a.spec.ts", "test"),
        ("src/__tests__/a.ts", "test"),
        ("src/test/java/ATest.java", "test"),
        ("conftest.py", "test"),
        ("/tmp/x.py", "scratch"),
        ("reproduce_issue.py", "scratch"),
        ("debug.py", "scratch"),
        ("a.py.bak", "scratch"),
        ("package-lock.json", "generated"),
        ("dist/a.js", "generated"),
        ("node_modules/x/a.js", "generated"),
        ("src/build/a.py", "work"),
        ("build/a.o", "generated"),
    ],
)
def test_scope_by_place(path: str, scope: str) -> None:
    """Folder and name tell, before the run does."""
    assert scope_of(path) == scope


def test_a_script_that_is_removed_later_was_scratch_all_along() -> None:
    """The earlier edit's scope is revised."""
    calls = [call("cat > look.py <<'EOF'\nimport a\nEOF"), call("sed -i s/a/b/ src/a.py"), call("rm look.py")]
    assert [actions[0].scope for actions in revised(calls)] == ["scratch", "work", "scratch"]


def test_a_script_only_ever_run_beside_an_existing_work_is_scratch() -> None:
    """It was never removed, but nothing else uses it."""
    calls = [call("sed -i s/a/b/ src/a.py"), call("cat > look.py <<'EOF'\nimport a\nEOF\npython look.py", "1")]
    assert revised(calls)[1][0].scope == "scratch"


def test_a_program_that_is_the_task_is_work() -> None:
    """With nothing else changed, the script that is made and run is the work."""
    assert revised([call("cat > hello.py <<'EOF'\nprint(1)\nEOF"), call("python hello.py", "1")])[0][0].scope == "work"


def test_a_test_file_in_the_root_run_as_a_script_is_a_probe() -> None:
    """No framework collected it, and it was thrown away."""
    calls = [
        call("cat > test_cases.py <<'EOF'\nimport a\nprint(a.f())\nEOF"),
        call("python test_cases.py", "1"),
        call("rm test_cases.py"),
    ]
    edit, check, _ = revised(calls)
    assert (edit[0].scope, check[0].kind, check[0].outcome) == ("scratch", "probe", "unknown")


def test_a_script_that_rewrites_sources_is_an_edit_when_run() -> None:
    """Alone on its line too: what it does was seen when it was written."""
    text = "s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s.replace('a', 'b'))\n"
    _, second = revised([call(f"cat > fix.py <<'EOF'\n{text}EOF"), call("python fix.py")])
    assert (second[0].cls, second[0].paths, second[0].scope) == ("edit", ("src/a.py",), "work")


def test_a_script_that_asserts_passes_when_it_exits_well() -> None:
    """Its exit 0 says more than that it ran."""
    calls = [call("cat > verify.py <<'EOF'\nimport a\nassert a.f() == 1\nEOF"), call("python verify.py")]
    assert revised(calls)[1][0].outcome == "passed"


def test_a_file_under_tests_that_is_run_by_itself_and_was_there_is_work() -> None:
    """Named as no runner collects it, it is what the task is about."""
    calls = [call("cat tests/missing.py"), call("sed -i s/a/b/ tests/missing.py"), call("python tests/missing.py", "8.2")]
    assert revised(calls)[1][0].scope == "work"


def test_prose_is_the_work_where_nothing_else_is_changed() -> None:
    """A task about documents has documents as its work; with code changed they are documents again."""
    prose, code = call("sed -i s/a/b/ README.md"), call("sed -i s/a/b/ src/a.py")
    assert revised([prose])[0][0].scope == "work"
    assert revised([prose, code])[0][0].scope == "docs"


def test_names_from_the_root_and_from_the_workspace_are_one_file() -> None:
    """An absolute path ends in the relative one."""
    made = join(ask("create", {"filename": "/testbed/look.py"}), answer("", "ok", None))
    assert revised([made, call("rm look.py")])[0][0].scope == "scratch"


def test_learning_says_when_an_earlier_call_is_seen_anew() -> None:
    """The fold knows when it must be done again."""
    learner = Learner()
    assert not learner.see(call("cat > look.py <<'EOF'\nimport a\nEOF"))
    assert not learner.see(call("ls"))
    assert learner.see(call("rm look.py"))


def test_learning_one_call_at_a_time_gives_what_all_at_once_gives() -> None:
    """Incremental and whole agree at every prefix."""
    calls = [
        call("sed -i s/a/b/ src/a.py"),
        call("cat > x.py <<'EOF'\nimport a\nEOF\npython x.py", "1"),
        call("rm x.py"),
        call("touch y.py"),
    ]
    learner = Learner()
    for index, actions in enumerate(calls):
        learner.see(actions)
        assert learner.knowledge == learn(calls[: index + 1])
