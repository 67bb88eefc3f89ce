"""What a judge is, and what it says: an opinion made of criteria whose points add up to the score exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from msgspec import Struct

from metrics.base import Reading

if TYPE_CHECKING:
    from judges.rubric import Rubric

OpinionStatus = Literal["ok", "insufficient", "not_applicable", "unparseable", "call_failed", "timeout"]


class Criterion(Struct, frozen=True, omit_defaults=True):
    """One mark of an opinion."""

    name: str
    weight: float
    """Its share of the opinion's weight, in percent, after what does not apply has left its weight to the others."""

    score: float | None
    """0 to 100 with two places; None: it does not apply or could not be measured."""

    points: float | None
    """What it adds to the opinion's score, with two places; all points add up to the score exactly."""

    reason: str
    evidence: tuple[str, ...] = ()
    """Ids of the events it cites."""


class Provenance(Struct, frozen=True, omit_defaults=True):
    """What an opinion was made with."""

    rubric: str
    rubric_hash: str
    metrics: str


class Opinion(Struct, frozen=True, omit_defaults=True):
    """One judge's opinion of one run. A score is there only with status `ok`."""

    judge: str
    run: str
    status: OpinionStatus
    basis: str
    score: float | None = None
    criteria: tuple[Criterion, ...] = ()
    flags: tuple[str, ...] = ()
    reason: str = ""
    provenance: Provenance | None = None


class Judge(ABC):
    """One lane of the verdict. Subclasses live one a file in `judges/`; discovery finds them."""

    name: ClassVar[str]

    @abstractmethod
    def opine(self, run: str, readings: Mapping[str, Reading], rubric: Rubric) -> Opinion:
        """The opinion on a run from its readings by metric name; pure, never raises on absent readings."""
