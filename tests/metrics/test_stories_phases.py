"""Stories of what time is spent on: each moment goes to one call's phase, whatever lies between the calls."""

from __future__ import annotations

import pytest

from tests.told import Story

A = "tests/test_x.py::test_a"


def mix(story: Story) -> dict[str, float]:
    """The shares that are not 0."""
    return {name: share for name, share in story.readings()["phase_mix"].details.items() if share}


@pytest.mark.parametrize("phases", [1, 2])
def test_the_time_between_two_calls_belongs_to_the_second(phases: int) -> None:
    """10 s of looking, then 30 s up to the edit's end, then 60 s up to the check's end; told in one event or in two."""
    story = Story(phases=phases).start().read(0, 10, "a.py").edit(38, 40, "a.py").check(90, 100, passed=3).submit(100)
    assert mix(story) == {"explore": 0.1, "edit": 0.3, "check": 0.6}


def test_words_between_two_calls_change_nothing() -> None:
    """Whoever says them: the 30 s up to the edit's end are the edit's."""
    story = Story().start().read(0, 10, "a.py").say(20, "I see.").say(25, "Go on.", role="user").edit(38, 40, "a.py")
    assert mix(story.submit(40)) == {"explore": 0.25, "edit": 0.75}


def test_a_call_that_began_and_never_ended_takes_no_time() -> None:
    """It began between the two; what is known of is the edit."""
    story = Story().start().read(0, 10, "a.py").bash(20, None, "sleep 5").edit(38, 40, "a.py").submit(40)
    assert mix(story) == {"explore": 0.25, "edit": 0.75}


@pytest.mark.parametrize("phases", [1, 2])
def test_idle_gaps_are_left_out(phases: int) -> None:
    """Two gaps of 390 s and of 380 s: what is left is 10 s, 10 s and 20 s."""
    story = Story(phases=phases).start().read(0, 10, "a.py").edit(400, 410, "a.py").check(790, 810, passed=3).submit(810)
    assert mix(story) == {"explore": 0.25, "edit": 0.25, "check": 0.5}


@pytest.mark.parametrize(("back", "edit"), [(310, 0.96875), (311, 0.5)])
def test_five_minutes_are_still_work_and_a_second_more_is_idle(back: float, edit: float) -> None:
    """The edit lasts 10 s and comes 300 s after the look of 10 s: 310 of 320 s; or 301 s after it: 10 of 20 s."""
    story = Story().start().read(0, 10, "a.py").edit(back, back + 10, "a.py").submit(back + 10)
    assert mix(story)["edit"] == edit


def test_a_word_of_its_own_in_the_middle_of_a_long_pause_shows_that_it_was_no_idleness() -> None:
    """Spoken at 200 s: neither half of the pause is over 5 minutes. The 390 s up to the edit's end are the edit's."""
    story = Story().start().read(0, 10, "a.py").say(200, "Let me think.").edit(390, 400, "a.py").submit(400)
    assert mix(story) == {"explore": 0.025, "edit": 0.975}


def test_a_users_word_in_a_long_pause_does_not() -> None:
    """The contestant was idle all the same: 10 s and 10 s are left."""
    story = Story().start().read(0, 10, "a.py").say(200, "Still there?", role="user").edit(390, 400, "a.py").submit(400)
    assert mix(story) == {"explore": 0.5, "edit": 0.5}


@pytest.mark.parametrize("phases", [1, 2])
def test_calls_that_overlap_share_the_time_by_their_ends(phases: int) -> None:
    """Ends at 10 s (look), 29 s (edit) and 30 s (check, which began at 5 s): 10, 19 and 1 s; no second counts twice."""
    story = Story(phases=phases).start().read(0, 10, "a.py").check(5, 30, passed=3).edit(28, 29, "b.py").submit(40)
    reading = story.readings()["phase_mix"]
    assert reading.denominator == 30
    assert mix(story) == {"explore": round(10 / 30, 6), "edit": round(19 / 30, 6), "check": round(1 / 30, 6)}


def test_calls_at_the_same_time_count_once() -> None:
    """Three looks side by side are 10 s, as long as the edit after them."""
    story = Story().start().read(0, 10, "a.py", "b.py", "c.py").edit(10, 20, "a.py").submit(20)
    assert (story.readings()["phase_mix"].denominator, mix(story)) == (20, {"explore": 0.5, "edit": 0.5})


def test_while_an_incident_is_open_all_is_recovery() -> None:
    """The value is the share of recovery: 20 of 50 s, up to the end of the check that resolves."""
    story = Story().start().read(0, 10, "a.py").edit(15, 20, "a.py").check(25, 30, passed=2, failing=(A,))
    story.read(33, 35, "a.py").edit(38, 40, "a.py").check(45, 50, passed=3).submit(60)
    reading = story.readings()["phase_mix"]
    assert (reading.value, reading.numerator, reading.denominator) == (0.4, 20, 50)
    assert mix(story) == {"explore": 0.2, "edit": 0.2, "check": 0.2, "recover": 0.4}


def test_without_calls_there_is_no_mix_and_without_times_no_shares() -> None:
    """Nothing was done; or nobody knows how long it took."""
    assert Story().start().say(10, "I give up.").submit(20).readings()["phase_mix"].state == "not_applicable"
    assert Story(timed=False).start().read(0, 1, "a.py").submit(2).readings()["phase_mix"].state == "insufficient"
