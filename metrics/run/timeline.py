"""A run's folded state kept up with its ledger: forward where facts are appended, anew from a snapshot where they are not."""

from __future__ import annotations

import zlib
from typing import Final

from metrics.ledger import BLOCK, Ledger
from metrics.run.fold import fold, frame
from metrics.run.state import Knowledge, RunFacts, decode, encode

SNAPSHOTS: Final = 2
"""Snapshots kept of a run, so that a late fact costs a part of the run, not all of it."""

EAGER: Final = 128
"""So many facts should be folded, by asking for the state, while they are still unpacked."""

_SPACING: Final = 4
"""A snapshot is made once a run has grown by a quarter: its cost per fact stays the same however long the run."""


class Timeline:
    """The state of one run. Folding is lazy: facts cost nothing until somebody reads."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._state: RunFacts | None = RunFacts()
        self._snapshots: list[tuple[int, bytes]] = []
        self._disordered = False
        """Whether a fact ever came late: only then snapshots pay."""

        self._frontier = 0
        """A snapshot here spares the most where one topic is read ahead of another."""

        self._cold: bytes | None = None
        """The state while nobody reads it, compressed."""

    def facts(self) -> RunFacts:
        """The state over all facts that the ledger holds now. Callers must not change it."""
        self._go_back()
        state = self._state or self._restore()
        while (learned := self._advance(state)) is not None:
            # A fact told something new of earlier ones: fold all of them again in its light.
            self._snapshots.clear()
            state = RunFacts(knowledge=learned)
        self._state = state
        frame(state, self.ledger.marks())
        state.truncated = self.ledger.head.truncated
        state.lost = self.ledger.lost
        return state

    def cool(self) -> None:
        """Keep the state as bytes only, until it is read again."""
        if self._state is not None:
            self._cold = zlib.compress(encode(self._state), 3)
            self._snapshots.clear()
            self._state = None
            self.ledger.fresh = None  # the next reader unpacks them, and a run that nobody reads keeps none

    def _go_back(self) -> None:
        if self._cold is not None:
            self._state, self._cold = decode(zlib.decompress(self._cold)), None
        place = self.ledger.taken()
        if place is None:
            return
        self._disordered = True
        self._frontier, self.ledger.last_change = self.ledger.last_change, 0
        if self._state is not None and place < self._state.count:
            self._state = None
        self._snapshots = [one for one in self._snapshots if one[0] <= place]

    def _restore(self) -> RunFacts:
        return decode(self._snapshots[-1][1]) if self._snapshots else RunFacts()

    def _advance(self, state: RunFacts) -> Knowledge | None:
        for item in self.ledger.news(state.count):
            if fold(state, item):
                return state.knowledge
            if self._disordered and self._due(state):
                self._snapshots.append((state.count, encode(state)))
                del self._snapshots[:-SNAPSHOTS]
        return None

    def _due(self, state: RunFacts) -> bool:
        if state.knowledge.seen > state.calls:
            return False  # it rests on calls that come later: where one comes between, all must be folded anew
        count = state.count
        if count == self._frontier:
            return True
        if count % BLOCK:
            return False
        last = self._snapshots[-1][0] if self._snapshots else 0
        return count - last >= max(2 * BLOCK, count // _SPACING)
