"""The agent that folds what comes, and the clock that publishes what falls due without anything coming.

Order within a chunk: take its records in; send what follows from them; write the state that changed; await all of it;
acknowledge last. A crash at any place repeats the chunk, and what is repeated changes nothing: the pipeline holds a set of
events, outputs have ids derived from what they say, and after a start everything restored is published anew. Whatever fails
here ends the worker at once: to go on would acknowledge what was never kept.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import structlog
from aiokafka.partitioner import murmur2

from judges.rubric import load
from streams.app import CHUNKS, App
from streams.events.decode import decoder
from streams.match import Match
from streams.partition import Homes, take
from streams.pipeline import Output, Pipeline
from streams.publish import Futures, Publisher
from streams.transport import Chunk, ChunkSchema

if TYPE_CHECKING:
    from faust import Stream
    from faust.types import EventT, StreamT

    from streams.events import Event
    from streams.settings import Settings

AHEAD: Final = 4
"""Chunks whose records are on their way to the broker while the next one is folded."""

BACKLOG: Final = 500
"""A chunk of so many records says that the worker is behind."""

CALM_S: Final = 1.0
"""So long after the last such chunk it counts as behind: between them come small chunks of quiet topics."""

REST: Final = 9.0
"""While it is behind: after making readings, so many times as long it makes none, so they take a tenth of the time."""

SHORTEST_S: Final = 0.005
LONGEST_S: Final = 0.05
"""How long the clock sleeps: until the next due time within these bounds."""

log = structlog.stdlib.get_logger(__name__)

PipelineFactory = Callable[[], Pipeline]
Stop = Callable[[BaseException], None]


class Worker:
    """One worker's share of the partitions: a pipeline for each, and what was counted."""

    def __init__(self, app: App, settings: Settings, factory: PipelineFactory, stop: Stop) -> None:
        self.app, self._factory, self._stop = app, factory, stop
        self.pipelines: dict[int, Pipeline] = {}
        self.counts: Counter[str] = Counter()
        """Events by what became of them, and dead letters, moved records, outputs."""
        self._decode = decoder(settings.zone)
        self._publisher = Publisher(settings.topic_prefix)
        self._homes = Homes(self._home)
        self._partitions = settings.partitions
        self._owing: set[int] = set()
        """Partitions with news that their pipeline has not been asked about."""
        self._behind_until = self._rest_until = 0.0
        self._open: deque[asyncio.Task[None]] = deque(maxlen=AHEAD)

    def install(self) -> None:
        """Hook into the app, before it starts."""
        topic = self.app.topic(*self.app.sources, schema=ChunkSchema(), maxsize=CHUNKS)
        self.app.agent(topic, name="fold")(self.agent)
        self.app.task(self.clock)
        self.app.on_partitions_revoked.connect(self.revoked)
        self.app.on_rebalance_complete.connect(self.recovered)

    def _home(self, key: bytes) -> int:
        return int(murmur2(key) & 0x7FFFFFFF) % self._partitions  # as Kafka's own producers do

    async def agent(self, stream: StreamT[Chunk]) -> None:
        """Fold every chunk of the source topics."""
        async for event in cast("Stream[Chunk]", stream).noack().events():
            await self._guarded(self._chunk(event))

    async def _chunk(self, event: EventT[Any]) -> None:
        partition, chunk = event.message.partition, cast("Chunk", event.value)
        pipeline = self.pipelines[partition]
        if len(chunk) >= BACKLOG:
            self._behind_until = time.monotonic() + CALM_S
        taken = take(chunk, partition, self._homes, self._decode, pipeline)
        now = _now()
        outputs, state = self._due(partition, now), pipeline.take_state()
        producer, publisher = self.app.producer, self._publisher
        sent = await publisher.outputs(producer, outputs)
        sent += await publisher.moved(producer, taken.moved)
        sent += await publisher.dead_letters(producer, taken.unreadable, now)
        for one in taken.of_matches:
            sent += await self._match(one, partition)
        sent += await self.app.runs.write(partition, {key.encode(): value for key, value in state.items()})
        self._count(taken.fed, unreadable=len(taken.unreadable), moved=len(taken.moved), published=len(outputs))
        await self._settle(event, sent)

    async def _match(self, event: Event, partition: int) -> Futures:
        """Pass an event of a match on to its contestants, then remember it: in this order, for the second hides the first."""
        key = event.match_id.encode()
        match = Match(self.app.matches.get(key) or b"")
        made = [(one, self._homes(one.run)) for one in match.feed(event)]
        await asyncio.gather(*await self._publisher.events(self.app.producer, made))
        return await self.app.matches.write(partition, {key: match.dump()})

    async def _settle(self, event: EventT[Any], sent: Futures) -> None:
        """Acknowledge once the broker has everything; meanwhile the next chunks may be folded."""
        if len(self._open) == AHEAD:
            await self._open[0]
        self._open.append(asyncio.create_task(self._guarded(_acknowledge(event, sent))))

    async def clock(self) -> None:
        """Publish what falls due by itself: the last readings of an interval, verdicts after the lateness."""
        while not self.app.should_stop:
            await self._guarded(self._tick())
            await asyncio.sleep(self._pause())

    async def _tick(self) -> None:
        now = _now()
        for partition, pipeline in tuple(self.pipelines.items()):
            due = now if partition in self._owing else pipeline.next_due()
            if due is not None and due <= now:
                await self.publish(self._due(partition, now))

    def _due(self, partition: int, now: int) -> list[Output]:
        """What is due; while the worker is behind, only if making readings has not had its share of the time."""
        started = time.monotonic()
        behind = started < self._behind_until
        if behind and started < self._rest_until:
            self._owing.add(partition)
            return []
        self._owing.discard(partition)
        outputs = self.pipelines[partition].collect(now, behind=behind)
        ended = time.monotonic()
        self._rest_until = ended + REST * (ended - started)
        return outputs

    async def publish(self, outputs: list[Output]) -> None:
        """Send outputs and wait until the broker has them."""
        self.counts["published"] += len(outputs)
        await asyncio.gather(*await self._publisher.outputs(self.app.producer, outputs))

    def _pause(self) -> float:
        times = [due for pipeline in self.pipelines.values() if (due := pipeline.next_due()) is not None]
        return min(max((min(times, default=1 << 62) - _now()) / 1e6, SHORTEST_S), LONGEST_S)

    async def revoked(self, *_: Any, **__: Any) -> None:
        """Drop what was folded: the partitions may come back with more in their tables."""
        self.pipelines.clear()

    async def recovered(self, *_: Any, **__: Any) -> None:
        """Fold anew from the tables, once they are complete."""
        await self._guarded(self._restore())

    async def _restore(self) -> None:
        mine = {tp.partition for tp in self.app.consumer.assignment() if tp.topic in self.app.sources}
        self.pipelines.clear()
        for partition, items in self.app.runs.of_partitions(mine).items():
            pipeline = self.pipelines[partition] = self._factory()
            pipeline.restore((key.decode(), value) for key, value in items.items())
        self._owing = set(self.pipelines)  # what a crash kept from being published is published now
        runs = sum(len(pipeline.runs) for pipeline in self.pipelines.values())
        log.info("restored", partitions=sorted(mine), runs=runs)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 # whatever it is, nothing may be acknowledged after it
            self._stop(error)

    def _count(self, fed: Mapping[str, int], **more: int) -> None:
        self.counts.update(fed)
        self.counts.update(more)
        if more["unreadable"]:
            log.warning("unreadable records went to the dead-letter topic", records=more["unreadable"])
        if fed.get("conflict"):
            log.warning("events came under an id that another content has; one of each is counted", events=fed["conflict"])
        if fed.get("dropped"):
            log.warning("events lie beyond what is kept of a run, which is told as truncated", events=fed["dropped"])


async def _acknowledge(event: EventT[Any], sent: Futures) -> None:
    await asyncio.gather(*sent)
    event.ack()


def _now() -> int:
    return time.time_ns() // 1000


def attach(app: App, settings: Settings, stop: Stop, factory: PipelineFactory | None = None) -> Worker:
    """Give the app its agent, its clock and its handling of rebalances. `stop` must end the process."""
    worker = Worker(app, settings, factory or pipelines(settings), stop)
    worker.install()
    return worker


def pipelines(settings: Settings) -> PipelineFactory:
    """Makes pipelines as the settings say."""
    rubric = load(settings.rubric)

    def make() -> Pipeline:
        return Pipeline(
            rubric,
            interval_us=round(settings.publish_interval_s * 1e6),
            lateness_us=round(settings.lateness_s * 1e6),
            idle_us=round(settings.idle_s * 1e6),
        )

    return make
