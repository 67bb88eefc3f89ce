"""How much a contestant tries things that lead nowhere."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts
from streams.events.times import SECOND

_SHORTEST_S = 120
_REPEATS = 3


class ThrashRate(Metric):
    """Changes of approach that end without progress, plus one for every third unchanged repeat of an incident, a minute.

    Changing one's mind is right when evidence asks for it; doing so again and again with nothing gained is thrashing.
    Minutes are active ones: gaps of over five minutes are left out. Example: two fruitless changes of approach in four
    active minutes: 0.5 a minute.
    """

    name = "thrash_rate"
    unit = "1/min"
    good = Good(high=0.5)
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """Fruitless approaches and repeats over active minutes."""
        fruitless = [one for one in run.approaches if not one.progress]
        repeated = [one for one in run.incidents.values() if one.unchanged >= _REPEATS]
        count = len(fruitless) + sum(one.unchanged // _REPEATS for one in repeated)
        evidence = [*(one.id for one in fruitless), *(event for one in repeated for event in one.ids)]
        details = {"fruitless_approaches": len(fruitless), "approaches": len(run.approaches), "count": count}
        active = run.active / SECOND
        if not run.timed:
            return self.absent("insufficient", "the run's events carry no usable time", details=details)
        if active < _SHORTEST_S:
            return self.absent("not_applicable", "active for less than two minutes", evidence=evidence, details=details)
        return self.ratio(count, active / 60, evidence=evidence, details=details)
