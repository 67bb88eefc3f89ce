"""The text commands of SWE-agent's editor, which stand among shell commands in its trajectories."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import UNKNOWN, Action
from streams.actions.commands.base import Handler, Line, edit, explore, simple
from streams.actions.edits import patch_actions
from streams.actions.patches import change, symbols_in
from streams.actions.paths import scope_of
from streams.actions.shell.command import Command, options

_RANGE: Final = re.compile(r"^\d+:\d+$")


def _open(command: Command, line: Line) -> list[Action]:
    paths = [word for word in command.args if not word.isdigit() and not word.startswith("-")]
    return explore(command, line, paths[:1])


def _look(command: Command, line: Line) -> list[Action]:
    return explore(command, line)


def _search(command: Command, line: Line) -> list[Action]:
    """`search_dir term [dir]`, `search_file term [file]`, `find_file name [dir]`."""
    return explore(command, line, command.args[1:2])


def _create(command: Command, line: Line) -> list[Action]:
    name = command.args[:1]
    return edit(command, line, name, added=0, removed=0, created=True, blank=True) or simple("other", command)


def _edit(command: Command, line: Line) -> list[Action]:
    """`edit 'old' 'new'`, `edit 12:20 …`, `insert 'text' 12`: in the file that is open, which the output names."""
    del line
    args = [word for word in command.args if not word.startswith("--")]
    added, removed, blank = UNKNOWN, UNKNOWN, False
    symbols: tuple[str, ...] = ()
    if args and _RANGE.match(args[0]):
        first, last = (int(part) for part in args[0].split(":"))
        removed = max(0, last - first + 1)
        added = len(command.stdin.splitlines()) if command.stdin is not None else UNKNOWN
        symbols = symbols_in(command.stdin or "")
    elif len(args) >= 2 and command.name == "edit":
        added, removed, blank, _ = change(args[0], args[1])
        symbols = symbols_in(args[1])
    elif args and command.name == "insert":
        added, removed = args[0].count("\n") + 1, 0
        blank = not args[0].strip()
        symbols = symbols_in(args[0])
    return [
        Action(
            "edit",
            (),
            scope="work",
            added=added,
            removed=removed,
            blank=blank,
            symbols=symbols,
            command=command.name,
            masked=command.masked,
        )
    ]


def _str_replace_editor(command: Command, line: Line) -> list[Action]:
    """`str_replace_editor view|create|str_replace|insert|undo_edit path [--option value]…`."""
    args = list(command.args)
    sub = args[0] if args else ""
    path = args[1] if len(args) > 1 else ""
    given = {
        args[index].removeprefix("--"): args[index + 1] for index in range(2, len(args) - 1) if args[index].startswith("--")
    }
    return file_command(command, line, sub, path, given)


def file_command(command: Command, line: Line, sub: str, path: str, given: dict[str, str]) -> list[Action]:
    """One command of the editor, with its values by name."""
    if sub == "view":
        return explore(command, line, [path] if path else [])
    if sub == "undo_edit":
        shown = (line.path(command, path),) if path else ()
        return [Action("revert", shown, scope=scope_of(shown[0]) if shown else "work", takes="last", command="undo_edit")]
    if sub == "create":
        text = given.get("file_text", "")
        line.written[line.path(command, path)] = text
        return edit(command, line, [path], added=text.count("\n") + bool(text), removed=0, created=True, blank=not text.strip())
    if sub == "insert":
        text = given.get("new_str", "")
        return edit(command, line, [path], added=text.count("\n") + bool(text), removed=0, blank=not text.strip())
    if sub == "str_replace":
        added, removed, blank, _ = change(given.get("old_str", ""), given.get("new_str", ""))
        return edit(command, line, [path], added=added, removed=removed, blank=blank)
    return simple("other", command)


def _submit(command: Command, line: Line) -> list[Action]:
    del line
    return simple("submit", command)


def _undo(command: Command, line: Line) -> list[Action]:
    operands = options(command.args)[1]
    return [
        Action(
            "revert", tuple(line.path(command, word) for word in operands[:1]), scope="work", takes="last", command=command.name
        )
    ]


def _apply_patch(command: Command, line: Line) -> list[Action]:
    """Codex's `apply_patch <<EOF` or `apply_patch '…'` in a shell line."""
    text = command.stdin or (command.args[0] if command.args else "")
    return patch_actions(text, lambda path: line.path(command, path)) or simple("other", command)


HANDLERS: dict[str, Handler] = {
    "open": _open,
    "goto": _look,
    "scroll_up": _look,
    "scroll_down": _look,
    "search_dir": _search,
    "search_file": _search,
    "find_file": _search,
    "filemap": _open,
    "create": _create,
    "edit": _edit,
    "insert": _edit,
    "str_replace_editor": _str_replace_editor,
    "submit": _submit,
    "undo_edit": _undo,
    "apply_patch": _apply_patch,
    "applypatch": _apply_patch,
    "exit_cost": _submit,
    "exit_context": _submit,
    "exit_forfeit": _submit,
    "view_image": _open,
}
