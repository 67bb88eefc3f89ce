"""A call that comes whole, with question and answer in one event: most do, and most of those went well and say so in no way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from streams.actions.base import Action, Status
from streams.actions.question import asked
from streams.actions.quiet import is_quiet
from streams.actions.reply import hash_of, made_in, told
from streams.actions.together import did_look, joined

if TYPE_CHECKING:
    from streams.actions.shapes import Shape
    from streams.events import ToolCall

_NO_FAILURE: Final = frozenset({0, None})
_NO_WORD: Final = frozenset({"ok", None})


class Whole(Struct, frozen=True, gc=False):
    """What `join` makes of a call's `ask` and `answer`, with what else of the two is kept."""

    tool: str
    sub: str
    same: int
    status: Status
    """The call's own, as its answer has it."""

    actions: tuple[Action, ...]
    error: str
    """Of a call that did not go well."""

    out: int
    """64-bit hash of the output, where one of the actions is of no known class; else 0."""


def whole(event: ToolCall) -> Whole:
    """The same as asking, answering and joining, at a fraction of the cost where the output tells nothing."""
    shape, same = asked(event.tool, event.arguments, event.cwd, event.files)
    well, output = shape.well, event.output
    if well is None or event.exit_code not in _NO_FAILURE or event.status not in _NO_WORD:
        return _read(shape, same, event)
    if shape.looks and did_look(shape.tool, event.status, event.exit_code):
        return Whole(shape.tool, shape.sub, same, "ok", well, "", 0)
    if not is_quiet(output):
        return _read(shape, same, event)
    if shape.edits:
        well = _with_made(well, output)
    return Whole(shape.tool, shape.sub, same, "ok", well, "", hash_of(output) if shape.other else 0)


def _read(shape: Shape, same: int, event: ToolCall) -> Whole:
    read = told(event.output, event.status, event.exit_code)
    actions = joined(shape.tool, shape.sub, shape.actions, read)
    other = any(action.cls == "other" for action in actions)
    return Whole(shape.tool, shape.sub, same, read.status, actions, read.error, hash_of(event.output) if other else 0)


def _with_made(actions: tuple[Action, ...], output: str) -> tuple[Action, ...]:
    """Edits with what the tool says of their file: whether it was made."""
    made = made_in(output)
    return actions if made is None else tuple([_made(action, made=made) for action in actions])


def _made(action: Action, *, made: bool) -> Action:
    created = made and len(action.paths) == 1
    return action if action.cls != "edit" or action.created == created else replace(action, created=created)
