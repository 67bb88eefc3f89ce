"""A Faust transport driver that hands over a fetched piece of a partition as one message instead of record by record.

Faust's cost is per message: channel, stream, event object, sensors, acknowledgement. One message for each chunk makes it
vanish beside the cost of reading the records. The agent stays an ordinary Faust agent; its stream yields `Chunk`s.

Changelog topics are left as they are, so that Faust's own recovery of tables is untouched. This file rests on internals of
faust-streaming 0.15: `_getmany`, `_to_message`, `_new_offset`, `_acked` and `_add_gap` of its consumer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, cast

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from faust import Schema
from faust.transport.drivers import aiokafka as driver
from faust.types import TP, AppT, Message
from faust.types.tuples import ConsumerMessage, ack_lock
from mode.utils.futures import notify
from yarl import URL

ENDS_S: Final = 30.0
"""Longest wait for the ends of the changelogs; past it recovery fails, and with it the start."""

IDLE_S: Final = 0.02
"""Pause before the next look, while no partition may be fetched."""

FETCH_WAIT_MS: Final = 25
"""How long the broker may hold a fetch that finds nothing. Faust's 1.5 s would be the latency: while a fetch is held, a
partition whose records were handed out since is not asked for, and the embedded broker looks only when the time is over."""


class Chunk(list[ConsumerRecord]):
    """Records of one partition, in offset order, never empty: raw key, value and headers, offset and timestamp."""

    __slots__ = ("done",)

    def __init__(self, records: Iterable[ConsumerRecord]) -> None:
        super().__init__(records)
        self.done = False
        """Whether it was acknowledged."""

    @property
    def end(self) -> int:
        """The offset to commit once the chunk is done: one past its last record."""
        return int(self[-1].offset) + 1


class ChunkSchema(Schema[None, Chunk]):
    """Hands the chunk on as it is: nothing is decoded before the agent has it."""

    def loads_key(self, app: AppT, message: Message, **_: Any) -> None:
        """A chunk has no key; its records have."""

    def loads_value(self, app: AppT, message: Message, **_: Any) -> Chunk:  # noqa: ARG002 # Faust's signature
        """The chunk itself."""
        return cast("Chunk", message.value)


class Ledger:
    """The chunks handed out and not yet committed, by partition, in the order of their offsets.

    What may be committed is the end of the longest acknowledged beginning. A hole in the offsets (compaction, transaction
    markers, records deleted by retention) needs no bookkeeping: a chunk's end is where it ends, whatever lies before the
    next one. A chunk that was forgotten may be acknowledged later without effect.
    """

    def __init__(self) -> None:
        self._chunks: dict[TP, deque[Chunk]] = {}

    def hand_out(self, tp: TP, chunk: Chunk) -> None:
        """Take note of a chunk that goes to the agent now. If it lies behind another, the position was moved back."""
        chunks = self._chunks.setdefault(tp, deque())
        if chunks and chunk[0].offset < chunks[-1].end:
            chunks.clear()
        chunks.append(chunk)

    def committable(self, tp: TP) -> int | None:
        """The offset that may be committed, None if nothing new; the chunks before it are dropped."""
        chunks, end = self._chunks.get(tp), None
        while chunks and chunks[0].done:
            end = chunks.popleft().end
        return end

    def forget(self, tps: Iterable[TP]) -> None:
        """Drop the chunks of partitions that were taken away or whose position was moved: they come again."""
        for tp in tps:
            self._chunks.pop(tp, None)

    def partitions(self) -> tuple[TP, ...]:
        """The partitions with chunks out."""
        return tuple(self._chunks)


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """Faust's consumer thread, with a shorter wait for a fetch."""

    def _create_consumer(self, loop: asyncio.AbstractEventLoop) -> AIOKafkaConsumer:
        consumer = super()._create_consumer(loop)
        consumer._fetch_max_wait_ms = FETCH_WAIT_MS  # noqa: SLF001 # Faust has no setting for it
        return consumer


class Consumer(driver.Consumer):
    """Faust's consumer, with one message for each fetched chunk of the transport's chunked topics.

    After a rebalance Faust resumes the partitions, moves their positions back to what is committed, and then clears the
    queues of all streams. What is fetched in between would be handed out, thrown away, and never come again. So the chunked
    topics are held from the first of these steps until after the last, and no fetch is under way while positions move.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._ledger = Ledger()
        self._fetching = asyncio.Lock()
        self._held, self._sought = False, False

    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    def _chunked(self, topic: str) -> bool:
        return topic in cast("Transport", self.transport).chunked

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> dict[TP, list[Any]]:  # noqa: ASYNC109 # Faust's
        async with self._fetching:
            wanted = {tp for tp in active_partitions or () if not (self._held and self._chunked(tp.topic))}
            if not wanted:  # the thread below would take it for all
                await asyncio.sleep(IDLE_S)
                return {}
            records = await super()._getmany(wanted, timeout)
        return {tp: [Chunk(got)] if got and self._chunked(tp.topic) else got for tp, got in (records or {}).items()}

    def _to_message(self, tp: TP, record: Any) -> ConsumerMessage:
        if not isinstance(record, Chunk):
            return super()._to_message(tp, record)
        self._ledger.hand_out(tp, record)
        first = record[0]
        if (self._read_offset[tp] or 0) > first.offset:  # Faust would drop it, and what lies after it never be committed
            self._read_offset[tp] = first.offset
        # The message stands at its first record, which is where Faust looks for what it has read already.
        return ConsumerMessage(
            topic=first.topic,
            partition=first.partition,
            offset=first.offset,
            timestamp=first.timestamp / 1000,
            timestamp_type=first.timestamp_type,
            headers=None,
            key=None,
            value=cast("Any", record),
            checksum=None,
            tp=tp,
            generation_id=self.app.consumer_generation_id,
        )

    def ack(self, message: Message) -> bool:
        """Note that a message is done. True the first time."""
        chunk = message.value
        if not isinstance(chunk, Chunk):
            return bool(super().ack(message))
        with ack_lock:
            if chunk.done:
                return False
            message.acked = chunk.done = True
            self._unacked_messages.discard(message)
            self._acked[message.tp].append(message.offset)  # its key tells Faust that there may be something to commit
            self._n_acked += 1
            notify(self._waiting_for_ack)
            return True

    def _new_offset(self, tp: TP) -> int | None:
        if not self._chunked(tp.topic):
            offset: int | None = super()._new_offset(tp)
            return offset
        self._acked[tp].clear()
        return self._ledger.committable(tp)

    async def _add_gap(self, tp: TP, offset_from: int, offset_to: int) -> None:
        if not self._chunked(tp.topic):
            await super()._add_gap(tp, offset_from, offset_to)

    def on_buffer_full(self, tp: TP) -> None:
        """Leave the partition active: a full queue already holds the fetcher, and chunks bound what waits."""
        if not self._chunked(tp.topic):
            super().on_buffer_full(tp)

    def resume_partitions(self, tps: Iterable[TP]) -> None:
        """Let partitions be fetched; chunked ones once their positions were moved and the flow resumed."""
        tps = set(tps)
        if any(self._chunked(tp.topic) for tp in tps):
            self._held, self._sought = True, False
        super().resume_partitions(tps)

    def resume_flow(self) -> None:
        """Let messages through. Faust does so first for a table's recovery, then for the streams."""
        super().resume_flow()
        if self._sought:
            self._held = False

    async def perform_seek(self) -> None:
        """Go back to the committed offsets; what is out is handed out again."""
        async with self._fetching:
            await self._seek_to_committed()
        self._sought = True

    async def _seek_to_committed(self) -> None:
        self._forget(self._ledger.partitions())
        await super().perform_seek()
        # Where nothing was committed yet Faust leaves the position alone, and what it fetched and threw away while the
        # group was rebalancing would never come again.
        fresh = [tp for tp in self.assignment() if self._chunked(tp.topic) and not self._committed_offset[tp]]
        if fresh:
            await self._thread.seek_to_beginning(*(TopicPartition(*tp) for tp in fresh))

    async def seek(self, partition: TP, offset: int) -> None:
        """Move a partition's position; what is out of it is handed out again if it lies behind."""
        self._forget((partition,))
        await super().seek(partition, offset)

    async def seek_wait(self, partitions: Mapping[TP, int]) -> None:
        """Move positions and wait until the broker has confirmed them."""
        self._forget(partitions)
        await super().seek_wait(partitions)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Give partitions up, after the chunks in work are done and committed."""
        await super().on_partitions_revoked(revoked)
        self._forget(revoked)

    async def highwaters(self, *partitions: TP) -> Mapping[TP, int]:
        """Where partitions end: what a table's recovery reads up to. Taken from a fetch, which every broker answers rightly.

        Tansu's answer to a question for the latest offset leaves out all of the last batch but its first record, and with
        it the newest state.
        """
        ends = dict(await super().highwaters(*partitions))
        full = {TopicPartition(*tp): end for tp, end in ends.items() if end}
        fetched = await _fetched_ends(driver.server_list(self.transport.url, driver.Transport.default_port), full)
        return ends | {TP(*tp): end for tp, end in fetched.items()}

    def _forget(self, tps: Iterable[TP]) -> None:
        tps = [tp for tp in tps if self._chunked(tp.topic)]
        self._ledger.forget(tps)
        for tp in tps:
            self._acked.pop(tp, None)


async def _fetched_ends(bootstrap: list[str], ends: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
    if not ends:
        return {}
    async with AIOKafkaConsumer(bootstrap_servers=bootstrap) as consumer, asyncio.timeout(ENDS_S):
        consumer.assign(list(ends))
        for tp, end in ends.items():
            consumer.seek(tp, end - 1)
        while any(consumer.highwater(tp) is None for tp in ends):
            await consumer.getmany(timeout_ms=100)
        return {tp: max(end, consumer.highwater(tp)) for tp, end in ends.items()}


class Transport(driver.Transport):
    """Faust's aiokafka transport, chunked for some topics: `app.transport = Transport(urls, app, chunked=names)`."""

    Consumer: ClassVar[type[Consumer]] = Consumer

    def __init__(self, url: list[URL], app: AppT, *, chunked: Iterable[str]) -> None:
        super().__init__(url, app)
        self.chunked = frozenset(chunked)
        """Names of the topics whose streams yield `Chunk`s."""
