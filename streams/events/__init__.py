"""Events: frozen, typed, one family a file, one discriminated union over all of them (by `kind`).

The Structs here are the one definition. `decode` reads JSON into them fast; `models` derives the pydantic models for
the edges and the schemas from the same fields.
"""

from __future__ import annotations

from streams.events.base import EventBase, Rejected
from streams.events.control import MatchEnded, MatchStarted, Rules, RunEnded, RunStarted, Submission
from streams.events.evidence import (
    Artifact,
    Benchmark,
    BuildResult,
    Claim,
    Crash,
    SandboxRecord,
    SecurityFinding,
    TestResult,
)
from streams.events.result import Checkpoint, Error, TestCounts
from streams.events.times import Micros, micros, plausible, rfc3339
from streams.events.trace import Context, FileChange, Message, Plan, ToolCall

Event = (
    ToolCall
    | Message
    | Plan
    | Context
    | Checkpoint
    | Error
    | MatchStarted
    | RunStarted
    | Submission
    | RunEnded
    | MatchEnded
    | TestResult
    | BuildResult
    | Crash
    | Benchmark
    | SecurityFinding
    | SandboxRecord
    | Artifact
    | Claim
)

FAMILIES: dict[str, tuple[type[EventBase], ...]] = {
    "traces": (ToolCall, Message, Plan, Context),
    "checkpoints": (Checkpoint,),
    "errors": (Error,),
    "control": (MatchStarted, RunStarted, Submission, RunEnded, MatchEnded),
    "evidence": (TestResult, BuildResult, Crash, Benchmark, SecurityFinding, SandboxRecord, Artifact, Claim),
}
"""Which events each input topic carries."""

__all__ = [
    "FAMILIES",
    "Artifact",
    "Benchmark",
    "BuildResult",
    "Checkpoint",
    "Claim",
    "Context",
    "Crash",
    "Error",
    "Event",
    "EventBase",
    "FileChange",
    "MatchEnded",
    "MatchStarted",
    "Message",
    "Micros",
    "Plan",
    "Rejected",
    "Rules",
    "RunEnded",
    "RunStarted",
    "SandboxRecord",
    "SecurityFinding",
    "Submission",
    "TestCounts",
    "TestResult",
    "ToolCall",
    "micros",
    "plausible",
    "rfc3339",
]
