"""Codex rollouts (JSON Lines of `{timestamp, type, payload}`).

A call, its output and its end stand in up to three rows, in either order. The end row wins: a long command first answers
that it is running, and its exit code comes later, in its end row or in the output of a poll (`write_stdin`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar, Final

from streams.events import Checkpoint, Context, Error, Event, Message, Micros, Rejected, RunStarted
from streams.sources import codex_output
from streams.sources.base import Source, SourceContext, bounded, timing
from streams.sources.calls import OpenCall, Script
from streams.sources.rows import head_rows, json_rows, mapping, plain, string, text_of

KNOWN_EVENTS: Final = frozenset({
    "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "context_compacted",
    "entered_review_mode", "exec_command_begin", "exited_review_mode", "item_completed", "mcp_tool_call_begin",
    "mcp_tool_call_end", "patch_apply_begin", "plan_update", "task_started", "thread_name_updated", "turn_diff",
    "turn_started", "undo_started", "user_message", "view_image_tool_call", "web_search_begin", "thread_rolled_back",
})  # fmt: skip
"""Events that repeat what other rows say, or that tell nothing about the contestant's work."""

_TYPES: Final = frozenset({"session_meta", "response_item", "event_msg", "turn_context"})
_SIGNS = re.compile(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context)"')
_PAYLOAD = re.compile(rb'"payload"\s*:\s*\{')


class Codex(Source):
    """Rollout files of the Codex command line."""

    name: ClassVar[str] = "codex"
    about: ClassVar[str] = "Codex rollout (JSON Lines)"

    def matches(self, head: bytes, name: str) -> float:
        """Its row types, with a payload."""
        del name
        rows = head_rows(head)
        if not rows:
            return 0.5 if _SIGNS.search(head) and _PAYLOAD.search(head) else 0.0
        return 0.95 if any(string(row, "type") in _TYPES and mapping(row, "payload") for row in rows) else 0.0

    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """The rollout's calls, messages, snapshots and context sizes."""
        rows = list(json_rows(file, context))
        metas = (mapping(row, "payload") for _, row in rows if isinstance(row, dict) and row.get("type") == "session_meta")
        session = next((string(meta, "id") for meta in metas), "")
        reader = _Reader(context, Script(context.frame(self.name, session)))
        for number, row in rows:
            reader.take(number, row)
        yield from reader.script.items()


@dataclass(slots=True)
class _Row:
    """One row with its place and time."""

    number: int
    at: Micros | None
    payload: dict[str, Any]

    @property
    def id(self) -> str:
        return f"row:{self.number - 1}"


@dataclass(slots=True)
class _Reader:
    """State of reading one rollout."""

    context: SourceContext
    script: Script
    _cwd: str = ""
    _started: bool = False
    _batch: str = ""
    """The first of the calls that came since the last row of another kind."""

    _sessions: dict[int, str] = field(default_factory=dict)
    """A running command's session to its call."""

    _ended: set[str] = field(default_factory=set)
    """Calls whose end row was seen: nothing later changes them."""

    _searches: list[tuple[Any, str]] = field(default_factory=list)
    """Hosted searches whose end row came, by what they searched, until their own row comes."""

    def take(self, number: int, row: dict[str, Any] | Rejected) -> None:
        """One row. What is wrong with it becomes `Rejected`."""
        if isinstance(row, Rejected):
            self.script.add(number, row)
            return
        try:
            at = self.context.time(row.get("timestamp"))
            self._row(string(row, "type"), _Row(number, at, mapping(row, "payload")))
        except ValueError as error:
            self.script.add(number, self.context.failed(number, error, row))

    def _row(self, kind: str, row: _Row) -> None:
        sub = string(row.payload, "type")
        if kind == "response_item":
            if sub not in _CALLS:
                self._batch = ""
            self._hand(_ITEMS, f"response_item {sub}", sub, row)
        elif kind == "event_msg":
            if sub not in KNOWN_EVENTS:
                self._hand(_EVENTS, f"event_msg {sub}", sub, row)
        else:
            self._hand(_ROWS, kind, kind, row)

    def _hand(self, table: dict[str, Callable[[_Reader, _Row], None]], name: str, key: str, row: _Row) -> None:
        handle = table.get(key)
        if handle is None:
            self.context.report.unknown_rows[bounded(name)] += 1
        else:
            handle(self, row)

    def _common(self, row: _Row) -> dict[str, Any]:
        return {**self.script.frame, **timing(row.at), "event_id": row.id}

    # rows

    def session_meta(self, row: _Row) -> None:
        """The session begins."""
        self._cwd = string(row.payload, "cwd") or self._cwd
        if not self._started:  # a forked session repeats the one it came from
            self._started = True
            self.script.add(row.number, RunStarted(**self._common(row), cwd=self._cwd, harness="codex"))

    def turn_context(self, row: _Row) -> None:
        """The working folder of what follows."""
        self._cwd = string(row.payload, "cwd") or self._cwd

    def compacted(self, row: _Row) -> None:
        """The history is replaced by a summary."""
        self._say(row, "system", string(row.payload, "message"))

    # response items

    def message(self, row: _Row) -> None:
        """Something said; a developer's message is the harness's."""
        role = string(row.payload, "role")
        role = {"developer": "system", "": "system"}.get(role, role)
        self._say(row, role, text_of(row.payload.get("content")))

    def _say(self, row: _Row, role: str, text: str) -> None:
        if text.strip():
            self.script.add(row.number, Message(**self._common(row), role=role, text=text))

    def call(self, row: _Row) -> None:
        """A function or custom tool is called."""
        payload = row.payload
        call_id = string(payload, "call_id") or string(payload, "id") or row.id
        arguments = codex_output.arguments(payload)
        call = OpenCall(
            call_id=call_id,
            place=row.number,
            tool=codex_output.tool_name(payload),
            arguments=plain(arguments),
            started_at=row.at,
            cwd=string(arguments, "workdir") or self._cwd,
            batch_id=self._batch,
        )
        if not self.script.start(call):
            self.context.report.repeated_rows += 1
        elif not self._batch:
            self._batch = call_id
        elif first := self.script.calls.get(self._batch):
            first.batch_id = self._batch

    def output(self, row: _Row) -> None:
        """A call's output; where its end row came first, the output adds what that left open."""
        call = self.script.calls.get(string(row.payload, "call_id"))
        if call is None:
            self.context.report.unknown_rows["output without its call"] += 1
            return
        answer = codex_output.read_answer(row.payload.get("output"))
        if call.call_id in self._ended:
            if len(answer.output) > len(call.output):
                call.output = answer.output
            return
        if call.closed:
            self.context.report.repeated_rows += 1
            return
        call.place, call.ended_at, call.closed = row.number, row.at, True
        call.output, call.exit_code, call.status = answer.output, answer.exit_code, answer.status
        if call.tool == "write_stdin":
            self._polled(call, answer)
        elif answer.session is not None:
            self._sessions[answer.session] = call.call_id

    def _polled(self, poll: OpenCall, answer: codex_output.Answer) -> None:
        """A poll's output belongs to the command too; its exit code counts where no end row gives one."""
        session = codex_output.session_of(poll.arguments)
        if answer.session is not None:
            poll.status = "ok"  # the poll itself is over; what it polls still runs
        elif answer.exit_code is not None:
            poll.status, poll.exit_code = "ok", None  # the code is the command's
        call = self.script.calls.get(self._sessions.get(session, "") if session is not None else "")
        if call is None or call.call_id in self._ended or call.status != "pending":
            return
        call.output += answer.output
        if answer.exit_code is not None:
            call.exit_code, call.status = answer.exit_code, "ok" if answer.exit_code == 0 else "failed"
            call.ended_at, call.place = poll.ended_at, poll.place

    def snapshot(self, row: _Row) -> None:
        """The harness's own snapshot before a turn: no result, no score."""
        commit = string(mapping(row.payload, "ghost_commit"), "id")
        self.script.add(row.number, Checkpoint(**self._common(row), label="ghost_snapshot", commit=commit))

    def search(self, row: _Row) -> None:
        """A hosted search's own row, before or after its end row."""
        action = plain(row.payload.get("action"))
        call_id = string(row.payload, "id")
        for index, (searched, known) in enumerate(self._searches):
            if known == call_id or (not call_id and searched == action):
                del self._searches[index]
                return
        self._searched(row, call_id or row.id, action, string(row.payload, "status"))

    # events

    def search_end(self, row: _Row) -> None:
        """A hosted search ends; its start is not on record."""
        call_id = string(row.payload, "call_id") or row.id
        action = plain(row.payload.get("action")) or {"type": "search", "query": string(row.payload, "query")}
        if call_id in self.script.calls:
            self.script.calls[call_id].ended_at = row.at
            return
        self._searches.append((action, call_id))
        self._searched(row, call_id, action, "completed")

    def _searched(self, row: _Row, call_id: str, action: Any, status: str) -> None:
        call = OpenCall(
            call_id=call_id,
            place=row.number,
            tool="web_search",
            arguments=action if isinstance(action, dict) else "",
            started_at=row.at,
            ended_at=row.at,
            status="failed" if status in {"failed", "incomplete"} else "ok",
            cwd=self._cwd,
            closed=True,
            derived=True,
        )
        self.script.start(call)

    def exec_end(self, row: _Row) -> None:
        """A command ends: its exit code, its time and its whole output."""
        call = self._ending(row)
        if call is None:
            return
        answer = codex_output.read_exec_end(row.payload)
        call.exit_code, call.status = answer.exit_code, answer.status
        if len(answer.output) > len(call.output):
            call.output = answer.output
        call.cwd = string(row.payload, "cwd") or call.cwd

    def patch_end(self, row: _Row) -> None:
        """A patch was applied or refused: the files with their line counts."""
        call = self._ending(row)
        if call is None:
            return
        done = row.payload.get("success") is True
        call.status = "ok" if done else "denied" if string(row.payload, "status") == "declined" else "failed"
        call.output = string(row.payload, "stdout") + string(row.payload, "stderr") or call.output
        call.files = codex_output.changed_files(mapping(row.payload, "changes")) if done else ()

    def _ending(self, row: _Row) -> OpenCall | None:
        call = self.script.calls.get(string(row.payload, "call_id"))
        if call is None:
            self.context.report.unknown_rows["end without its call"] += 1
            return None
        if call.call_id in self._ended:
            self.context.report.repeated_rows += 1
            return None
        self._ended.add(call.call_id)
        call.place, call.ended_at, call.closed = row.number, row.at, True
        return call

    def undo(self, row: _Row) -> None:
        """A turn's changes are taken back by the harness, on the user's word."""
        call = OpenCall(
            call_id=row.id,
            place=row.number,
            tool="undo",
            started_at=row.at,
            ended_at=row.at,
            status="ok" if row.payload.get("success") is True else "failed",
            output=string(row.payload, "message"),
            cwd=self._cwd,
            closed=True,
            derived=True,
        )
        self.script.start(call)

    def tokens(self, row: _Row) -> None:
        """How full the context is."""
        info = mapping(row.payload, "info")
        tokens = mapping(info, "last_token_usage").get("total_tokens")
        window = info.get("model_context_window")
        if isinstance(tokens, int) and 0 < tokens < 1 << 40:
            window = window if isinstance(window, int) and 0 <= window < 1 << 40 else 0
            self.script.add(row.number, Context(**self._common(row), tokens=tokens, window=window))

    def error(self, row: _Row) -> None:
        """The harness reports an error of its own."""
        message = string(row.payload, "message")
        self.script.add(row.number, Error(**self._common(row), error_type="harness_error", message=message))

    def aborted(self, row: _Row) -> None:
        """The user or the harness stops a turn."""
        self._say(row, "system", f"turn aborted: {string(row.payload, 'reason') or 'no reason given'}")

    def turn_done(self, row: _Row) -> None:
        """The contestant's turn ends. What it says repeats the message before it; that it worked until here is new."""
        self.script.add(row.number, Message(**self._common(row), role="assistant"))

    def nothing(self, row: _Row) -> None:
        """A row that tells nothing about the work."""


_CALLS: Final = frozenset({"function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "reasoning"})
_ROWS: Final[dict[str, Callable[[_Reader, _Row], None]]] = {
    "session_meta": _Reader.session_meta,
    "turn_context": _Reader.turn_context,
    "compacted": _Reader.compacted,
}
_ITEMS: Final[dict[str, Callable[[_Reader, _Row], None]]] = {
    "message": _Reader.message,
    "function_call": _Reader.call,
    "custom_tool_call": _Reader.call,
    "local_shell_call": _Reader.call,
    "tool_search_call": _Reader.call,
    "function_call_output": _Reader.output,
    "custom_tool_call_output": _Reader.output,
    "tool_search_output": _Reader.output,
    "web_search_call": _Reader.search,
    "ghost_snapshot": _Reader.snapshot,
    "reasoning": _Reader.nothing,
    "compaction": _Reader.nothing,
}
_EVENTS: Final[dict[str, Callable[[_Reader, _Row], None]]] = {
    "exec_command_end": _Reader.exec_end,
    "patch_apply_end": _Reader.patch_end,
    "web_search_end": _Reader.search_end,
    "undo_completed": _Reader.undo,
    "token_count": _Reader.tokens,
    "error": _Reader.error,
    "turn_aborted": _Reader.aborted,
    "task_complete": _Reader.turn_done,
    "turn_complete": _Reader.turn_done,
}
