"""Bad input, a row a kind: what cannot be read with the reason it must be given, and what is read but odd."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from streams.topics import stream_of

START = "2026-01-01T00:00:00Z"


class Bad(NamedTuple):
    """Something that cannot be read."""

    name: str
    value: bytes | None
    """None: a record without a value, which no file can hold."""

    stage: str
    says: str
    """A part of the reason."""


def _event(**fields: object) -> bytes:
    return json.dumps({"kind": "message", "match_id": "m", "contestant_id": "c", "at": START, **fields}).encode()


BAD = (
    Bad("broken JSON", b'{"kind": "tool_call", "match_id": "m"', "json", "truncated"),
    Bad("prose", b"Traceback (most recent call last):", "json", "malformed"),
    Bad("not UTF-8", b"\xff\xfe{}", "json", "not UTF-8"),
    Bad("nested too deep", b'{"kind": ' + b"[" * 500 + b"]" * 500 + b"}", "json", "nested deeper than"),
    Bad("a number", b"7", "fields", "object"),
    Bad("a list", b"[]", "fields", "object"),
    Bad("null", b"null", "fields", "object"),
    Bad("an object without anything", b"{}", "kind", "kind"),
    Bad("an unknown kind", _event(kind="dance"), "kind", "dance"),
    Bad("a kind of null", _event(kind=None), "kind", "kind"),
    Bad("no match", b'{"kind": "message", "contestant_id": "c"}', "fields", "match_id"),
    Bad("a match without a name", _event(match_id=""), "fields", "match_id"),
    Bad("a match of null", _event(match_id=None), "fields", "match_id"),
    Bad("a number as name", _event(contestant_id=7), "fields", "contestant_id"),
    Bad("text as number", _event(seq="one"), "fields", "seq"),
    Bad("a list as text", _event(text=["x"]), "fields", "text"),
    Bad("an unknown status", _event(kind="tool_call", tool="Bash", status="fine"), "fields", "status"),
    Bad("a naive time", _event(at="2026-01-01T00:00:00"), "time", "no time zone"),
    Bad("no time at all", _event(at="soon"), "time", "soon"),
    Bad("a list as time", _event(at=[2026]), "time", "list"),
    Bad("2 MiB", _event(text="x" * (2 << 20)), "size", "the limit is 1048576"),
)
"""What a file and a topic can hold alike."""

BAD_RECORDS = (
    Bad("a tombstone", None, "value", "tombstone"),
    Bad("nothing", b"", "json", "empty"),
    Bad("blanks", b" \n", "json", ""),
)
"""What only a topic can hold: in a file, an empty line is no line."""


def _call(run: str, second: int, command: str, **fields: Any) -> dict[str, Any]:
    at = f"2026-01-01T00:{second // 60:02d}:{second % 60:02d}Z"
    call = {"kind": "tool_call", "match_id": "odd", "contestant_id": run, "event_id": f"{run}-{second}", "at": at}
    return {**call, "ended_at": at, "tool": "Bash", "arguments": {"command": command}, "status": "ok", "exit_code": 0, **fields}


def _work(run: str) -> list[dict[str, Any]]:
    edit = {"tool": "Edit", "arguments": {"file_path": "/w/a.py", "old_string": "1", "new_string": "2"}}
    return [
        _call(run, 20, "cat a.py"),
        _call(run, 40, "", **edit, exit_code=None),
        _call(run, 60, "pytest -q", exit_code=1, status="failed", output="FAILED t.py::test_a - assert\n1 failed in 0.1s"),
        _call(run, 80, "", **edit, exit_code=None),
        _call(run, 100, "pytest -q", output="1 passed in 0.1s"),
    ]


def _mark(run: str, kind: str, at: object, **more: object) -> dict[str, Any]:
    return {"kind": kind, "match_id": "odd", "contestant_id": run, "event_id": f"{run}-{kind}", "at": at, **more}


def _framed(run: str, start: object = START, end: object = "2026-01-01T00:02:00Z") -> list[dict[str, Any]]:
    return [_mark(run, "run_started", start), *_work(run), _mark(run, "run_ended", end)]


def _with(run: str, **fields: object) -> list[dict[str, Any]]:
    """A run whose failing check has other fields than it should."""
    return [{**row, **fields} if row["event_id"] == f"{run}-60" else row for row in _framed(run)]


ODD: dict[str, list[dict[str, Any]]] = {
    "sound": _framed("sound"),
    "no start": [*_work("no start"), _mark("no start", "run_ended", "2026-01-01T00:02:00Z")],
    "no end": [_mark("no end", "run_started", START), *_work("no end")],
    "no frame": _work("no frame"),
    "frame alone": [_mark("frame alone", "run_started", START), _mark("frame alone", "run_ended", START)],
    "end before start": _framed("end before start", "2026-01-01T00:02:00Z", START),
    "call ends before it starts": _with(
        "call ends before it starts", started_at="2026-01-01T00:01:00Z", ended_at="2026-01-01T00:00:50Z"
    ),
    "1970": _with("1970", at=0, ended_at=0),
    "2100": _with("2100", at="2100-01-01T00:00:00Z", ended_at="2100-01-01T00:00:00Z"),
    "all in 1970": [{**row, "at": "1970-01-01T00:00:00Z", "ended_at": 0} for row in _work("all in 1970")],
    "almost 2100": _framed("almost 2100", end="2099-12-31T23:59:59Z"),
    "one id, other content": [
        *_framed("one id, other content"),
        {**_work("one id, other content")[2], "output": "1 passed in 0.1s", "status": "ok", "exit_code": 0},
    ],
    "twice the same": _framed("twice the same") * 2,
    "slash/and%percent": _framed("slash/and%percent"),
    "\x1b[2J\u202eturned": _framed("\x1b[2J\u202eturned"),
}
"""Runs that can be read and are not as they should be, by contestant: rows of a native file."""


def records() -> list[tuple[str, bytes, bytes]]:
    """The odd runs as (stream, key, value)."""
    rows = [row for run in ODD.values() for row in run]
    return [(stream_of(row["kind"]), f"odd/{row['contestant_id']}".encode(), json.dumps(row).encode()) for row in rows]
