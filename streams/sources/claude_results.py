"""What a Claude Code tool result says: status, exit code, plain output, changed files, background shells."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any

from streams.events import FileChange
from streams.events.trace import CallStatus
from streams.sources.calls import OpenCall
from streams.sources.rows import between, integer, items, string, text_of

_EXIT = re.compile(r"\A(?:Error: )?Exit code (-?\d{1,10})(?:\n|\Z)")
_WRAPPED = re.compile(r"\A\s*<(tool_use_error|error)>(.*?)(?:</\1>\s*)?\Z", re.DOTALL)
_DENIED = re.compile(
    r"\A(?:Error: )?(?:The user doesn't want to (?:proceed with|take) this|Permission to use .{1,200} has been denied"
    r"|Permission for this .{1,80} (?:was|has been) denied|Claude requested permissions? to|Tool use was rejected"
    r"|User (?:rejected|denied)|The tool use was rejected|.{0,80}hook.{0,80}(?:blocked|denied))",
)
_STOPPED = re.compile(r"\A(?:Error: )?(?:\[?Request interrupted by user|Command was (?:aborted|interrupted))")
_BACKGROUND = re.compile(r"\ACommand (?:running in background|was manually backgrounded .{0,40}) with ID: (\S{1,64}?)[.\s]")
_POLL_STATUS = re.compile(r"<status>(\w+)</status>")
_POLL_EXIT = re.compile(r"<exit_code>(-?\d{1,10})</exit_code>")
_MOST_CHARS = 64 << 20


def fill(call: OpenCall, block: dict[str, Any], result: Any) -> None:
    """Put what the result block and its row's `toolUseResult` say into the call."""
    text = text_of(block.get("content"))
    failed = block.get("is_error") is True or block.get("is_error") == "true"
    call.status = _status(text, result, failed=failed)
    if failed and (found := _EXIT.match(text)):
        call.exit_code = integer(found[1])
        text = text[found.end() :]
    if failed and (found := _WRAPPED.match(text)):
        text = found[2]
    call.output = text
    if call.status == "ok" and isinstance(result, dict):
        call.files = changed_files(result)


def _status(text: str, result: Any, *, failed: bool) -> CallStatus:
    if failed and _DENIED.match(text):
        return "denied"
    if isinstance(result, dict) and result.get("interrupted") is True:
        return "interrupted"
    if failed:
        return "interrupted" if _STOPPED.match(text) else "failed"
    return "ok"


def changed_files(result: dict[str, Any]) -> tuple[FileChange, ...]:
    """The file that an edit result names, with lines added and removed and content hashes where they can be told."""
    path = string(result, "filePath") or string(result, "notebook_path")
    patch = result.get("structuredPatch")
    if not path or not isinstance(patch, list):
        return ()
    if result.get("type") == "create" and not patch:
        content = string(result, "content")
        return (FileChange(path=path, after=digest(content), added=len(content.splitlines()), removed=0),)
    lines = [line for hunk in patch for line in items(hunk, "lines") if isinstance(line, str)]
    before = result.get("originalFile", result.get("originalFileContents"))
    after = _after(before, result) if isinstance(before, str) else None
    return (
        FileChange(
            path=path,
            before=digest(before) if isinstance(before, str) else "",
            after=digest(after) if after is not None else "",
            added=sum(line.startswith("+") for line in lines),
            removed=sum(line.startswith("-") for line in lines),
        ),
    )


def _after(before: str, result: dict[str, Any]) -> str | None:
    if isinstance(result.get("content"), str):
        return string(result, "content")
    edits = items(result, "edits") or [result]
    for edit in edits:
        old = string(edit, "oldString") or string(edit, "old_string")
        new = string(edit, "newString") or string(edit, "new_string")
        every = isinstance(edit, dict) and (edit.get("replaceAll") is True or edit.get("replace_all") is True)
        if not old or old not in before:
            return None  # the tool matched it in its own way (quotes, white space): the result is not known
        if before.count(old) * len(new) > _MOST_CHARS:
            return None  # not worth its memory: a hash is all that is wanted
        before = before.replace(old, new, -1 if every else 1)
    return before


def digest(content: str) -> str:
    """A content's hash, to tell whether an edit brings back what was there before."""
    return blake2b(content.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def background_shell(output: str, result: Any) -> str:
    """The id of the shell that a call left running in the background, empty where it did not."""
    if isinstance(result, dict) and (shell := string(result, "backgroundTaskId") or string(result, "shellId")):
        return shell if not string(result, "command") or "backgroundTaskId" in result else ""
    found = _BACKGROUND.match(output)
    return found[1] if found else ""


def polled_shell(call: OpenCall) -> str:
    """The id of the background shell that a call asks about, empty where it asks about none."""
    if call.tool not in {"BashOutput", "TaskOutput", "KillShell", "KillBash", "TaskStop"}:
        return ""
    return string(call.arguments, "bash_id") or string(call.arguments, "task_id") or string(call.arguments, "shell_id")


def poll_end(poll: OpenCall) -> tuple[CallStatus, int | None, str] | None:
    """Status, exit code and output of a background command, where the poll's output tells its end."""
    if poll.tool in {"KillShell", "KillBash", "TaskStop"}:
        return ("interrupted", None, "") if poll.status == "ok" else None
    state = _POLL_STATUS.search(poll.output)
    if state is None or state[1] not in {"completed", "failed", "killed"}:
        return None
    code = _POLL_EXIT.search(poll.output)
    exit_code = integer(code[1]) if code else None
    output = "\n".join(filter(None, (between(poll.output, tag) for tag in ("stdout", "stderr", "output"))))
    if state[1] == "killed":
        return "interrupted", exit_code, output
    return ("ok" if state[1] == "completed" and not exit_code else "failed"), exit_code, output
