"""The verdict: what the opinions on one run come to under a rubric."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import Struct

from judges.base import Opinion, OpinionStatus  # noqa: TC001 - the struct's types are read at run time
from judges.curve import apportion, exact, hundredths
from judges.rubric import Rubric, judge_order
from judges.words import number
from metrics.base import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class LaneResult(Struct, frozen=True):
    """What one lane brought into the figure (the final, or the provisional where there is no final)."""

    judge: str
    status: OpinionStatus | Literal["missing"]
    weight: float
    """The rubric's, in percent."""

    share: float
    """The percent of the figure it makes up, after lanes that do not count have left theirs to the others."""

    raw: float | None
    """Its score as the judge gave it, 0 to 100."""

    entered: float | None
    """Its score as it counts, after the anchor."""

    points: float | None
    """What it adds to the figure; the points of the lanes add up to it exactly."""


class Anchor(Struct, frozen=True):
    """How far opinion may rise above evidence."""

    status: Literal["applied", "no_objective"]
    ceiling: float | None
    """What the other lanes enter at, at most: Objective and the rubric's allowance. None: there is no Objective."""

    reason: str


class Adjustment(Struct, frozen=True):
    """Integrity, shown apart: added to the base, without a weight. None is "nobody looked", never "nothing found"."""

    status: Literal["not_run"] = "not_run"
    bonus: float | None = None
    penalty: float | None = None


class Verdict(Struct, frozen=True):
    """The result of one run at one revision."""

    verdict_id: str
    """Derived from run, rubric and revision: applying a verdict twice does no harm."""

    run: str
    revision: int
    """How many distinct events it rests on."""

    end: str
    """How the run ended."""

    state: Literal["complete", "incomplete"]
    final: float | None
    """0 to 100 with two places; None while a required judge has not spoken. Never 0 in place of a missing figure."""

    label: str | None
    """The word for the final; a provisional figure has none."""

    base: float | None
    """The final before the adjustment."""

    provisional: float | None
    """Only without a final: the weighted mean of those who spoke. No result, and not comparable between runs."""

    coverage: float
    """Share (0 to 1) of the weight that spoke, of the weight that applies."""

    lanes: tuple[LaneResult, ...]
    anchor: Anchor
    adjustment: Adjustment
    opinions: tuple[Opinion, ...]
    """Every opinion whole, in the fixed order of the judges."""

    rubric: str
    rubric_hash: str
    metrics: str
    """Version of the metric definitions."""

    reason: str


class _Entry(Struct):
    judge: str
    weight: Fraction
    status: OpinionStatus | Literal["missing"]
    spread: bool
    """It does not apply, and its weight is the others'."""

    raw: Fraction | None = None
    entered: Fraction | None = None

    @property
    def counts(self) -> Fraction:
        return self.weight if self.entered is not None else Fraction()


def verdict(run: str, opinions: Iterable[Opinion], rubric: Rubric, *, revision: int, end: str) -> Verdict:
    """Compose a verdict; the order of the opinions does not matter, and one judge speaks once.

    `revision` is the number of distinct events that the readings rest on. It is a function of the set of events, so the
    bytes of the verdict are too: a replay gives the live result to the last digit. Which earlier verdict this one
    supersedes depends on what was published before, hence on the order of arrival; whoever publishes says it beside
    the value (in a message header), not in it.

    Raises `ValueError` for opinions of another run or another rubric, two of one judge, or a score outside 0 to 100.
    """
    spoken = _by_judge(run, opinions, rubric)
    entries = [_entry(name, rubric, spoken.get(name)) for name, _ in rubric.lanes]
    anchor = _hold(entries, rubric)
    figure, lanes = _figure(entries)
    complete = all(entry.spread or entry.entered is not None for entry in entries)
    base = figure if complete else None
    return Verdict(
        verdict_id=_verdict_id(run, rubric, revision),
        run=run,
        revision=revision,
        end=end,
        state="complete" if complete else "incomplete",
        final=base,
        label=_label(base, rubric),
        base=base,
        provisional=None if complete else figure,
        coverage=_coverage(entries),
        lanes=lanes,
        anchor=anchor,
        adjustment=Adjustment(),
        opinions=tuple(spoken.values()),
        rubric=rubric.version,
        rubric_hash=rubric.hash,
        metrics=VERSION,
        reason=_reason(entries),
    )


def encode(made: Verdict) -> bytes:
    """Canonical JSON, UTF-8: keys sorted, no white space. Equal verdicts give equal bytes."""
    # Through the types once, so that a judge's 80 and the 80.0 that comes back from a topic are the same bytes.
    return msgspec.json.encode(decode(msgspec.json.encode(made)), order="sorted")


def decode(value: bytes) -> Verdict:
    """A verdict from its JSON. Raises `msgspec.ValidationError` for anything else."""
    return msgspec.json.decode(value, type=Verdict)


def _by_judge(run: str, opinions: Iterable[Opinion], rubric: Rubric) -> dict[str, Opinion]:
    spoken: dict[str, Opinion] = {}
    for opinion in sorted(opinions, key=lambda one: judge_order(one.judge)):
        _check(run, opinion, rubric)
        if spoken.setdefault(opinion.judge, opinion) != opinion:
            raise ValueError(f"{run}: two different opinions of the judge {opinion.judge}")
    return spoken


def _check(run: str, opinion: Opinion, rubric: Rubric) -> None:
    if opinion.run != run:
        raise ValueError(f"{run}: an opinion of {opinion.judge} is about another run, {opinion.run}")
    if opinion.provenance and opinion.provenance.rubric_hash != rubric.hash:
        raise ValueError(f"{run}: the opinion of {opinion.judge} was made with another rubric, not {rubric.version}")
    score = exact(opinion.score)
    if (opinion.status == "ok") != (opinion.score is not None):
        raise ValueError(f"{run}: {opinion.judge} says {opinion.status} with score {opinion.score}; only `ok` has one")
    if opinion.status == "ok" and (score is None or not 0 <= score <= 100):
        raise ValueError(f"{run}: {opinion.judge} gives {opinion.score}; a score lies in 0 to 100")


def _entry(name: str, rubric: Rubric, opinion: Opinion | None) -> _Entry:
    lane = rubric.lane(name)
    weight = Fraction(lane.weight)
    if opinion is None:
        return _Entry(name, weight, "missing", spread=False)
    spread = opinion.status == "not_applicable" and lane.may_not_apply
    raw = exact(opinion.score)
    return _Entry(name, weight, opinion.status, spread, raw, raw)


def _hold(entries: list[_Entry], rubric: Rubric) -> Anchor:
    """Hold every lane but Objective to the anchor."""
    objective = next(entry.raw for entry in entries if entry.judge == "objective")
    if objective is None:
        return Anchor("no_objective", None, "no Objective score: nothing holds the other lanes, they enter as they are")
    ceiling = min(objective + Fraction(rubric.thresholds.anchor_allowance), Fraction(100))
    lowered = []
    for entry in entries:
        if entry.raw is not None and entry.raw > ceiling:  # Objective itself never is
            entry.entered = ceiling
            lowered.append(entry.judge)
    held = f"it lowers {', '.join(lowered)}" if lowered else "it lowers nobody"
    return Anchor(
        "applied",
        float(ceiling),
        f"Objective is {number(objective)}: others enter at {number(ceiling)} at most; {held}",
    )


def _figure(entries: list[_Entry]) -> tuple[float | None, tuple[LaneResult, ...]]:
    """The weighted mean of the lanes that count, in two places, and each lane's part of it."""
    whole = sum((entry.counts for entry in entries), Fraction())
    shares = [entry.counts * 100 / whole if whole else Fraction() for entry in entries]
    points = [share * (entry.entered or 0) / 100 for share, entry in zip(shares, entries, strict=True)]
    rows = zip(entries, apportion(shares), apportion(points), strict=True)
    lanes = tuple(_lane(entry, share, added) for entry, share, added in rows)
    return (hundredths(sum(points, Fraction())) / 100 if whole else None), lanes


def _lane(entry: _Entry, share: float, points: float) -> LaneResult:
    spoke = entry.entered is not None
    return LaneResult(
        judge=entry.judge,
        status=entry.status,
        weight=float(entry.weight),
        share=share,
        raw=_shown(entry.raw),
        entered=_shown(entry.entered),
        points=points if spoke else None,
    )


def _shown(score: Fraction | None) -> float | None:
    return None if score is None else float(score)


COVERAGE_PLACES: Final = 4


def _label(final: float | None, rubric: Rubric) -> str | None:
    """The word for a final as it is written: 75.1 reaches a bar at 75.1, though its float is a little less."""
    written = exact(final)
    return None if written is None else rubric.label(written)


def _coverage(entries: list[_Entry]) -> float:
    applies = sum((entry.weight for entry in entries if not entry.spread), Fraction())
    return round(float(sum((entry.counts for entry in entries), Fraction()) / applies), COVERAGE_PLACES)


def _reason(entries: list[_Entry]) -> str:
    silent = [f"{entry.judge} ({entry.status})" for entry in entries if entry.entered is None and not entry.spread]
    parts = [f"no final: {', '.join(silent)} required"] if silent else ["every required judge has spoken"]
    parts += [f"{entry.judge} does not apply, its weight is spread over the others" for entry in entries if entry.spread]
    return "; ".join(parts)


def _verdict_id(run: str, rubric: Rubric, revision: int) -> str:
    made_of: Mapping[str, str | int] = {"run": run, "rubric": rubric.version, "hash": rubric.hash, "revision": revision}
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()[:32]
