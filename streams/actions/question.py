"""`ask`: a tool and its arguments into what the call sets out to do."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from streams.actions.base import Action, Ask
from streams.actions.names import family, role_of
from streams.actions.paths import scope_of, shown
from streams.actions.tools import READERS, unknown

if TYPE_CHECKING:
    from streams.events.trace import FileChange

_CACHED: Final = 8192
_CACHED_CHARS: Final = 16 * 1024
"""Longer arguments seldom repeat, and would fill the cache."""

_MAX_ARGUMENTS: Final = 512 * 1024
_encode = msgspec.json.Encoder(order="deterministic").encode


def ask(tool: str, arguments: dict[str, Any] | str, cwd: str = "", files: Sequence[FileChange] = ()) -> Ask:
    """What a call sets out to do. Pure, never raises; equal calls are answered from a cache."""
    if isinstance(arguments, str):
        key: bytes | str = arguments
    else:
        try:
            key = _encode(arguments)
        except (TypeError, ValueError, msgspec.MsgspecError):
            key = repr(arguments)
    name = (tool, key, cwd)
    question = _known.get(name)
    if question is None:
        question = _read(tool, key, cwd, arguments)
        if len(key) <= _CACHED_CHARS:
            if len(_known) >= _CACHED:
                _known.clear()
            _known[name] = question
    return _with_files(question, files, cwd) if files else question


_known: Final[dict[tuple[str, bytes | str, str], Ask]] = {}
"""Questions by tool, arguments and folder."""


def _read(tool: str, key: bytes | str, cwd: str, arguments: dict[str, Any] | str) -> Ask:
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    same = int.from_bytes(blake2b(tool.encode("utf-8", "surrogatepass") + b"\0" + raw, digest_size=8).digest(), "little")
    role = role_of(tool)
    given = arguments if isinstance(arguments, dict) else _given(arguments)
    try:
        actions = READERS[role](given, cwd) if tool or "command" not in given else unknown(given, cwd)
        if role == "other" and actions == (Action("other"),):
            actions = unknown(given, cwd)
    except RecursionError:
        actions = (Action("other"),)
    return Ask(family(tool, role), _sub(actions), actions, same)


def _given(arguments: str) -> dict[str, Any]:
    """The arguments as an object; a text that is no object is a command or a patch."""
    if arguments.lstrip()[:1] == "{":
        try:
            value = msgspec.json.decode(arguments)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
    text = arguments[:_MAX_ARGUMENTS]
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


def _with_files(question: Ask, files: Sequence[FileChange], cwd: str) -> Ask:
    """What the harness knows of the changed files wins over what the arguments say."""
    edits = [action for action in question.actions if action.cls in {"edit", "revert"}]
    if not edits:
        return question
    places = {shown(file.path, cwd): file for file in files}
    actions = tuple(
        _filled(action, places, sole=len(edits) == 1) if action.cls == "edit" else action for action in question.actions
    )
    return replace(question, actions=actions)


def _filled(action: Action, places: dict[str, FileChange], *, sole: bool) -> Action:
    mine = {path: file for path, file in places.items() if path in action.paths}
    if not mine:
        if not sole:
            return action
        mine = places
    paths = action.paths if set(mine) <= set(action.paths) else tuple(mine)
    added = [file.added for file in mine.values()]
    removed = [file.removed for file in mine.values()]
    one = next(iter(mine.values())) if len(mine) == 1 and len(paths) == 1 else None
    return replace(
        action,
        paths=paths,
        scope=action.scope if paths == action.paths else scope_of(paths[0]),
        added=sum(count or 0 for count in added) if all(count is not None for count in added) else action.added,
        removed=sum(count or 0 for count in removed) if all(count is not None for count in removed) else action.removed,
        before=one.before if one and one.before else action.before,
        after=one.after if one and one.after else action.after,
        created=action.created and not (one and one.before),
    )
