"""SWE-agent trajectories."""

from __future__ import annotations

import json

from streams.events import Message


def step(action, observation="", thought="", **state):
    """One step."""
    return {"action": action, "observation": observation, "thought": thought, "state": {"working_dir": "/repo", **state}}


def history(*calls):
    """Messages with a demonstration, the task and calls by name."""
    said = [
        {"role": "system", "content": "sys"},
        {"role": "user", "content": "demo", "is_demo": True},
        {"role": "user", "content": "task"},
    ]
    for action, name, arguments in calls:
        function = {"name": name, "arguments": json.dumps(arguments)}
        said.append({"role": "assistant", "content": "c", "action": action, "tool_calls": [{"id": "x", "function": function}]})
    return said


def document(*steps, calls=(), environment="main"):
    """A whole trajectory."""
    return {"environment": environment, "trajectory": list(steps), "history": history(*calls), "info": {}}


def test_each_step_is_a_call_numbered_from_zero(read):
    """No times, no exit codes; numbers give the order; the observation is plain text."""
    reading = read(document(step("ls -F", "a\r\nb", "I look."), step("cat a", "x")), "inst-1.traj")
    assert [(key, call.arguments, call.output, call.exit_code, call.status) for key, call in reading.calls.items()] == [
        ("0", {"command": "ls -F"}, "a\nb", None, None),
        ("1", {"command": "cat a"}, "x", None, None),
    ]
    assert {(event.at, event.at_source) for event in reading.events} == {(None, "none")}
    assert [event.seq for event in reading.events] == list(range(len(reading.events)))
    assert {call.match_id for call in reading.calls.values()} == {"inst-1"}


def test_the_environment_names_the_match_where_it_is_the_instance(read):
    """The default environment's name tells nothing."""
    assert read(document(step("ls", "x"), environment="proj__1.pr_2"), "f.traj").events[0].match_id == "proj__1.pr_2"


def test_a_command_that_prints_nothing_has_still_ended(read):
    """Its event is an end, not a start."""
    call = read(document(step("rm x", "")), "f.traj").calls["0"]
    assert (call.phase, call.status) == ("end", "ok")


def test_a_step_without_observation_is_only_a_start(read):
    """The run was cut off there."""
    assert read(document(step("rm x", None), step("ls", "x")), "f.traj").calls["0"].phase == "start"


def test_tools_called_by_name_keep_name_and_arguments(read):
    """Matched by the action's text, in order; the shell tool keeps the action as its command."""
    calls = [("open a.py", "open", {"path": "a.py"}), ("ls", "bash", {"command": "ls"}), ("submit", "submit", {})]
    reading = read(document(step("open a.py", "1:x"), step("ls", "a.py"), step("submit", "diff"), calls=calls), "f.traj")
    assert [(call.tool, call.arguments) for call in reading.calls.values()] == [
        ("open", {"path": "a.py"}),
        ("bash", {"command": "ls"}),
        ("submit", {}),
    ]


def test_the_windowed_editor_names_the_open_file(read):
    """Its commands do not say which file they change; the state does, unless the edit was refused."""
    refused = "Your proposed edit has introduced new syntax error(s). Please read this error message carefully"
    reading = read(
        document(
            step("edit 1:2\nx\nend_of_edit", "[File: a.py]", open_file="/repo/a.py"),
            step("edit 1:2\n(\nend_of_edit", refused, open_file="/repo/a.py"),
            step("cat a.py", "x", open_file="/repo/a.py"),
        ),
        "f.traj",
    )
    first, second, third = reading.calls.values()
    assert [change.path for change in first.files] == ["/repo/a.py"]
    assert (second.files, second.status, third.files) == ((), "failed", ())


def test_a_call_runs_in_the_folder_of_the_step_before(read):
    """The state is the one after the step."""
    there = {**step("cd /tmp", ""), "state": {"working_dir": "/tmp"}}
    old = {**step("ls", "x"), "state": json.dumps({"working_dir": "/tmp"})}
    reading = read(document(step("ls", "x"), there, old), "f.traj")
    assert [call.cwd for call in reading.calls.values()] == ["/repo", "/repo", "/tmp"]


def test_messages_are_the_task_and_the_thoughts_without_demonstrations(read):
    """A demonstration is another run's."""
    messages = [event for event in read(document(step("ls", "x", "I look.")), "f.traj").events if isinstance(event, Message)]
    assert [(event.role, event.text) for event in messages] == [("system", "sys"), ("user", "task"), ("assistant", "I look.")]


def test_a_time_out_is_a_failure(read):
    """The harness says so in the observation."""
    text = "The command 'sleep 99' was cancelled because it took more than 30 seconds. Please try a different command"
    assert read(document(step("sleep 99", text)), "f.traj").calls["0"].status == "failed"


def test_odd_steps_are_rejected_and_the_numbers_stay(read):
    """A step's number is its place in the file; one with no action is no call."""
    reading = read(document("odd", step("", "Exited"), step("ls", "x")), "f.traj")
    assert list(reading.calls) == ["2"]
    assert reading.rejected[0].where.endswith("trajectory[0]")


def test_a_document_without_steps_is_rejected(read):
    """There is nothing to read, and it says so."""
    reading = read({"trajectory": {"observation": 1}}, "f.traj")
    assert (len(reading.rejected), reading.events) == (1, [])
