"""One reading against one curve: a score with its reason, or why there is none."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from judges.curve import exact, is_finite, score_at, total_at
from judges.words import full_marks, number
from metrics.base import EVIDENCE_KEPT, Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from judges.rubric import Mark

VALUES_SAID: Final = 5
"""Item values a sentence lists at most."""


class Marked(NamedTuple):
    """What a mark came to."""

    state: Literal["scored", "not_applicable", "insufficient"]
    reason: str
    score: Fraction = Fraction()
    """Exact; only with `scored`."""

    evidence: tuple[str, ...] = ()


def mark(rule: Mark, readings: Mapping[str, Reading]) -> Marked:
    """The score of a reading under a rule. Never raises: what is missing says so."""
    reading = readings.get(rule.metric)
    if reading is None:
        return Marked("not_applicable", rule.absent) if rule.absent else _unread(f"there is no reading of {rule.metric}")
    if reading.state in ("not_applicable", "insufficient"):
        return _absent(reading)
    marked = _FIGURES[rule.figure](rule, reading)
    return marked._replace(evidence=_evidence(reading))


def _absent(reading: Reading) -> Marked:
    why = reading.reason or "nothing of the kind happened"
    if reading.state == "not_applicable":
        return Marked("not_applicable", why, evidence=_evidence(reading))
    return _unread(why)._replace(evidence=_evidence(reading))


def _unread(why: str) -> Marked:
    return Marked("insufficient", f"not measured: {why}")


def _evidence(reading: Reading) -> tuple[str, ...]:
    """What the reading cites; where it leaves that to its items, what they cite."""
    cited = reading.evidence or tuple(event for item in reading.items for event in item.evidence)
    return tuple(dict.fromkeys(cited))[:EVIDENCE_KEPT]


def _by_value(rule: Mark, reading: Reading) -> Marked:
    if reading.state == "not_reached":
        return _not_reached(rule, reading)
    value = exact(reading.value)
    if value is None:
        return _unread(f"the reading of {rule.metric} has no value")
    return _scored(rule, value, reading, rule.says.format_map(_Words(value=number(value, rule.unit))))


def _not_reached(rule: Mark, reading: Reading) -> Marked:
    if rule.not_reached is None:
        return _unread(reading.reason or "it could have happened and did not")
    return _scored(rule, Fraction(rule.not_reached.value), reading, rule.not_reached.says)


def _by_changes(rule: Mark, reading: Reading) -> Marked:
    """Change-sets per 100 changed lines; with lines unknown per change unit, which stands for them by definition."""
    changes, lines = exact(reading.details.get("change_sets")), exact(reading.details.get("changed_lines"))
    hundreds = exact(reading.details.get("units")) if lines is None else lines / 100
    if changes is None or hundreds is None:
        return _unread(f"the reading of {rule.metric} does not count the change-sets")
    value = changes / max(Fraction(1), hundreds)
    says = rule.says.format_map(_Words(value=number(value, rule.unit)))
    return _scored(rule, value, reading, says if lines is not None else f"{says} (lines unknown, by change units)")


def _by_items(rule: Mark, reading: Reading) -> Marked:
    """The mean of the scores of the items; one that is still open scores 0."""
    if not reading.items:
        return _by_value(rule, reading)
    done = [item.value for item in reading.items if not item.open and is_finite(item.value)]
    score = total_at(rule.curve, done) / len(reading.items)
    return Marked("scored", _items_reason(rule, done, len(reading.items), score), score)


def _items_reason(rule: Mark, done: list[float], count: int, score: Fraction) -> str:
    said = ", ".join(number(Fraction(repr(value)), rule.unit) for value in done[:VALUES_SAID])
    said += ", …" if len(done) > VALUES_SAID else ""
    words = _Words(done=str(len(done)), count=str(count), values=f" ({said})" if said else "")
    still_open = f"; {count - len(done)} still open, counted as 0" if count > len(done) else ""
    best = full_marks(rule.curve, rule.unit)
    return f"{rule.says.format_map(words)}{still_open}; full marks at {best}: {number(score)} of 100 on average"


def _scored(rule: Mark, value: Fraction, reading: Reading, says: str) -> Marked:
    score, notes = _adjusted(rule, reading, score_at(rule.curve, value))
    best = full_marks(rule.curve, rule.unit)
    return Marked("scored", f"{says}, full marks at {best}{notes}: {number(score)} of 100", score)


def _adjusted(rule: Mark, reading: Reading, score: Fraction) -> tuple[Fraction, str]:
    """The score after what the reading's details take off or add, and the words for it."""
    notes = ""
    if rule.excess:
        detail = exact(reading.details.get(rule.excess.detail))
        if detail is not None and detail > rule.excess.above and score > rule.excess.floor:
            lowered = score - (detail - Fraction(rule.excess.above)) * Fraction(rule.excess.points_per_unit)
            lowered = max(lowered, Fraction(rule.excess.floor))
            said = rule.excess.says.format_map(_Words(value=number(detail)))
            notes += f"; {said}, above {number(Fraction(rule.excess.above))}: {number(score - lowered)} points off"
            score = lowered
    if rule.bonus and (exact(reading.details.get(rule.bonus.detail)) or 0) > 0:
        raised = min(score + Fraction(rule.bonus.points), Fraction(100))
        notes += f"; {rule.bonus.says}: {number(raised - score)} points more" if raised > score else ""
        score = raised
    return score, notes


class _Words(dict[str, str]):
    """A word that a sentence asks for and its figure does not have reads as unknown; it fails no verdict."""

    def __missing__(self, name: str) -> str:
        return "?"


_FIGURES: Final[Mapping[str, Callable[[Mark, Reading], Marked]]] = {
    "value": _by_value,
    "items": _by_items,
    "changes_per_100_lines": _by_changes,
}
