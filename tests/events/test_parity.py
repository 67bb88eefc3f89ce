"""The fast decoder and the pydantic models accept and reject the same inputs, and give equal events."""

from __future__ import annotations

import json
import math
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.events import Event, Rejected
from streams.events.base import MAX_MESSAGE_BYTES
from streams.events.decode import decoder
from streams.events.examples import EXAMPLES
from streams.events.models import MODELS, parse
from streams.events.wire import MAX_DEPTH

BERLIN = ZoneInfo("Europe/Berlin")
DECODE = decoder()
DECODE_BERLIN = decoder(BERLIN)


def same(raw: bytes | None) -> Event | Rejected:
    """What both say of these bytes; fails where they differ, in the event or in the stage of a single fault."""
    fast, slow = DECODE(raw), parse(raw)
    assert type(fast) is type(slow), f"{fast}\n{slow}"
    if not isinstance(fast, Rejected):
        assert fast == slow
        assert repr(fast) == repr(slow)  # 1 and 1.0 are equal but not the same
    assert type(DECODE_BERLIN(raw)) is type(parse(raw, BERLIN))
    return fast


def call(**more: object) -> bytes:
    """A tool call with these fields."""
    return json.dumps({"kind": "tool_call", "match_id": "m", "contestant_id": "c", **more}).encode()


def bare(fields: str, kind: str = "tool_call") -> bytes:
    """An event whose further fields are given as JSON text."""
    return f'{{"kind":"{kind}","match_id":"m",{fields}}}'.encode()


ACCEPTED = {
    "least": b'{"kind":"tool_call","match_id":"m"}',
    "unknown field": call(nobody_knows=[1, {"a": None}]),
    "unknown field out of any range": bare('"x":1e999'),
    "unknown field of 5,000 digits": bare('"x":' + "9" * 5000),
    "key given twice": bare('"tool":"a","tool":"b"'),
    "escaped key": bare(r'"\u0074ool":"a"'),
    "same kind twice": bare('"kind":"tool_call"'),
    "whole number for a fraction": bare('"confidence":1', "message"),
    "minus zero": bare('"exit_code":-0'),
    "64 bits": bare(f'"exit_code":{-(2**63)}'),
    "large integer in the arguments": bare('"arguments":{"n":' + "9" * 40 + "}"),
    "longest integer in the arguments": bare('"arguments":{"n":' + "9" * 4300 + "}"),
    "deep, but not too deep": bare('"arguments":{"a":' + "[" * (MAX_DEPTH - 2) + "]" * (MAX_DEPTH - 2) + "}"),
    "brackets in strings": call(output="[{" * 5000),
    "brackets after an escaped quote": call(output='"' + "[" * 5000),
    "time in 1970": call(at="1970-01-01T00:00:00Z"),
    "time in 2100": call(at="2100-01-01T00:00:00Z"),
    "epoch s": call(at=1769860800),
    "epoch ms": call(at=1769860800123),
    "epoch µs": call(at=1769860800123456),
    "epoch ns": call(at=1769860800123456789),
    "epoch s as text": call(at="1769860800"),
    "epoch s with a fraction as text": call(at="1769860800.123456"),
    "epoch ns as text": call(at="1769860800123456789"),
    "epoch s as a float": call(at=1769860800.25),
    "null where null is allowed": call(at=None, seq=None, status=None, exit_code=None),
    "id of 256 characters beyond ASCII": call(event_id="é" * 256),
    "id of 256 characters beyond 16 bits": call(event_id="😀" * 256),
    "lone surrogate in a field": bare(r'"output":"a\udcffb"'),
    "lone surrogate in the match": b'{"kind":"tool_call","match_id":"\\ud800"}',
    "lone surrogate in an unknown field": bare(r'"x":"\ud800"'),
    "escaped backslash before a u": bare(r'"output":"\\ud800"'),
    "files": call(files=[{"path": "a", "before": "", "after": "1", "added": 3, "removed": 0, "mode": 7}]),
    "rules": json.dumps(
        {"kind": "match_started", "match_id": "m", "rules": {"allowed_hosts": ["a"], "reference_time_s": 3}}
    ).encode(),
    "white space around": b" \n\t" + call() + b"\r\n ",
    "exactly 1 MiB": call(output="x" * (MAX_MESSAGE_BYTES - len(call(output="")))),
}

REJECTED = {
    "nothing": (b"", "json"),
    "null value of a message": (None, "json"),
    "JSON null": (b"null", "fields"),
    "an array": (b"[]", "fields"),
    "an array of an event": (b"[" + call() + b"]", "fields"),
    "a string": (b'"tool_call"', "fields"),
    "a number": (b"1", "fields"),
    "cut off": (call()[:-1], "json"),
    "two values": (call() + call(), "json"),
    "byte order mark": (b"\xef\xbb\xbf" + call(), "json"),
    "invalid UTF-8 in a field": (b'{"kind":"tool_call","match_id":"\xff"}', "json"),
    "invalid UTF-8 in an unknown field": (b'{"kind":"tool_call","match_id":"m","x":"\xff"}', "json"),
    "surrogate encoded as UTF-8": (b'{"kind":"tool_call","match_id":"m","x":"\xed\xa0\x80"}', "json"),
    "UTF-16": (call().decode().encode("utf-16"), "json"),
    "control character in a string": (bare('"output":"\x01"'), "json"),
    "raw newline in a string": (bare('"output":"\n"'), "json"),
    "unknown escape": (bare(r'"output":"\x"'), "json"),
    "single quotes": (b"{'kind':'tool_call','match_id':'m'}", "json"),
    "trailing comma": (b'{"kind":"tool_call","match_id":"m",}', "json"),
    "comment": (b'{"kind":"tool_call","match_id":"m"/**/}', "json"),
    "NaN": (bare('"arguments":{"a":NaN}'), "json"),
    "NaN in an unknown field": (bare('"x":NaN'), "json"),
    "Infinity": (bare('"value":Infinity,"name":"n"', "benchmark"), "json"),
    "leading zero": (bare('"exit_code":01'), "json"),
    "number out of range": (bare('"value":1e999,"name":"n"', "benchmark"), "fields"),
    "number out of range in the arguments": (bare('"arguments":{"a":[1e999]}'), "fields"),
    "number out of range, then in range": (bare('"arguments":{"a":1e999,"a":1}'), "fields"),
    "integer of 4,301 digits": (bare('"arguments":{"a":' + "9" * 4301 + "}"), "fields"),
    "integer of 400 digits for a float": (bare('"value":' + "9" * 400 + ',"name":"n"', "benchmark"), "fields"),
    "no kind": (b'{"match_id":"m"}', "kind"),
    "unknown kind": (bare('"x":1', "nobody_knows"), "kind"),
    "kind null": (b'{"kind":null,"match_id":"m"}', "kind"),
    "kind a number": (b'{"kind":1,"match_id":"m"}', "kind"),
    "two kinds": (b'{"kind":"run_started","kind":"run_ended","match_id":"m"}', "kind"),
    "two kinds, the second known only": (b'{"kind":"x","kind":"run_ended","match_id":"m"}', "kind"),
    "no match": (b'{"kind":"tool_call"}', "fields"),
    "empty match": (b'{"kind":"tool_call","match_id":""}', "fields"),
    "id of 257 characters": (call(event_id="é" * 257), "fields"),
    "match of 257 characters": (call(match_id="m" * 257), "fields"),
    "bool as int": (call(seq=True), "fields"),
    "float as int": (bare('"seq":1.0'), "fields"),
    "exponent as int": (bare('"seq":1e3'), "fields"),
    "text as int": (call(seq="1"), "fields"),
    "negative count": (call(seq=-1), "fields"),
    "count beyond 64 bits": (call(seq=2**63), "fields"),
    "exit code beyond 64 bits": (call(exit_code=10**30), "fields"),
    "int as bool": (bare('"ok":1', "build_result"), "fields"),
    "text as bool": (bare('"ok":"true"', "build_result"), "fields"),
    "bool as float": (bare('"confidence":true', "message"), "fields"),
    "fraction above one": (bare('"confidence":1.5', "message"), "fields"),
    "confidence in another word": (bare('"confidence":"sure"', "message"), "fields"),
    "score above 100": (bare('"score":100.5', "checkpoint"), "fields"),
    "arguments an array": (call(arguments=[1]), "fields"),
    "arguments null": (call(arguments=None), "fields"),
    "output null": (call(output=None), "fields"),
    "unknown status": (call(status="done"), "fields"),
    "files an object": (call(files={"path": "a"}), "fields"),
    "file without a path": (call(files=[{"path": ""}]), "fields"),
    "rules wrong inside": (bare('"rules":{"no_change_needed":0}', "match_started"), "fields"),
    "wrong, then right": (bare('"seq":"x","seq":1'), "fields"),
    "wrong inside, then right": (bare('"rules":{"workspace":1,"workspace":"a"}', "match_started"), "fields"),
    "wrong rules, then right": (bare('"rules":1,"rules":{}', "match_started"), "fields"),
    "time limit of zero": (bare('"time_limit_s":0', "match_started"), "fields"),
    "naive time": (call(at="2026-01-31T12:00:00"), "time"),
    "a date only": (call(at="2026-01-31"), "time"),
    "no time at all": (call(at="yesterday"), "time"),
    "empty time": (call(at=""), "time"),
    "bool as time": (call(at=True), "time"),
    "object as time": (call(ended_at={"s": 1}), "time"),
    "huge number as time": (call(at=10**30), "time"),
    "digits of another script as time": (call(at="١٧٦٩٨٦٠٨٠٠"), "time"),
    "too deep in the arguments": (bare('"arguments":{"a":' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}"), "json"),
    "too deep in an unknown field": (bare('"x":' + '{"a":' * MAX_DEPTH + "1" + "}" * MAX_DEPTH), "json"),
    "100,000 levels": (bare('"x":' + "[" * 100_000 + "]" * 100_000), "json"),
    "2 MiB": (call(output="x" * (2 << 20)), "size"),
    "one byte over 1 MiB": (call(output="x" * (MAX_MESSAGE_BYTES - len(call(output="")) + 1)), "size"),
}


@pytest.mark.parametrize("raw", ACCEPTED.values(), ids=ACCEPTED)
def test_both_accept_with_equal_events(raw: bytes) -> None:
    """What is sound is accepted by both, and the two events are equal."""
    assert not isinstance(same(raw), Rejected)


@pytest.mark.parametrize(("raw", "stage"), REJECTED.values(), ids=REJECTED)
def test_both_reject_at_the_same_stage(raw: bytes | None, stage: str) -> None:
    """What is wrong is rejected by both, at the same stage, with a reason and the beginning of what came."""
    for found in (same(raw), parse(raw)):
        assert isinstance(found, Rejected)
        assert found.stage == stage
        assert found.reason
        assert found.raw == (raw or b"")[:4096]


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_the_examples_of_every_kind_are_accepted(kind: str) -> None:
    """Each kind has an example in the schema that both accept."""
    event = same(json.dumps(EXAMPLES[kind]).encode())
    assert event.__struct_config__.tag == kind  # type: ignore[union-attr]


def test_the_models_list_every_error() -> None:
    """One parse names all that is wrong, each with its place."""
    found = parse(call(seq="x", exit_code=1.5, files=[{"path": ""}], at="2026-01-31T12:00:00"))
    assert isinstance(found, Rejected)
    for place in ("$.seq", "$.exit_code", "$.files[0].path", "$.at"):
        assert f"`{place}`" in found.reason


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.integers(min_value=946_684_800, max_value=4_102_444_800),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.datetimes().map(str),
    st.sampled_from(["ok", "failed", "high", "critical", "hidden", "event", "none", "passed", "blocked", "assistant"]),
    st.sampled_from(["2026-01-31T12:00:00Z", "2026-01-31T12:00:00", "1769860800.5", 0.5, 1, 1.0]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["path", "added", "passed", "workspace", "a"]) | st.text(max_size=3), inner)
    ),
    max_leaves=6,
)
NAMES = sorted({name for model in MODELS.values() for name in model.model_fields} - {"kind", "match_id"})


@settings(max_examples=400, deadline=None)
@given(
    kind=st.sampled_from(sorted(MODELS)),
    fields=st.lists(st.tuples(st.sampled_from(NAMES), VALUES), max_size=4),
    required=st.booleans(),
)
def test_any_values_in_any_fields_are_judged_alike(kind: str, fields: list[tuple[str, object]], required: bool) -> None:
    """Whatever stands in whatever field, repeated or not: both say the same."""
    base = EXAMPLES[kind] if required else {"kind": kind, "match_id": "m"}
    pairs = [*base.items(), *fields]
    same(("{" + ",".join(f"{json.dumps(key)}:{json.dumps(value)}" for key, value in pairs) + "}").encode())


@settings(max_examples=400, deadline=None)
@given(
    kind=st.sampled_from(sorted(MODELS)),
    place=st.floats(min_value=0, max_value=1),
    cut=st.integers(min_value=0, max_value=4),
    new=st.binary(max_size=4) | st.sampled_from([b'"', b"\\", b"{", b"}", b",", b"1e9", b"\\ud800", b"null", b"-0", b"[]"]),
)
def test_damaged_bytes_are_judged_alike(kind: str, place: float, cut: int, new: bytes) -> None:
    """Bytes cut out and bytes put in anywhere: both say the same."""
    raw = json.dumps(EXAMPLES[kind]).encode()
    start = math.floor(place * len(raw))
    same(raw[:start] + new + raw[start + cut :])


@settings(max_examples=200, deadline=None)
@given(raw=st.binary(max_size=60))
def test_any_bytes_are_judged_alike(raw: bytes) -> None:
    """Bytes from nowhere: nothing is raised, and both say the same."""
    same(raw)
