"""How much of its own work a contestant takes back."""

from __future__ import annotations

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts

_FEWEST = 5


class ReversionRatio(Metric):
    """Share of successful edits that are later taken back.

    Some reverting is healthy: it shows that dead ends are left. Much of it shows that edits were made without thought.
    Example: eight edits of which one is taken back: 0.125.
    """

    name = "reversion_ratio"
    unit = "ratio"
    good = Good(low=0.05, high=0.20, high_open=False)

    def measure(self, run: RunFacts) -> Reading:
        """Edits taken back over successful edits of work and tests."""
        taken = [one.id for one in run.edits if one.reverted]
        if run.edit_count < _FEWEST:
            return self.absent(
                "not_applicable",
                f"fewer than {_FEWEST} edits",
                numerator=run.reverted_count,
                denominator=run.edit_count,
                evidence=taken,
            )
        return self.ratio(run.reverted_count, run.edit_count, evidence=taken)
