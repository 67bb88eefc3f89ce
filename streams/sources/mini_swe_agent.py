"""mini-swe-agent trajectories (one JSON document): version 1 with commands in the text, version 2 with them as data.

Version 1 has one time a step, the moment when the model was asked, in whole seconds: step k ends, as far as the file
tells, when the model is asked for step k + 1. Version 2 stamps each answer and each observation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar

from streams.events import Event, Message, Micros, Rejected
from streams.sources import mini_outputs
from streams.sources.base import Source, SourceContext, timing
from streams.sources.calls import OpenCall, Script
from streams.sources.rows import document, is_document, items, mapping, string, text_of

_SIGNS = re.compile(rb'(?<!\\)"mini_version"|(?<!\\)"mini-swe-agent-\d|(?<!\\)"minisweagent\.')


class MiniSweAgent(Source):
    """Trajectories of mini-swe-agent, `*.traj.json`; call ids are the numbers of the calls, from 0."""

    name: ClassVar[str] = "mini_swe_agent"
    about: ClassVar[str] = "mini-swe-agent trajectory (JSON), versions 1 and 2"

    def matches(self, head: bytes, name: str) -> float:
        """The harness names itself in the document."""
        if not is_document(head):
            return 0.0
        if _SIGNS.search(head):
            return 0.95
        return 0.3 if name.endswith(".traj.json") and b'"messages"' in head else 0.0

    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """The trajectory's calls and messages."""
        whole = document(file, context)
        if not isinstance(whole.get("messages"), list):
            yield context.rejected("messages", "fields", "the document has no list of messages")
            return
        info = mapping(whole, "info")
        environment = mapping(mapping(info, "config"), "environment")
        script = Script(context.frame(self.name, string(whole, "instance_id")))
        reader = _Reader(context, script, string(environment, "cwd"), string(info, "exit_status"))
        yield from reader.run(items(whole, "messages"))


@dataclass(slots=True)
class _Reader:
    """State of reading one trajectory."""

    context: SourceContext
    script: Script
    cwd: str
    exit_status: str
    _waiting: list[OpenCall] = field(default_factory=list)
    """Calls of the newest answer that have no observation yet, in the order they were asked for."""

    _open_ended: list[OpenCall] = field(default_factory=list)
    """Calls that have ended, as the next step's time will tell when."""

    _early: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Messages before the first time that the file has."""

    _ids: dict[str, OpenCall] = field(default_factory=dict)
    _clock: Micros | None = None
    _count: int = 0

    def run(self, messages: list[Any]) -> Iterator[Event | Rejected]:
        """All messages in order."""
        for place, message in enumerate(messages):
            where = f"messages[{place}]"
            if not isinstance(message, dict):
                self.script.add(place, self.context.rejected(where, "fields", "a message is an object"))
                continue
            try:
                self._take(place, message, last=place == len(messages) - 1)
            except ValueError as error:
                self.script.add(place, self.context.failed(where, error, message))
        self._tell_early(None)
        self._close_open_ended()
        return self.script.items()

    def _take(self, place: int, message: dict[str, Any], *, last: bool) -> None:
        role = string(message, "role")
        if role == "assistant" or message.get("object") == "response":
            self._answer(place, message)
        elif role == "exit":
            self._exit(place, message)
        elif self._waiting and mini_outputs.is_rejection(text_of(message.get("content"))):
            self._refuse(place, message)
        elif self._waiting and self._is_observation(message, last=last):
            self._observe(place, message)
        elif role in {"system", "user", "tool"} or message.get("type") == "message":
            self._say(place, message, "system" if role == "system" else "user")
        else:
            self.context.report.unknown_rows[role or "no role"] += 1

    def _answer(self, place: int, message: dict[str, Any]) -> None:
        self._waiting.clear()
        exact, at = self._asked_at(message)
        if at is not None:
            self._tell_early(at)
            self._clock = at
        commands, said = self._commands(message)
        self._say(place, message, "assistant", said.strip(), at)
        batch = f"step:{place}" if len(commands) > 1 else ""
        for command, tool_call_id in commands:
            call = OpenCall(
                call_id=str(self._count),
                place=place,
                tool="bash",
                arguments={"command": command},
                started_at=at,
                cwd=self.cwd,
                batch_id=batch,
                derived=not exact,
            )
            self._count += 1
            self.script.start(call)
            self._waiting.append(call)
            if tool_call_id:
                self._ids[tool_call_id] = call

    def _asked_at(self, message: dict[str, Any]) -> tuple[bool, Micros | None]:
        """Whether the time is the answer's own (version 2), and the time. An open step of version 1 ends here."""
        extra = mapping(message, "extra")
        if extra.get("timestamp") is not None:
            return True, self.context.time(extra["timestamp"])
        created = mapping(extra, "response").get("created", message.get("created_at"))
        at = self.context.time(created)
        if at is not None:
            for call in self._open_ended:
                call.ended_at = at
            self._open_ended.clear()
        return False, at

    def _close_open_ended(self) -> None:
        """Nothing tells when the last step ended: its start is all that is known."""
        for call in self._open_ended:
            call.ended_at, call.derived = call.started_at, True

    def _commands(self, message: dict[str, Any]) -> tuple[list[tuple[str, str]], str]:
        """Commands with their tool call's id, and what is said beside them."""
        text = mini_outputs.answer_text(message)
        found, said = mini_outputs.commands_in(text)
        actions = mapping(message, "extra").get("actions")
        if isinstance(actions, list):
            named = [(string(action, "command"), string(action, "tool_call_id")) for action in actions]
            named = [entry for entry in named if entry[0]]
            return named, said if named else text
        return ([(found[0], "")], said) if len(found) == 1 else ([], text)

    def _is_observation(self, message: dict[str, Any], *, last: bool) -> bool:
        if "returncode" in mapping(message, "extra") or string(message, "tool_call_id") or string(message, "call_id"):
            return True
        if string(mapping(message, "extra"), "interrupt_type"):
            return False
        text = text_of(message.get("content"))
        if mini_outputs.is_wrapped(text):
            return True
        # The last answer's output stands bare where it is what was submitted; after a limit it is the limit's name.
        return not last or self.exit_status in {"", "Submitted"}

    def _observe(self, place: int, message: dict[str, Any]) -> None:
        call = self._ids.get(string(message, "tool_call_id") or string(message, "call_id")) or self._waiting[0]
        if call in self._waiting:
            self._waiting.remove(call)
        call.place, call.closed = place, True
        extra = mapping(message, "extra")
        if "returncode" in extra:
            mini_outputs.fill_from_data(call, extra)
            call.ended_at = self.context.time(extra.get("timestamp"))
            self._clock = call.ended_at or self._clock
        else:
            mini_outputs.fill_from_text(call, text_of(message.get("content")))
        if call.ended_at is None:
            self._open_ended.append(call)

    def _refuse(self, place: int, message: dict[str, Any]) -> None:
        """A person refuses what was asked for: none of it ran."""
        for call in self._waiting:
            call.place, call.closed, call.status = place, True, "denied"
            call.output = text_of(message.get("content"))
            self._open_ended.append(call)
        self._waiting.clear()

    def _exit(self, place: int, message: dict[str, Any]) -> None:
        """The end of version 2: what was submitted is the output of the call that asked for it."""
        extra = mapping(message, "extra")
        status = string(extra, "exit_status") or self.exit_status
        asking = [call for call in self._waiting if mini_outputs.asks_to_submit(call)]
        if status == "Submitted" and asking:
            call = asking[-1]
            call.place, call.closed, call.status, call.exit_code = place, True, "ok", 0
            self._open_ended.append(call)
            call.output = string(extra, "submission") or text_of(message.get("content"))
        else:
            self._say(place, message, "system", text_of(message.get("content")) or status)
        self._waiting.clear()

    def _say(self, place: int, message: dict[str, Any], role: str, text: str | None = None, at: Micros | None = None) -> None:
        if text is None:
            text = text_of(message.get("content"))
        own = at if at is not None else self.context.time(mapping(message, "extra").get("timestamp"))
        known = own if own is not None else self._clock
        if not text.strip():
            return
        if known is None:
            self._early.append((place, {"role": role, "text": text}))
            return
        exact = "timestamp" in mapping(message, "extra")
        self._add(place, {"role": role, "text": text}, known, exact=exact)

    def _tell_early(self, at: Micros | None) -> None:
        """What was said before the first time is said, at the latest, when the model is first asked."""
        for place, said in self._early:
            self._add(place, said, at, exact=False)
        self._early.clear()

    def _add(self, place: int, said: dict[str, Any], at: Micros | None, *, exact: bool) -> None:
        times = timing(at, derived=not exact)
        self.script.add(place, Message(**self.script.frame, **times, event_id=f"row:{place}", **said))
