"""What a call asks, read once for all calls that ask the same.

Most calls of a session differ from each other in what their actions do not depend on: the lines that a look shows, a
time-out, a description. Such calls have one shape, and the shape is kept. All caches are bounded in number and in size.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from streams.actions.base import Action
from streams.actions.names import Role, family, role_of
from streams.actions.tools import LOOKED_AT, READERS, SHELL_READS, unknown

_CACHED: Final = 8192
_CACHED_CHARS: Final = 2048
"""Longer arguments seldom repeat, and would fill the cache."""

_MAX_ARGUMENTS: Final = 512 * 1024
_SHELL: Final = frozenset({"bash", ""})
_LOOKS: Final = frozenset({"explore"})
_PLAIN: Final = frozenset({str, int, bool, type(None)})
_COMMANDS: Final = frozenset({"command", "cmd"})
_DEPENDS: Final[dict[Role, frozenset[str]]] = {"shell": SHELL_READS, "read": LOOKED_AT, "search": LOOKED_AT, "look": LOOKED_AT}
"""The arguments that a role's actions depend on, where they are few and mostly short."""

_FILE: Final = r"[A-Za-z0-9_./][A-Za-z0-9_./-]*"
_LINES: Final = re.compile(
    rf"((?:cd {_FILE} && )?(?:(?:cat|nl)(?: -[A-Za-z]+)* {_FILE} \| )?sed -n )"
    rf"(?:'\d{{1,9}}(?:,\d{{1,9}})?p'|\"\d{{1,9}}(?:,\d{{1,9}})?p\"|\d{{1,9}}(?:,\d{{1,9}})?p)((?: {_FILE})*)",
    re.ASCII,
)
"""A look at some lines of a file: which ones they are changes nothing in what is done."""


class Shape(Struct, frozen=True, gc=False):
    """What a call sets out to do, and its actions as they are when it goes well and its output tells nothing."""

    tool: str
    sub: str
    actions: tuple[Action, ...]
    well: tuple[Action, ...] | None
    """None where the output has to be read in any case: a check's outcome is told by it."""

    edits: bool
    """An edit tool's, whose output may say whether the file was there before."""

    looks: bool
    """It only looks at something: where it did, it does not matter what it showed."""

    other: bool
    """One of the actions is of no known class: a poll, of which it matters whether its output changes."""


def shape_of(tool: str, arguments: dict[str, Any] | str, key: bytes | str, cwd: str) -> Shape:
    """The shape of a call; `key` is the text that its arguments are told apart by. Pure, never raises."""
    if type(arguments) is dict and type(key) is bytes and tool:
        role = role_of(tool)
        names = _DEPENDS.get(role)
        if names is not None:
            items = _items(arguments, names)
            if items is not None:
                return _by_items(tool, role, cwd, items)
        elif role != "other" and len(key) > _CACHED_CHARS // 8 and _is_plain(arguments):
            return _read(tool, role, arguments, cwd)
    return _by_key(tool, key, cwd) if len(key) <= _CACHED_CHARS else _by_key.__wrapped__(tool, key, cwd)


def _items(arguments: dict[str, Any], names: frozenset[str]) -> tuple[tuple[str, Any], ...] | None:
    """The arguments that count, as a key; None where one of them is no text, or long."""
    found: list[tuple[str, str | bool]] = []
    size = 0
    for name, value in arguments.items():
        if name not in names:
            continue
        if type(value) is str:
            size += len(value)
            if name in _COMMANDS and "sed -n " in value:
                lines = _LINES.fullmatch(value)
                found.append((name, f"{lines[1]}1p{lines[2]}" if lines else value))
            else:
                found.append((name, value))
        elif type(value) is bool:
            found.append((name, value))
        else:
            return None
    return tuple(found) if size <= _CACHED_CHARS else None


@lru_cache(maxsize=_CACHED)
def _by_items(tool: str, role: Role, cwd: str, items: tuple[tuple[str, Any], ...]) -> Shape:
    return _read(tool, role, dict(items), cwd)


@lru_cache(maxsize=_CACHED)
def _by_key(tool: str, key: bytes | str, cwd: str) -> Shape:
    return _read(tool, role_of(tool), _given(key), cwd)


def _is_plain(arguments: dict[str, Any]) -> bool:
    """Whether they are what they would be after a way through JSON."""
    for value in arguments.values():  # noqa: SIM110 - a generator costs three times as much here
        if type(value) not in _PLAIN:
            return False
    return True


def _read(tool: str, role: Role, given: dict[str, Any], cwd: str) -> Shape:
    try:
        actions = READERS[role](given, cwd) if tool or "command" not in given else unknown(given, cwd)
        if role == "other" and actions == (Action("other"),):
            actions = unknown(given, cwd)
    except RecursionError:
        actions = (Action("other"),)
    return shaped(family(tool, role), actions)


def shaped(tool: str, actions: tuple[Action, ...]) -> Shape:
    """The shape of a tool family's actions."""
    classes = {action.cls for action in actions}
    well = None if "check" in classes else tuple([replace(one, status="ok", masked=False) for one in actions])
    edits = "edit" in classes and tool not in _SHELL
    return Shape(tool, _sub(actions), actions, well, edits, classes <= _LOOKS, "other" in classes)


def _given(key: bytes | str) -> dict[str, Any]:
    """The arguments as an object; a text that is no object is a command or a patch."""
    if isinstance(key, bytes) or key.lstrip()[:1] == "{":
        try:
            value = msgspec.json.decode(key)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
    text = (key if isinstance(key, str) else key.decode("utf-8", "replace"))[:_MAX_ARGUMENTS]
    return {"command": text, "input": text, "code": text} if text else {}


def _sub(actions: tuple[Action, ...]) -> str:
    """The sub-command of the first action that is likely to fail: a check, else an edit, else whatever is first."""
    if len(actions) == 1 and actions[0].cls != "check":
        return actions[0].command[:60]
    for cls in ("check", "revert", "edit", "setup"):
        for action in actions:
            if action.cls == cls and action.command:
                return " ".join(action.command.split()[:2])[:60] if cls == "check" else action.command[:60]
    return actions[0].command[:60] if actions else ""
