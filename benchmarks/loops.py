"""The loops that `benchmarks.worker` compares, each run in a process of its own: `python -m benchmarks.loops NAME …`.

Every loop reads the same topics from their beginning with the same decoder, and stops when it has seen all events. Time and
CPU (all threads) are counted from the first events that arrive to the last that is done, so joining the group is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any, Final, cast

import faust
import mode
import msgspec
from aiokafka import AIOKafkaConsumer

from benchmarks.events import events
from streams.agents import Worker, pipelines
from streams.app import create_app
from streams.collector import spare_the_collector
from streams.events import FAMILIES, Event, Rejected, ToolCall
from streams.events.decode import decoder
from streams.events.times import SECOND
from streams.pipeline import Pipeline
from streams.settings import Settings
from streams.tables import DurableTable
from streams.topics import topic_name
from streams.transport import Chunk, ChunkSchema, Transport
from streams.worker import fail_stop

FETCH_BYTES: Final = 4 << 20
RECORDS: Final = 4_000


class Meter:
    """Counts events and ends the process when all are done, with the result on stdout."""

    def __init__(self, total: int) -> None:
        self._total, self._seen = total, 0
        self._start = self._cpu = 0.0

    def arrived(self) -> None:
        """Events are there: the first call starts the clock."""
        if not self._start:
            self._start, self._cpu = time.monotonic(), _cpu()

    @property
    def left(self) -> int:
        """How many are still to come."""
        return self._total - self._seen

    def done(self, events: int) -> None:
        """So many more are done."""
        self._seen += events
        if self._seen >= self._total:
            seconds, cpu = time.monotonic() - self._start, _cpu() - self._cpu
            print(json.dumps(rate(self._seen, seconds, cpu)), flush=True)
            os._exit(0)


def rate(events: int, seconds: float, cpu: float) -> dict[str, float]:
    """What is reported of a loop."""
    per_event = 1e6 * cpu / events
    return {"events": events, "seconds": round(seconds, 3), "events_s": round(events / seconds), "cpu_us": round(per_event, 2)}


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Fold:
    """The trivial fold: per run, how many events, failures and bytes of output."""

    def __init__(self) -> None:
        self.counts: dict[str, list[int]] = {}

    def feed(self, event: Event | Rejected) -> str:
        """Take an event in; gives its run."""
        if isinstance(event, Rejected):
            raise TypeError(event.reason)
        count = self.counts.setdefault(event.run, [0, 0, 0])
        count[0] += 1
        if isinstance(event, ToolCall):
            count[1] += event.status == "failed"
            count[2] += len(event.output)
        return event.run


async def bare(args: argparse.Namespace) -> None:
    """(a) aiokafka alone: `getmany`, decode, fold."""
    consumer = AIOKafkaConsumer(
        *_topics(args),
        bootstrap_servers=args.bootstrap,
        group_id=f"bench-bare-{os.getpid()}",
        auto_offset_reset="earliest",
        enable_auto_commit=True,
        max_partition_fetch_bytes=FETCH_BYTES,
    )
    meter, fold, decode = Meter(args.events), Fold(), decoder()
    await consumer.start()
    while True:
        for records in (await consumer.getmany(timeout_ms=1000, max_records=RECORDS)).values():
            meter.arrived()
            for record in records:
                fold.feed(decode(record.value))
            meter.done(len(records))


def driver(args: argparse.Namespace) -> faust.App:
    """(b) Our transport driver: the same fold, one durable table write for each run and chunk."""
    app = _app(args, "driver")
    app.transport = Transport(app.conf.broker_consumer, app, chunked=_topics(args))
    table = app.tables.add(DurableTable(app, name="counts", partitions=args.partitions))
    meter, fold, decode = Meter(args.events), Fold(), decoder()

    async def agent(stream: Any) -> None:
        async for event in stream.noack().events():
            chunk: Chunk = event.value
            meter.arrived()
            touched = {fold.feed(decode(record.value)) for record in chunk}
            state = {run.encode(): msgspec.json.encode(fold.counts[run]) for run in touched}
            await asyncio.gather(*await table.write(event.message.partition, state))
            event.ack()
            meter.done(len(chunk))

    app.agent(app.topic(*_topics(args), schema=ChunkSchema(), maxsize=8))(agent)
    return app


def per_event(args: argparse.Namespace) -> faust.App:
    """(c) Faust as it comes: an agent sees each event and writes its table for each."""
    app = _app(args, "event")
    table = app.Table("counts", partitions=args.partitions, default=lambda: [0, 0, 0])
    meter, decode = Meter(args.events), decoder()

    async def agent(stream: Any) -> None:
        async for value in stream:
            meter.arrived()
            fold = Fold()
            event = decode(value)
            fold.counts = {event.run: list(table[event.run])}  # type: ignore[union-attr]
            table[fold.feed(event)] = fold.counts.popitem()[1]
            meter.done(1)

    app.agent(app.topic(*_topics(args), value_type=bytes, value_serializer="raw", key_type=bytes))(agent)
    return app


def worker(args: argparse.Namespace) -> faust.App:
    """The real worker: the whole pipeline, its outputs and its state."""
    meter = Meter(args.events)

    class Metered(Worker):
        async def _chunk(self, event: Any) -> None:
            meter.arrived()
            await super()._chunk(event)
            if meter.left <= len(event.value):
                await self._finish()
                await asyncio.gather(*self._open)
            meter.done(len(event.value))

        async def _finish(self) -> None:
            """The verdict of every run, which would otherwise be due an interval later."""
            now = time.time_ns() // 1000
            for pipeline in self.pipelines.values():
                await self.publish(pipeline.collect(now) + pipeline.collect(now + 2 * SECOND))

    settings = settings_of(args)
    app = create_app(settings)
    Metered(app, settings, pipelines(settings), fail_stop).install()
    spare_the_collector()
    return app


def offline(args: argparse.Namespace) -> None:
    """(d) The pipeline alone, over the same events in memory: decode, feed, and the report of every run."""
    meter, decode, pipeline = Meter(args.events), decoder(), Pipeline()
    values = [event.value for event in events(args.events, args.runs)]
    spare_the_collector()
    meter.arrived()
    for value in values:
        pipeline.feed(cast("Event", decode(value)))
    for run in pipeline.runs.values():
        run.report()
    meter.done(args.events)


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings of the worker that is measured."""
    return Settings(
        broker=args.bootstrap,
        app_id=f"bench-worker-{os.getpid()}",
        topic_prefix=args.prefix,
        partitions=args.partitions,
        publish_interval_s=args.interval,
    )


def _app(args: argparse.Namespace, name: str) -> faust.App:
    return faust.App(
        f"bench-{name}-{os.getpid()}",
        broker=f"kafka://{args.bootstrap}",
        datadir=tempfile.mkdtemp(),
        topic_partitions=args.partitions,
        topic_disable_leader=True,
        table_standby_replicas=0,
        web_enabled=False,
        broker_rebalance_timeout=3,
        broker_session_timeout=6,
        broker_heartbeat_interval=1,
        broker_commit_interval=1.0,
        broker_max_poll_records=RECORDS,
        consumer_max_fetch_size=FETCH_BYTES,
    )


def _topics(args: argparse.Namespace) -> list[str]:
    return [topic_name(stream, args.prefix) for stream in FAMILIES]


LOOPS: Final[dict[str, Callable[[argparse.Namespace], Any]]] = {
    "bare": bare,
    "driver": driver,
    "per_event": per_event,
    "worker": worker,
    "offline": offline,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("loop", choices=LOOPS)
    parser.add_argument("--bootstrap", default="")
    parser.add_argument("--prefix", default="bench")
    parser.add_argument("--events", type=int, required=True)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--partitions", type=int, default=4)
    parser.add_argument("--interval", type=float, default=1.0)
    args = parser.parse_args()
    made = LOOPS[args.loop](args)
    if asyncio.iscoroutine(made):
        asyncio.run(made)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    mode.Worker(made, override_logging=False, redirect_stdouts=False, quiet=True).execute_from_commandline()


if __name__ == "__main__":
    main()
