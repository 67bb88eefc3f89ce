"""Damaged input never raises: what cannot be read comes as `Rejected`, or the whole file as `SourceError`."""

from __future__ import annotations

import io
import json
from contextlib import contextmanager, nullcontext, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.events import Rejected
from streams.events.decode import content_hash, settle
from streams.sources import SourceContext, SourceError, discover

AT = "2026-03-01T10:00:00Z"
ROWS = {
    "claude_code": [
        {"type": "user", "uuid": "u0", "sessionId": "s", "timestamp": AT, "message": {"content": "go"}},
        {
            "type": "assistant",
            "uuid": "u1",
            "sessionId": "s",
            "timestamp": AT,
            "message": {
                "id": "m",
                "usage": {"input_tokens": 3},
                "content": [{"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "a"}}],
            },
        },
        {
            "type": "user",
            "uuid": "u2",
            "sessionId": "s",
            "timestamp": AT,
            "isSidechain": True,
            "toolUseResult": {
                "filePath": "a",
                "structuredPatch": [{"lines": ["+x"]}],
                "originalFile": "y",
                "oldString": "y",
                "newString": "x",
            },
            "message": {
                "content": [{"type": "tool_result", "tool_use_id": "t", "content": "Exit code 1\nx", "is_error": True}]
            },
        },
        {
            "type": "progress",
            "parentToolUseID": "t",
            "data": {"type": "agent_progress", "message": {"type": "user", "uuid": "u3"}},
        },
    ],
    "codex": [
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "s", "cwd": "/w"}},
        {
            "timestamp": AT,
            "type": "response_item",
            "payload": {"type": "function_call", "name": "shell", "call_id": "c", "arguments": "{}"},
        },
        {
            "timestamp": AT,
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": "Exit code: 0\nOutput:\n"},
        },
        {"timestamp": AT, "type": "event_msg", "payload": {"type": "exec_command_end", "call_id": "c", "exit_code": 1}},
        {
            "timestamp": AT,
            "type": "event_msg",
            "payload": {"type": "patch_apply_end", "call_id": "c", "success": True, "changes": {"a": {"type": "add"}}},
        },
        {
            "timestamp": AT,
            "type": "event_msg",
            "payload": {"type": "token_count", "info": {"last_token_usage": {"total_tokens": 1}}},
        },
    ],
    "native": [{"kind": "tool_call", "match_id": "m", "call_id": "c", "arguments": {"a": 1}}],
}
DOCUMENTS = {
    "mini_swe_agent": {
        "info": {"mini_version": "2", "config": {"environment": {"cwd": "/"}}},
        "messages": [
            {"role": "system", "content": "s"},
            {
                "role": "assistant",
                "content": "```bash\nls\n```",
                "extra": {"actions": [{"command": "ls", "tool_call_id": "t"}], "timestamp": 1.8e9},
            },
            {"role": "tool", "tool_call_id": "t", "extra": {"returncode": 0, "raw_output": "x", "timestamp": 1.8e9}},
            {"role": "assistant", "content": "```bash\nls\n```", "extra": {"response": {"created": 1800000000}}},
            {"role": "user", "content": "<returncode>0</returncode>\n<output>\n</output>"},
            {"role": "exit", "extra": {}},
        ],
    },
    "swe_agent": {
        "environment": "e",
        "trajectory": [{"action": "ls", "observation": "x", "thought": "t", "state": {"open_file": "a"}}],
        "history": [
            {"role": "user", "content": "t"},
            {"role": "assistant", "action": "ls", "tool_calls": [{"function": {"name": "ls", "arguments": "{}"}}]},
        ],
    },
}

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
odd = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=6
)


def read(name, raw):
    """Read bytes as a format and check what every event must stand."""
    items = list(discover()[name].read(io.BytesIO(raw), SourceContext(name="f", stem="f")))
    for item in items:
        if isinstance(item, Rejected):
            assert item.reason
            assert item.where.startswith("f:")
        else:
            content_hash(settle(item))
    ids = [item.event_id for item in items if not isinstance(item, Rejected) and name != "native"]
    assert len(set(ids)) == len(ids)
    return items


def paths(value, prefix=()):
    """Every place in a JSON value."""
    yield prefix
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in entries:
        yield from paths(item, (*prefix, key))


def replaced(value, path, new):
    """The value with another one at a place."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


@pytest.mark.parametrize("name", ROWS)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_rows_with_any_value_anywhere_never_raise(name, data):
    """One place of one row is replaced by any JSON value."""
    rows = ROWS[name]
    path = data.draw(st.sampled_from(list(paths(rows))[1:]))
    changed = replaced(rows, path, data.draw(odd))
    read(name, b"\n".join(json.dumps(row).encode() for row in changed))


@pytest.mark.parametrize("name", DOCUMENTS)
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_documents_with_any_value_anywhere_never_raise(name, data):
    """One place of the document is replaced by any JSON value; only the whole being no object is an error."""
    path = data.draw(st.sampled_from(list(paths(DOCUMENTS[name]))[1:]))
    read(name, json.dumps(replaced(DOCUMENTS[name], path, data.draw(odd))).encode())


@pytest.mark.parametrize("name", [*ROWS, *DOCUMENTS])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_bytes_never_raise(name, data):
    """Bytes are cut out, doubled, overwritten or thrown in anywhere."""
    whole = (
        json.dumps(DOCUMENTS[name]).encode()
        if name in DOCUMENTS
        else b"\n".join(json.dumps(row).encode() for row in ROWS[name])
    )
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    damaged = whole[:start] + data.draw(st.binary(max_size=12)) + whole[data.draw(st.sampled_from([start, end])) :]
    with suppress(SourceError) if name in DOCUMENTS else nullcontext():
        read(name, damaged)


@contextmanager
def refused_or_not(words):
    """Either nothing is raised, or a SourceError with these words."""
    try:
        yield
    except SourceError as error:
        if words not in str(error):
            raise


NASTY = {
    "lone surrogate": b'"\\ud83d"',
    "raw nul": b'"a\x00b"',
    "nul escape": b'"a\\u0000b"',
    "deep": b"[" * 3000 + b"]" * 3000,
    "fairly deep": b"[" * 300 + b"]" * 300,
    "huge integer": b"1" + b"0" * 400,
    "huge float": b"1e999",
    "not a number": b"NaN",
    "bad utf-8": b'"\xff\xfe"',
    "huge": b'"' + b"x" * (3 << 20) + b'"',
}


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("name", ROWS)
def test_nasty_values_in_a_row_cost_that_row_at_most(name, nasty):
    """Each is put in place of a call's arguments; the rows around it are read as ever."""
    rows = [json.dumps(row).encode() for row in ROWS[name]]
    places = {"claude_code": (1, b'{"file_path": "a"}'), "codex": (1, b'"{}"'), "native": (0, b'{"a": 1}')}
    index, old = places[name]
    rows[index] = rows[index].replace(old, NASTY[nasty])
    good = json.dumps({"kind": "message", "match_id": "m"}).encode() if name == "native" else rows[0]
    items = read(name, b"\n".join([*rows, good.replace(b'"u0"', b'"u9"')]))
    assert sum(isinstance(item, Rejected) for item in items) <= 1
    assert not isinstance(items[-1], Rejected) or name != "native"


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_nasty_values_in_a_document_raise_source_error_at_most(name, nasty):
    """A document that cannot be parsed is refused as a whole, with the reason."""
    raw = json.dumps(DOCUMENTS[name]).encode().replace(b'"ls"', NASTY[nasty], 1).replace(b'"x"', NASTY[nasty], 1)
    with refused_or_not("no valid JSON"):
        read(name, raw)


def test_a_lone_surrogate_costs_one_character():
    """Harnesses cut text in the middle of a character: the call is kept, the half character replaced."""
    raw = json.dumps(DOCUMENTS["swe_agent"]).encode().replace(b'"x"', b'"x\\ud83d"')
    (call,) = [item for item in read("swe_agent", raw) if getattr(item, "call_id", "")]
    assert call.output == "x\N{REPLACEMENT CHARACTER}"
