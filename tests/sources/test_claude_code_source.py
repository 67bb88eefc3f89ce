"""Claude Code session files."""

from __future__ import annotations

from datetime import timedelta, timezone

import pytest

from streams.events import Context, Message, ToolCall, micros

SESSION = "5f0c2b9e-0000-4000-8000-000000000001"


def clock(second: float) -> str:
    """A moment of the session."""
    return f"2026-03-01T10:00:{second:06.3f}Z"


def row(kind, uuid, second, content, **extra):
    """A row with one message."""
    return {
        "type": kind,
        "uuid": uuid,
        "sessionId": SESSION,
        "cwd": "/w/app",
        "isSidechain": False,
        "parentUuid": None,
        "timestamp": clock(second),
        "message": {"role": kind, "content": content, **extra.pop("message", {})},
        **extra,
    }


def use(uuid, second, call_id, tool, arguments, **extra):
    """A row with one tool call."""
    return row("assistant", uuid, second, [{"type": "tool_use", "id": call_id, "name": tool, "input": arguments}], **extra)


def result(uuid, second, call_id, content, *, error=None, **extra):
    """A row with one tool result."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    if error is not None:
        block["is_error"] = error
    return row("user", uuid, second, [block], **extra)


def one_call(read, *result_arguments, tool="Bash", arguments=None, **result_options):
    """The call of a session that has one."""
    rows = [
        use("u1", 1, "t1", tool, arguments or {"command": "x"}),
        result("u2", 3, "t1", *result_arguments, **result_options),
    ]
    return read(rows, "s.jsonl").calls["t1"]


def test_a_call_and_its_result_are_one_event_at_its_end(read):
    """Start and end times, arguments, folder and output come together; the end is the event's time."""
    call = one_call(read, "a.py\nb.py", arguments={"command": "ls"}, error=False)
    assert (call.tool, call.arguments, call.cwd, call.output) == ("Bash", {"command": "ls"}, "/w/app", "a.py\nb.py")
    assert (call.started_at, call.ended_at, call.at) == (micros(clock(1)), micros(clock(3)), micros(clock(3)))
    assert (call.status, call.exit_code, call.event_id, call.phase) == ("ok", None, "t1#end", "end")
    assert (call.match_id, call.contestant_id, call.producer) == (SESSION, "contestant", "claude_code")


def test_a_failed_command_gives_its_exit_code_and_plain_output(read):
    """`Exit code N` is taken off the output."""
    call = one_call(read, "Exit code 2\nboom", error=True, toolUseResult="Error: Exit code 2\nboom")
    assert (call.status, call.exit_code, call.output) == ("failed", 2, "boom")


def test_a_refused_input_is_a_failure_without_its_tags(read):
    """A rejection by the tool's validation is no denial."""
    text = "<tool_use_error>InputValidationError: Task failed: `prompt` is missing</tool_use_error>"
    call = one_call(read, text, tool="Task", error=True)
    assert (call.status, call.output) == ("failed", "InputValidationError: Task failed: `prompt` is missing")


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …).",
        "The user doesn't want to take this action right now. STOP what you are doing",
        "Permission to use Bash with command rm has been denied.",
        "Claude requested permissions to write to /etc/x, but you haven't granted it yet.",
    ],
)
def test_a_person_or_policy_that_refuses_is_a_denial(read, text):
    """Denied calls are told apart from failed ones."""
    assert one_call(read, text, error=True).status == "denied"


def test_permission_denied_by_the_operating_system_is_a_failure(read):
    """The words of a shell's error are no denial."""
    assert one_call(read, "Exit code 1\ncat: /x: Permission denied", error=True).status == "failed"


def test_an_interrupted_command_says_so(read):
    """`interrupted` in the result counts."""
    assert one_call(read, "", toolUseResult={"stdout": "", "interrupted": True}).status == "interrupted"


def test_blocks_of_a_result_become_plain_text(read):
    """Text blocks are joined, a picture is named."""
    call = one_call(read, [{"type": "text", "text": "one"}, {"type": "image", "source": {}}, {"type": "text", "text": "two"}])
    assert call.output == "one\n[image]\ntwo"


def test_an_edit_gives_its_file_with_lines_and_hashes(read):
    """Added and removed lines come from the patch; before and after differ, and the same content hashes the same."""
    patch = [{"lines": [" a", "-b", "+c", "+d"]}]
    where = {"filePath": "/w/app/x.py"}
    edit = {**where, "oldString": "b", "newString": "c\nd", "originalFile": "a\nb\n", "structuredPatch": patch}
    back = {**where, "oldString": "c\nd", "newString": "b", "originalFile": "a\nc\nd\n", "structuredPatch": []}
    rows = [
        use("u1", 1, "t1", "Edit", {"file_path": "/w/app/x.py"}),
        result("u2", 2, "t1", "ok", toolUseResult=edit),
        use("u3", 3, "t2", "Edit", {"file_path": "/w/app/x.py"}),
        result("u4", 4, "t2", "ok", toolUseResult=back),
    ]
    calls = read(rows, "s.jsonl").calls
    (change,), (reverse,) = calls["t1"].files, calls["t2"].files
    assert (change.path, change.added, change.removed) == ("/w/app/x.py", 2, 1)
    assert change.before == reverse.after != change.after == reverse.before


def test_a_created_file_counts_all_its_lines(read):
    """A new file has no patch, its content is all added."""
    made = {"type": "create", "filePath": "/w/app/n.py", "content": "1\n2\n3\n", "structuredPatch": []}
    (change,) = one_call(read, "created", tool="Write", toolUseResult=made).files
    assert (change.added, change.removed, change.before) == (3, 0, "")


def test_a_read_changes_no_file(read):
    """A result that shows a file is no change of it."""
    assert one_call(read, "1→x", tool="Read", toolUseResult={"type": "text", "file": {"filePath": "/w/x"}}).files == ()


def test_a_call_without_a_result_is_only_a_start(read):
    """A dangling call has no end, no status and no output."""
    reading = read([use("u1", 1, "t1", "Bash", {"command": "sleep 9"}), row("user", "u2", 2, "stop")], "s.jsonl")
    call = reading.calls["t1"]
    assert (call.phase, call.event_id, call.ended_at, call.status) == ("start", "t1#start", None, None)
    assert call.at == micros(clock(1))


def test_calls_of_one_response_are_a_batch(read):
    """They share the response's id; a call that is alone has no batch."""
    message = {"message": {"id": "msg_1"}}
    rows = [
        use("u1", 1, "t1", "Glob", {}, **message),
        use("u2", 2, "t2", "Glob", {}, message={"id": "msg_1"}),
        result("u3", 3, "t1", ""),
        result("u4", 3, "t2", ""),
        use("u5", 4, "t3", "Glob", {}, message={"id": "msg_2"}),
        result("u6", 5, "t3", ""),
    ]
    assert [call.batch_id for call in read(rows, "s.jsonl").calls.values()] == ["msg_1", "msg_1", ""]


def test_side_chain_calls_name_their_delegation(read):
    """Two sub-agents at once are told apart by their prompts."""
    side = {"isSidechain": True}
    rows = [
        use("u1", 1, "task_a", "Task", {"prompt": "look at a"}),
        use("u2", 1, "task_b", "Agent", {"prompt": "look at b"}),
        row("user", "b0", 2, "look at b", **side),
        row("user", "a0", 2, "look at a", **side),
        use("a1", 3, "ra", "Read", {}, **side, parentUuid="a0"),
        use("b1", 3, "rb", "Read", {}, **side, parentUuid="b0"),
        result("a2", 4, "ra", "", **side, parentUuid="a1"),
        result("b2", 4, "rb", "", **side, parentUuid="b1"),
        use("b3", 5, "rb2", "Read", {}, **side, parentUuid="b2"),
        result("u3", 6, "task_a", "done"),
        result("u4", 6, "task_b", "done"),
    ]
    calls = read(rows, "s.jsonl").calls
    assert {key: call.parent for key, call in calls.items()} == {
        "task_a": "",
        "task_b": "",
        "ra": "task_a",
        "rb": "task_b",
        "rb2": "task_b",
    }


def test_sub_agent_messages_wrapped_in_progress_rows_are_read(read):
    """Newer versions keep them so, with the delegation's id on the row."""
    inner = [use("i1", 2, "r1", "Read", {"file_path": "/x"}), result("i2", 3, "r1", "text")]
    wrapped = [
        {
            "type": "progress",
            "uuid": f"p{index}",
            "sessionId": SESSION,
            "cwd": "/w/app",
            "parentToolUseID": "task_a",
            "timestamp": clock(9),
            "data": {"type": "agent_progress", "message": message},
        }
        for index, message in enumerate(inner)
    ]
    rows = [use("u1", 1, "task_a", "Task", {"prompt": "p"}), *wrapped, result("u2", 4, "task_a", "done")]
    call = read(rows, "s.jsonl").calls["r1"]
    assert (call.parent, call.output, call.ended_at) == ("task_a", "text", micros(clock(3)))


def test_a_sub_agents_own_file_names_the_sub_agent(read):
    """In `agent-*.jsonl` the delegation is not on record: the sub-agent's id stands for it."""
    rows = [
        use("a1", 1, "r1", "Read", {}, isSidechain=True, agentId="ab12"),
        result("a2", 2, "r1", "", isSidechain=True, agentId="ab12"),
    ]
    assert read(rows, "agent-ab12.jsonl").calls["r1"].parent == "agent:ab12"


def test_a_background_command_ends_when_a_poll_tells_its_end(read):
    """The start answers at once; exit code, output and end time come from the poll, and the poll stays a call."""
    done = "<status>failed</status>\n\n<exit_code>3</exit_code>\n\n<stdout>\nlate words\n</stdout>"
    rows = [
        use("u1", 1, "t1", "Bash", {"command": "make", "run_in_background": True}),
        result("u2", 2, "t1", "Command running in background with ID: bash_7", toolUseResult={"backgroundTaskId": "bash_7"}),
        use("u3", 3, "t2", "BashOutput", {"bash_id": "bash_7"}),
        result("u4", 4, "t2", "<status>running</status>"),
        use("u5", 5, "t3", "BashOutput", {"bash_id": "bash_7"}),
        result("u6", 6, "t3", done),
    ]
    reading = read(rows, "s.jsonl")
    call = reading.calls["t1"]
    assert (call.status, call.exit_code, call.output, call.ended_at) == ("failed", 3, "late words", micros(clock(6)))
    assert {"t2", "t3"} <= set(reading.calls)
    still = read(rows[:4], "s.jsonl").calls["t1"]
    assert (still.status, still.phase) == ("pending", "pending")


def test_messages_have_the_role_of_who_made_them(read):
    """What the program inserts is the system's, not the user's and not the contestant's."""
    rows = [
        row("user", "u1", 1, "fix it"),
        row("user", "u2", 1, [{"type": "text", "text": "skill text"}], isMeta=True),
        row("user", "u3", 1, "summary so far", isCompactSummary=True),
        row("assistant", "u4", 2, [{"type": "text", "text": "done"}], message={"model": "m-1"}),
        row("assistant", "u5", 3, [{"type": "text", "text": "No response requested."}], message={"model": "<synthetic>"}),
        row("assistant", "u6", 3, [{"type": "thinking", "thinking": "secret"}]),
    ]
    messages = [event for event in read(rows, "s.jsonl").events if isinstance(event, Message)]
    assert [(event.event_id, event.role) for event in messages] == [
        ("u1", "user"),
        ("u2", "system"),
        ("u3", "system"),
        ("u4", "assistant"),
        ("u5", "system"),
    ]


def test_the_context_size_comes_once_a_response(read):
    """The rows of a response repeat its usage."""
    usage = {"id": "m1", "usage": {"input_tokens": 4, "cache_read_input_tokens": 100, "output_tokens": 9}}
    rows = [row("assistant", "u1", 1, "a", message=usage), use("u2", 2, "t", "Read", {}, message=usage)]
    sizes = [event.tokens for event in read(rows, "s.jsonl").events if isinstance(event, Context)]
    assert sizes == [104]


def test_rows_out_of_time_order_keep_their_own_times(read):
    """File order gives the numbers, each row's clock its time."""
    reading = read([row("user", "u1", 20, "later"), row("user", "u2", 5, "earlier")], "s.jsonl")
    assert [(event.seq, event.at) for event in reading.events] == [(0, micros(clock(20))), (1, micros(clock(5)))]


def test_repeated_rows_count_once(read):
    """A resumed session copies its history: same row ids, or same call ids under other row ids."""
    rows = [use("u1", 1, "t1", "Read", {}), result("u2", 2, "t1", "first")]
    reading = read([*rows, *rows, use("u9", 1, "t1", "Read", {}), result("u8", 9, "t1", "second")], "s.jsonl")
    assert [event.output for event in reading.events if isinstance(event, ToolCall)] == ["first"]
    assert reading.report.repeated_rows == 4


def test_unknown_row_types_are_counted_not_read(read):
    """Known bookkeeping rows are passed over, unknown ones counted by type."""
    known = {"type": "summary", "summary": "s", "leafUuid": "l"}
    rows = [row("user", "u1", 1, "x"), known, {"type": "hologram"}, {"type": [1]}, {}]
    reading = read(rows, "s.jsonl")
    assert reading.report.unknown_rows == {"hologram": 1, "no type": 2}
    assert reading.rejected == []


def test_a_bad_line_is_rejected_with_its_line_and_reason(read):
    """The lines around it are read."""
    rows = [row("user", "u1", 1, "a"), b'{"type":"user",', b"\x00\x00", b"[1,2]", row("user", "u2", 2, "b")]
    reading = read(rows, "s.jsonl")
    assert [item.where.rsplit(":", 1)[1] for item in reading.rejected] == ["2", "3", "4"]
    assert "object" in reading.rejected[2].reason
    assert [event.text for event in reading.events] == ["a", "b"]


def test_a_time_without_a_zone_is_rejected_unless_one_is_given(read):
    """The zone comes from outside, never from a guess."""
    entry = row("user", "u1", 1, "a")
    entry["timestamp"] = "2026-03-01T10:00:01"
    assert read([entry], "s.jsonl").rejected[0].stage == "time"
    zone = timezone(timedelta(hours=-8))
    assert read([entry], "s.jsonl", zone=zone).events[0].at == micros("2026-03-01T18:00:01Z")
