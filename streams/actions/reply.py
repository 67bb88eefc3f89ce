"""`answer`: a call's status, exit code and output into how it ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Final

from msgspec.structs import replace

from streams.actions.base import Answer, Status
from streams.actions.marks import seeker
from streams.actions.outputs import readers, runs_in
from streams.actions.prints import OWN_MARKS, first_error, has, matches, own_fail, own_pass, places_in

_HEAD: Final = 8 * 1024
_TAIL: Final = 24 * 1024
_CACHED_CHARS: Final = 1024
_NEAR: Final = 9 * 1024
"""Where single telling lines are looked for; summaries are looked for in all that is kept."""

_TELLING: Final = (
    "rror",
    "ail",
    "ass",
    "est",
    "xc",
    "no",
    "ound",
    "ok",
    "ucc",
    "anic",
    "out",
    "same",
    "xist",
    "xpected",
    "rong",
    "correct",
    "bug",
    "reproduced",
    "match",
    "fixed",
    "fatal",
    "core",
    "ated",
    "exit",
    "returncode",
    "trac",
    "n't",
    "reject",
    "permission",
    "declined",
    "unhandled",
    "sanitizer",
    "\n    at ",
    "multiple",
    "already",
    "usage",
    "missing",
    "took more",
    "build",
    "example",
    "finished",
    "problem",
    "undefined",
    "invalid",
    "confirmed",
    "\u2713",
    "\u2714",
    "\u2705",
    "\u274c",
    "\u2717",
    "\u2718",
)
"""Lower-case parts of words of which one is in every text that tells anything; listings and plain files mostly hold none."""

_EXIT: Final = re.compile(
    r"\A(?:Error: )?Exit code:? (-?\d{1,5})\b|<returncode>(-?\d{1,5})</returncode>|Process exited with code (-?\d{1,5})\b"
    r"|\[Command finished with exit code (-?\d{1,5})\]|\bexit code (-?\d{1,5})\]?\s*\Z"
)
_EXIT_MARKS: Final = frozenset({"xit code", "returncode", "exited with code"})
_MISSING: Final = re.compile(
    r"command not found|: not found$|No module named|ModuleNotFoundError|NoSuchModuleError|Cannot find mod"
    r"ule|is not recognized as an"
    r"|can't open file|Missing script|missing script|No rule to make target|could not find `Cargo.toml`|cannot find main module"
    r"|[Cc]ommand timed out|COMMAND TIMED OUT|EXECUTION TIMED OUT|was cancelled because it took more than|timed out after \d"
    r"|ERROR: file or directory not found|unrecognized arguments|No such file or directory: 'pytest'|ERR_MODULE_NOT_FOUND"
    r"|error: unknown (?:command|option)|could not determine executable to run|no such command|usage: pytest",
    re.MULTILINE,
)
_MISSING_MARKS: Final = frozenset(
    {
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
    }
)
_NO_RUN_CODES: Final = frozenset({124, 126, 127, 137, 143})
_REFUSED: Final = re.compile(
    r"String to replace not found|No replacement was performed|has not been read yet|introduced new syntax"
    r" error|did not appear verbatim"
    r"|edit was not applied|patch does not apply|Hunk #\d+ FAILED|apply_patch verification failed|Multiple"
    r" occurrences of old_str"
    r"|matches of the string to replace|InputValidationError|File does not exist|modified since read|Text "
    r"not found|no changes were made"
    r"|patch failed: |old_string not found|could not find the string|Failed to find expected lines|is the "
    r"same as|are exactly the same"
    r"|already exists at|Invalid `path` parameter|Search block not found|No match found for|Failed to find"
    r" context|were not replaced",
    re.IGNORECASE,
)
_REFUSED_MARKS: Final = frozenset(
    {
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
    }
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
_TRACE: Final = frozenset(
    {
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
    }
)
_PLAIN_ERROR: Final = re.compile(
    r"\A(?:bash: |sh: |zsh: |/bin/sh: )?\S[^\n]{0,160}?: .{0,120}?(?:No such file or directory|command not"
    r" found|Permission denied|not found)\s*\Z"
)
_NO_FAILURE: Final = frozenset({0, None})
_NO_WORD: Final = frozenset({"ok", None})
_MADE_MARKS: Final = frozenset({"reated", "updated"})
_DENIED_MARKS: Final = frozenset({"Permission denied"})
"""What `_PLAIN_ERROR` asks for beside `_FAULTY`."""

_FAULTY: Final = frozenset({"rror", "ERROR", "ailed", "FAILED", "fatal", "anic", "xception", "No such", "not found", "annot"})


def answer(output: str, status: str | None, exit_code: int | None) -> Answer:
    """How a call ended, whatever was asked. Pure, never raises; long outputs are read at their head and tail.

    Short outputs repeat (an empty one, a test suite's green line): they are answered from a cache.
    """
    return replace(told(output, status, exit_code), out=hash_of(output))


def hash_of(output: str) -> int:
    """The 64-bit hash of an output."""
    return int.from_bytes(blake2b(output.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def told(output: str, status: str | None, exit_code: int | None) -> Answer:
    """The answer without the hash of its output: of most calls nobody asks for it."""
    return _cached(output, status, exit_code) if len(output) <= _CACHED_CHARS else _read(output, status, exit_code)


def _read(output: str, status: str | None, exit_code: int | None) -> Answer:
    text = output if len(output) <= _HEAD + _TAIL else f"{output[:_HEAD]}\n{output[-_TAIL:]}"
    seek, shy = _sought()
    found = seek(text)
    if exit_code in _NO_FAILURE and status in _NO_WORD and found <= shy and not (found and has(_TELLING, text.lower())):
        return Answer(status="ok", exit_code=exit_code)
    return _telling(text, found, status, exit_code)


_cached = lru_cache(maxsize=4096)(_read)


@cache
def _sought() -> tuple[Callable[[str], set[str]], frozenset[str]]:
    """What finds all marks in a text, and the marks that alone tell nothing: no telling word is in them."""
    marks = {mark for each, _ in readers() for mark in each}
    marks |= OWN_MARKS | _EXIT_MARKS | _MISSING_MARKS | _REFUSED_MARKS | _TRACE | _FAULTY | _MADE_MARKS | _DENIED_MARKS
    return seeker(sorted(marks)), frozenset(mark for mark in marks if not has(_TELLING, mark.lower()))


def _telling(text: str, found: set[str], status: str | None, exit_code: int | None) -> Answer:
    """The long way, for an output that may say something about how the call went; `found` are the marks in it."""
    near = text if len(text) <= _NEAR else f"{text[: _NEAR // 3]}\n{text[-2 * _NEAR // 3 :]}"
    code = exit_code if exit_code is not None or _EXIT_MARKS.isdisjoint(found) else _told_code(text)
    missing = code in _NO_RUN_CODES or matches(near, found & _MISSING_MARKS, _MISSING)
    refused = matches(near, found & _REFUSED_MARKS, _REFUSED)
    trace = not _TRACE.isdisjoint(found)
    faulty = trace or code not in _NO_FAILURE or status == "failed" or not _FAULTY.isdisjoint(found)
    ended = _status(status, code, text, refused=refused)
    runs = runs_in(text, found)
    failing = not runs and own_fail(near, found)
    return Answer(
        status=ended,
        exit_code=code,
        runs=runs,
        error=first_error(text) if (trace or refused or missing or ended == "failed") else "",
        missing=missing,
        own_fail=failing,
        own_pass=not runs and not failing and own_pass(near, found),
        trace=trace,
        refused=refused,
        places=places_in(text) if faulty else (),
        made=made_in(text),
    )


def _told_code(text: str) -> int | None:
    """An exit code that only the text gives."""
    found = _EXIT.search(text[:400]) or _EXIT.search(text[-400:])
    return int(next(group for group in found.groups() if group)) if found else None


def _status(status: str | None, code: int | None, text: str, *, refused: bool) -> Status:
    """The harness's word stands; without one the exit code tells, then the text."""
    if status == "failed" and has(_DENIED, text[:1000]):
        return "denied"
    if status in {"ok", "failed", "interrupted", "pending", "denied"}:
        return status  # type: ignore[return-value]
    if code is not None:
        return "ok" if code == 0 else "failed"
    if refused or (len(text) < 400 and _PLAIN_ERROR.match(text)):
        return "failed"
    return "ok"


_MADE: Final = re.compile(r"[Ff]ile created|^Created |Successfully created|created successfully")
_CHANGED: Final = re.compile(r"has been updated|file .* updated")


def made_in(text: str) -> bool | None:
    """Whether an edit tool says that it made a new file; None: it does not say."""
    head = text[:300]
    if "reated" in head and _MADE.search(head):
        return True
    if "updated" in head and ("has been updated" in head or _CHANGED.search(head)):
        return False
    return None
