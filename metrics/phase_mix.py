"""What a contestant spends its time on."""

from __future__ import annotations

from metrics.base import Metric, Reading
from metrics.run.state import RunFacts
from streams.events.times import SECOND

PHASES = ("explore", "plan", "edit", "check", "recover", "other")


class PhaseMix(Metric):
    """Shares of active time in explore, plan, edit, check and recover.

    The time up to the end of a call, thinking included, belongs to the call's phase; while an incident is open it is
    `recover`. Gaps of over five minutes are left out. The value is the share of `recover`; all shares are in the details.
    """

    name = "phase_mix"
    unit = "shares"
    needs_time = True

    def measure(self, run: RunFacts) -> Reading:
        """The share of each phase."""
        if not run.calls:
            return self.absent("not_applicable", "no calls")
        whole = sum(run.phases.values())
        if not whole:
            return self.absent("insufficient", "the calls have no length in time")
        shares = {phase: round(run.phases.get(phase, 0) / whole, 6) for phase in PHASES}
        recover = run.phases.get("recover", 0)
        return self.ratio(recover / SECOND, whole / SECOND, details=shares)
