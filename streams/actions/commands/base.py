"""What every family of commands uses: the line it stands in, and short ways to write actions down."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol

from streams.actions.base import UNKNOWN, Action, ActionClass, CheckKind
from streams.actions.paths import scope_of, shown, widest
from streams.actions.shell.command import Command


class Line(Protocol):
    """The shell line that a command stands in."""

    root: str
    """The workspace, as far as it is known."""

    written: dict[str, str]
    """Text that earlier commands of the line wrote, by shown path."""

    def path(self, command: Command, word: str) -> str:
        """A word of the command as a path, as it is kept in actions."""
        ...

    def again(self, command: Command, words: Iterable[str]) -> list[Action]:
        """The actions of another command in the same surroundings: what a wrapper runs."""
        ...

    def inner(self, command: Command, text: str) -> list[Action]:
        """The actions of a shell line inside a command: `bash -c`, `eval`."""
        ...


Handler = Callable[[Command, Line], list[Action]]

QUIET: Final = frozenset(
    {
        "-v",
        "-vv",
        "-vvv",
        "-q",
        "-qq",
        "--verbose",
        "--quiet",
        "-s",
        "--silent",
        "--no-color",
        "--color",
        "--colors",
        "--no-colors",
        "--nocapture",
        "--no-progress",
        "--progress",
        "--no-header",
        "--no-summary",
        "--stacktrace",
        "--info",
        "--debug",
        "-B",
        "--batch-mode",
    }
)
"""Words that change what is printed, never what is checked."""


def explore(command: Command, line: Line, words: Iterable[str] = ()) -> list[Action]:
    """A read of the files and folders named by `words`."""
    paths = tuple(dict.fromkeys([line.path(command, word) for word in words]))
    return [Action("explore", paths[:20], command=command.name)]


def simple(cls: ActionClass, command: Command, paths: tuple[str, ...] = ()) -> list[Action]:
    """An action of a class that needs no more than its paths."""
    return [Action(cls, paths, command=" ".join(command.words[:2])[:80])]


def edit(  # noqa: PLR0913 - what an edit is known by
    command: Command,
    line: Line,
    words: Iterable[str],
    *,
    added: int = UNKNOWN,
    removed: int = UNKNOWN,
    created: bool = False,
    blank: bool = False,
) -> list[Action]:
    """A change of the files named by `words`; none when it names none."""
    named = tuple(dict.fromkeys(line.path(command, word) for word in words if word))[:50]
    if not named:
        return []
    paths = tuple(path for path in named if path != "." and "$(" not in path and "`" not in path)
    scope = widest([scope_of(path) for path in paths]) or "work"
    return [
        Action(
            "edit",
            paths,
            scope=scope,
            added=added,
            removed=removed,
            created=created,
            blank=blank,
            command=command.name,
            masked=command.masked,
        )
    ]


_ALL: Final = frozenset({".", "./", "./...", "..."})
"""Targets that name everything."""


def check(  # noqa: PLR0913 - what a check is known by
    command: Command,
    line: Line,
    kind: CheckKind,
    runner: str,
    *,
    kept: Iterable[str] = (),
    targets: Iterable[str] = (),
    framework: str = "",
    asserts: bool = False,
) -> list[Action]:
    """A check: `runner` and what is `kept` of its words make the normalised command, with its targets and folder."""
    seen = tuple(dict.fromkeys(_target(command, line, word) for word in targets if word not in _ALL))[:20]
    folder = shown(command.cwd, line.root)
    inside = folder not in {"", "."} and folder != line.root and not folder.startswith(("/", "~", "$"))
    words = [runner, *kept, *seen, *([f"@{folder}"] if inside else [])]
    paths = tuple(dict.fromkeys(word.split("::", 1)[0] for word in seen))
    return [
        Action(
            "check",
            paths,
            kind=kind,
            framework=framework,
            command=" ".join(word for word in words if word)[:300],
            targets=seen,
            masked=command.masked,
            asserts=asserts,
        )
    ]


def _target(command: Command, line: Line, word: str) -> str:
    path, mark, test = word.partition("::")
    return line.path(command, path) + mark + test


def loud(words: Iterable[str]) -> list[str]:
    """The words without those that only change what is printed."""
    return [word for word in words if word not in QUIET and not word.startswith(("--color=", "--verbosity=", "--log-level="))]


def is_informative(args: tuple[str, ...]) -> bool:
    """Asks only for a version or for help."""
    return len(args) == 1 and args[0] in {"--version", "-V", "-version", "--help", "-h", "help", "version", "-v"}
