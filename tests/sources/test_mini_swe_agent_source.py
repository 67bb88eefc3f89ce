"""mini-swe-agent trajectories of both versions."""

from __future__ import annotations

import pytest

from streams.events import Message, micros
from streams.sources import SourceError

T0 = 1_763_509_000


def answer(created, text):
    """An answer of version 1."""
    return {"role": "assistant", "content": text, "extra": {"response": {"created": created}}}


def bash(created, command):
    """An answer of version 1 with one command."""
    return answer(created, f"THOUGHT: next.\n\n```bash\n{command}\n```")


def observed(code, text):
    """An observation of version 1."""
    return {"role": "user", "content": f"<returncode>{code}</returncode>\n<output>\n{text}\n</output>"}


def document(*messages, status="Submitted", **extra):
    """A whole trajectory."""
    return {
        "info": {"exit_status": status, "mini_version": "1.15.0", "config": {"environment": {"cwd": "/testbed"}}},
        "messages": [{"role": "system", "content": "sys"}, {"role": "user", "content": "task"}, *messages],
        "trajectory_format": "mini-swe-agent-1",
        "instance_id": "proj-7",
        **extra,
    }


def test_version_1_steps_end_when_the_model_is_asked_again(read):
    """Times are derived; the last step ends at its own start; the run's name is the instance's."""
    trajectory = document(bash(T0, "ls"), observed(0, "a.py"), bash(T0 + 6, "pytest -q"), observed(1, "1 failed"))
    calls = read(trajectory, "x.traj.json").calls
    first, second = calls["0"], calls["1"]
    assert (first.tool, first.arguments, first.cwd, first.output) == ("bash", {"command": "ls"}, "/testbed", "a.py")
    assert (first.started_at, first.ended_at) == (micros(T0), micros(T0 + 6))
    assert (second.started_at, second.ended_at, second.exit_code, second.status) == (
        micros(T0 + 6),
        micros(T0 + 6),
        1,
        "failed",
    )
    assert {call.at_source for call in calls.values()} == {"derived"}
    assert (first.match_id, first.event_id) == ("proj-7", "0#end")


def test_what_was_said_before_the_first_answer_has_its_time(read):
    """System text and task are there when the model is first asked; numbers keep the order."""
    events = read(document(bash(T0, "ls"), observed(0, "")), "x.traj.json").events
    assert [(event.seq, getattr(event, "role", "call"), event.at) for event in events] == [
        (0, "system", micros(T0)),
        (1, "user", micros(T0)),
        (2, "assistant", micros(T0)),
        (3, "call", micros(T0)),
    ]
    assert events[2].text == "THOUGHT: next."


def test_output_that_was_cut_keeps_head_and_tail(read):
    """The harness's warning is not the command's output."""
    text = (
        "<returncode>1</returncode>\n<warning>\nToo long\n</warning><output_head>\nhead</output_head>\n"
        "<elided_chars>\n99 characters elided\n</elided_chars>\n<output_tail>\ntail\n</output_tail>"
    )
    call = read(document(bash(T0, "x"), {"role": "user", "content": text}), "x.traj.json").calls["0"]
    assert (call.output, call.exit_code) == ("head\n[… 99 characters elided …]\ntail", 1)


def test_tags_inside_the_output_stay(read):
    """Only the harness's own outermost tags are taken off."""
    call = read(document(bash(T0, "cat x"), observed(0, "a <output>b</output> c")), "x.traj.json").calls["0"]
    assert call.output == "a <output>b</output> c"


def test_a_time_out_is_a_failure_without_an_exit_code(read):
    """What it printed is kept, and that it timed out."""
    text = (
        "The last command <command>sleep 9</command> timed out and has been killed.\nThe output of the command was:\n"
        " <output>\npart\n</output>\nPlease try another command"
    )
    call = read(document(bash(T0, "sleep 9"), {"role": "user", "content": text}), "x.traj.json").calls["0"]
    assert (call.status, call.exit_code) == ("failed", None)
    assert call.output == "part\nThe command timed out and has been killed."


def test_an_answer_without_exactly_one_command_is_no_call(read):
    """The harness refuses it: its reply is a message, and call numbers go on without a gap."""
    trajectory = document(
        answer(T0, "no command"),
        {"role": "user", "content": "Please always provide EXACTLY ONE action"},
        answer(T0 + 1, "```bash\na\n```\n```bash\nb\n```"),
        {"role": "user", "content": "found 2"},
        bash(T0 + 2, "ls"),
        observed(0, "x"),
    )
    reading = read(trajectory, "x.traj.json")
    assert [call.arguments["command"] for call in reading.calls.values()] == ["ls"]
    assert sum(isinstance(event, Message) and event.role == "user" for event in reading.events) == 3


def test_what_is_submitted_is_the_last_calls_output(read):
    """It comes bare, without an exit code."""
    done = bash(T0, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff")
    call = read(document(done, {"role": "user", "content": "diff --git a b"}), "x.traj.json").calls["0"]
    assert (call.status, call.exit_code, call.output) == ("ok", None, "diff --git a b")


def test_a_limit_leaves_the_last_call_open(read):
    """The limit's name is no output of the command."""
    trajectory = document(bash(T0, "ls"), {"role": "user", "content": "LimitsExceeded"}, status="LimitsExceeded")
    reading = read(trajectory, "x.traj.json")
    assert reading.calls["0"].phase == "start"
    assert reading.events[-1].text == "LimitsExceeded"


def test_a_refusal_by_a_person_is_a_denial(read):
    """Nothing ran."""
    text = "Command not executed. The user rejected your command with the following message: no"
    call = read(document(bash(T0, "rm -rf x"), {"role": "user", "content": text}), "x.traj.json").calls["0"]
    assert (call.status, call.exit_code) == ("denied", None)


def v2(*messages, status="Submitted"):
    """A whole trajectory of version 2."""
    whole = document(*messages, status=status)
    return {**whole, "trajectory_format": "mini-swe-agent-1.1"}


def asked(at, *commands):
    """An answer of version 2 with its commands."""
    actions = [{"command": command, "tool_call_id": f"tc{index}"} for index, command in enumerate(commands)]
    return {"role": "assistant", "content": "I look.", "extra": {"actions": actions, "timestamp": at}}


def tool(at, index, code, text, **extra):
    """An observation of version 2."""
    return {
        "role": "tool",
        "tool_call_id": f"tc{index}",
        "content": "{}",
        "extra": {"raw_output": text, "returncode": code, "timestamp": at, "exception_info": "", **extra},
    }


def test_version_2_has_exact_times_and_raw_output(read):
    """Several commands of one answer are a batch with numbers of their own."""
    trajectory = v2(asked(T0 + 0.5, "ls", "pytest"), tool(T0 + 2.25, 0, 0, "a\n"), tool(T0 + 2.25, 1, 1, "F\n"))
    calls = read(trajectory, "x.traj.json").calls
    assert (calls["0"].started_at, calls["0"].ended_at) == (micros(T0 + 0.5), micros(T0 + 2.25))
    assert [(call.output, call.exit_code, call.status) for call in calls.values()] == [("a\n", 0, "ok"), ("F\n", 1, "failed")]
    assert calls["0"].batch_id == calls["1"].batch_id != ""
    assert calls["0"].at_source == "event"


def test_version_2_answers_in_the_other_shape_are_read(read):
    """A response object with output items, and outputs by call id."""
    said = {"type": "message", "content": [{"type": "output_text", "text": "I see."}]}
    ask = {"object": "response", "output": [said, {"type": "function_call"}], "extra": asked(T0, "ls")["extra"]}
    got = {"type": "function_call_output", "call_id": "tc0", "output": "{}", "extra": tool(T0 + 1, 0, 0, "x")["extra"]}
    reading = read(v2(ask, got), "x.traj.json")
    assert reading.calls["0"].output == "x"
    assert "I see." in [getattr(event, "text", "") for event in reading.events]


def test_version_2_says_what_did_not_run_or_was_killed(read):
    """-1 is the harness's mark, not an exit code."""
    trajectory = v2(
        asked(T0, "sleep 99", "ls"),
        tool(T0 + 9, 0, -1, "part", exception_info="An error occurred while executing the command: timed out after 9 seconds"),
        tool(T0 + 9, 1, -1, "", exception_info="action was not executed"),
    )
    calls = read(trajectory, "x.traj.json").calls
    assert [(call.status, call.exit_code) for call in calls.values()] == [("failed", None), ("interrupted", None)]
    assert "timed out" in calls["0"].output


def test_version_2_submission_is_the_marked_calls_output(read):
    """The exit message has no time: the call ends when it began; other ends are messages."""
    mark = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt"
    leave = {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": "diff"}}
    call = read(v2(asked(T0, mark), leave), "x.traj.json").calls["0"]
    assert (call.status, call.exit_code, call.output, call.at_source) == ("ok", 0, "diff", "derived")
    limit = {"role": "exit", "content": "LimitsExceeded", "extra": {"exit_status": "LimitsExceeded"}}
    assert read(v2(asked(T0, "ls"), limit, status="LimitsExceeded"), "x.traj.json").events[-1].role == "system"


def test_a_file_without_any_time_says_so(read):
    """No time is made up."""
    trajectory = document({"role": "assistant", "content": "```bash\nls\n```"}, observed(0, "x"))
    assert {event.at_source for event in read(trajectory, "x.traj.json").events} == {"none"}


def test_odd_messages_are_rejected_or_counted(read):
    """The rest is read."""
    trajectory = document(
        "text", {"role": "ghost", "content": "x"}, answer("never", "```bash\nls\n```"), bash(T0, "ls"), observed(0, "")
    )
    reading = read(trajectory, "x.traj.json")
    assert [(item.where.rsplit(":", 1)[1], item.stage) for item in reading.rejected] == [
        ("messages[2]", "fields"),
        ("messages[4]", "time"),
    ]
    assert reading.report.unknown_rows == {"ghost": 1}
    assert len(reading.calls) == 1


def test_a_broken_document_names_the_place(read):
    """A file cut off while it was written cannot be read in part."""
    with pytest.raises(SourceError, match=r"line 1 column \d+.*cut off"):
        read(b'{"info": {"mini_version": "1.15.0"}, "messages": [{"role": "sys', "x.traj.json")


def test_a_document_without_messages_is_rejected(read):
    """It is of the format, and there is nothing in it."""
    reading = read({"info": {"mini_version": "2"}, "messages": None}, "x.traj.json")
    assert (len(reading.rejected), reading.events) == (1, [])
