"""Tools that are no shell: their arguments into actions, one reader a role."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from streams.actions.base import Action
from streams.actions.commands.editors import file_command
from streams.actions.edits import patch_actions, replaced, text_hash, written
from streams.actions.names import Role
from streams.actions.paths import joined, scope_of, shown
from streams.actions.shell.command import Command
from streams.actions.shell.walk import ShellLine, shell_actions, tidy

Given = dict[str, Any]
Reader = Callable[[Given, str], tuple[Action, ...]]

_PATH: Final = (
    "file_path",
    "path",
    "filename",
    "notebook_path",
    "filePath",
    "target_file",
    "file",
    "relative_path",
    "AbsolutePath",
    "TargetFile",
    "absolute_path",
    "file_name",
    "uri",
    "relative_workspace_path",
    "fileName",
)
_FOLDER_OR_PATH: Final = (*_PATH, "dir", "directory", "dir_path", "target_directory", "DirectoryPath")
_WORKDIR: Final = ("workdir", "cwd", "working_directory", "workingDirectory", "Cwd", "dir")
_BACKGROUND: Final = ("run_in_background", "isBackground", "is_background")
_OLD: Final = ("old_string", "old_str", "oldString", "search", "old_text", "old_content", "oldText", "SEARCH", "find")
_NEW: Final = (
    "new_string",
    "new_str",
    "newString",
    "replace",
    "new_text",
    "new_content",
    "newText",
    "new_source",
    "code_edit",
    "content",
    "text",
    "replacement",
    "replacement_text",
    "body",
)
_TEXT: Final = ("content", "file_text", "contents", "text", "code", "new_str", "file_content", "data", "body")
_COMMAND: Final = ("command", "cmd", "script", "code", "input", "commands", "CommandLine", "command_line", "keystrokes")

SHELL_READS: Final = frozenset({*_COMMAND, *_WORKDIR, *_BACKGROUND})
"""The arguments of a shell call that `shell` looks at."""

LOOKED_AT: Final = frozenset({*_FOLDER_OR_PATH, "paths", "files"})
"""The arguments of a look that `read` looks at."""

_END_OF_EDIT: Final = re.compile(r"\s*((?:edit|insert|append)\b[^\n]*)\n(.*?)\n?end_of_(?:edit|insert|append)\s*\Z", re.DOTALL)
"""SWE-agent's older editor: the new text stands on the lines after the command."""


def first(given: Given, names: tuple[str, ...]) -> str:
    """The first of these arguments that is a text."""
    for name in names:
        if name in given:
            value = given[name]
            if isinstance(value, str) and value:
                return value
    return ""


def _place(given: Given, cwd: str, names: tuple[str, ...] = _PATH) -> str:
    path = first(given, names)
    return _placed(path, cwd) if path else ""


@lru_cache(maxsize=4096)
def _placed(path: str, cwd: str) -> str:
    return shown(joined(cwd, path), cwd)


def _paths(given: Given, cwd: str) -> tuple[str, ...]:
    path = _place(given, cwd, _FOLDER_OR_PATH)
    many = given.get("paths") or given.get("files")
    if not path and isinstance(many, list):
        return tuple(shown(joined(cwd, item), cwd) for item in many if isinstance(item, str))[:20]
    return (path,) if path else ()


def shell(given: Given, cwd: str) -> tuple[Action, ...]:
    """A shell call: its line, in its own folder where it names one."""
    folder = first(given, _WORKDIR)
    root = cwd or folder
    text = command_text(given)
    if not text.strip():
        return (Action("other"),)
    line = ShellLine(root)
    windowed = _END_OF_EDIT.match(text) if "end_of_" in text else None
    if windowed:
        command = Command(tuple(windowed[1].split()), stdin=windowed[2], cwd=root)
        return tidy(line.read(command))
    found = tidy(line.line(text, joined(root, folder) if folder else root))
    if any(name in given and given[name] is True for name in _BACKGROUND):
        found = tuple(line.started(action) for action in found)
    return found or (Action("other", command=text[:80]),)


def command_text(given: Given) -> str:
    """The shell line of the arguments; a list of words is `bash -lc line` or the words themselves."""
    for name in _COMMAND:
        value = given.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list) and value:
            words = [str(word) for word in value]
            if (
                len(words) >= 3
                and words[0].rsplit("/", 1)[-1] in {"bash", "sh", "zsh"}
                and words[1].startswith("-")
                and "c" in words[1]
            ):
                return words[2]
            return " ".join(_quoted(word) for word in words)
    return ""


def _quoted(word: str) -> str:
    plain = word and all(char.isalnum() or char in "-_./=:,@%+" for char in word)
    return word if plain else "'" + word.replace("'", "'\\''") + "'"


def python(given: Given, cwd: str) -> tuple[Action, ...]:
    """A cell of Python code."""
    command = Command(("python", "-c", first(given, _COMMAND)), cwd=cwd)
    return tidy(ShellLine(cwd).read(command)) or (Action("other"),)


def read(given: Given, cwd: str) -> tuple[Action, ...]:
    """A file or folder is looked at."""
    return (Action("explore", _paths(given, cwd)),)


def edit(given: Given, cwd: str) -> tuple[Action, ...]:
    """Replacements in one file, or an edit by line numbers."""
    path = _place(given, cwd)
    if not path and (text := first(given, ("patch", "diff"))):
        return tuple(patch_actions(text, lambda name: shown(joined(cwd, name), cwd)))
    pairs = [(first(item, _OLD), first(item, _NEW)) for item in _edits(given)]
    old = any(old for old, _ in pairs)
    if not old and "code_edit" not in given and (given.get("old_string") == "" or "content" in given):
        return (written(path, pairs[0][1]),) if path else (Action("edit", scope="work"),)
    if not old and not any(new for _, new in pairs):
        return (Action("edit", (path,) if path else (), scope=scope_of(path) if path else "work"),)
    return (_by_lines(given, path) or replaced(path, pairs),)


def _edits(given: Given) -> list[Given]:
    many = given.get("edits") or given.get("replacements") or given.get("ReplacementChunks")
    found = [item for item in many if isinstance(item, dict)] if isinstance(many, list) else []
    return found or [given]


def _by_lines(given: Given, path: str) -> Action | None:
    start, end = given.get("start_line"), given.get("end_line")
    if not isinstance(start, int) or not isinstance(end, int) or first(given, _OLD):
        return None
    new = first(given, _NEW)
    return Action(
        "edit",
        (path,) if path else (),
        scope=scope_of(path) if path else "work",
        added=len(new.splitlines()),
        removed=max(0, end - start + 1),
        blank=False,
    )


def write(given: Given, cwd: str) -> tuple[Action, ...]:
    """A file is written whole."""
    path = _place(given, cwd)
    text = first(given, _TEXT)
    return (written(path, text),) if path else (Action("edit", scope="work", added=len(text.splitlines())),)


def insert(given: Given, cwd: str) -> tuple[Action, ...]:
    """Lines are put into a file."""
    path = _place(given, cwd)
    text = first(given, _NEW)
    return (
        Action(
            "edit",
            (path,) if path else (),
            scope=scope_of(path) if path else "work",
            added=len(text.splitlines()),
            removed=0,
            blank=not text.strip(),
        ),
    )


def editor(given: Given, cwd: str) -> tuple[Action, ...]:
    """The editor with sub-commands."""
    line = ShellLine(cwd)
    sub = str(given.get("command", ""))
    values = {name: value for name, value in given.items() if isinstance(value, str)}
    values.setdefault("new_str", first(given, ("new_str", "insert_text", "new_string")))
    path = first(given, _PATH)
    if sub == "create" and path:
        return (written(line.path(Command((), cwd=cwd), path), values.get("file_text", "")),)
    return tuple(file_command(Command(("editor",), cwd=cwd), line, sub, path, values))


def patch(given: Given, cwd: str) -> tuple[Action, ...]:
    """A patch is applied."""
    text = first(given, ("input", "patch", "patchText", "diff", "patch_text", "", *_COMMAND))
    found = patch_actions(text, lambda name: shown(joined(cwd, name), cwd))
    return tuple(found) or (
        Action("edit", (_place(given, cwd),) if _place(given, cwd) else (), scope="work", command="apply_patch"),
    )


def delete(given: Given, cwd: str) -> tuple[Action, ...]:
    """A file is removed or moved."""
    path = _place(given, cwd, (*_PATH, "source", "destination"))
    return (Action("edit", (path,) if path else (), scope=scope_of(path) if path else "work", command="rm"),)


def undo(given: Given, cwd: str) -> tuple[Action, ...]:
    """The last edit of a file is taken back."""
    path = _place(given, cwd)
    return (
        Action("revert", (path,) if path else (), scope=scope_of(path) if path else "work", takes="last", command="undo_edit"),
    )


def plan(given: Given, cwd: str) -> tuple[Action, ...]:
    """A plan: its items' texts without their states, so that ticking one off is no re-plan."""
    del cwd
    items = given.get("todos") or given.get("plan") or given.get("items") or given.get("todoList") or given.get("task_list")
    texts: list[str] = []
    if isinstance(items, list):
        for item in items:
            text = (
                first(item, ("content", "step", "text", "title", "description", "task"))
                if isinstance(item, dict)
                else str(item)
            )
            texts.append(" ".join(text.split()))
    elif isinstance(items, str):
        texts.append(" ".join(items.split()))
    return (Action("plan", after=text_hash("\n".join(texts)) if texts else ""),)


def _host(url: str) -> str:
    return (
        url.split("://", 1)[-1].split("/", 1)[0].rsplit("@", 1)[-1].split(":", 1)[0] if "." in url or "localhost" in url else ""
    )


def web(given: Given, cwd: str) -> tuple[Action, ...]:
    """A look-up on the web."""
    del cwd
    return (Action("explore"), Action("network", host=_host(first(given, ("url", "uri", "Url"))), method="GET"))


def browse(given: Given, cwd: str) -> tuple[Action, ...]:
    """A browser: on the work's own server a probe, else a look-up."""
    url = first(given, ("url", "uri", "code"))
    if "localhost" in url or "127.0.0.1" in url or url.startswith("file:"):
        return (Action("check", kind="probe", command=f"browse {url}"[:300]),)
    return web(given, cwd) if url else (Action("explore"),)


def plain(cls: Any) -> Reader:
    """A reader for tools whose name says all."""

    def reader(given: Given, cwd: str) -> tuple[Action, ...]:
        del given, cwd
        return (Action(cls),)

    return reader


def unknown(given: Given, cwd: str) -> tuple[Action, ...]:
    """A tool of no known name: a lone shell line tells more than the name, else nothing is known."""
    text = given.get("command") or given.get("cmd")
    if isinstance(text, str) and text and " " in text:
        return shell_actions(text, cwd) or (Action("other"),)
    return (Action("other"),)


READERS: Final[dict[Role, Reader]] = {
    "shell": shell,
    "python": python,
    "read": read,
    "search": read,
    "edit": edit,
    "write": write,
    "editor": editor,
    "patch": patch,
    "insert": insert,
    "delete": delete,
    "undo": undo,
    "plan": plan,
    "web": web,
    "browse": browse,
    "poll": plain("other"),
    "delegate": plain("other"),
    "submit": plain("submit"),
    "checkpoint": plain("checkpoint"),
    "look": read,
    "other": plain("other"),
}
