"""Verdicts as they come from their topic: of each run only the newest counts."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from judges.verdict import Verdict, decode
from streams.events.base import split_run


class Kept(NamedTuple):
    """A verdict with the bytes it came in."""

    verdict: Verdict
    value: bytes


class Newest:
    """The verdict with the highest revision of each run; among equals, the one that came last."""

    def __init__(self, match: str | None = None) -> None:
        self._match = match
        self._kept: dict[str, Kept] = {}

    def offer(self, value: bytes | None) -> Kept | None:
        """Take a record's value in; what it gives is a verdict that now is the newest of its run.

        Raises ValueError for what is no verdict. A tombstone (no value) changes nothing.
        """
        if not value:
            return None
        try:
            made = Kept(decode(value), value)
        except msgspec.MsgspecError as error:
            raise ValueError(f"no verdict: {error}") from None
        before = self._kept.get(made.verdict.run)
        if not self._wanted(made.verdict) or (before and before.verdict.revision > made.verdict.revision):
            return None
        self._kept[made.verdict.run] = made
        return None if before and before.value == value else made

    def _wanted(self, verdict: Verdict) -> bool:
        return self._match is None or split_run(verdict.run)[0] == self._match

    def all(self) -> tuple[Kept, ...]:
        """The newest verdicts, ordered by run."""
        return tuple(self._kept[run] for run in sorted(self._kept))
