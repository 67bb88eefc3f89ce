"""The worked example of the scoring page is what the code computes."""

from __future__ import annotations

from pathlib import Path

import pytest

from judges import Opinion, all_judges
from judges.rubric import load
from judges.verdict import Verdict, verdict
from metrics.base import Item, Reading

PAGE = Path(__file__).parents[2] / "docs" / "scoring.md"
DENSITY = {"units": 5, "change_sets": 3, "effective": 2, "raw": 6, "raw_ratio": 1.2, "changed_lines": 420, "plans": 0}
READINGS = (
    Reading("verification_density", "measured", value=0.4, details=DENSITY),
    Reading("dwell_time", "measured", value=0.25),
    Reading("time_to_first_correct_fix", "measured", value=0.55),
    Reading("tool_waste", "measured", value=0.2),
    Reading("pivot_latency", "measured", value=150.0, items=(Item(150.0), Item(None, open=True, age=300.0))),
    Reading("recovery_speed", "measured", value=150.0, items=(Item(240.0), Item(60.0), Item(None, open=True, age=310.0))),
    Reading("thrash_rate", "measured", value=0.6),
    Reading("reversion_ratio", "not_applicable", reason="fewer than 5 edits"),
    Reading("scope_growth_after_error", "measured", value=2.0),
    Reading("error_detection_speed", "measured", value=45.0),
    Reading("repeat_failure_rate", "measured", value=0.333333),
    Reading("score_trajectory", "not_applicable", reason="fewer than 2 results"),
)


def opinions() -> list[Opinion]:
    """What the judges say of the example."""
    by_name = {reading.metric: reading for reading in READINGS}
    return [judge.opine("bout-1/ada", by_name, load()) for judge in all_judges()]


def result() -> Verdict:
    """The example's verdict."""
    return verdict("bout-1/ada", opinions(), load(), revision=212, end="submitted")


def figure(number: float | None) -> str:
    """A number of two places, or the dash of one that is not there."""
    return "–" if number is None else f"{number:.2f}"


def opinion_table(opinion: Opinion) -> str:
    """An opinion as the page shows it."""
    rows = [
        f"| `{one.name}` | {figure(one.weight)} | {figure(one.score)} | {figure(one.points)} | {one.reason} |"
        for one in opinion.criteria
    ]
    weight, points = sum(one.weight for one in opinion.criteria), figure(opinion.score)
    head = ["| criterion | weight | score | points | reason |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows, f"| **{opinion.judge}** | {figure(weight)} | | **{points}** | {opinion.reason} |"])


def verdict_table(made: Verdict) -> str:
    """A verdict as the page shows it."""
    rows = [
        f"| {one.judge} | {one.status} | {one.weight:g} | {figure(one.share)} | {figure(one.entered)} | {figure(one.points)} |"
        for one in made.lanes
    ]
    head = ["| judge | status | weight | share | entered | points |", "|---|---|---|---|---|---|"]
    foot = f"`state` {made.state}, `final` none, `provisional` {figure(made.provisional)}, `coverage` {made.coverage:g}."
    return "\n".join([*head, *rows, "", foot])


@pytest.mark.parametrize("place", [0, 1], ids=["process", "recovery"])
def test_the_opinions_on_the_page_are_the_ones_the_judges_give(place: int) -> None:
    """Every weight, score, point and sentence."""
    assert opinion_table(opinions()[place]) in PAGE.read_text()


def test_the_verdict_on_the_page_is_the_one_that_is_composed() -> None:
    """The provisional figure and its coverage too."""
    assert result().final is None
    assert verdict_table(result()) in PAGE.read_text()


def test_the_page_names_every_state_an_opinion_can_have() -> None:
    """A reader who meets one in a message finds it explained."""
    text = PAGE.read_text()
    assert all(f"`{status}`" in text for status in ("ok", "insufficient", "not_applicable", "missing"))
