"""How well changes are verified."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts


class VerificationDensity(Metric):
    """Effective verifying checks for every unit of change.

    A check is effective if it ran and a change happened since the last effective one; running the same check again proves
    nothing new. Changes are counted in units of 100 lines, so that harnesses that cut edits finer are not rewarded for it.
    Example: four small change-sets, each followed by a run of the tests: 4 / 4 = 1.0.
    """

    name = "verification_density"
    unit = "ratio"
    good = Good(low=0.5, low_open=True)

    def measure(self, run: RunFacts) -> Reading:
        """Effective checks over change units, with the raw checks beside it."""
        units = run.units + run.open_set.units
        if not units:
            return self.absent("not_applicable", "no change of work or tests", details={"raw": run.raw_checks})
        details = {
            "units": units,
            "change_sets": run.sets + bool(run.open_set.files),
            "effective": run.effective_count,
            "raw": run.raw_checks,
            "raw_ratio": round(run.raw_checks / units, 6),
            "changed_lines": None if run.lines_unknown else run.lines,
            "edits": run.edit_count,
            "plans": run.plans,
        }
        evidence = [*run.effective, *dict.fromkeys(one.id for one in run.edits)]
        return self.ratio(run.effective_count, units, evidence=evidence, details=details)
