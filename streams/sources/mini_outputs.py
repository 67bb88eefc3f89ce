"""What a mini-swe-agent observation says: exit code, plain output, time-outs; and what an answer's text is."""

from __future__ import annotations

import re
from typing import Any, Final

from streams.sources.calls import OpenCall
from streams.sources.rows import integer, items, mapping, string, text_of

_RETURN = re.compile(r"\A\s*<returncode>\s*(-?\d{1,10})\s*</returncode>\s*")
_WHOLE = re.compile(r"<output>\n?(.*?)\n?</output>\s*\Z", re.DOTALL)
_CUT = re.compile(
    r"<output_head>\n?(.*)\n?</output_head>\s*<elided_chars>\s*(.*?)\s*</elided_chars>\s*"
    r"<output_tail>\n?(.*?)\n?</output_tail>\s*\Z",
    re.DOTALL,
)
_TIMEOUT = re.compile(r"\A\s*The last command <command>.*?</command> timed out and has been killed\.", re.DOTALL)
SUBMIT_MARKS: Final = ("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", "MINI_SWE_AGENT_FINAL_OUTPUT")


def is_wrapped(text: str) -> bool:
    """Whether a text is an observation by the harness's own wrapping."""
    return bool(_RETURN.match(text) or _TIMEOUT.match(text))


def fill_from_text(call: OpenCall, text: str) -> None:
    """Read an observation of version 1: the exit code and the output stand in the text."""
    if found := _RETURN.match(text):
        call.exit_code = integer(found[1])
        call.status = "ok" if call.exit_code == 0 else "failed"
        call.output = _unwrapped(text[found.end() :])
    elif _TIMEOUT.match(text):
        call.status = "failed"
        output = _WHOLE.search(text[text.index("timed out and has been killed.") :].split("\nPlease try another command")[0])
        call.output = f"{output[1] if output else ''}\nThe command timed out and has been killed.".lstrip("\n")
    else:
        # What is submitted comes bare, and the harness gives no exit code for it.
        call.status, call.output = "ok", text


def _unwrapped(text: str) -> str:
    if found := _CUT.search(text):
        return f"{found[1]}\n[… {found[2]} …]\n{found[3]}"
    found = _WHOLE.search(text)
    return found[1] if found else text


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
