"""`answer`: a call's status, exit code and output into how it ended."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Final

from streams.actions.base import Answer, Status
from streams.actions.outputs import runs_in
from streams.actions.prints import first_error, own_fail, own_pass, places_in

_HEAD: Final = 16 * 1024
_TAIL: Final = 32 * 1024
_EXIT: Final = re.compile(
    r"\A(?:Error: )?Exit code:? (-?\d{1,5})\b|<returncode>(-?\d{1,5})</returncode>|Process exited with code (-?\d{1,5})\b"
    r"|\[Command finished with exit code (-?\d{1,5})\]|\bexit code (-?\d{1,5})\]?\s*\Z"
)
_EXIT_MARKS: Final = ("xit code", "returncode", "exited with code")
_MISSING: Final = re.compile(
    r"command not found|: not found$|No module named|ModuleNotFoundError|NoSuchModuleError|Cannot find module|is not recognized as an"
    r"|can't open file|Missing script|missing script|No rule to make target|could not find `Cargo.toml`|cannot find main module"
    r"|[Cc]ommand timed out|COMMAND TIMED OUT|EXECUTION TIMED OUT|was cancelled because it took more than|timed out after \d"
    r"|ERROR: file or directory not found|unrecognized arguments|No such file or directory: 'pytest'|ERR_MODULE_NOT_FOUND"
    r"|error: unknown (?:command|option)|could not determine executable to run|no such command|usage: pytest",
    re.MULTILINE,
)
_MISSING_MARKS: Final = (
    "not found",
    "o module named",
    "ModuleNotFound",
    "NoSuchModule",
    "annot find",
    "ot recognized",
    "can't open",
    "issing script",
    "No rule to",
    "could not",
    "imed out",
    "TIMED OUT",
    "took more than",
    "unrecognized",
    "No such file or directory: '",
    "unknown ",
    "such command",
    "usage: pytest",
    "MODULE_NOT_FOUND",
)
_NO_RUN_CODES: Final = frozenset({124, 126, 127, 137, 143})
_REFUSED: Final = re.compile(
    r"String to replace not found|No replacement was performed|has not been read yet|introduced new syntax error|did not appear verbatim"
    r"|edit was not applied|patch does not apply|Hunk #\d+ FAILED|apply_patch verification failed|Multiple occurrences of old_str"
    r"|matches of the string to replace|InputValidationError|File does not exist|modified since read|Text not found|no changes were made"
    r"|patch failed: |old_string not found|could not find the string|Failed to find expected lines|is the same as|are exactly the same"
    r"|already exists at|Invalid `path` parameter|Search block not found|No match found for|Failed to find context|were not replaced",
    re.IGNORECASE,
)
_REFUSED_MARKS: Final = (
    "not found",
    "o replacement",
    "not been read",
    "new syntax error",
    "not appear",
    "not applied",
    "not apply",
    "FAILED",
    "erification failed",
    "ultiple occurrences",
    "to replace",
    "ValidationError",
    "not exist",
    "since read",
    "no changes",
    "patch failed",
    "could not find",
    "ailed to find",
    "the same",
    "already exists",
    "Invalid `",
    "o match found",
    "not replaced",
)
_DENIED: Final = (
    "The user doesn't want to",
    "rejected by user",
    "Permission to use",
    "denied by policy",
    "user rejected",
    "User rejected",
    "requested permissions to",
    "has been denied",
    "user declined",
    "User declined",
)
_TRACE: Final = (
    "Traceback (most recent call last)",
    "panicked at",
    "\npanic: ",
    "panic: ",
    "Exception in thread",
    "Segmentation fault",
    "Uncaught ",
    "Unhandled",
    "UnhandledPromiseRejection",
    "core dumped",
    "\n    at ",
    "AddressSanitizer",
    "fatal runtime error",
)
_PLAIN_ERROR: Final = re.compile(
    r"\A(?:bash: |sh: |zsh: |/bin/sh: )?\S[^\n]{0,160}?: .{0,120}?(?:No such file or directory|command not found|Permission denied|not found)\s*\Z"
)
_FAULTY: Final = ("rror", "ERROR", "ailed", "FAILED", "fatal", "anic", "xception", "No such", "not found", "annot")


def answer(output: str, status: str | None, exit_code: int | None) -> Answer:
    """How a call ended, whatever was asked. Pure, never raises; long outputs are read at their head and tail."""
    text = output if len(output) <= _HEAD + _TAIL else f"{output[:_HEAD]}\n{output[-_TAIL:]}"
    code = exit_code if exit_code is not None else _told_code(text)
    missing = code in _NO_RUN_CODES or (_any(_MISSING_MARKS, text) and bool(_MISSING.search(text)))
    refused = _any(_REFUSED_MARKS, text) and bool(_REFUSED.search(text[:4000]))
    trace = _any(_TRACE, text)
    faulty = trace or code not in {0, None} or status == "failed" or _any(_FAULTY, text)
    ended = _status(status, code, text, refused=refused)
    failing = own_fail(text)
    return Answer(
        status=ended,
        exit_code=code,
        runs=runs_in(text),
        error=first_error(text) if (trace or refused or missing or ended == "failed") else "",
        missing=missing,
        own_fail=failing,
        own_pass=not failing and own_pass(text),
        trace=trace,
        refused=refused,
        places=places_in(text) if faulty else (),
        made=_made(text),
        out=int.from_bytes(blake2b(output.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"),
    )


def _any(marks: tuple[str, ...], text: str) -> bool:
    for mark in marks:  # noqa: SIM110 - a generator costs three times as much here
        if mark in text:
            return True
    return False


def _told_code(text: str) -> int | None:
    """An exit code that only the text gives."""
    if not _any(_EXIT_MARKS, text):
        return None
    found = _EXIT.search(text[:400]) or _EXIT.search(text[-400:])
    return int(next(group for group in found.groups() if group)) if found else None


def _status(status: str | None, code: int | None, text: str, *, refused: bool) -> Status:
    """The harness's word stands; without one the exit code tells, then the text."""
    if status == "failed" and _any(_DENIED, text[:1000]):
        return "denied"
    if status in {"ok", "failed", "interrupted", "pending", "denied"}:
        return status  # type: ignore[return-value]
    if code is not None:
        return "ok" if code == 0 else "failed"
    if refused or (len(text) < 400 and _PLAIN_ERROR.match(text)):
        return "failed"
    return "ok"


def _made(text: str) -> bool | None:
    if "reated" in text[:300] and re.search(r"[Ff]ile created|^Created |Successfully created|created successfully", text[:300]):
        return True
    if "updated" in text[:300] and re.search(r"has been updated|file .* updated", text[:300]):
        return False
    return None
