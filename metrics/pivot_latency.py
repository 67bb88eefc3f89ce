"""How long a contestant clings to an approach after evidence against it."""

from __future__ import annotations

from metrics.base import Good, Item, Metric, Reading
from metrics.run.state import Contradiction, RunFacts
from streams.events.times import SECOND


class PivotLatency(Metric):
    """Mean seconds from a contradiction to the change of approach that answers it.

    A contradiction is a verifying check that fails after a change and shows no progress; a change of approach is a revert,
    a change in another place, or a new plan. Late pivots are the dearest mistakes: everything done in between is waste.

    Contradictions that were fixed in place need no pivot and are left out. Open ones are listed with their age, and with
    one open the reading is never in the good range. Example: checks that contradict at 86 s and 100 s, one revert at
    140 s that answers both: (54 + 40) / 2 = 47 s.
    """

    name = "pivot_latency"
    unit = "s"
    good = Good(high=120)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """Mean over answered contradictions, with the maximum and every item."""
        asked = [one for one in run.contradictions if one.answer != "fixed"]
        if not asked:
            fixed = len(run.contradictions)
            return self.absent("not_applicable", f"each of {fixed} was fixed in place" if fixed else "no contradiction")
        items = tuple(_item(run, one) for one in asked)
        values = [item.value for item in items if item.value is not None]
        evidence = [event for item in items for event in item.evidence]
        if not values:
            return self.absent("not_reached", "no contradiction was answered", items=items, evidence=evidence)
        more = {} if len(values) == len(items) else {"in_good_range": False}
        details = {"max_s": max(values), "open": len(items) - len(values)}
        return self.ratio(sum(values), len(values), items=items, evidence=evidence, details=details, **more)


def _item(run: RunFacts, one: Contradiction) -> Item:
    if one.answer:
        return Item((one.answer_at - one.at) / SECOND, (one.id, one.answer_id), label=one.command)
    return Item(None, (one.id,), open=True, age=max(0, run.t_end - one.at) / SECOND, label=one.command)
