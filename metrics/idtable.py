"""A set of event identities in about 12 bytes each, where a Python set takes 65.

Each slot holds 48 bits of the identity and 16 bits of the content, so that a duplicate and a conflict (the same id with
another content) are told apart without keeping either.
"""

from __future__ import annotations

from array import array
from typing import Final

TAG_BITS: Final = 16
"""Bits of a slot that hold the content's tag."""

TAG_MASK: Final = (1 << TAG_BITS) - 1
_LOAD: Final = 0.8
_GROWTH: Final = 1.5
_SMALLEST: Final = 31


class IdTable:
    """Open addressing over one array of 64-bit slots; it only grows."""

    __slots__ = ("_slots", "count")

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * _SMALLEST))
        self.count = 0

    def add(self, identity: int, content: int) -> int:
        """Put an identity (64-bit hash) with its content (64-bit hash) in.

        Returns -1 if it is new, 0 if it is there with the same content, else 1 + the tag of the content that is there.
        """
        slots = self._slots
        size = len(slots)
        # The lowest value is kept for "empty": an identity of zero bits becomes one.
        high = (identity >> TAG_BITS) or 1
        tag = content & TAG_MASK
        place = high % size
        while slot := slots[place]:
            if slot >> TAG_BITS == high:
                there = slot & TAG_MASK
                return 0 if there == tag else 1 + there
            place = place + 1 if place + 1 < size else 0
        slots[place] = high << TAG_BITS | tag
        self.count += 1
        if self.count > size * _LOAD:
            self._grow()
        return -1

    def _grow(self) -> None:
        old = self._slots
        size = int(len(old) * _GROWTH) | 1
        slots = array("Q", bytes(8 * size))
        for slot in old:
            if slot:
                place = (slot >> TAG_BITS) % size
                while slots[place]:
                    place = place + 1 if place + 1 < size else 0
                slots[place] = slot
        self._slots = slots
