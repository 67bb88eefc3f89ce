"""Stories of approaches: fixes in place, moves, new plans, reverts, diagnosis, thrash."""

from __future__ import annotations

from tests.told import Story

A, B, C, D = (f"tests/test_x.py::test_{name}" for name in "abcd")


def contradicted(**more: int) -> Story:
    """Green before, the change at 10 s in a.py:f breaks one test, known at 22 s."""
    return Story(**more).start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))


def test_a_change_in_the_same_place_that_helps_is_a_fix_not_a_pivot() -> None:
    """It closes the contradiction with no change of approach; no latency is read."""
    story = contradicted().edit(30, 31, "a.py").check(40, 42, passed=10).submit(60)
    assert (story.against(), story.turns()) == ([(22, "fixed")], [])
    assert story.readings()["pivot_latency"].state == "not_applicable"
    assert story.readings()["recovery_speed"].value == 20


def test_a_change_in_another_file_answers() -> None:
    """Moved: latency is from the check's end to the change's start."""
    story = contradicted().edit(52, 53, "b.py", symbol="g").check(60, 62, passed=10).submit(90)
    assert (story.against(), story.turns()) == ([(22, "approach")], [(52, "moved", True)])
    assert story.readings()["pivot_latency"].value == 30


def test_another_function_of_the_same_file_is_another_place() -> None:
    """Where symbols are known, they count."""
    assert contradicted().edit(52, 53, "a.py", symbol="g").submit(90).turns() == [(52, "moved", False)]


def test_a_new_plan_answers_and_ticking_off_does_not() -> None:
    """Items with other texts are a re-plan; the same texts with other states are not."""

    def todo(story: Story, at: float, *items: tuple[str, str]) -> Story:
        todos = [{"content": text, "status": state} for text, state in items]
        return story.call(at, at + 1, "TodoWrite", {"todos": todos}, output="Todos have been modified successfully")

    start = todo(Story().start(), 1, ("reproduce", "in_progress"), ("fix f", "pending")).check(5, 6, passed=10)
    start.edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,))
    todo(start, 30, ("reproduce", "completed"), ("fix f", "in_progress"))
    assert start.against() == [(22, "")]
    todo(start, 40, ("reproduce", "completed"), ("rewrite the parser", "in_progress"))
    assert (start.against(), start.turns()) == ([(22, "approach")], [(40, "plan", False)])


def test_saying_so_is_no_change_of_approach() -> None:
    """A statement counts only with a moved change or a revert behind it."""
    story = contradicted().say(30, "This approach is wrong. I will try something else.").submit(90)
    assert (story.against(), story.turns()) == ([(22, "")], [])


def test_a_revert_answers_all_that_is_open() -> None:
    """Two contradictions, one revert."""
    story = contradicted().edit(30, 31, "a.py").check(40, 42, passed=8, failing=(A, B))
    story.revert(50, 51, "a.py", git=True).check(60, 62, passed=10).submit(90)
    assert (story.against(), story.turns()) == ([(22, "approach"), (42, "approach")], [(50, "revert", True)])
    pivot = story.readings()["pivot_latency"]
    assert ([item.value for item in pivot.items], pivot.value) == ([28, 8], 18)


def test_what_follows_an_approach_change_belongs_to_it() -> None:
    """The revert and the move after it are one change of approach."""
    story = contradicted().revert(30, 31, "a.py").edit(40, 41, "b.py", symbol="g").check(50, 52, passed=10).submit(90)
    assert story.turns() == [(30, "revert", True)]


def test_an_open_contradiction_keeps_the_reading_out_of_range() -> None:
    """One was answered in 8 s, the other never: listed with its age at the end."""
    story = contradicted().revert(30, 31, "a.py").edit(40, 41, "b.py").check(50, 52, passed=9, failing=(B,)).submit(90)
    pivot = story.readings()["pivot_latency"]
    assert (pivot.value, pivot.in_good_range, pivot.details["open"]) == (8, False, 1)
    assert [(item.value, item.open, item.age) for item in pivot.items] == [(8, False, None), (None, True, 38)]


def test_contradictions_that_are_never_answered_are_not_reached() -> None:
    """It could have happened and did not: no number."""
    pivot = contradicted().submit(90).readings()["pivot_latency"]
    assert (pivot.state, pivot.value, pivot.items[0].age) == ("not_reached", None, 68)


def test_a_change_that_began_before_the_check_ended_does_not_react_to_it() -> None:
    """B can react to A only if B starts at or after A's end."""
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py").check(20, 40, passed=9, failing=(A,))
    assert story.edit(30, 45, "b.py", symbol="g").submit(90).against() == [(40, "")]


def test_a_revert_with_nothing_open_is_thrash_without_latency() -> None:
    """A spontaneous change of approach that ends without progress, in five active minutes: 0.2 a minute."""
    story = Story().start().read(0, 1, "a.py").edit(10, 11, "a.py").revert(20, 21, "a.py").read(160, 161, "b.py")
    readings = story.submit(300).readings()
    assert story.turns() == [(20, "revert", False)]
    assert readings["pivot_latency"].state == "not_applicable"
    assert (readings["thrash_rate"].value, readings["thrash_rate"].in_good_range) == (0.2, True)


def test_stashing_and_popping_is_diagnosis() -> None:
    """Checked on the base tree, then all put back: nothing was reverted, and what failed there is a baseline."""
    story = Story().start().edit(10, 11, "a.py").check(20, 22, passed=9, failing=(A,)).bash(30, 31, "git stash", "Saved\n")
    story.check(40, 42, passed=9, failing=(A,)).bash(50, 51, "git stash pop", "Dropped refs/stash@{0}\n").submit(90)
    assert (story.against(), story.turns(), story.incidents()) == ([], [], [])
    assert story.facts().reverted_count == 0


def test_reverting_and_making_the_same_edits_again_is_diagnosis() -> None:
    """By edits instead of a stash: none of it is a change of approach or a reversion."""
    old, new = "def f(x):\n    return 1\n", "def f(x):\n    return 2\n"
    story = Story().start().check(5, 6, passed=10).edit(10, 11, "a.py", old=old, new=new).check(20, 22, passed=9, failing=(A,))
    story.revert(30, 31, "a.py", git=True).check(40, 42, passed=10).edit(50, 51, "a.py", old=old, new=new)
    story.check(60, 62, passed=9, failing=(A,)).submit(90)
    assert story.turns() == []
    assert story.facts().reverted_count == 0


def test_an_edit_that_restores_an_earlier_content_is_a_revert() -> None:
    """The harness's hashes show it."""
    story = Story().start().check(5, 6, passed=10)
    story.edit(10, 11, "a.py", files=[{"path": "a.py", "before": "h0", "after": "h1", "added": 1, "removed": 1}])
    story.check(20, 22, passed=9, failing=(A,))
    story.edit(30, 31, "a.py", files=[{"path": "a.py", "before": "h1", "after": "h0", "added": 1, "removed": 1}])
    assert story.submit(90).turns() == [(30, "revert", False)]


def test_committed_edits_are_not_taken_back_by_a_checkout() -> None:
    """A checkout takes back what was changed since the commit: one of two edits."""
    story = Story().start().edit(10, 11, "a.py").bash(20, 21, "git commit -qam one").edit(30, 31, "a.py")
    assert story.revert(40, 41, "a.py", git=True).submit(90).facts().reverted_count == 1


def test_an_undo_takes_back_one_edit_and_a_checkout_all() -> None:
    """What a revert takes back is counted, not the revert."""
    edits = [Story().start(), Story().start()]
    for story in edits:
        for at in (10, 20, 30):
            story.edit(at, at + 1, "a.py")
    assert edits[0].revert(40, 41, "a.py").facts().reverted_count == 1
    assert edits[1].revert(40, 41, "a.py", git=True).facts().reverted_count == 3


def test_six_edits_of_which_one_is_taken_back_is_healthy() -> None:
    """1/6 lies in the good range."""
    story = Story().start()
    for at in range(10, 70, 10):
        story.edit(at, at + 1, "a.py").check(at + 2, at + 3, passed=10)
    reversion = story.revert(80, 81, "a.py").submit(90).readings()["reversion_ratio"]
    assert (reversion.numerator, reversion.denominator, reversion.in_good_range) == (1, 6, True)


def test_every_third_unchanged_repeat_of_an_incident_is_thrash() -> None:
    """The same failing command four times with nothing changed: three repeats, one count; 4 active minutes."""
    story = contradicted()
    for at in (60, 100, 140):
        story.check(at, at + 2, passed=9, failing=(A,))
    thrash = story.read(180, 182, "a.py").submit(240).readings()["thrash_rate"]
    assert (thrash.numerator, thrash.value) == (1, 0.25)


def test_thrash_needs_two_active_minutes() -> None:
    """Under that a rate a minute would say nothing."""
    assert contradicted().submit(119.9).readings()["thrash_rate"].state == "not_applicable"
    assert contradicted().submit(120).readings()["thrash_rate"].state == "measured"
