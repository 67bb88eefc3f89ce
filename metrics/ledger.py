"""The set of a run's facts: each once, in order, in blocks that are written only when they change.

This is all the state that a run has. Everything else is folded from it, so a restart, a rebalance, a duplicate or any
order of arrival cannot change a result. Blocks are sealed when the state is taken; a fact that comes late for a sealed block
re-opens that one.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import accumulate
from typing import Final, Literal
from zlib import crc32

import msgspec
from msgspec import Struct

from metrics.facts import Fact, Mark, fact, hash64, identity, order_time, pack, unpack
from metrics.idtable import TAG_BITS, TAG_MASK, IdTable
from streams.events import Event

BLOCK: Final = 32
"""Facts in a sealed block when it is made."""

MAX_FACTS: Final = 50_000
"""Facts kept of a run: the first in order. What is past them is dropped, and the run says that it is truncated."""

MAX_FRESH: Final = 256
"""Facts kept unpacked for the next reader."""

MAX_MARKS: Final = 1_000
"""Frame events (starts, ends, submissions) kept of a run."""

Fed = Literal["new", "duplicate", "conflict", "dropped"]

_blocks = msgspec.msgpack.Decoder(list[bytes])


class Sequence(Struct, array_like=True):
    """Which of one producer's sequence numbers came: what is missing between them was lost."""

    low: int
    high: int
    count: int


class Head(Struct, array_like=True):
    """The small part of a ledger that is in no block."""

    marks: list[bytes] = []
    """Frame events, in order: they are kept whatever else is cut."""

    conflicts: dict[int, list[int]] = {}
    """Identity -> tags of the contents that came under it, where there is more than one."""

    sequences: dict[str, Sequence] = {}
    truncated: bool = False


class _Unsealed(Struct, array_like=True):
    """What changes with every fact, in one piece: it is written each time the state is taken."""

    head: Head
    items: list[bytes]


class _Sealed:
    __slots__ = ("count", "data", "last")

    def __init__(self, items: list[bytes]) -> None:
        self.last = items[-1]
        self.count = len(items)
        self.data = zlib.compress(msgspec.msgpack.encode(items), 1)

    def items(self) -> list[bytes]:
        return _blocks.decode(zlib.decompress(self.data))


class Ledger:
    """The facts of one run."""

    def __init__(self) -> None:
        self._ids = IdTable()
        self._sealed: list[_Sealed] = []
        self._open: list[bytes] = []
        self._late: list[bytes] = []
        self._sealed_count = 0
        self._changed: set[int] = set()
        self.head = Head()
        self.fresh: list[Fact] | None = []
        """Facts that were appended since somebody last read; None: read them from the blocks."""

        self.first_change: int | None = None
        """Lowest place at which the order of what had been read changed since `taken`; None: facts were only appended."""

        self.last_change = 0
        """Just behind the highest such place: where facts come in order, though behind others, the next one goes here."""

    def __len__(self) -> int:
        return self._sealed_count + len(self._open) + len(self._late)

    @property
    def revision(self) -> int:
        """How many different events the run is made of. It never falls, and is a function of their set."""
        conflicts = sum(len(tags) - 1 for tags in self.head.conflicts.values())
        return len(self) + len(self.head.marks) + conflicts

    @property
    def conflicts(self) -> int:
        """How many events came under an id that another content already had."""
        return sum(len(tags) - 1 for tags in self.head.conflicts.values())

    @property
    def lost(self) -> int:
        """How many sequence numbers are missing between the lowest and highest of each producer."""
        return sum(max(0, one.high - one.low + 1 - one.count) for one in self.head.sequences.values())

    def add(self, event: Event) -> Fed:
        """Put an event's fact in. Order and repetition of calls make no difference to what the ledger then holds."""
        item = fact(event)
        data = pack(item)
        mark = type(item.body) is Mark
        full = self._sealed_count + len(self._open) + len(self._late) >= MAX_FACTS
        if full and not mark and data > self._last():
            self._truncate()
            return "dropped"
        key = hash64(identity(item))
        there = self._ids.add(key, crc32(data))
        if there >= 0:
            return "duplicate" if there == 0 else self._conflict(key, there - 1, item, data)
        if event.seq is not None:
            self._count(event.producer, event.seq)
        if mark:
            insort(self.head.marks, data)
            del self.head.marks[MAX_MARKS:]
        elif not self._late and (data > self._open[-1] if self._open else not self._sealed):
            self._open.append(data)
            if self.fresh is not None:
                self.fresh.append(item)
                if len(self.fresh) > MAX_FRESH:
                    self.fresh = None
        else:
            self._put_back(data)
        if full and not mark:
            self._truncate()
            self._pop_last()
        return "new"

    def _count(self, producer: str, seq: int) -> None:
        seen = self.head.sequences.get(producer)
        if seen is None:
            self.head.sequences[producer] = Sequence(seq, seq, 1)
            return
        seen.count += 1
        if seq > seen.high:
            seen.high = seq
        elif seq < seen.low:
            seen.low = seq

    def _put_back(self, data: bytes) -> None:
        self.fresh = None
        if self._sealed and data < self._sealed[-1].last:
            self._late.append(data)
            if len(self._late) > max(4 * BLOCK, self._sealed_count // 8):
                self._merge()
        else:
            place = bisect_left(self._open, data)
            self._open.insert(place, data)
            self._changed_from(self._sealed_count + place)

    def seal(self) -> None:
        """Put what is open into sealed blocks, all but the newest facts. Who only reads a run to its end need not."""
        whole = len(self._open) // BLOCK - 1
        for start in range(0, whole * BLOCK, BLOCK):
            self._changed.add(len(self._sealed))
            self._sealed.append(_Sealed(self._open[start : start + BLOCK]))
        if whole > 0:
            self._sealed_count += whole * BLOCK
            del self._open[: whole * BLOCK]

    def _changed_from(self, place: int) -> None:
        self.fresh = None
        self.first_change = place if self.first_change is None else min(self.first_change, place)
        self.last_change = max(self.last_change, place + 1)

    def _merge(self) -> None:
        """Put the facts that came late for a sealed block into theirs, each block once."""
        if not self._late:
            return
        starts = [0, *accumulate(block.count for block in self._sealed)]
        grouped: dict[int, list[bytes]] = {}
        lasts = [block.last for block in self._sealed]
        for data in self._late:
            grouped.setdefault(bisect_left(lasts, data), []).append(data)
        self._late = []
        for number, more in grouped.items():
            items = self._sealed[number].items()
            self._changed_from(starts[number] + bisect_left(items, min(more)))
            self._sealed[number] = _Sealed(sorted(items + more))
            self._changed.add(number)
            self._sealed_count += len(more)
        self._split()

    def _split(self) -> None:
        if all(block.count <= 4 * BLOCK for block in self._sealed):
            return
        first = next(number for number, block in enumerate(self._sealed) if block.count > 4 * BLOCK)
        fresh: list[_Sealed] = []
        for block in self._sealed[first:]:
            items = block.items() if block.count > 4 * BLOCK else []
            fresh += [_Sealed(items[at : at + BLOCK]) for at in range(0, len(items), BLOCK)] or [block]
        self._sealed[first:] = fresh
        self._changed.update(range(first, len(self._sealed)))

    def _last(self) -> bytes:
        self._merge()
        if not self._open:
            self._reopen()
        return self._open[-1]

    def _reopen(self) -> None:
        block = self._sealed.pop()
        self._changed.add(len(self._sealed))
        self._sealed_count -= block.count
        self._open = block.items()

    def _pop_last(self) -> None:
        self._last()
        self._open.pop()
        self._changed_from(self._sealed_count + len(self._open))

    def _truncate(self) -> None:
        self.head.truncated = True

    def _conflict(self, key: int, there: int, item: Fact, data: bytes) -> Fed:
        tags, tag = self.head.conflicts.setdefault(key >> TAG_BITS, [there]), crc32(data) & TAG_MASK
        if tag in tags:
            return "duplicate"
        insort(tags, tag)
        self._keep_smaller(identity(item), data)
        return "conflict"

    def _keep_smaller(self, name: str, data: bytes) -> None:
        """Of two contents under one id keep the one whose hash is smaller, whichever came first."""
        every = [*self._items(), *self.head.marks]
        old = next((one for one in every if identity(unpack(one)) == name), None)
        if old is None or _digest(old) <= _digest(data):
            return
        self._rebuild([one for one in every if one != old], data)

    def _rebuild(self, items: list[bytes], more: bytes) -> None:
        marks: list[bytes] = []
        facts: list[bytes] = []
        for one in [*items, more]:
            (marks if isinstance(unpack(one).body, Mark) else facts).append(one)
        facts.sort()
        self._changed.update(range(len(self._sealed)))
        self.head.marks, self._sealed, self._sealed_count, self._open = sorted(marks), [], 0, facts
        self._changed_from(0)

    def facts(self, start: int = 0) -> Iterator[Fact]:
        """The facts from a place on, in order, unpacked one at a time. Frame events are in `marks` instead."""
        return map(unpack, self._items(start))

    def _items(self, start: int = 0) -> Iterator[bytes]:
        self._merge()
        place = 0
        for block in self._sealed:
            if place + block.count > start:
                yield from block.items()[max(0, start - place) :]
            place += block.count
        yield from self._open[max(0, start - place) :]

    def between(self, low: int, high: int) -> Iterator[Fact]:
        """The facts whose time is at least `low` and below `high`, in order; only blocks that may hold some are opened."""
        self._merge()
        first, last = order_time(low), order_time(high)
        for block in self._sealed:
            if block.last >= first:
                yield from (unpack(one) for one in block.items() if first <= one < last)
        yield from map(unpack, self._open[bisect_left(self._open, first) : bisect_left(self._open, last)])

    @property
    def newest(self) -> int:
        """The newest time of a fact (µs); 0 where there is none."""
        return unpack(self._last()).at if len(self) else 0

    def marks(self) -> list[Fact]:
        """The frame events, in order."""
        return [unpack(data) for data in self.head.marks]

    def taken(self) -> int | None:
        """The lowest place at which the order changed since the last call; None: facts were only appended."""
        self._merge()
        place, self.first_change = self.first_change, None
        return place

    def news(self, start: int) -> Iterator[Fact]:
        """The facts from a place on for a reader that has read all before it; what was just appended costs no unpacking."""
        fresh, self.fresh = self.fresh, []
        if fresh is not None and start + len(fresh) == len(self):
            return iter(fresh)
        return self.facts(start)

    def take_blocks(self) -> dict[str, bytes]:
        """What changed since the last call, as a key-value state: `open`, with the head, and one entry a sealed block.

        An empty value says that the block is gone.
        """
        self._merge()
        self.seal()
        blocks = {"open": msgspec.msgpack.encode(_Unsealed(self.head, self._open))}
        for number in self._changed:
            gone = number >= len(self._sealed)
            blocks[f"{number:05d}"] = b"" if gone else self._sealed[number].data
        self._changed.clear()
        return blocks

    @classmethod
    def load(cls, blocks: dict[str, bytes]) -> Ledger:
        """The ledger whose blocks these are (all that `take_blocks` ever gave, the newest of each key)."""
        ledger = cls()
        unsealed = msgspec.msgpack.decode(blocks["open"], type=_Unsealed) if "open" in blocks else _Unsealed(Head(), [])
        ledger.head, ledger._open = unsealed.head, unsealed.items
        for key in sorted(key for key, data in blocks.items() if data and key.isdecimal()):
            items = _blocks.decode(zlib.decompress(blocks[key]))
            ledger._sealed.append(_Sealed(items))
            ledger._sealed_count += len(items)
        ledger._restore_ids(ledger.head.marks)
        ledger._restore_ids(ledger._items())
        return ledger

    def _restore_ids(self, items: Iterable[bytes]) -> None:
        for data in items:
            self._ids.add(hash64(identity(unpack(data))), crc32(data))


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=8).digest()
