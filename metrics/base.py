"""What a metric is: one definition, one reading, and the facts it rests on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from metrics.run import RunFacts

VERSION: Final = "1"
"""Version of the metric definitions; a verdict names the one it was made with."""

ReadingState = Literal["measured", "not_applicable", "not_reached", "insufficient"]

EVIDENCE_KEPT: Final = 50
"""Event ids a reading carries at most; `evidence_count` says how many there are."""


class Good(Struct, frozen=True, array_like=True):
    """A good range, open or closed as the definition says. None: no bound on that side."""

    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = True

    def holds(self, value: float) -> bool:
        """Whether a value is inside, strictly as the definition's table says."""
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return self.high is None or value < self.high or (not self.high_open and value == self.high)

    def __str__(self) -> str:
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        if self.high is not None:
            return f"{'<' if self.high_open else '≤'} {self.high:g}"
        return f"{'>' if self.low_open else '≥'} {self.low:g}" if self.low is not None else "–"


class Item(Struct, frozen=True, omit_defaults=True):
    """One of the things a mean is made of: an answered contradiction, or an incident."""

    value: float | None
    """In the metric's unit; None: still open."""

    evidence: tuple[str, ...] = ()
    open: bool = False
    age: float | None = None
    """For an open one: its age at the end, in the metric's unit."""

    label: str = ""


class Reading(Struct, frozen=True, omit_defaults=True):
    """A metric's value for one run, or the honest absence of one."""

    metric: str
    state: ReadingState
    unit: str = ""
    value: float | None = None
    """Only with `measured`, rounded to 6 places."""

    numerator: float | None = None
    denominator: float | None = None
    in_good_range: bool | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the events it rests on, in event order, at most EVIDENCE_KEPT."""

    evidence_count: int = 0
    items: tuple[Item, ...] = ()
    reason: str = ""
    """Why it is not measured, or what to know about the value."""

    details: dict[str, Any] = {}
    """More figures beside the value, by name (units in the names)."""


class Metric(ABC):
    """One definition. Subclasses live one a file in `metrics/`; discovery finds them.

    The class docstring is the public definition: what it measures, why it matters, an example.
    """

    name: ClassVar[str]
    unit: ClassVar[str]
    good: ClassVar[Good | None] = None
    needs_time: ClassVar[bool] = False
    """Reads `insufficient` where the run's events carry no usable time."""

    def read(self, run: RunFacts) -> Reading:
        """The reading of a run's facts; never raises, never changes the facts."""
        if run.truncated:
            return self.absent("insufficient", "the run holds more events than are kept; what was cut is unknown")
        if self.needs_time and run.calls and not run.timed:
            applicable = self.measure(run)
            if applicable.state == "not_applicable":
                return applicable
            return self.absent("insufficient", "the run's events carry no usable time")
        return self.measure(run)

    @abstractmethod
    def measure(self, run: RunFacts) -> Reading:
        """The reading, where the facts suffice."""

    def absent(self, state: ReadingState, reason: str, **more: Any) -> Reading:
        """A reading with no value, and why."""
        return Reading(metric=self.name, state=state, unit=self.unit, reason=reason, **_bounded(more))

    def measured(self, value: float, **more: Any) -> Reading:
        """A reading with a value, held against the good range."""
        value = round(value, 6)
        within = self.good.holds(value) if self.good else None
        more.setdefault("in_good_range", within)
        return Reading(metric=self.name, state="measured", unit=self.unit, value=value, **_bounded(more))

    def ratio(self, numerator: float, denominator: float, **more: Any) -> Reading:
        """A reading that is a quotient; the denominator is not zero."""
        return self.measured(numerator / denominator, numerator=numerator, denominator=denominator, **more)


def _bounded(more: dict[str, Any]) -> dict[str, Any]:
    evidence = tuple(dict.fromkeys(more.get("evidence", ())))
    more["evidence"] = evidence[:EVIDENCE_KEPT]
    more["evidence_count"] = len(evidence)
    return more
