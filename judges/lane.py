"""A lane judged from readings alone: criteria, their weights and points, and the opinion they make."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from judges.base import Criterion, Opinion, OpinionStatus, Provenance
from judges.curve import apportion, hundredths, two_places
from judges.mark import Marked, mark
from judges.words import number
from metrics.base import EVIDENCE_KEPT, VERSION, Reading

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judges.rubric import CriterionRule, Lane, Rubric


class _Weighed(NamedTuple):
    """A criterion of the rubric and what it came to."""

    rule: CriterionRule
    marked: Marked

    @property
    def scored(self) -> bool:
        return self.marked.state == "scored"

    @property
    def counts(self) -> Fraction:
        """The weight it speaks with, of the lane's 100."""
        return Fraction(self.rule.weight) if self.scored else Fraction()


def opinion_from_metrics(judge: str, run: str, readings: Mapping[str, Reading], rubric: Rubric) -> Opinion:
    """The opinion of a lane whose criteria are all curves over readings (`basis` says `metrics`).

    `not_applicable`: nothing happened that the lane judges. `insufficient`: less than the rubric's share of the lane's
    weight could be measured. Neither has a score; the criteria that were measured show theirs all the same, with the
    rubric's weights and no points.
    """
    lane = rubric.lane(judge)
    weighed = [_Weighed(rule, _criterion(rule, readings)) for rule in lane.criteria]
    status, reason = _status(lane, readings, weighed, rubric)
    made_with = Provenance(rubric=rubric.version, rubric_hash=rubric.hash, metrics=VERSION)
    opinion = Opinion(judge=judge, run=run, status=status, basis="metrics", reason=reason, provenance=made_with)
    if status == "ok":
        return _with_score(opinion, weighed)
    return replace(opinion, criteria=tuple(_shown(one, float(one.rule.weight), None) for one in weighed))


def _criterion(rule: CriterionRule, readings: Mapping[str, Reading]) -> Marked:
    """The mean of the marks that were scored; with none, `insufficient` unless none applies."""
    marks = [mark(one, readings) for one in rule.marks]
    scored = [one for one in marks if one.state == "scored"]
    reason = "; ".join(dict.fromkeys(one.reason for one in scored or marks))
    evidence = tuple(dict.fromkeys(event for one in scored or marks for event in one.evidence))[:EVIDENCE_KEPT]
    if scored:
        # Rounded here, so that the opinion's score can be recomputed from the scores that it shows.
        mean = sum((one.score for one in scored), Fraction()) / len(scored)
        return Marked("scored", reason, Fraction(hundredths(mean), 100), evidence)
    lost = any(one.state == "insufficient" for one in marks)
    return Marked("insufficient" if lost else "not_applicable", reason, evidence=evidence)


def _status(
    lane: Lane, readings: Mapping[str, Reading], weighed: Sequence[_Weighed], rubric: Rubric
) -> tuple[OpinionStatus, str]:
    if _nothing_to_judge(lane, readings, weighed):
        return "not_applicable", "nothing happened that this lane judges"
    weight = sum((one.counts for one in weighed), Fraction())
    # What does not apply has left its weight to the others: the share is of the weight that applies.
    applies = sum((Fraction(one.rule.weight) for one in weighed if one.marked.state != "not_applicable"), Fraction())
    needed = Fraction(rubric.thresholds.measured_share) * applies
    measured = f"measured {number(weight)} of {number(applies)} of the weight{' that applies' if applies < 100 else ''}"
    if weight < needed:
        return "insufficient", "; ".join([measured, f"a score needs {number(needed)}", *_left_out(weighed)])
    return "ok", "; ".join([measured, *_left_out(weighed)])


def _nothing_to_judge(lane: Lane, readings: Mapping[str, Reading], weighed: Sequence[_Weighed]) -> bool:
    telling = [readings.get(metric) for metric in lane.applies_with]
    if telling and all(reading is not None and reading.state == "not_applicable" for reading in telling):
        return True
    return all(one.marked.state == "not_applicable" for one in weighed)


def _left_out(weighed: Sequence[_Weighed]) -> list[str]:
    """Which criteria do not count, in words."""
    words = {"not_applicable": "does not apply", "insufficient": "could not be measured"}
    names = {says: ", ".join(one.rule.name for one in weighed if one.marked.state == state) for state, says in words.items()}
    return [f"{says}: {listed}" for says, listed in names.items() if listed]


def _with_score(opinion: Opinion, weighed: Sequence[_Weighed]) -> Opinion:
    """Points that add up to the score; what is not scored has left its weight to the others in proportion."""
    whole = sum((one.counts for one in weighed), Fraction())
    shares = [one.counts * 100 / whole for one in weighed]
    points = [share * one.marked.score / 100 for share, one in zip(shares, weighed, strict=True)]
    rows = zip(weighed, apportion(shares), apportion(points), strict=True)
    criteria = tuple(_shown(one, weight, added if one.scored else None) for one, weight, added in rows)
    return replace(opinion, score=two_places(sum(points, Fraction())), criteria=criteria)


def _shown(one: _Weighed, weight: float, points: float | None) -> Criterion:
    return Criterion(
        name=one.rule.name,
        weight=weight,
        score=two_places(one.marked.score) if one.scored else None,
        points=points,
        reason=one.marked.reason,
        evidence=one.marked.evidence,
    )
