"""What a tool call means, as plain data: its question (`Ask`), its answer (`Answer`), and both joined (`Action`).

A call may arrive in two events: its start carries the arguments, its end the output. Each half is read alone, so that the
order in which they arrive cannot matter; `streams.actions.join` puts them together.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

ActionClass = Literal[
    "explore", "edit", "check", "revert", "plan", "checkpoint", "claim", "submit", "setup", "network", "denied", "other"
]
Scope = Literal["", "work", "docs", "test", "scratch", "generated"]
CheckKind = Literal["", "test", "build", "lint", "probe"]
Outcome = Literal["", "passed", "failed", "error", "unknown", "pending"]
Status = Literal["", "ok", "failed", "interrupted", "pending", "denied"]

UNKNOWN = -1
"""A count that the text does not give. Never zero in its place."""


class Action(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """One thing done by a tool call. A call holds one or more."""

    cls: ActionClass
    paths: tuple[str, ...] = ()
    """Files and folders it names, as the contestant wrote them, made relative to the workspace where that is known."""

    status: Status = ""
    # edits and reverts
    scope: Scope = ""
    added: int = UNKNOWN
    removed: int = UNKNOWN
    blank: bool = False
    """Differs by white space only: no change."""

    created: bool = False
    """The edit makes a file that, as far as the call shows, was not there."""

    before: str = ""
    after: str = ""
    """Content hashes where known. For a `plan`: hash of the items' texts without their states."""

    symbols: tuple[str, ...] = ()
    """Functions or classes touched, where the arguments show them."""

    takes: Literal["", "last", "all", "push", "pop"] = ""
    """What a revert takes back: the last edit of its paths, all since the last commit, or a stash pushed or popped."""

    # checks
    kind: CheckKind = ""
    framework: str = ""
    command: str = ""
    """Normalised command: same target and framework, same text, whatever the wrapper and the verbosity."""

    targets: tuple[str, ...] = ()
    """Files, folders or test ids that a check names; empty: everything."""

    outcome: Outcome = ""
    weak: bool = False
    """The outcome rests on what the program prints about itself, not on an exit code or a framework."""

    passed: int = UNKNOWN
    failed: int = UNKNOWN
    errors: int = UNKNOWN
    skipped: int = UNKNOWN
    failing: tuple[str, ...] = ()
    """Names of failing or erroring tests, sorted."""

    places: tuple[str, ...] = ()
    """Files that a failing check's tracebacks or messages enter."""

    # network
    host: str = ""
    method: str = ""

    # what other calls need to know of this one
    masked: bool = False
    """The call's exit code is not this command's: a pipe, `|| true` or a later command hides it. False once joined."""

    asserts: bool = False
    """The text it writes or runs asserts something, so that its exit 0 says more than that it ran."""

    writes: tuple[str, ...] = ()
    """Files that the script which this edit writes changes when it is run."""


class Ask(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """What a call sets out to do, told from its tool and arguments alone."""

    tool: str = ""
    """The tool family, lower case: bash, edit, read, …: MultiEdit and Edit are one family."""

    sub: str = ""
    """Sub-command of the first failing-prone command: `git checkout`, `pytest`, …; empty for file tools."""

    actions: tuple[Action, ...] = ()
    same: int = 0
    """64-bit hash of tool and arguments: equal for identical calls."""


class TestRun(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """What a test framework's, compiler's or linter's own output says."""

    __test__ = False  # not a test case for pytest

    framework: str
    outcome: Outcome = ""
    passed: int = UNKNOWN
    failed: int = UNKNOWN
    errors: int = UNKNOWN
    skipped: int = UNKNOWN
    failing: tuple[str, ...] = ()


class Answer(Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """How a call ended, told from its status, exit code and output alone, whatever was asked."""

    status: Status = ""
    exit_code: int | None = None
    runs: tuple[TestRun, ...] = ()
    error: str = ""
    """First telling line of an error message, bounded to 200 characters."""

    missing: bool = False
    """Could not run: no such command, missing module, time-out."""

    own_fail: bool = False
    """The program prints its own FAIL, mismatch or caught error."""

    own_pass: bool = False
    """The program prints its own success, and no failure of its own."""

    trace: bool = False
    """An uncaught exception's traceback or a panic is in the output."""

    refused: bool = False
    """An edit tool says that it changed nothing (string not found, linter refusal, file not read)."""

    places: tuple[str, ...] = ()
    """Files that tracebacks and compiler messages name, at most 20."""

    made: bool | None = None
    """Whether a file tool says that it made a new file; None: it does not say."""

    out: int = 0
    """64-bit hash of the output: whether a poll's output changes."""
