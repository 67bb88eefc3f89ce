"""Tools that are no shell: names of many harnesses, and their arguments."""

from __future__ import annotations

from typing import Any

import pytest

from streams.actions import answer, ask, join
from streams.events import FileChange

CASES: list[tuple[str, Any, list[str]]] = [
    ("Read", {"file_path": "/r/a.py"}, ["explore"]),
    ("Glob", {"pattern": "*"}, ["explore"]),
    ("Grep", {"pattern": "x"}, ["explore"]),
    ("LS", {"path": "/r"}, ["explore"]),
    ("Edit", {"file_path": "/r/a.py", "old_string": "a", "new_string": "b"}, ["edit"]),
    ("MultiEdit", {"file_path": "/r/a.py", "edits": [{"old_string": "a", "new_string": "b"}]}, ["edit"]),
    ("Write", {"file_path": "/r/a.py", "content": "x"}, ["edit"]),
    ("NotebookEdit", {"notebook_path": "/r/a.ipynb", "new_source": "x"}, ["edit"]),
    ("Task", {"prompt": "x"}, ["other"]),
    ("Agent", {"prompt": "x"}, ["other"]),
    ("TodoWrite", {"todos": []}, ["plan"]),
    ("ExitPlanMode", {"plan": "x"}, ["plan"]),
    ("WebFetch", {"url": "https://docs.example.org/x"}, ["explore", "network"]),
    ("WebSearch", {"query": "x"}, ["explore", "network"]),
    ("BashOutput", {"bash_id": "1"}, ["other"]),
    ("KillShell", {"shell_id": "1"}, ["other"]),
    ("shell", {"command": ["bash", "-lc", "rg --files"]}, ["explore"]),
    ("shell", {"command": ["pytest", "-k", "a b"]}, ["check"]),
    ("exec_command", {"cmd": "npm test"}, ["check"]),
    ("write_stdin", {"session_id": 1, "chars": ""}, ["other"]),
    ("apply_patch", "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch", ["edit"]),
    ("update_plan", {"plan": [{"step": "x", "status": "pending"}]}, ["plan"]),
    ("view_image", {"path": "a.png"}, ["explore"]),
    ("open", {"path": "setup.py", "line_number": 3}, ["explore"]),
    ("goto", {"line_number": 3}, ["explore"]),
    ("create", {"filename": "a.py"}, ["edit"]),
    ("edit", {"search": "a", "replace": "b"}, ["edit"]),
    ("insert", {"text": "x", "line": 3}, ["edit"]),
    ("find_file", {"file_name": "a.py"}, ["explore"]),
    ("submit", {}, ["submit"]),
    ("finish", {"message": "x"}, ["submit"]),
    ("str_replace_editor", {"command": "view", "path": "/r/a.py"}, ["explore"]),
    ("str_replace_editor", {"command": "create", "path": "/r/a.py", "file_text": "x"}, ["edit"]),
    ("str_replace_editor", {"command": "undo_edit", "path": "/r/a.py"}, ["revert"]),
    ("execute_bash", {"command": "ls"}, ["explore"]),
    ("execute_ipython_cell", {"code": "open('a.py','w').write('x')"}, ["edit"]),
    ("run_terminal_cmd", {"command": "git checkout -- a.py"}, ["revert"]),
    ("bash", "pytest", ["check"]),
    ("mcp__files__read_text_file", {"path": "a"}, ["explore"]),
    ("mcp__files__write_file", {"path": "a.py", "content": "x"}, ["edit"]),
    ("mcp__github__search_issues", {"query": "a"}, ["explore"]),
    ("mcp__shell__run_command", {"command": "pytest"}, ["check"]),
    ("something_new", {"x": 1}, ["other"]),
    ("", {}, ["other"]),
    ("", "", ["other"]),
]


@pytest.mark.parametrize(("tool", "arguments", "classes"), CASES)
def test_a_tool_is_known_by_its_name_and_arguments(tool: str, arguments: Any, classes: list[str]) -> None:
    """Classes of the actions, in order."""
    assert [action.cls for action in ask(tool, arguments, "/r").actions] == classes


def test_edits_tell_their_lines_paths_and_symbols() -> None:
    """From the arguments alone."""
    (action,) = ask(
        "Edit", {"file_path": "/r/src/a.py", "old_string": "def f():\n  a", "new_string": "def f():\n  b\n  c"}, "/r"
    ).actions
    assert (action.paths, action.added, action.removed, action.symbols, action.scope) == (("src/a.py",), 2, 1, ("f",), "work")


def test_white_space_is_no_change() -> None:
    """An edit that only indents is blank."""
    assert ask("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "  a"}).actions[0].blank


def test_what_the_harness_knows_of_the_files_wins() -> None:
    """Lines and hashes of the event's files replace what the arguments say; a path is taken from there where they name none."""
    files = (FileChange(path="/r/src/a.py", before="1", after="2", added=7, removed=3),)
    (action,) = ask("edit", {"search": "a", "replace": "b"}, "/r", files).actions
    assert (action.paths, action.before, action.after, action.added, action.removed) == (("src/a.py",), "1", "2", 7, 3)


def test_a_plan_whose_states_alone_change_is_the_same_plan() -> None:
    """Ticking an item off is no re-plan; another item is."""
    one, ticked, other = (
        ask("TodoWrite", {"todos": [{"content": text, "status": state}]}).actions[0].after
        for text, state in (("a", "pending"), ("a", "completed"), ("b", "pending"))
    )
    assert one == ticked != other


def test_equal_calls_have_equal_hashes_whatever_the_order_of_their_arguments() -> None:
    """`same` tells repeats."""
    assert ask("Read", {"a": 1, "b": 2}).same == ask("Read", {"b": 2, "a": 1}).same
    assert ask("Read", {"a": 1}).same != ask("Grep", {"a": 1}).same


def test_a_started_service_is_set_up() -> None:
    """A background run checks nothing."""
    assert ask("Bash", {"command": "python app.py", "run_in_background": True}).actions[0].cls == "setup"


def test_a_patch_of_sources_and_tests_is_one_edit_for_each_role() -> None:
    """Scopes are not mixed."""
    files = "".join(f"*** Update File: {name}\n+x\n" for name in ("src/a.py", "src/b.py", "tests/test_a.py"))
    patch = f"*** Begin Patch\n{files}*** End Patch"
    assert [(action.scope, len(action.paths)) for action in ask("apply_patch", patch).actions] == [("work", 2), ("test", 1)]


def test_a_write_says_whether_it_made_the_file() -> None:
    """The tool's answer decides over the guess."""
    question = ask("Write", {"file_path": "a.py", "content": "x"})
    assert join(question, answer("File created successfully at: a.py", "ok", None))[0].created
    assert not join(question, answer("The file a.py has been updated.", "ok", None))[0].created
