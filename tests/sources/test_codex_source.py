"""Codex rollouts."""

from __future__ import annotations

import json

import pytest

from streams.events import Checkpoint, Context, Error, Message, RunStarted, ToolCall, micros


def clock(second: float) -> str:
    """A moment of the session."""
    return f"2026-04-02T08:00:{second:06.3f}Z"


def item(second, kind, **payload):
    """A response item row."""
    return {"timestamp": clock(second), "type": "response_item", "payload": {"type": kind, **payload}}


def note(second, kind, **payload):
    """An event row."""
    return {"timestamp": clock(second), "type": "event_msg", "payload": {"type": kind, **payload}}


def call(second, call_id, name="exec_command", **arguments):
    """A function call row."""
    return item(second, "function_call", name=name, call_id=call_id, arguments=json.dumps(arguments))


def output(second, call_id, text):
    """A row with a call's output."""
    return item(second, "function_call_output", call_id=call_id, output=text)


def exec_end(second, call_id, exit_code, text="", **extra):
    """A command's end row."""
    return note(second, "exec_command_end", call_id=call_id, exit_code=exit_code, aggregated_output=text, **extra)


META = {"timestamp": clock(0), "type": "session_meta", "payload": {"id": "sess-1", "cwd": "/w/app"}}
RUNNING = "Chunk ID: a1\nWall time: 1.0 seconds\nProcess running with session ID 77\nOriginal token count: 0\nOutput:\n"


def exited(code, text):
    """The wrapping of an ended command."""
    return f"Chunk ID: b2\nWall time: 0.5 seconds\nProcess exited with code {code}\nOriginal token count: 3\nOutput:\n{text}"


def test_the_session_row_starts_the_run(read):
    """Its folder is that of the calls that name none; a forked session's second one starts nothing."""
    reading = read([META, call(1, "c1", cmd="ls"), output(2, "c1", exited(0, "a\n")), META], "r.jsonl")
    starts = [event for event in reading.events if isinstance(event, RunStarted)]
    assert [(event.cwd, event.harness, event.match_id) for event in starts] == [("/w/app", "codex", "sess-1")]
    assert reading.calls["c1"].cwd == "/w/app"


def test_the_output_comes_out_of_its_wrapping_with_the_exit_code(read):
    """Where no end row is kept, the exit code stands only in the header."""
    rows = [META, call(1, "c1", cmd="pytest", workdir="/w/lib"), output(3, "c1", exited(1, "1 failed\n"))]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.output, done.exit_code, done.status, done.cwd) == ("1 failed\n", 1, "failed", "/w/lib")
    assert (done.started_at, done.ended_at, done.event_id) == (micros(clock(1)), micros(clock(3)), "c1#end")
    assert done.arguments == {"cmd": "pytest", "workdir": "/w/lib"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (json.dumps({"output": "x\n", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}), ("x\n", 2, "failed")),
        ("Exit code: 0\nWall time: 1 seconds\nTotal output lines: 1\nOutput:\nx\n", ("x\n", 0, "ok")),
        ("Wall time: 0.1 seconds\nOutput:\n[]", ("[]", None, "ok")),
        ("Plan updated", ("Plan updated", None, "ok")),
        ([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}], ("a\nb", None, "ok")),
        ({"content": "no", "success": False}, ("no", None, "failed")),
        ("exec command rejected by user", ("exec command rejected by user", None, "denied")),
        ("aborted by user after 2.0s", ("aborted by user after 2.0s", None, "interrupted")),
        ("unsupported call: foo", ("unsupported call: foo", None, "failed")),
        ('{"files": 3}', ('{"files": 3}', None, "ok")),
    ],
)
def test_each_shape_of_output_is_read(read, text, expected):
    """JSON with metadata, headers of each kind, blocks, bare text."""
    done = read([META, call(1, "c1"), output(2, "c1", text)], "r.jsonl").calls["c1"]
    assert (done.output, done.exit_code, done.status) == expected


@pytest.mark.parametrize("end_first", [True, False])
def test_the_end_row_wins_in_either_order(read, end_first):
    """Exit code and end time are the end row's; the longer output is kept."""
    late = [output(2, "c1", RUNNING), exec_end(9, "c1", 4, "whole output", cwd="/w/else")]
    rows = [META, call(1, "c1", cmd="make"), *(reversed(late) if end_first else late)]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.exit_code, done.status, done.ended_at) == (4, "failed", micros(clock(9)))
    assert (done.output, done.cwd) == ("whole output", "/w/else")


def test_a_poll_ends_the_command_where_no_end_row_does(read):
    """The poll stays a call of its own, without the command's exit code."""
    rows = [
        META,
        call(1, "c1", cmd="make"),
        output(2, "c1", RUNNING),
        call(3, "p1", "write_stdin", session_id=77, chars=""),
        output(4, "p1", RUNNING + "part one\n"),
        call(5, "p2", "write_stdin", session_id=77, chars=""),
        output(6, "p2", exited(1, "part two\n")),
    ]
    calls = read(rows, "r.jsonl").calls
    assert (calls["c1"].exit_code, calls["c1"].status, calls["c1"].ended_at) == (1, "failed", micros(clock(6)))
    assert calls["c1"].output == "part one\npart two\n"
    assert [(calls[key].tool, calls[key].status, calls[key].exit_code) for key in ("p1", "p2")] == [
        ("write_stdin", "ok", None)
    ] * 2


def test_an_end_row_after_the_poll_amends_the_time(read):
    """The poll told the exit code first; the end row's time is the check's end."""
    rows = [
        META,
        call(1, "c1", cmd="make"),
        output(2, "c1", RUNNING),
        call(3, "p1", "write_stdin", session_id=77),
        output(4, "p1", exited(0, "ok\n")),
        exec_end(4.1, "c1", 0, "ok\n"),
    ]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.ended_at, done.exit_code, done.output) == (micros(clock(4.1)), 0, "ok\n")


def test_a_command_that_still_runs_at_the_end_is_pending(read):
    """Its last output is kept, no exit code is made up."""
    still = read([META, call(1, "c1", cmd="make"), output(2, "c1", RUNNING)], "r.jsonl").calls["c1"]
    assert (still.status, still.phase, still.exit_code, still.event_id) == ("pending", "pending", None, "c1#pending")


def test_a_call_without_output_is_only_a_start(read):
    """Nothing tells how it ended."""
    call_ = read([META, call(1, "c1", cmd="make")], "r.jsonl").calls["c1"]
    assert (call_.phase, call_.ended_at, call_.at) == ("start", None, micros(clock(1)))


def test_a_patch_gives_its_files_with_lines(read):
    """Line counts come from the diff, an added file's from its content; paths are as the harness has them."""
    changes = {
        "/w/app/a.py": {"type": "update", "unified_diff": "@@ -1,2 +1,3 @@\n x\n-y\n+z\n+zz\n", "move_path": None},
        "/w/app/new.py": {"type": "add", "content": "1\n2\n"},
        "/w/app/old.py": {"delete": {"content": "1\n"}},
    }
    patch = "*** Begin Patch\n*** End Patch\n"
    rows = [
        META,
        item(1, "custom_tool_call", name="apply_patch", call_id="c1", input=patch),
        note(2, "patch_apply_end", call_id="c1", success=True, stdout="Success.\n", stderr="", changes=changes),
        item(
            2.1,
            "custom_tool_call_output",
            call_id="c1",
            output=json.dumps({"output": "Success.\n", "metadata": {"exit_code": 0}}),
        ),
    ]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.tool, done.arguments, done.status, done.ended_at) == ("apply_patch", patch, "ok", micros(clock(2)))
    assert [(change.path, change.added, change.removed) for change in done.files] == [
        ("/w/app/a.py", 2, 1),
        ("/w/app/new.py", 2, 0),
        ("/w/app/old.py", 0, 1),
    ]


def test_a_patch_that_does_not_apply_changes_nothing(read):
    """It is failed and names no file."""
    rows = [
        META,
        item(1, "custom_tool_call", name="apply_patch", call_id="c1", input="*** Begin Patch"),
        item(2, "custom_tool_call_output", call_id="c1", output="apply_patch verification failed: no such line"),
    ]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.status, done.files) == ("failed", ())


def test_a_hosted_search_is_one_call(read):
    """Its end row and its own row are the same search, whichever has the id."""
    action = {"type": "search", "query": "q"}
    rows = [
        META,
        note(1, "web_search_end", call_id="ws_1", query="q", action=action),
        item(1.1, "web_search_call", action=action),
        item(2, "web_search_call", id="ws_2", status="completed", action=action),
        note(2.1, "web_search_end", call_id="ws_2", action=action),
    ]
    calls = read(rows, "r.jsonl").calls
    assert {key: (value.tool, value.status) for key, value in calls.items()} == {
        "ws_1": ("web_search", "ok"),
        "ws_2": ("web_search", "ok"),
    }
    assert calls["ws_1"].at_source == "derived"


def test_harness_rows_become_the_events_they_are(read):
    """Snapshot, undo, error, abort and context size."""
    rows = [
        META,
        item(1, "ghost_snapshot", ghost_commit={"id": "abc123"}),
        note(2, "undo_completed", success=True, message="restored"),
        note(3, "error", message="stream disconnected"),
        note(4, "turn_aborted", reason="interrupted"),
        note(5, "token_count", info={"last_token_usage": {"total_tokens": 900}, "model_context_window": 1000}),
        note(6, "token_count", info=None),
    ]
    events = {event.event_id: event for event in read(rows, "r.jsonl").events}
    assert isinstance(events["row:1"], Checkpoint)
    assert (events["row:1"].commit, events["row:1"].score) == ("abc123", None)
    assert (events["row:2#end"].tool, events["row:2#end"].status) == ("undo", "ok")
    assert isinstance(events["row:3"], Error)
    assert (events["row:4"].role, events["row:4"].text) == ("system", "turn aborted: interrupted")
    assert isinstance(events["row:5"], Context)
    assert (events["row:5"].tokens, events["row:5"].window) == (900, 1000)
    assert "row:6" not in events


def test_messages_are_taken_once(read):
    """The event rows that repeat them add nothing; a developer's message is the system's."""
    said = [{"type": "output_text", "text": "done"}]
    rows = [
        META,
        item(1, "message", role="developer", content=[{"type": "input_text", "text": "rules"}]),
        item(1, "message", role="user", content=[{"type": "input_text", "text": "go"}]),
        note(1, "user_message", message="go"),
        note(2, "agent_message", message="done"),
        item(2, "message", role="assistant", content=said),
        item(2, "reasoning", summary=[]),
        note(2, "agent_reasoning", text="t"),
    ]
    reading = read(rows, "r.jsonl")
    messages = [(event.role, event.text) for event in reading.events if isinstance(event, Message)]
    assert messages == [("system", "rules"), ("user", "go"), ("assistant", "done")]
    assert reading.report.unknown_rows == {}


def test_calls_issued_together_are_a_batch(read):
    """Consecutive calls before any output are of one response; reasoning between them parts nothing."""
    rows = [
        META,
        call(1, "c1"),
        item(1, "reasoning"),
        call(1, "c2"),
        output(2, "c1", ""),
        output(2, "c2", ""),
        call(3, "c3"),
        output(4, "c3", ""),
    ]
    calls = read(rows, "r.jsonl").calls
    assert [calls[key].batch_id for key in ("c1", "c2", "c3")] == ["c1", "c1", ""]


def test_arguments_that_are_no_json_stay_text(read):
    """The contestant's broken call is on record as it was written."""
    rows = [
        META,
        item(1, "function_call", name="shell", call_id="c1", arguments='{"command": ['),
        output(2, "c1", "failed to parse function arguments: EOF"),
    ]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.arguments, done.status) == ('{"command": [', "failed")


def test_the_hosted_shell_is_a_shell_call(read):
    """Its command and folder are its arguments."""
    action = {"type": "exec", "command": ["bash", "-lc", "ls"], "working_directory": "/w/x"}
    rows = [META, item(1, "local_shell_call", call_id="c1", status="completed", action=action), output(2, "c1", exited(0, ""))]
    done = read(rows, "r.jsonl").calls["c1"]
    assert (done.tool, done.arguments["command"], done.cwd) == ("shell", ["bash", "-lc", "ls"], "/w/x")


def test_unknown_rows_and_orphans_are_counted(read):
    """Nothing of them becomes an event."""
    rows = [
        META,
        {"timestamp": clock(1), "type": "world_model", "payload": {}},
        item(1, "dream"),
        note(1, "wink"),
        output(2, "zz", "x"),
        exec_end(2, "yy", 0),
    ]
    reading = read(rows, "r.jsonl")
    assert reading.report.unknown_rows == {
        "world_model": 1,
        "response_item dream": 1,
        "event_msg wink": 1,
        "output without its call": 1,
        "end without its call": 1,
    }
    assert not [event for event in reading.events if isinstance(event, ToolCall)]


def test_bad_lines_are_rejected_where_they_are(read):
    """A bad time rejects its row alone."""
    bad_time = {**call(1, "c0"), "timestamp": "yesterday"}
    reading = read([META, b"not json", bad_time, call(2, "c1")], "r.jsonl")
    assert [(item.where.rsplit(":", 1)[1], item.stage) for item in reading.rejected] == [("2", "json"), ("3", "time")]
    assert list(reading.calls) == ["c1"]
