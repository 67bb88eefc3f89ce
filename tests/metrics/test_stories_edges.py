"""Stories at the edges of the definitions: base trees, builds, masked exits, time-outs, edits in shell lines."""

from __future__ import annotations

from tests.told import Story

A, B = (f"tests/test_x.py::test_{name}" for name in "ab")
NEW = "from a import f\n\n\ndef test_n():\n    assert f(1) == 2\n"


def contradicted() -> Story:
    """Green before, the change at 10 s in a.py breaks one test, known at 22 s."""
    return Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))


def test_a_failure_on_a_tree_equal_to_the_base_is_a_baseline_at_any_time() -> None:
    """The only change was undone: what fails now failed before anybody came."""
    story = Story().start().edit(10, 11, "a.py").revert(20, 21, "a.py").check(30, 32, passed=9, failing=(A,)).submit(60)
    assert (story.against(), story.incidents()) == ([], [])


def test_a_build_that_failed_and_passes_is_progress() -> None:
    """Where names are unknown the command stands for them."""
    output = "cc -c src/a.c\nsrc/a.c:3:5: error: expected ';' before '}' token\nmake: *** [a.o] Error 1\n"
    story = Story().start().bash(5, 6, "make", output, 2).edit(10, 11, "src/a.c").bash(20, 22, "make", "cc -c src/a.c\n")
    fix = story.submit(60).readings()["time_to_first_correct_fix"]
    assert (story.against(), fix.numerator, fix.details["basis"]) == ([], 22, "fixed")


def test_the_same_check_that_cannot_run_twice_is_one_contradiction() -> None:
    """Nothing changed between; the next change in the same place mends it."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").cannot_run(20, 21).cannot_run(30, 31)
    story.edit(40, 41, "a.py").check(50, 52, passed=10).submit(90)
    assert (story.against(), story.incidents()) == ([(21, "fixed")], [(21, 52)])


def test_a_contestants_own_new_test_is_not_presumed_to_have_passed() -> None:
    """Its first failure after the change is no regression of the base tree."""
    story = Story().start().edit(10, 11, "a.py").write(15, 16, "tests/test_new.py", NEW)
    story.check(20, 22, failing=("tests/test_new.py::test_n",), command="pytest -q tests/test_new.py").submit(60)
    assert story.against() == []


def test_a_new_test_that_turns_green_by_the_change_is_progress() -> None:
    """It failed before the first change of the work and passes after it."""
    story = Story().start().write(5, 6, "tests/test_new.py", NEW)
    story.check(7, 8, failing=("tests/test_new.py::test_n",), command="pytest -q tests/test_new.py")
    story.edit(10, 11, "a.py").check(20, 22, passed=1, command="pytest -q tests/test_new.py").submit(60)
    assert story.readings()["time_to_first_correct_fix"].numerator == 22


def test_neither_a_refused_edit_nor_one_of_documents_answers() -> None:
    """They change nothing of the approach."""
    story = contradicted().refused(30, 31, "b.py").edit(40, 41, "README.md", old="Old words.", new="New words.").submit(60)
    assert (story.against(), story.turns()) == ([(22, "")], [])


def test_taking_everything_back_answers_and_counts_every_edit() -> None:
    """A hard reset takes back both edits; the green run after it is the best result reached again."""
    story = (
        Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").edit(12, 13, "b.py").check(20, 22, passed=9, failing=(A,))
    )
    story.bash(30, 31, "git reset --hard", "HEAD is now at 1a2b3c4 Base\n").check(40, 42, passed=10).submit(60)
    assert (story.against(), story.turns()) == ([(22, "approach")], [(30, "revert", True)])
    assert story.facts().reverted_count == 2


def test_a_stash_that_never_comes_back_is_a_revert() -> None:
    """Only the pop would make a diagnosis of it."""
    story = contradicted().bash(30, 31, "git stash", "Saved working directory\n").check(40, 42, passed=10).submit(60)
    assert (story.turns(), story.facts().reverted_count) == ([(30, "revert", True)], 1)


def test_errors_of_tests_are_failures_that_ran() -> None:
    """Pytest's exit 1 with errors only: a result, by name, that the change mends."""
    story = Story().start().check(5, 6, passed=9, errors=(A,)).edit(10, 11, "a.py").check(20, 22, passed=10).submit(60)
    assert story.readings()["time_to_first_correct_fix"].numerator == 22
    assert story.incidents() == []


def test_a_pipe_that_hides_the_exit_code_hides_no_result() -> None:
    """The framework's summary gives counts and outcome."""
    command = "pytest -q 2>&1 | tail -3"
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py")
    story.bash(20, 22, command, f"FAILED {A} - assert 3 == 4\n1 failed, 9 passed in 0.12s\n").submit(60)
    assert (story.against(), story.incidents()) == ([(22, "")], [(22, None)])


def test_a_time_out_is_a_check_that_could_not_run() -> None:
    """It ran before, so it contradicts; it does not use up the change."""
    story = Story().start().check(3, 4, passed=10).edit(10, 11, "a.py")
    story.bash(20, 140, "pytest -q", "Command timed out after 120s\n", 124).submit(200)
    assert story.against() == [(140, "")]
    assert story.readings()["verification_density"].numerator == 0


def test_an_edit_and_a_check_in_one_shell_line_are_both() -> None:
    """The line is parsed: `sed -i` changes, `pytest` verifies and contradicts."""
    story = Story().start().check(3, 4, passed=10)
    story.bash(10, 12, "sed -i 's/plus/minus/' a.py && pytest -q", f"FAILED {A} - x\n1 failed, 9 passed in 0.1s\n", 1).submit(
        60
    )
    density = story.readings()["verification_density"]
    assert (story.against(), density.numerator, density.denominator) == ([(12, "")], 1, 1)


def test_one_of_two_broken_tests_mended_is_no_progress() -> None:
    """Both passed before: the best result is not reached again, and the check that still fails contradicts anew."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=8, failing=(A, B))
    story.edit(30, 31, "a.py").check(40, 42, passed=9, failing=(B,)).submit(90)
    assert story.against() == [(22, ""), (42, "")]


def test_a_file_written_again_as_it_is_is_no_change() -> None:
    """Three writes of one content are one edit; the check after the last two verifies nothing new."""
    story = Story().start().write(5, 6, "src/a.py", "x = 1\n").write(7, 8, "src/a.py", "x = 1\n").check(10, 12, passed=5)
    facts = story.write(20, 21, "src/a.py", "x = 1\n").check(30, 32, passed=5).submit(60).facts()
    assert (facts.edit_count, facts.reverted_count, facts.sets, facts.effective_count) == (1, 0, 1, 1)


def test_a_file_written_as_it_was_before_an_edit_takes_the_edit_back() -> None:
    """What the edit made of the file is not known, but it is not what was written before and after."""
    story = Story().start().write(5, 6, "src/a.py", "x = 1\n").edit(7, 8, "src/a.py").check(10, 12, passed=5)
    facts = story.write(20, 21, "src/a.py", "x = 1\n").submit(60).facts()
    assert (facts.edit_count, facts.reverted_count) == (2, 1)
    assert [edit.reverted for edit in facts.edits] == [False, True]
