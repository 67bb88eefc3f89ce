"""How much of its time a contestant looks before it touches the work."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import NEVER, RunFacts
from streams.events.times import SECOND


class DwellTime(Metric):
    """Share of the total time that passes before the first change of the work begins.

    Too short, and the contestant edits what it has not read; too long, and little time is left to verify.
    Example: started at 0 s, first change at 60 s, handed in at 590 s: 60 / 590 = 0.102.
    """

    name = "dwell_time"
    unit = "share"
    good = Good(low=0.05, high=0.15, high_open=False)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """From start to the start of the first `work` change, over the total time."""
        if run.first_change == NEVER:
            return self.absent("not_applicable", "no change of the work")
        if not run.total:
            return self.absent("insufficient", "the run has no length in time")
        dwell = min(max(0, run.first_change - run.t0), run.total)
        return self.ratio(dwell / SECOND, run.total / SECOND, evidence=(run.first_change_id,))
