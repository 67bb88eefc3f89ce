"""`join`: what a call set out to do and how it ended, as final actions."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from streams.actions.base import Action, Answer, Ask, Status
from streams.actions.verdicts import outcome

_PROBING: Final = (
    "No such file",
    "ermission denied",
    "fatal:",
    "command not found",
    "sage:",
    "nvalid option",
    "unrecognized",
    "Traceback",
)
_SHELL: Final = frozenset({"bash", ""})


@lru_cache(maxsize=4096)
def joined(tool: str, sub: str, actions: tuple[Action, ...], answer: Answer) -> tuple[Action, ...]:
    """What `join` gives: the same command ends in the same way more often than not."""
    return join(Ask(tool, sub, actions), answer)


def join(ask: Ask, answer: Answer) -> tuple[Action, ...]:
    """The actions of a call with status, outcome and counts. Pure; the same halves give the same whole."""
    actions = ask.actions
    if looked(ask, answer.status, answer.exit_code):
        return went_well(ask)
    if answer.status == "denied":
        paths = tuple(dict.fromkeys(path for action in actions for path in action.paths))
        return (Action("denied", paths[:20], status="denied", command=ask.sub),)
    if answer.status == "pending":
        return tuple(_pending(action) for action in actions)
    failed = answer.status in {"failed", "interrupted"} or answer.exit_code not in {0, None}
    if not failed and len(actions) == 1:
        return (_final(actions[0], answer, ask, guilty=False, shared=False),)
    culprit = _culprit(actions, answer) if failed else -1
    kept = actions[: culprit + 1] if 0 <= culprit < len(actions) - 1 and not actions[culprit].masked else actions
    rest = actions[len(kept) :]
    alive = (*kept, *(action for action in rest if action.masked))
    shared = sum(action.cls == "check" and action.kind == "test" for action in alive) > 1
    return tuple(_final(action, answer, ask, guilty=index == culprit, shared=shared) for index, action in enumerate(alive))


def looked(ask: Ask, status: str | None, exit_code: int | None) -> bool:
    """Whether the call only looks at something, and did: then it does not matter what it showed."""
    if not did_look(ask.tool, status, exit_code):
        return False
    for action in ask.actions:  # noqa: SIM110 - a generator costs three times as much here
        if action.cls != "explore":
            return False
    return True


def did_look(tool: str, status: str | None, exit_code: int | None) -> bool:
    """Whether a look went well.

    A tool that is no shell has no exit code; where one seems to be told it is part of what was looked at.
    """
    return status == "ok" and (exit_code == 0 or tool not in _SHELL)


def went_well(ask: Ask) -> tuple[Action, ...]:
    """The actions of a call that went well, none of which is a check."""
    actions = ask.actions
    if len(actions) == 1:
        return (replace(actions[0], status="ok", masked=False),)
    return tuple([replace(action, status="ok", masked=False) for action in actions])


def _pending(action: Action) -> Action:
    if action.cls == "check":
        return replace(action, status="pending", outcome="pending", masked=False)
    return replace(action, status="pending", masked=False)


def _culprit(actions: tuple[Action, ...], answer: Answer) -> int:
    """Which action the failure belongs to: the one the message names, else the last whose exit code it can be."""
    if len(actions) == 1:
        return 0 if not (actions[0].masked and answer.exit_code is not None) else -1
    open_ones = [index for index, action in enumerate(actions) if not action.masked and action.cls not in {"network", "claim"}]
    if not open_ones:
        return -1
    for index in open_ones:
        name = actions[index].command.split(" ", 1)[0]
        if name and answer.error.startswith(
            (f"{name}: ", f"bash: {name}:", "error: pathspec" if name == "git" else f"{name}: ")
        ):
            return index
    if answer.runs or answer.trace or answer.missing:
        checks = [index for index in open_ones if actions[index].cls == "check"]
        if checks:
            return checks[-1] if not answer.runs or len(checks) == 1 else _failing_check(actions, checks, answer)
    return open_ones[-1]


def _failing_check(actions: tuple[Action, ...], checks: list[int], answer: Answer) -> int:
    """Of several checks the first whose framework's run failed."""
    bad = {run.framework for run in answer.runs if run.outcome in {"failed", "error"}}
    return next((index for index in checks if actions[index].framework in bad), checks[-1])


def _final(action: Action, answer: Answer, ask: Ask, *, guilty: bool, shared: bool) -> Action:
    if action.cls == "check":
        return outcome(action, answer, guilty=guilty, shared=shared)
    status = _status(action, answer, ask, guilty=guilty)
    if action.cls == "edit" and answer.made is not None and ask.tool not in _SHELL:
        return replace(action, status=status, masked=False, created=answer.made and len(action.paths) == 1)
    return replace(action, status=status, masked=False) if status or action.masked else action


def _status(action: Action, answer: Answer, ask: Ask, *, guilty: bool) -> Status:
    if answer.status == "interrupted":
        return "interrupted" if guilty or action.cls != "edit" else "ok"
    if action.cls in {"edit", "revert"}:
        return "failed" if guilty or _edit_refused(action, answer, ask) else "ok"
    if not guilty:
        return "ok"
    if action.cls == "explore" and answer.exit_code == 1 and not any(mark in answer.error for mark in _PROBING):
        return "ok"
    return "failed"


def _edit_refused(action: Action, answer: Answer, ask: Ask) -> bool:
    """An edit tool's refusal counts though the call went through; a shell's text counts only where it is the editor's."""
    editor = ask.tool not in _SHELL or action.command in {
        "edit",
        "insert",
        "create",
        "str_replace_editor",
        "apply_patch",
        "patch",
    }
    if answer.refused and editor:
        return True
    name = action.command.split(" ", 1)[0]
    return bool(name) and answer.error.startswith(f"{name}: ") and ask.tool in _SHELL
