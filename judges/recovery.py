"""Recovery: what was done when something went wrong, from its telemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judges.base import Judge, Opinion
from judges.lane import opinion_from_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judges.rubric import Rubric
    from metrics.base import Reading


class Recovery(Judge):
    """What became of errors: noticed, answered and put right, or the same thing tried again and again.

    Judged from the metrics alone (`basis` is `metrics`); the curves and weights are the rubric's `lanes.recovery`.
    With no error there was nothing to recover from: `not_applicable`, and no score, neither a good nor a middling one.

    Example: of two incidents one was resolved within 180 s and one never: `recovery_speed` is the mean of 100 and 0.
    """

    name: ClassVar[str] = "recovery"

    def opine(self, run: str, readings: Mapping[str, Reading], rubric: Rubric) -> Opinion:
        """The opinion on a run's recovery; `not_applicable` without incident or contradiction."""
        return opinion_from_metrics(self.name, run, readings, rubric)
