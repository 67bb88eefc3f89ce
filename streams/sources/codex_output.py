"""What Codex rows say about a call: its tool and arguments, its output out of the wrapping, its exit code, its files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from streams.events import FileChange
from streams.events.trace import CallStatus
from streams.sources.rows import integer, mapping, parse, string, text_of

_HEADER: Final = re.compile(
    r"\A(?:(?:Chunk ID: .*|Wall time: .*|Exit code: .*|Process exited with code .*|Process running with session ID .*"
    r"|Original token count: .*|Total output lines: .*)\n)+Output:\n?(?:Total output lines: \d+\n\n)?",
)
_EXITED = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\d{1,10})$", re.MULTILINE)
_DENIED = re.compile(r"\A(?:\w[\w ]{0,40} )?rejected(?: by (?:user|the user|policy)|:)|\A.{0,60}denied by (?:user|policy)")
_STOPPED = re.compile(r"\A(?:command )?aborted by user")
_FAILED = re.compile(
    r"\A(?:failed to |execution error|exec_command failed|write_stdin failed|unsupported call|apply_patch verification"
    r" failed|tool call error|unknown (?:tool|function)|error[: ]|Failed to create unified exec process)",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A call's answer out of its wrapping."""

    output: str
    exit_code: int | None
    status: CallStatus
    session: int | None = None
    """The session of a command that still runs."""


def tool_name(payload: dict[str, Any]) -> str:
    """The tool's name; the hosted shell and tool search have none of their own."""
    unnamed = {"local_shell_call": "shell", "tool_search_call": "tool_search"}
    name = string(payload, "name") or unnamed.get(string(payload, "type"), "")
    space = string(payload, "namespace")
    return f"{space}{name}" if space.endswith("__") else name


def arguments(payload: dict[str, Any]) -> dict[str, Any] | str:
    """The arguments: an object where they are one, else the text (a patch)."""
    if string(payload, "type") == "local_shell_call":
        action = mapping(payload, "action")
        return {"command": action.get("command"), "workdir": string(action, "working_directory")}
    given = payload.get("arguments", payload.get("input"))
    if isinstance(given, dict):
        return given
    if not isinstance(given, str):
        return ""
    if string(payload, "type") == "custom_tool_call":
        return given
    try:
        parsed = parse(given.encode(errors="replace"))
    except ValueError:
        return given  # the contestant wrote no JSON: the harness refuses such a call
    return parsed if isinstance(parsed, dict) else given


def read_answer(output: Any) -> Answer:
    """Read a call's output: text with a header, JSON with metadata, a list of blocks, or bare text."""
    refused = False
    if isinstance(output, dict):
        refused = output.get("success") is False
        output = output.get("content", output.get("output"))
    text = text_of(output)
    exit_code = None
    if text.startswith("{"):
        text, exit_code = _from_json(text)
    if header := _HEADER.match(text):
        found, running = _EXITED.search(header[0]), _RUNNING.search(header[0])
        body = text[header.end() :]
        if running and not found:
            return Answer(body, None, "pending", integer(running[1]))
        exit_code = integer(found[1]) if found else exit_code
        text = body
    return Answer(text, exit_code, "failed" if refused else _status(text, exit_code))


def _from_json(text: str) -> tuple[str, int | None]:
    try:
        value = parse(text.encode(errors="replace"))
    except ValueError:
        return text, None
    if isinstance(value, dict) and isinstance(value.get("output"), str) and isinstance(value.get("metadata"), dict):
        return value["output"], integer(value["metadata"].get("exit_code"))
    return text, None


def _status(text: str, exit_code: int | None) -> CallStatus:
    if exit_code is not None:
        return "ok" if exit_code == 0 else "failed"
    if _DENIED.match(text):
        return "denied"
    if _STOPPED.match(text):
        return "interrupted"
    return "failed" if _FAILED.match(text) else "ok"


def read_exec_end(payload: dict[str, Any]) -> Answer:
    """Read a command's end row."""
    exit_code = integer(payload.get("exit_code"))
    output = string(payload, "aggregated_output")
    output = output or string(payload, "stdout") + string(payload, "stderr") or string(payload, "formatted_output")
    if string(payload, "status") == "declined":
        return Answer(output, None, "denied")
    failed = string(payload, "status") == "failed" if exit_code is None else exit_code != 0
    return Answer(output, exit_code, "failed" if failed else "ok")


def session_of(arguments: Any) -> int | None:
    """The session that a poll asks about."""
    return integer(arguments.get("session_id")) if isinstance(arguments, dict) else None


def changed_files(changes: dict[str, Any]) -> tuple[FileChange, ...]:
    """The files of an applied patch with the lines added and removed."""
    files = []
    for path, change in changes.items():
        if not path or not isinstance(change, dict):
            continue
        added, removed = _counts(change)
        files.append(FileChange(path=path, added=added, removed=removed))
        if moved := string(change, "move_path"):
            files.append(FileChange(path=moved))
    return tuple(files)


def _counts(change: dict[str, Any]) -> tuple[int | None, int | None]:
    # Older files have the kind as a key, {"add": {"content": …}}; newer ones as a field, {"type": "add", …}.
    kind = string(change, "type") or next(iter(change), "")
    body = change if "type" in change else mapping(change, kind)
    if kind == "add":
        return len(string(body, "content").splitlines()), 0
    if kind == "delete":
        return 0, len(string(body, "content").splitlines()) if "content" in body else None
    lines = string(body, "unified_diff").splitlines()
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in lines)
    removed = sum(line.startswith("-") and not line.startswith("--- ") for line in lines)
    return (added, removed) if lines else (None, None)
