"""Whether results rise."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts


class ScoreTrajectory(Metric):
    """Share of consecutive results that do not fall.

    Results are the harness's checkpoint scores where it has them, else the passed share of test runs; those are compared
    under one command, since a narrower run is no fall. Example: 0.7, 0.8, 0.8, 0.6, 1.0: three of four steps do not
    fall: 0.75.
    """

    name = "score_trajectory"
    unit = "ratio"
    good = Good(low=0.8, low_open=True)

    def measure(self, run: RunFacts) -> Reading:
        """Steps that do not fall over steps."""
        scored = bool(run.scores)
        results = [score for _, score in run.scores[-200:]] if scored else run.results
        evidence = [event for event, _ in run.scores] if scored else run.result_ids
        steps, kept = (run.score_steps, run.score_steps_kept) if scored else (run.steps, run.steps_kept)
        details = {"basis": "checkpoints" if scored else "tests", "results": results}
        if not steps:
            reason = "fewer than two results that can be compared"
            return self.absent("not_applicable", reason, evidence=evidence, details=details)
        return self.ratio(kept, steps, evidence=evidence, details=details)
