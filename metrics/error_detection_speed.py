"""How soon a contestant notices an error."""

from __future__ import annotations

from metrics.base import Good, Item, Metric, Reading
from metrics.run.state import NEVER, RunFacts
from streams.events.times import SECOND


class ErrorDetectionSpeed(Metric):
    """Mean seconds from the opening of an incident to the first action that reacts to it.

    Reactions are a read of the failing place, a plan, a change, or a run with other arguments; going on as before is none.
    Example: a check fails at 86 s, the failing file is read at 88 s: 2 s.
    """

    name = "error_detection_speed"
    unit = "s"
    good = Good(high=60)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """Mean over detected incidents, with every item."""
        incidents = list(run.incidents.values())
        if not incidents:
            return self.absent("not_applicable", "no incident")
        items = tuple(
            Item((one.detected - one.opened) / SECOND, (one.id, one.detected_id), label=one.what)
            if one.detected != NEVER
            else Item(None, (one.id,), open=True, age=max(0, run.t_end - one.opened) / SECOND, label=one.what)
            for one in incidents
        )
        values = [item.value for item in items if item.value is not None]
        evidence = [event for item in items for event in item.evidence]
        if not values:
            return self.absent("not_reached", "nothing reacted to an incident", items=items, evidence=evidence)
        details = {"undetected": len(items) - len(values)}
        return self.ratio(sum(values), len(values), items=items, evidence=evidence, details=details)
