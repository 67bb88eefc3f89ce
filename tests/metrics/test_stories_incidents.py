"""Stories of incidents: what opens one, what merges, who notices, what resolves; and waste."""

from __future__ import annotations

from tests.told import Story

A, B, C, D = (f"tests/test_x.py::test_{name}" for name in "abcd")


def contradicted() -> Story:
    """Green before, the change at 10 s in a.py breaks one test, known at 22 s."""
    return Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))


def test_a_failed_look_up_is_an_incident_only_if_its_target_is_tried_again() -> None:
    """A search that finds no file is how one learns; insisting on it is an error."""
    missing = "cat: notes.txt: No such file or directory\n"
    once = Story().start().bash(10, 11, "cat notes.txt", missing, 1).read(20, 21, "a.py").submit(60)
    twice = Story().start().bash(10, 11, "cat notes.txt", missing, 1).bash(20, 21, "cat notes.txt", missing, 1).submit(60)
    assert once.incidents() == []
    assert twice.incidents() == [(11, None)]


def test_a_refused_edit_is_an_incident_that_the_next_edit_of_the_file_resolves() -> None:
    """Detected by the changed attempt, resolved by its success; the refused one is waste and no change."""
    story = Story().start().refused(10, 11, "a.py").edit(31, 32, "a.py").submit(60)
    readings = story.readings()
    assert story.incidents() == [(11, 32)]
    assert (readings["recovery_speed"].value, readings["error_detection_speed"].value) == (21, 20)
    assert (readings["verification_density"].details["edits"], story.facts().wasted) == (1, {"c-001": "failed"})


def test_a_denied_call_is_no_incident() -> None:
    """Policy said no: that is not an error to recover from."""
    story = Story().start().call(10, 11, "bash", {"command": "curl example.org"}, status="denied", output="denied by policy")
    assert story.submit(60).incidents() == []


def test_a_reported_error_merges_with_the_failing_check() -> None:
    """The harness marks the failing test run as an error too: one incident."""
    story = contradicted().error(22.5, "pytest exited with 1", "test_failure").submit(60)
    assert story.incidents() == [(22, None)]


def test_a_reported_error_of_its_own_is_an_incident() -> None:
    """Until an event says that it is over."""
    story = Story().start().error(10, "worker died", fingerprint="oom").error(40, "", resolves="oom").submit(60)
    assert story.incidents() == [(10, 40)]


def test_an_incident_that_comes_back_is_re_opened() -> None:
    """The same failure again is the same incident; the time of both openings counts."""
    story = contradicted().edit(30, 31, "a.py").check(40, 42, passed=10)
    story.edit(50, 51, "a.py").check(60, 62, passed=9, failing=(A,)).edit(70, 71, "a.py").check(80, 82, passed=10).submit(90)
    recovery = story.readings()["recovery_speed"]
    assert [item.value for item in recovery.items] == [40]


def test_a_passing_run_without_a_change_does_not_resolve() -> None:
    """Nothing was changed: the test is flaky, not fixed."""
    assert contradicted().check(30, 32, passed=10).submit(60).incidents() == [(22, None)]


def test_a_check_that_could_not_run_is_resolved_once_it_runs() -> None:
    """Whatever it then shows."""
    story = Story().start().edit(3, 4, "b.py").cannot_run(10, 11).bash(20, 25, "pip install a", "Successfully installed a-1\n")
    assert story.check(30, 32, passed=10).submit(60).incidents() == [(11, 32)]


def test_an_unknown_command_is_an_incident() -> None:
    """Command not found: resolved by the first success of that tool and command."""
    story = Story().start().bash(10, 11, "pytest -q", "bash: pytest: command not found\n", 127)
    story.bash(20, 25, "pip install pytest", "Successfully installed pytest-9\n").check(30, 32, passed=10).submit(60)
    assert story.incidents() == [(11, 32)]


def test_reading_the_failing_place_detects_and_reading_elsewhere_does_not() -> None:
    """The look at b.py goes on as before; the look at the failing test reacts."""
    speed = contradicted().read(30, 31, "b.py").read(47, 48, "tests/test_x.py").submit(60).readings()
    assert speed["error_detection_speed"].value == 25


def test_the_same_command_again_reacts_to_nothing() -> None:
    """An unchanged attempt is a repeat, not a reaction."""
    readings = contradicted().check(30, 32, passed=9, failing=(A,)).submit(60).readings()
    assert readings["error_detection_speed"].state == "not_reached"
    assert (readings["repeat_failure_rate"].value, readings["repeat_failure_rate"].in_good_range) == (1.0, False)


def test_the_same_command_after_a_change_is_no_unchanged_attempt() -> None:
    """The tree differs: the attempt is another one."""
    readings = contradicted().edit(30, 31, "a.py").check(40, 42, passed=9, failing=(A,)).submit(60).readings()
    assert readings["repeat_failure_rate"].value == 0


def test_files_first_changed_after_the_first_incident_are_growth() -> None:
    """One file before, three after: out of range."""
    story = contradicted()
    for at, path in ((30, "b.py"), (40, "c.py"), (50, "d.py")):
        story.edit(at, at + 1, path)
    growth = story.edit(55, 56, "a.py").submit(60).readings()["scope_growth_after_error"]
    assert (growth.value, growth.in_good_range) == (3.0, False)


def test_calls_that_failed_repeated_or_never_ended_are_waste() -> None:
    """One of each kind in eight calls; the repeat after a change is none."""
    story = Story().start().read(1, 2, "a.py").read(3, 4, "a.py").refused(5, 6, "a.py").edit(7, 8, "a.py").read(9, 10, "a.py")
    story.check(11, 12, passed=3).read(13, 14, "b.py").bash(15, None, "sleep 100").submit(60)
    waste = story.readings()["tool_waste"]
    assert waste.details == {"failed": 1, "repeated": 1, "never_used": 1}
    assert (waste.numerator, waste.denominator) == (3, 8)


def test_a_failing_test_is_no_wasted_call() -> None:
    """It told something."""
    assert contradicted().facts().wasted == {}


def test_a_poll_whose_output_changes_is_no_repeat() -> None:
    """The same question with another answer; the third answer is the second again."""
    story = Story().start().bash(1, 2, "make -j4 all > build.log 2>&1 &")
    for at, output in ((10, "12 %"), (20, "57 %"), (30, "57 %")):
        story.call(at, at + 1, "BashOutput", {"bash_id": "7"}, output=output)
    assert list(story.read(40, 41, "a.py").submit(60).facts().wasted.values()) == ["repeated"]


def test_no_error_leaves_recovery_out() -> None:
    """Recovery does not apply: no 80, no 50, no 0."""
    story = Story().start().read(1, 2, "a.py").edit(10, 11, "a.py").check(20, 22, passed=10).submit(60)
    recovery = next(one for one in story.report().opinions if one.judge == "recovery")
    assert (recovery.status, recovery.score) == ("not_applicable", None)
