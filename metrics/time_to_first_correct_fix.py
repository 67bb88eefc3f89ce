"""How soon a contestant gets something right."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import NEVER, RunFacts
from streams.events.times import SECOND


class TimeToFirstCorrectFix(Metric):
    """Share of the total time until a check or checkpoint first shows progress after a change.

    Progress is a best-so-far result that rises: something passes that had not passed before, and nothing that passed fails.
    `first_progress_kept` tells whether a later contradiction undid it. Example: the first check that shows progress ends
    at 70 s of 590 s: 0.119.
    """

    name = "time_to_first_correct_fix"
    unit = "share"
    good = Good(high=0.40)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """From start to the end of the first progress, over the total time."""
        if not run.raw_checks and not run.scores:
            return self.absent("not_applicable", "nothing could show progress: no check, no checkpoint with a result")
        at, event, basis = run.first_progress, run.first_progress_id, run.first_progress_basis
        if run.scores:
            at, event, basis = run.first_score_progress, run.first_score_progress_id, "checkpoint"
        if at == NEVER:
            looked = [one for one, _ in run.scores] or run.effective
            return self.absent("not_reached", "no check or checkpoint showed progress", evidence=looked)
        if not run.total:
            return self.absent("insufficient", "the run has no length in time")
        kept = not any(one.at > at for one in run.contradictions)
        spent = min(max(0, at - run.t0), run.total)
        details = {"basis": basis, "first_progress_kept": kept}
        return self.ratio(spent / SECOND, run.total / SECOND, evidence=(event,), details=details)
