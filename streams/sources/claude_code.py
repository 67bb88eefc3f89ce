"""Claude Code session files (JSON Lines): the main session with side-chains inline, or one sub-agent's `agent-*.jsonl`.

A call's `tool_use` and its `tool_result` stand in two rows: they become one event at the result. The rows of one
response share a message id, so calls issued together are a batch. File order is not time order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar, Final

from streams.events import Context, Event, Message, Micros, Rejected
from streams.sources import claude_results
from streams.sources.base import Source, SourceContext, bounded, timing
from streams.sources.calls import OpenCall, Script
from streams.sources.rows import head_rows, json_rows, mapping, plain, string, text_of

KNOWN_ROWS: Final = frozenset({
    "attachment", "custom-title", "file-history-snapshot", "last-prompt", "mode", "permission-mode", "pr-link",
    "progress", "queue-operation", "summary", "system", "tag", "agent-name", "agent-color", "agent-setting", "ai-title",
})  # fmt: skip
"""Row types that are known to tell nothing about the contestant's work."""

_OWN_FIELDS: Final = ("sessionId", "leafUuid", "parentUuid", "isSnapshotUpdate")
_SIGNS = re.compile(rb'(?<!\\)"(?:sessionId|parentUuid)(?<!\\)"\s*:')


class ClaudeCode(Source):
    """Session files as Claude Code keeps them, one row a message block."""

    name: ClassVar[str] = "claude_code"
    about: ClassVar[str] = "Claude Code session (JSON Lines)"

    def matches(self, head: bytes, name: str) -> float:
        """A row's own fields are the sign."""
        del name
        rows = head_rows(head)
        if not rows:
            return 0.5 if _SIGNS.search(head) else 0.0
        own = (_is_row(row) and any(field in row for field in _OWN_FIELDS) for row in rows)
        return 0.9 if any(own) else 0.0

    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """The session's calls, messages and context sizes."""
        rows = list(json_rows(file, context))
        session = next((string(row, "sessionId") for _, row in rows if isinstance(row, dict) and "sessionId" in row), "")
        reader = _Reader(context, Script(context.frame(self.name, session)))
        for number, row in rows:
            reader.take(number, row)
        yield from reader.finish()


def _is_row(row: dict[str, Any]) -> bool:
    return string(row, "type") in {"user", "assistant"} or string(row, "type") in KNOWN_ROWS


@dataclass(slots=True)
class _Reader:
    """State of reading one session."""

    context: SourceContext
    script: Script
    _seen: set[str] = field(default_factory=set)
    _sized: set[str] = field(default_factory=set)
    _chains: dict[str, str] = field(default_factory=dict)
    """Row id in a side-chain to the delegation's call id."""

    _prompts: dict[str, str] = field(default_factory=dict)
    """A delegation's prompt to its call id."""

    _shells: dict[str, str] = field(default_factory=dict)
    """A background shell's id to the call that started it."""

    _agents: dict[str, str] = field(default_factory=dict)
    """A sub-agent to the delegation whose result names it."""

    def take(self, number: int, row: dict[str, Any] | Rejected) -> None:
        """One row. What is wrong with it becomes `Rejected`."""
        if isinstance(row, Rejected):
            self.script.add(number, row)
            return
        try:
            self._row(number, row)
        except ValueError as error:
            self.script.add(number, self.context.failed(number, error, row))

    def _row(self, number: int, row: dict[str, Any]) -> None:
        kind = string(row, "type")
        if kind == "progress" and string(mapping(row, "data"), "type") == "agent_progress":
            # Newer versions keep a sub-agent's messages wrapped in progress rows of the delegation.
            inner = {**row, **mapping(mapping(row, "data"), "message"), "isSidechain": True}
            self._message(number, inner, string(row, "parentToolUseID"))
        elif kind in {"user", "assistant"}:
            self._message(number, row, "")
        elif kind not in KNOWN_ROWS:
            self.context.report.unknown_rows[bounded(kind) or "no type"] += 1

    def _message(self, number: int, row: dict[str, Any], delegation: str) -> None:
        row_id = string(row, "uuid") or f"row:{number - 1}"
        if row_id in self._seen:
            self.context.report.repeated_rows += 1
            return
        at = self.context.time(row.get("timestamp"))
        self._seen.add(row_id)
        parent = delegation or self._parent(row, row_id)
        content = mapping(row, "message").get("content")
        for block in content if isinstance(content, list) else []:
            if string(block, "type") == "tool_use":
                self._start(number, row, block, at, parent)
            elif string(block, "type") == "tool_result":
                self._end(number, row, block, at)
        self._said(number, row, row_id, at)
        if not parent:
            self._size(number, row, row_id, at)

    def _parent(self, row: dict[str, Any], row_id: str) -> str:
        if row.get("isSidechain") is not True:
            return ""
        above = string(row, "parentUuid")
        agent = string(row, "agentId")
        parent = self._chains.get(above) or self._prompts.get(text_of(mapping(row, "message").get("content")), "")
        parent = parent or self._newest_delegation() or (f"agent:{agent}" if agent else "agent")
        self._chains[row_id] = parent
        return parent

    def _newest_delegation(self) -> str:
        for call_id in reversed(self._prompts.values()):
            if not self.script.calls[call_id].closed:
                return call_id
        return ""

    def _start(self, number: int, row: dict[str, Any], block: dict[str, Any], at: Micros | None, parent: str) -> None:
        call_id = string(block, "id") or f"row:{number - 1}"
        arguments = plain(block.get("input"))
        call = OpenCall(
            call_id=call_id,
            place=number,
            tool=string(block, "name"),
            arguments=arguments if isinstance(arguments, dict | str) else "",
            started_at=at,
            cwd=string(row, "cwd"),
            batch_id=string(mapping(row, "message"), "id"),
            parent=parent,
        )
        if not self.script.start(call):
            self.context.report.repeated_rows += 1
        elif call.tool in {"Task", "Agent"}:
            self._prompts[string(arguments, "prompt") or call_id] = call_id

    def _end(self, number: int, row: dict[str, Any], block: dict[str, Any], at: Micros | None) -> None:
        call = self.script.calls.get(string(block, "tool_use_id"))
        if call is None or call.closed:
            self.context.report.repeated_rows += call is not None
            self.context.report.unknown_rows["tool_result without its tool_use"] += call is None
            return
        call.place, call.ended_at, call.closed = number, at, True
        result = row.get("toolUseResult")
        if agent := string(result, "agentId"):
            self._agents[f"agent:{agent}"] = call.call_id
        claude_results.fill(call, block, result)
        if shell := claude_results.background_shell(call.output, result):
            call.status = "pending"
            self._shells[shell] = call.call_id
        elif polled := self._shells.get(claude_results.polled_shell(call)):
            self._amend(self.script.calls[polled], call)

    def _amend(self, started: OpenCall, poll: OpenCall) -> None:
        """A poll that tells the end of a background command ends the call that started it."""
        ended = claude_results.poll_end(poll)
        if ended is None or started.status != "pending":
            return
        started.status, started.exit_code, started.output = ended
        started.ended_at, started.place = poll.ended_at, poll.place

    def _said(self, number: int, row: dict[str, Any], row_id: str, at: Micros | None) -> None:
        message = mapping(row, "message")
        content = message.get("content")
        text = text_of([block for block in content if _is_said(block)] if isinstance(content, list) else content)
        if not text.strip():
            return
        said: dict[str, Any] = {"role": _role(row, message), "text": text}
        self.script.add(number, Message(**self.script.frame, **timing(at), event_id=bounded(row_id), **said))

    def _size(self, number: int, row: dict[str, Any], row_id: str, at: Micros | None) -> None:
        message = mapping(row, "message")
        usage, message_id = mapping(message, "usage"), string(message, "id") or row_id
        counts = (usage.get(key) for key in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"))
        tokens = sum(count for count in counts if isinstance(count, int) and 0 <= count < 1 << 40)
        if tokens and message_id not in self._sized:
            self._sized.add(message_id)  # the rows of one response repeat its usage
            event_id = f"{bounded(row_id)}#context"
            self.script.add(number, Context(**self.script.frame, **timing(at), event_id=event_id, tokens=tokens))

    def finish(self) -> Iterator[Event | Rejected]:
        """Everything in file order, once all rows are known."""
        calls = list(self.script.calls.values())
        for call in calls:
            call.parent = self._agents.get(call.parent, call.parent)
        _keep_real_batches(calls)
        return self.script.items()


def _keep_real_batches(calls: list[OpenCall]) -> None:
    sizes = Counter(call.batch_id for call in calls)
    for call in calls:
        if sizes[call.batch_id] < 2:
            call.batch_id = ""


def _is_said(block: Any) -> bool:
    return isinstance(block, str) or string(block, "type") in {"text", "image"}


def _role(row: dict[str, Any], message: dict[str, Any]) -> str:
    made = row.get("isMeta") is True or row.get("isCompactSummary") is True or row.get("isApiErrorMessage") is True
    if made or message.get("model") == "<synthetic>":
        return "system"
    return "assistant" if row.get("type") == "assistant" else "user"
