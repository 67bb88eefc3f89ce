"""What a mini-swe-agent observation says: exit code, plain output, time-outs; and what an answer's text is."""

from __future__ import annotations

import re
from typing import Any, Final

from streams.sources.calls import OpenCall
from streams.sources.rows import between, integer, items, mapping, string, text_of

_RETURN = re.compile(r"\A\s*<returncode>\s*(-?\d{1,10})\s*</returncode>\s*")
_TIMEOUT = re.compile(r"\A\s*The last command <command>.*?</command> timed out and has been killed\.", re.DOTALL)
_REJECTED = re.compile(r"\A\s*Commands? not executed")
_FENCES: Final = (("```bash", "\n```"), ("```mswea_bash_command", "\n```"), ("<mswea_bash_command>", "</mswea_bash_command>"))
SUBMIT_MARKS: Final = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


def is_wrapped(text: str) -> bool:
    """Whether a text is an observation by the harness's own wrapping."""
    return bool(_RETURN.match(text) or _TIMEOUT.match(text))


def is_rejection(text: str) -> bool:
    """Whether the harness says that a person refused the command."""
    return bool(_REJECTED.match(text))


def commands_in(text: str) -> tuple[list[str], str]:
    """The commands that an answer of version 1 holds in its text, and the text without them.

    The harness takes exactly one; with more or none it refuses the answer.
    """
    commands: list[str] = []
    said: list[str] = []
    place = 0
    while block := _next_block(text, place):
        start, body, end, after = block
        commands.append(text[body:end].strip())
        said.append(text[place:start])
        place = after
    return commands, "".join([*said, text[place:]])


def _next_block(text: str, place: int) -> tuple[int, int, int, int] | None:
    starts = [(start, opening, closing) for opening, closing in _FENCES if (start := text.find(opening, place)) >= 0]
    for start, opening, closing in sorted(starts):
        body = start + len(opening)
        end = text.find(closing, body)
        if end >= 0:
            return start, body, end, end + len(closing)
    return None


def fill_from_text(call: OpenCall, text: str) -> None:
    """Read an observation of version 1: the exit code and the output stand in the text."""
    if found := _RETURN.match(text):
        call.exit_code = integer(found[1])
        call.status = "ok" if call.exit_code == 0 else "failed"
        call.output = _unwrapped(text[found.end() :])
    elif _TIMEOUT.match(text):
        call.status = "failed"
        output = between(text[text.index("timed out and has been killed.") :], "output")
        call.output = f"{output or ''}\nThe command timed out and has been killed.".lstrip("\n")
    elif is_rejection(text):
        call.status, call.output = "denied", text
    else:
        # What is submitted comes bare, and the harness gives no exit code for it.
        call.status, call.output = "ok", text


def _unwrapped(text: str) -> str:
    head, tail = between(text, "output_head"), between(text, "output_tail")
    if head is not None and tail is not None:
        return f"{head}\n[… {(between(text, 'elided_chars') or 'some characters').strip()} …]\n{tail}"
    whole = between(text, "output")
    return text if whole is None else whole


def fill_from_data(call: OpenCall, extra: dict[str, Any]) -> None:
    """Read an observation of version 2: exit code, raw output and what went wrong are data."""
    call.exit_code = integer(extra.get("returncode"))
    call.output = string(extra, "raw_output")
    call.status = "ok" if call.exit_code == 0 else "failed"
    trouble = string(extra, "exception_info")
    if trouble:
        # The harness writes -1 where the command did not end by itself: that is no exit code.
        call.exit_code = None
        call.status = "interrupted" if trouble == "action was not executed" else "failed"
        call.output = f"{call.output}\n{trouble}".lstrip("\n")


def asks_to_submit(call: OpenCall) -> bool:
    """Whether a call prints the mark that ends the run."""
    return any(mark in string(call.arguments, "command") for mark in SUBMIT_MARKS)


def answer_text(message: dict[str, Any]) -> str:
    """What the contestant says in an answer, in each of the shapes that models answer in."""
    if text := text_of(message.get("content")):
        return text
    said = (item for item in items(message, "output") if string(item, "type") == "message")
    return "\n".join(text for item in said if (text := text_of(mapping({"item": item}, "item").get("content"))))
