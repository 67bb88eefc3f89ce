"""The verdict: weights, anchor, states, coverage, and bytes that depend on nothing but the opinions."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges import Criterion, Opinion, Provenance
from judges.rubric import load
from judges.verdict import LaneResult, Verdict, decode, encode, verdict

RUBRIC = load()
RUN = "match/one"


def opinion(judge: str, score: float | None, status: Any = None, **more: Any) -> Opinion:
    """An opinion with a score, or one without for want of telemetry."""
    status = status or ("ok" if score is not None else "insufficient")
    return Opinion(judge=judge, run=RUN, status=status, basis="metrics", score=score, **more)


def silent(judge: str, status: str) -> Opinion:
    """An opinion with no score."""
    return opinion(judge, None, status)


def four(objective: float, process: float, strategy: float, recovery: float) -> list[Opinion]:
    """All four lanes spoke."""
    marks = {"objective": objective, "process": process, "strategy": strategy, "recovery": recovery}
    return [opinion(judge, score) for judge, score in marks.items()]


def made(opinions: list[Opinion], revision: int = 7) -> Verdict:
    """The verdict of some opinions."""
    return verdict(RUN, opinions, RUBRIC, revision=revision, end="submitted")


def lane(result: Verdict, judge: str) -> LaneResult:
    """One lane's result."""
    return next(one for one in result.lanes if one.judge == judge)


def test_four_opinions_make_a_final_with_the_weights_of_the_rubric() -> None:
    """80·50 % + 60·20 % + 70·15 % + 90·15 % = 76."""
    result = made(four(80, 60, 70, 90))
    assert (result.state, result.final, result.base, result.label) == ("complete", 76.0, 76.0, "strong")
    assert (result.provisional, result.coverage) == (None, 1.0)
    assert [one.points for one in result.lanes] == [40.0, 12.0, 10.5, 13.5]
    assert [one.share for one in result.lanes] == [50.0, 20.0, 15.0, 15.0]


def test_a_final_on_a_bar_has_reached_it() -> None:
    """75.1 is 75.1, although the nearest float is below."""
    high, low = RUBRIC.labels[0], RUBRIC.labels[-1]
    barred = RUBRIC.model_copy(update={"labels": (high.model_copy(update={"at": Decimal("75.1")}), low)})
    result = verdict(RUN, four(75.1, 75.1, 75.1, 75.1), barred, revision=1, end="submitted")
    assert (result.final, result.label) == (75.1, high.name)


def test_opinion_cannot_rise_more_than_40_above_evidence() -> None:
    """With Objective at 20 a Process of 95 enters as 60; raw and entered are both kept."""
    result = made(four(20, 95, 60, 60.01))
    assert (lane(result, "process").raw, lane(result, "process").entered) == (95.0, 60.0)
    assert (lane(result, "strategy").raw, lane(result, "strategy").entered) == (60.0, 60.0)
    assert (lane(result, "recovery").raw, lane(result, "recovery").entered) == (60.01, 60.0)
    assert lane(result, "objective").entered == 20.0
    assert (result.anchor.status, result.anchor.ceiling) == ("applied", 60.0)
    assert "it lowers process, recovery" in result.anchor.reason
    assert result.final == 40.0


def test_the_anchor_never_exceeds_100() -> None:
    """Objective 90 holds nobody."""
    result = made(four(90, 100, 100, 100))
    assert result.anchor.ceiling == 100.0
    assert "it lowers nobody" in result.anchor.reason
    assert result.final == 95.0


def test_an_objective_of_zero_is_evidence() -> None:
    """Zero is a score, not a missing one: the others enter at 40 at most."""
    result = made(four(0, 100, 100, 100))
    assert (result.final, result.label) == (20.0, "weak")


def test_without_objective_there_is_no_anchor_and_it_says_so() -> None:
    """Nothing is held to evidence that nobody gave."""
    result = made([opinion("process", 100), opinion("recovery", 30)])
    assert (result.anchor.status, result.anchor.ceiling) == ("no_objective", None)
    assert lane(result, "process").entered == 100.0


def test_a_missing_required_judge_leaves_no_final_and_a_marked_provisional_figure() -> None:
    """Process 80 (20) and Recovery 45 (15): 65, from 35 % of the weight, and no label."""
    result = made([opinion("process", 80), opinion("recovery", 45)])
    assert (result.state, result.final, result.base, result.label) == ("incomplete", None, None, None)
    assert (result.provisional, result.coverage) == (65.0, 0.35)
    assert lane(result, "objective").status == "missing"
    assert lane(result, "objective").points is None
    assert result.reason == "no final: objective (missing), strategy (missing) required"


def test_recovery_that_does_not_apply_spreads_its_weight() -> None:
    """The others make up 50, 20 and 15 of 85; the verdict is complete."""
    result = made([*four(80, 60, 70, 0)[:3], silent("recovery", "not_applicable")])
    assert (result.state, result.coverage) == ("complete", 1.0)
    assert result.final == 73.53  # (4000 + 1200 + 1050) / 85 = 73.529…
    assert (lane(result, "recovery").share, lane(result, "recovery").points) == (0.0, None)
    assert "recovery does not apply, its weight is spread over the others" in result.reason


def test_coverage_is_of_the_weight_that_applies() -> None:
    """Process alone, with no Recovery to judge, is 20 of 85."""
    result = made([opinion("process", 80), silent("recovery", "not_applicable")])
    assert (result.provisional, result.coverage) == (80.0, 0.2353)


@pytest.mark.parametrize("status", ["insufficient", "unparseable", "call_failed", "timeout"])
@pytest.mark.parametrize("judge", ["objective", "process", "strategy", "recovery"])
def test_a_judge_that_could_not_judge_is_missing_and_never_zero(judge: str, status: str) -> None:
    """An outage is not a low score, and its weight is not given away."""
    others = [one for one in four(80, 80, 80, 80) if one.judge != judge]
    result = made([*others, silent(judge, status)])
    assert (result.final, result.provisional) == (None, 80.0)
    assert lane(result, judge).status == status
    assert result.coverage == pytest.approx(1 - float(RUBRIC.lane(judge).weight) / 100)


@pytest.mark.parametrize("judge", ["objective", "process", "strategy"])
def test_only_recovery_may_not_apply(judge: str) -> None:
    """Doing nothing does not free a contestant from the other lanes."""
    others = [one for one in four(80, 80, 80, 80) if one.judge != judge]
    assert made([*others, silent(judge, "not_applicable")]).final is None


def test_nobody_spoke_is_no_figure_at_all() -> None:
    """Neither final nor provisional, coverage 0, and still a verdict."""
    result = made([])
    assert (result.final, result.provisional, result.coverage) == (None, None, 0.0)
    assert {one.status for one in result.lanes} == {"missing"}


def test_integrity_is_shown_apart_and_as_not_run() -> None:
    """Nobody looked is not the same as nothing found."""
    shown = json.loads(encode(made(four(80, 60, 70, 90))))
    assert shown["adjustment"] == {"bonus": None, "penalty": None, "status": "not_run"}


def test_the_order_of_opinions_does_not_matter() -> None:
    """Every order gives the same bytes, with the opinions in the judges' order."""
    opinions = [*four(80, 60, 70, 90), opinion("audit", 3)]
    assert len({encode(made(list(order))) for order in permutations(opinions)}) == 1
    assert [one.judge for one in made(opinions[::-1]).opinions] == [
        "objective",
        "process",
        "strategy",
        "recovery",
        "audit",
    ]


def test_a_judge_without_a_lane_is_kept_and_has_no_weight() -> None:
    """Its opinion can be read; the figure is the lanes'."""
    assert made([*four(80, 60, 70, 90), opinion("audit", 3)]).final == 76.0


def test_an_opinion_delivered_twice_counts_once() -> None:
    """Delivery is at least once; two that differ are a mistake and not averaged."""
    opinions = four(80, 60, 70, 90)
    assert encode(made([*opinions, opinions[1]])) == encode(made(opinions))
    with pytest.raises(ValueError, match="two different opinions of the judge process"):
        made([*opinions, opinion("process", 61)])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Opinion(judge="process", run="match/two", status="ok", basis="metrics", score=1.0), "another run, match/two"),
        (opinion("process", 1.0, provenance=Provenance("0", "00", "1")), "made with another rubric"),
        (opinion("process", 100.01), "a score lies in 0 to 100"),
        (opinion("process", -0.01), "a score lies in 0 to 100"),
        (opinion("process", float("nan")), "a score lies in 0 to 100"),
        (opinion("process", None, "ok"), "only `ok` has one"),
        (opinion("process", 0.0, "call_failed"), "only `ok` has one"),
    ],
)
def test_an_opinion_that_breaks_the_contract_is_refused(wrong: Opinion, message: str) -> None:
    """A mistake of the program stops before it becomes a number."""
    with pytest.raises(ValueError, match=message):
        made([wrong])


def test_the_id_is_derived_from_run_rubric_and_revision() -> None:
    """The same three, the same id, whatever the opinions; any other, another."""
    ids = {made([], revision).verdict_id for revision in (1, 2)} | {
        verdict("match/two", [], RUBRIC, revision=1, end="submitted").verdict_id,
        verdict(RUN, [], RUBRIC.model_copy(update={"version": "2"}), revision=1, end="submitted").verdict_id,
        verdict(RUN, [], RUBRIC.model_copy(update={"hash": "0" * 64}), revision=1, end="submitted").verdict_id,
    }
    assert len(ids) == 5
    assert made(four(1, 2, 3, 4)).verdict_id == made([]).verdict_id


def test_the_bytes_are_canonical_and_stable() -> None:
    """Sorted keys, no white space, nothing left out, and the same bytes after reading them back."""
    criteria = (Criterion("dwell_time", 100.0, 99.5, 99.5, "a – b", ("e1",)),)
    result = made([*four(80, 60, 70, 0)[:3], opinion("recovery", 99.5, criteria=criteria)])
    value = encode(result)
    assert value == json.dumps(json.loads(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    assert decode(value) == result
    assert encode(decode(value)) == value
    assert {"final", "provisional", "label"} <= json.loads(value).keys()


def test_rubric_and_metric_versions_are_named() -> None:
    """A figure can be traced to what made it."""
    result = made([])
    assert (result.rubric, result.rubric_hash, result.metrics) == (RUBRIC.version, RUBRIC.hash, "1")
    assert (result.end, result.revision, result.run) == ("submitted", 7, RUN)


scores = st.integers(0, 10_000).map(lambda hundredths: hundredths / 100)
STATUSES = ["insufficient", "not_applicable", "call_failed", "unparseable", "timeout"]


@st.composite
def any_opinions(draw: st.DrawFn) -> list[Opinion]:
    """Some judges, in any order, with or without a score."""
    judges = draw(st.permutations(["objective", "process", "strategy", "recovery"]))
    spoke = judges[: draw(st.integers(0, 4))]
    return [
        opinion(judge, draw(scores)) if draw(st.booleans()) else silent(judge, draw(st.sampled_from(STATUSES)))
        for judge in spoke
    ]


@given(opinions=any_opinions())
def test_points_of_lanes_add_up_and_figures_stay_in_range(opinions: list[Opinion]) -> None:
    """Final or provisional, never both; in 0 to 100 with two places; the lanes' points are it exactly."""
    result = made(opinions)
    figure = result.final if result.state == "complete" else result.provisional
    assert (result.final is not None) == (result.state == "complete")
    assert result.final is None or result.provisional is None
    spoke = [one for one in result.lanes if one.entered is not None]
    assert (figure is None) == (not spoke)
    if figure is not None:
        assert 0 <= figure <= 100
        points = [Decimal(str(one.points)) for one in spoke]
        assert sum(points) == Decimal(str(figure))
        assert sum(Decimal(str(one.share)) for one in result.lanes) == 100
        entered = [one.entered for one in spoke if one.entered is not None]
        assert min(entered) - 0.01 <= figure <= max(entered) + 0.01
    assert encode(made(opinions[::-1])) == encode(result)
