"""`ask`: a tool and its arguments into what the call sets out to do."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from streams.actions.base import Action, Ask
from streams.actions.paths import scope_of, shown
from streams.actions.shapes import Shape, shape_of, shaped

if TYPE_CHECKING:
    from streams.events.trace import FileChange

_encode = msgspec.json.Encoder(order="deterministic").encode


def ask(tool: str, arguments: dict[str, Any] | str, cwd: str = "", files: Sequence[FileChange] = ()) -> Ask:
    """What a call sets out to do. Pure, never raises; calls of one shape are answered from a cache."""
    shape, same = asked(tool, arguments, cwd, files)
    return Ask(shape.tool, shape.sub, shape.actions, same)


def asked(tool: str, arguments: dict[str, Any] | str, cwd: str, files: Sequence[FileChange]) -> tuple[Shape, int]:
    """The shape of a call, and the 64-bit hash of its tool and arguments."""
    key = _key(arguments)
    raw = key.encode("utf-8", "surrogatepass") if isinstance(key, str) else key
    same = int.from_bytes(blake2b(tool.encode("utf-8", "surrogatepass") + b"\0" + raw, digest_size=8).digest(), "little")
    shape = shape_of(tool, arguments, key, cwd)
    return _with_files(shape, files, cwd) if files else shape, same


def _key(arguments: dict[str, Any] | str) -> bytes | str:
    """What tells arguments apart: equal objects have equal bytes."""
    try:
        return arguments if isinstance(arguments, str) else _encode(arguments)
    except (TypeError, ValueError, msgspec.MsgspecError):
        return repr(arguments)


def _with_files(shape: Shape, files: Sequence[FileChange], cwd: str) -> Shape:
    """What the harness knows of the changed files wins over what the arguments say."""
    edits = [action for action in shape.actions if action.cls in {"edit", "revert"}]
    if not edits:
        return shape
    places = {shown(file.path, cwd): file for file in files}
    actions = tuple(
        _filled(action, places, sole=len(edits) == 1) if action.cls == "edit" else action for action in shape.actions
    )
    return shaped(shape.tool, actions)


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
