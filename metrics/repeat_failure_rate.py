"""Whether a contestant tries the same thing again and hopes."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts


class RepeatFailureRate(Metric):
    """Share of incidents whose next attempt was the same action unchanged.

    What failed once fails again when nothing changed. Example: four incidents, after one of them the same command is run
    again with no change between: 0.25.
    """

    name = "repeat_failure_rate"
    unit = "ratio"
    good = Good(high=0.2)

    def measure(self, run: RunFacts) -> Reading:
        """Incidents with an unchanged next attempt over incidents."""
        if not run.incidents:
            return self.absent("not_applicable", "no incident")
        same = [one for one in run.incidents.values() if one.next_same]
        evidence = [event for one in same for event in one.ids]
        return self.ratio(len(same), len(run.incidents), evidence=evidence)
