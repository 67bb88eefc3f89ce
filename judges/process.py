"""Process: how the work was done, from its telemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from judges.base import Judge, Opinion
from judges.lane import opinion_from_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judges.rubric import Rubric
    from metrics.base import Reading


class Process(Judge):
    """How the work was done: verified as it grew, begun in time, cut into steps, with few wasted calls.

    Judged from the metrics alone (`basis` is `metrics`); the curves and weights are the rubric's `lanes.process`.

    Example: a contestant that first changes the work at 10 % of the time gets full marks for `dwell_time`; one that
    reads for 40 % of it gets 40 of 100.
    """

    name: ClassVar[str] = "process"

    def opine(self, run: str, readings: Mapping[str, Reading], rubric: Rubric) -> Opinion:
        """The opinion on a run's process; `insufficient` where half of its weight or more was not measured."""
        return opinion_from_metrics(self.name, run, readings, rubric)
