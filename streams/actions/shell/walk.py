"""The actions of a shell line: each simple command read by its family, then put together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from msgspec.structs import replace

from streams.actions.base import UNKNOWN, Action
from streams.actions.commands import handlers
from streams.actions.commands.base import Handler, simple
from streams.actions.commands.scripts import run_script
from streams.actions.edits import written
from streams.actions.paths import joined, scope_of, shown
from streams.actions.shell.command import Command
from streams.actions.shell.lines import commands

MAX_DEPTH: Final = 8
MAX_ACTIONS: Final = 60
_WRITERS: Final = frozenset({"cat", "echo", "printf", ":", "true", "yes", "envsubst"})
_OWN_SCRIPTS: Final = frozenset({"test", "install"})
"""Programs whose name a project's own script often bears."""

_SERVED: Final = frozenset({"probe", ""})
_THIN: Final = frozenset({"other"})


@cache
def _table() -> dict[str, Handler]:
    return handlers()


class ShellLine:
    """One line being read: its workspace, and what its commands wrote so far."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.written: dict[str, str] = {}
        self.depth = 0

    def path(self, command: Command, word: str) -> str:
        """A word as a path, relative to the workspace where it lies in it."""
        return shown(joined(command.cwd, word), self.root)

    def again(self, command: Command, words: Iterable[str]) -> list[Action]:
        """Another command in the same surroundings."""
        self.depth += 1
        try:
            return self.read(command.with_words(list(words))) if self.depth <= MAX_DEPTH else []
        finally:
            self.depth -= 1

    def inner(self, command: Command, text: str) -> list[Action]:
        """A line inside a command. What hides the command's exit code hides its commands' too."""
        self.depth += 1
        try:
            return self.line(text, command.cwd, masked=command.masked) if self.depth <= MAX_DEPTH else []
        finally:
            self.depth -= 1

    def line(self, text: str, cwd: str, *, masked: bool = False) -> list[Action]:
        """The actions of all commands of a line, in order."""
        found = commands(text, cwd)
        if not self.root:
            self.root = next(
                (one.args[0] for one in found if one.name == "cd" and one.args and one.args[0].startswith("/")), ""
            )
        groups: list[list[Action]] = []
        pipeline = 0
        for command in found:
            read = self.read(replace(command, masked=True) if masked else command)
            if command.pipeline and command.pipeline == pipeline and groups:
                groups[-1].extend(read)
            else:
                groups.append(read)
            pipeline = command.pipeline
        return [action for group in groups for action in _weighed(group)]

    def read(self, command: Command) -> list[Action]:
        """One command by its family, then its redirects."""
        if not command.words or not command.words[0]:
            return []
        if command.background:
            return [self.started(action) for action in self.by_name(command)]
        found = self.by_name(command)
        return self.redirected(command, found) if command.outputs else found

    def by_name(self, command: Command) -> list[Action]:
        """The command's own actions, redirects aside."""
        name, first = command.name, command.words[0]
        handler = _table().get(name)
        if handler is not None and not (name in _OWN_SCRIPTS and first.startswith(("./", "bin/"))):
            return handler(command, self)
        if name in {"manage.py", "setup.py"}:
            return self.again(command, ["python", *command.words])
        if "/" in first and not first.startswith(("$", "-")):
            return run_script(command, self, "", first, command.args)
        return simple("other", command)

    def started(self, action: Action) -> Action:
        """Started in the background: a service, no check of anything."""
        return (
            Action("setup", action.paths, command=action.command)
            if action.cls == "check" and action.kind in _SERVED
            else action
        )

    def redirected(self, command: Command, found: list[Action]) -> list[Action]:
        """Output into a file is an edit of that file, unless it only keeps what a check or a look printed."""
        if command.name == "git" and (earlier := self.brought_back(command)):
            return earlier
        plain = command.name in _WRITERS or command.stdin is not None
        checking = any(action.cls in {"check", "setup", "submit", "revert", "checkpoint"} for action in found)
        edits: list[Action] = []
        for target, append in command.outputs:
            path = self.path(command, target)
            if target.startswith(("/dev/", "&")) or checking:
                continue
            if not plain and scope_of(path) in {"scratch", "generated"}:
                continue
            text = self.text(command)
            self.written[path] = (self.written.get(path, "") if append else "") + text
            made = written(path, text, masked=command.masked, append=append, command=command.name)
            edits.append(made if self.shows(command) else replace(made, added=UNKNOWN, after="", blank=False))
        if not edits:
            return found
        return [*(action for action in found if action.cls not in {"explore", "other"}), *edits]

    def brought_back(self, command: Command) -> list[Action]:
        """`git show REV:path > path`: the file as it was."""
        target = command.outputs[0][0]
        if command.args[:1] != ("show",) or not any(word.endswith(f":{target}") for word in command.args):
            return []
        path = self.path(command, target)
        return [Action("revert", (path,), scope=scope_of(path), takes="all", command="git show", masked=command.masked)]

    @staticmethod
    def shows(command: Command) -> bool:
        """Whether the line shows what the command writes."""
        return command.stdin is not None or command.name in {"echo", "printf", ":", "true"}

    def text(self, command: Command) -> str:
        """What is written, as far as the line shows it."""
        if command.name in {"echo", "printf"}:
            return " ".join(word for word in command.args if not word.startswith("-")) + "\n"
        return command.stdin or ""


def _weighed(group: list[Action]) -> list[Action]:
    """Of a pipeline, what does something: filters behind a check or an edit look at its output only."""
    if len(group) == 1:
        return group
    doing = [action for action in group if action.cls not in {"explore", "other"}]
    if any(action.cls == "check" for action in doing):
        doing = [action for action in doing if action.command != "tee"]
    only_network = doing and all(action.cls == "network" for action in doing)
    if doing and not only_network:
        return doing
    return group


def shell_actions(text: str, cwd: str) -> tuple[Action, ...]:
    """The actions of a shell line, repeated looks and edits of one call merged, side steps dropped."""
    line = ShellLine(cwd)
    return tidy(line.line(text, cwd))


def tidy(found: list[Action]) -> tuple[Action, ...]:
    """Actions of one call as they count: its looks are one, its edits of the same files one, `cd` and `mkdir` nothing."""
    if len(found) == 1:
        return tuple(found)
    merged: dict[object, Action] = {}
    for index, action in enumerate(found):
        key = _key(action, index)
        before = merged.get(key)
        merged[key] = action if before is None else _merge(before, action)
    actions = list(merged.values())
    if any(action.cls == "submit" for action in actions):
        actions = [action for action in actions if action.cls not in {"explore", "other"}]
    telling = [action for action in actions if action.cls not in _THIN]
    if telling and not all(action.cls == "network" for action in telling):
        actions = telling
    return tuple(actions[:MAX_ACTIONS])


def _key(action: Action, index: int) -> object:
    if action.cls in {"explore", "setup", "other", "submit", "plan"}:
        return action.cls
    if action.cls in {"edit", "revert"} and action.paths:
        return (action.cls, action.paths, action.takes)
    if action.cls == "network":
        return (action.cls, action.host, action.method)
    return index


def _merge(first: Action, second: Action) -> Action:
    """Two actions of one call as one."""
    if first.cls != "edit":
        paths = tuple(dict.fromkeys((*first.paths, *second.paths)))[:50]
        return replace(first, paths=paths, masked=first.masked and second.masked)
    known = min(first.added, first.removed, second.added, second.removed) >= 0
    return replace(
        first,
        added=first.added + second.added if known else -1,
        removed=first.removed + second.removed if known else -1,
        blank=first.blank and second.blank,
        created=first.created,
        before=first.before,
        after=second.after,
        symbols=tuple(dict.fromkeys((*first.symbols, *second.symbols)))[:10],
        masked=second.masked,
        asserts=first.asserts or second.asserts,
        writes=second.writes or first.writes,
    )
