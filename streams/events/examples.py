"""One example of every kind of event: shown in the schemas, and held against models and schemas by the tests."""

from __future__ import annotations

from typing import Any, Final

_RUN: Final = {"match_id": "m-17", "contestant_id": "blue", "producer": "harness-1"}
_AT: Final = "2026-01-31T12:00:00.250Z"

_FIELDS: Final[dict[str, dict[str, Any]]] = {
    "tool_call": {
        **_RUN,
        "event_id": "c-41-end",
        "seq": 82,
        "call_id": "c-41",
        "tool": "bash",
        "arguments": {"command": "python -m pytest -q tests/test_cart.py"},
        "started_at": "2026-01-31T11:59:57.100Z",
        "ended_at": _AT,
        "status": "failed",
        "exit_code": 1,
        "output": "1 failed, 9 passed in 2.31s",
        "cwd": "/repo",
    },
    "message": {**_RUN, "at": _AT, "role": "assistant", "text": "The discount is applied twice.", "confidence": 0.8},
    "plan": {**_RUN, "at": _AT, "items": ["reproduce", "fix the discount", "run all tests"], "is_change": True},
    "context": {**_RUN, "at": _AT, "tokens": 48_200, "window": 200_000},
    "checkpoint": {**_RUN, "at": _AT, "label": "after fix", "score": 70, "tests": {"passed": 7, "failed": 3}},
    "error": {**_RUN, "at": _AT, "error_type": "test_failure", "message": "test_total: assert 90 == 81"},
    "match_started": {
        "match_id": "m-17",
        "at": 1769860000,
        "challenge_id": "shopping-cart",
        "contestants": ["blue", "red"],
        "time_limit_s": 1800,
        "rules": {"workspace": "/repo", "allowed_hosts": ["localhost"], "protected_paths": ["/grader"]},
    },
    "run_started": {**_RUN, "at": 1769860001.5, "cwd": "/repo", "harness": "mini-swe-agent"},
    "submission": {**_RUN, "at": 1769861000123, "commit": "9f1c2ab", "text": "The discount is applied once."},
    "run_ended": {**_RUN, "at": "1769861001", "reason": "submitted"},
    "match_ended": {"match_id": "m-17", "at": "2026-01-31T14:00:00+01:00", "contestants": ["blue", "red"]},
    "test_result": {
        **_RUN,
        "at": _AT,
        "name": "tests/hidden/test_total.py::test_discount",
        "suite": "hidden",
        "severity": "critical",
        "outcome": "passed",
        "duration_s": 0.12,
    },
    "build_result": {**_RUN, "at": _AT, "ok": True, "log_ref": "logs/build.txt"},
    "crash": {**_RUN, "at": _AT, "message": "ZeroDivisionError: division by zero"},
    "benchmark": {**_RUN, "at": _AT, "name": "checkout", "value": 12.5, "unit": "ms", "reference": 14},
    "security_finding": {**_RUN, "at": _AT, "rule": "sql-injection", "severity": "critical", "path": "cart/db.py"},
    "sandbox_record": {
        **_RUN,
        "at": _AT,
        "source": "seccomp",
        "action": "connect",
        "target": "203.0.113.7:443",
        "decision": "blocked",
        "process": "curl",
    },
    "artifact": {**_RUN, "at": _AT, "role": "diff", "ref": "artifacts/blue.diff"},
    "claim": {**_RUN, "at": _AT, "text": "All tests pass.", "claim_type": "completeness", "confidence": "high"},
}

EXAMPLES: Final[dict[str, dict[str, Any]]] = {kind: {"kind": kind, **own} for kind, own in _FIELDS.items()}
"""A whole event of each kind."""
