"""SWE-agent trajectories (`.traj`, one JSON document): one call a step, no exit codes, no absolute times.

The step's number, from 0, is the call's id. Tools called by name keep it with their arguments; a step that the model
wrote as text is a `bash` call of that text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Final

from streams.events import Event, FileChange, Message, Rejected
from streams.sources.base import Source, SourceContext
from streams.sources.calls import OpenCall, Script
from streams.sources.rows import document, is_document, items, mapping, parse, plain, string, text_of

_STEPS = re.compile(rb'"trajectory"\s*:\s*\[')
_FAILED = re.compile(
    r"introduced new syntax error|\AYour edit was not applied|\ACOMMAND TIMED OUT|\AEXECUTION TIMED OUT"
    r"|\AThe command .{0,400} was cancelled because it took more than",
    re.DOTALL,
)
_OPEN_FILE_EDITORS: Final = frozenset({"edit", "insert", "append", "create"})
_NO_FILE: Final = frozenset({"", "n/a"})


_Named = dict[str, deque[tuple[str, dict[str, Any]]]]
"""By action text: tool name and arguments of the calls that the history has, in order."""


class SweAgent(Source):
    """Trajectories of SWE-agent."""

    name: ClassVar[str] = "swe_agent"
    about: ClassVar[str] = "SWE-agent trajectory (.traj, JSON)"

    def matches(self, head: bytes, name: str) -> float:
        """A list of steps with observations is the sign; the ending alone counts little."""
        if not is_document(head):
            return 0.0
        if _STEPS.search(head) and b'"observation"' in head:
            return 0.9
        return 0.4 if name.endswith(".traj") else 0.0

    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """The trajectory's calls and messages."""
        whole = document(file, context)
        if not isinstance(whole.get("trajectory"), list):
            yield context.rejected("trajectory", "fields", "the document has no list of steps named trajectory")
            return
        reader = _Reader(context, Script(context.frame(self.name, _instance(whole))), _named_calls(whole))
        yield from reader.run(whole)


def _instance(whole: dict[str, Any]) -> str:
    name = string(whole, "environment")
    return "" if name in {"main", "swe_main"} else name


@dataclass(slots=True)
class _Reader:
    """State of reading one trajectory."""

    context: SourceContext
    script: Script
    named: _Named
    _cwd: str = ""

    def run(self, whole: dict[str, Any]) -> Iterator[Event | Rejected]:
        """What was asked, then all steps in order."""
        self._asked(items(whole, "history"))
        for index, step in enumerate(items(whole, "trajectory")):
            if isinstance(step, dict):
                self._step(index, step)
            else:
                self.script.add(index, self.context.rejected(f"trajectory[{index}]", "fields", "a step is an object"))
        return self.script.items()

    def _asked(self, history: list[Any]) -> None:
        """The messages before the first step: the system's and the task. Demonstrations are not this run's."""
        for index, message in enumerate(history):
            role = string(message, "role")
            if role == "assistant" and not _is_demo(message):
                return
            if role in {"system", "user"} and not _is_demo(message):
                self._say(-1, f"history:{index}", role, text_of(message.get("content")))

    def _step(self, index: int, step: dict[str, Any]) -> None:
        state = _state(step.get("state"))
        cwd_after = string(state, "working_dir")
        self._say(index, f"row:{index}", "assistant", string(step, "thought") or string(step, "response"))
        action = string(step, "action").strip()
        if action:
            try:
                self._call(index, step, action, state)
            except ValueError as error:
                self.script.add(index, self.context.failed(f"trajectory[{index}]", error, action))
        self._cwd = cwd_after or self._cwd

    def _call(self, index: int, step: dict[str, Any], action: str, state: dict[str, Any]) -> None:
        tool, arguments = self._tool(action)
        output = string(step, "observation").replace("\r\n", "\n")
        call = OpenCall(
            call_id=str(index),
            place=index,
            tool=tool,
            arguments=arguments,
            cwd=self._cwd or string(state, "working_dir"),
            output=output,
            closed=isinstance(step.get("observation"), str),
        )
        if _FAILED.search(output[:2000]):
            call.status = "failed"
        elif not output:
            call.status = "ok"  # the harness prints nothing where a command prints nothing; no more is known
        call.files = _edited(tool, action, call, state)
        self.script.start(call)

    def _tool(self, action: str) -> tuple[str, dict[str, Any] | str]:
        """The tool by its name where the history has the call, else the shell."""
        waiting = self.named.get(action)
        tool, arguments = waiting.popleft() if waiting else ("bash", {})
        return (tool, plain(arguments)) if tool != "bash" else (tool, {"command": action})

    def _say(self, place: int, event_id: str, role: str, text: str) -> None:
        if text.strip():
            message = Message(**self.script.frame, event_id=event_id, at_source="none", role=role, text=text)
            self.script.add(place, message)


def _edited(tool: str, action: str, call: OpenCall, state: dict[str, Any]) -> tuple[FileChange, ...]:
    """The file that the windowed editor works on: its commands do not name it, the harness's state does."""
    name = action.split(maxsplit=1)[0] if tool == "bash" else tool
    path = string(state, "open_file")
    if name not in _OPEN_FILE_EDITORS or path in _NO_FILE or call.status == "failed":
        return ()
    return (FileChange(path=path),)


def _is_demo(message: Any) -> bool:
    return isinstance(message, dict) and (message.get("is_demo") is True or message.get("message_type") == "demonstration")


def _state(state: Any) -> dict[str, Any]:
    """A step's state: an object, or in older files JSON text."""
    if isinstance(state, str):
        try:
            state = parse(state.encode(errors="replace"))
        except ValueError:
            return {}
    return state if isinstance(state, dict) else {}


def _named_calls(whole: dict[str, Any]) -> _Named:
    calls: _Named = {}
    for message in items(whole, "history"):
        if string(message, "role") != "assistant" or _is_demo(message):
            continue
        for tool_call in items(message, "tool_calls")[:1]:
            function = mapping(tool_call, "function")
            arguments = _arguments(function.get("arguments"))
            if string(function, "name") and arguments is not None:
                waiting = calls.setdefault(string(message, "action").strip(), deque())
                waiting.append((string(function, "name"), arguments))
    return calls


def _arguments(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        try:
            value = parse(value.encode(errors="replace"))
        except ValueError:
            return None
    return value if isinstance(value, dict) else None
