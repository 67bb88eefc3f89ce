"""How many tool calls were for nothing."""

from __future__ import annotations

from collections import Counter

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts

_FEWEST = 5


class ToolWaste(Metric):
    """Share of calls that failed, repeated an identical call with no change of state between, or were never used.

    A failing test is no failed call: it told something. A poll whose output changes is no repeat. Calls whose result never
    came count as never used. Example: 40 calls, of which two failed and one was repeated: 0.075.
    """

    name = "tool_waste"
    unit = "ratio"
    good = Good(high=0.15)

    def measure(self, run: RunFacts) -> Reading:
        """Wasted calls over calls."""
        dangling = [event for event, _ in run.asked.values()]
        calls = run.calls + len(dangling)
        if calls < _FEWEST:
            return self.absent("not_applicable", f"fewer than {_FEWEST} calls", denominator=calls)
        wasted = [*run.wasted, *dangling]
        reasons = Counter(run.wasted.values())
        details = {
            "failed": reasons["failed"],
            "repeated": reasons["repeated"],
            "never_used": reasons["never used"] + len(dangling),
        }
        return self.ratio(len(wasted), calls, evidence=wasted, details=details)
