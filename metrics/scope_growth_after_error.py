"""Whether a contestant spreads out after its first error."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts


class ScopeGrowthAfterError(Metric):
    """Work files first changed after the first incident opened, for every work file changed before it.

    A contestant that answers an error by editing ever more files has lost the thread.
    Example: a.py changed before the first incident, b.py first changed after it: 1.0.
    """

    name = "scope_growth_after_error"
    unit = "ratio"
    good = Good(high=1.5)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """Files after over files before."""
        if not run.incidents:
            return self.absent("not_applicable", "no incident")
        if not run.timed:
            return self.absent("insufficient", "the run's events carry no usable time")
        first = min(run.incidents.values(), key=lambda one: (one.opened, one.id))
        before = [path for path, at in run.files.items() if at < first.opened]
        after = [path for path, at in run.files.items() if at >= first.opened]
        if not before:
            return self.absent("not_applicable", "no work file was changed before the first incident")
        return self.ratio(len(after), len(before), evidence=(first.id,), details={"before": before[:50], "after": after[:50]})
