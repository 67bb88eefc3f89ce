"""How fast a contestant recovers from errors."""

from __future__ import annotations

from metrics.base import Good, Item, Metric, Reading
from metrics.run.state import NEVER, Incident, RunFacts
from streams.events.times import SECOND


class RecoverySpeed(Metric):
    """Mean seconds from the opening of an incident to its resolution.

    Incidents are contradictions, checks that could not run, failed calls and reported errors; repeats of one are one.
    One that comes back after it was resolved counts the time of both. Open ones are listed and counted, never averaged.
    Example: opened at 86 s and 100 s, both resolved at 160 s: (74 + 60) / 2 = 67 s.
    """

    name = "recovery_speed"
    unit = "s"
    good = Good(high=180)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """Mean over resolved incidents, with every item."""
        incidents = list(run.incidents.values())
        if not incidents:
            return self.absent("not_applicable", "no incident")
        items = tuple(_item(run, one) for one in incidents)
        values = [item.value for item in items if item.value is not None]
        evidence = [event for item in items for event in item.evidence]
        details = {"incidents": len(items) + run.incident_overflow, "open": len(items) - len(values)}
        if not values:
            return self.absent("not_reached", "no incident was resolved", items=items, evidence=evidence, details=details)
        return self.ratio(sum(values), len(values), items=items, evidence=evidence, details=details)


def _item(run: RunFacts, one: Incident) -> Item:
    since = max(one.opened, one.reopened)
    if one.resolved == NEVER:
        return Item(None, tuple(one.ids), open=True, age=max(0, run.t_end - since) / SECOND, label=one.what)
    return Item((one.spent + one.resolved - since) / SECOND, (*one.ids, one.resolved_id), label=one.what)
