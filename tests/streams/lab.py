"""What the worker's tests share: topics of their own, a bout to send, real workers as processes, what came out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from uuid import uuid4

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRecord, TopicPartition

from benchmarks.events import events
from streams.events import FAMILIES, Event
from streams.events.decode import decoder
from streams.pipeline import Pipeline
from streams.topicadmin import create_topics
from streams.topics import declared, topic_name

PARTITIONS = 3
ROOT = Path(__file__).parents[2]
_decode = decoder()


class Lab:
    """A prefix of its own on a broker, with all topics, and workers on it."""

    def __init__(self, broker: str, folder: Path) -> None:
        self.broker, self.folder = broker, folder
        self.prefix = self.app_id = f"t{uuid4().hex[:8]}"
        self.workers: list[subprocess.Popen[bytes]] = []

    def name(self, stream: str) -> str:
        return topic_name(stream, self.prefix)

    async def create(self) -> None:
        await create_topics(self.broker, declared(self.prefix, PARTITIONS, self.app_id))

    def start(self, **settings: object) -> subprocess.Popen[bytes]:
        """Start a worker; its log goes to `worker-N.log`."""
        given = {
            "broker": self.broker,
            "topic_prefix": self.prefix,
            "app_id": self.app_id,
            "partitions": PARTITIONS,
            "publish_interval_s": 0.2,
            "lateness_s": 0,
            "session_timeout_s": 6,
            "rebalance_timeout_s": 3,
            **settings,
        }
        env = os.environ | {f"BOUTWATCH_{name.upper()}": str(value) for name, value in given.items()}
        command = [sys.executable, "-m", "streams.cli", "worker"]
        with (self.folder / f"worker-{len(self.workers)}.log").open("wb") as out:
            worker = subprocess.Popen(command, env=env, stdout=out, stderr=out, cwd=ROOT)
        self.workers.append(worker)
        return worker

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("worker-*.log")))

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()

    @contextlib.asynccontextmanager
    async def producer(self) -> AsyncIterator[AIOKafkaProducer]:
        producer = AIOKafkaProducer(bootstrap_servers=self.broker, max_request_size=8 << 20)
        await producer.start()
        try:
            yield producer
        finally:
            await producer.stop()

    async def send(self, sent: Sequence[tuple[str, bytes, bytes]], *, batch: int = 100, pause_s: float = 0) -> None:
        """Produce (stream, key, value), waiting for the broker batch by batch."""
        async with self.producer() as producer:
            for start in range(0, len(sent), batch):
                futures = [await producer.send(self.name(s), value, key=key) for s, key, value in sent[start : start + batch]]
                await asyncio.gather(*futures)
                await asyncio.sleep(pause_s)

    async def read(self, topic: str) -> list[ConsumerRecord]:
        """All that a topic holds now, in the order in which it came."""
        consumer = AIOKafkaConsumer(bootstrap_servers=self.broker, max_partition_fetch_bytes=8 << 20)
        await consumer.start()
        try:
            partitions = [TopicPartition(topic, number) for number in range(PARTITIONS)]
            consumer.assign(partitions)
            await consumer.seek_to_beginning()
            ends, found = await consumer.end_offsets(partitions), []

            async def more(one: TopicPartition) -> bool:
                # The embedded broker leaves out of an end all of the last batch but its first record; a fetch knows better.
                return bool(await consumer.position(one) < max(ends[one], consumer.highwater(one) or 0))

            while any([await more(one) for one in partitions]):
                for records in (await consumer.getmany(timeout_ms=200)).values():
                    found += records
        finally:
            await consumer.stop()
        return sorted(found, key=lambda one: (one.timestamp, one.offset))

    async def newest(self, stream: str) -> dict[str, bytes]:
        """The newest value of each key, as a compacted topic keeps it."""
        found: dict[str, tuple[int, bytes]] = {}
        for one in await self.read(self.name(stream)):
            key = one.key.decode()
            if key not in found or one.offset > found[key][0]:  # one key, one partition
                found[key] = one.offset, one.value
        return {key: value for key, (_, value) in found.items()}

    async def committed(self) -> dict[TopicPartition, int]:
        """What the workers' group has committed."""
        consumer = AIOKafkaConsumer(bootstrap_servers=self.broker, group_id=self.app_id, enable_auto_commit=False)
        await consumer.start()
        try:
            offsets = {
                one: await consumer.committed(one)
                for stream in FAMILIES
                for one in (TopicPartition(self.name(stream), number) for number in range(PARTITIONS))
            }
        finally:
            await consumer.stop()
        return {one: offset for one, offset in offsets.items() if offset}

    async def ends(self, streams: Iterable[str]) -> dict[TopicPartition, int]:
        """Where the partitions that hold something end."""
        found: dict[TopicPartition, int] = {}
        for stream in streams:
            for one in await self.read(self.name(stream)):
                where = TopicPartition(one.topic, one.partition)
                found[where] = max(found.get(where, 0), one.offset + 1)
        return found

    async def until_verdicts(self, wanted: dict[str, bytes], *, timeout_s: float = 60) -> None:
        """Wait until the newest verdicts are the wanted ones, byte for byte; fail with what differs."""
        got: dict[str, bytes] = {}

        async def there() -> bool:
            got.clear()
            got.update(await self.newest("verdicts"))
            return got == wanted

        def apart() -> str:
            return f"the verdicts are not the offline ones ({_apart(wanted, got)})"

        await self.until(there, timeout_s, apart)

    async def until(self, holds: Callable[[], object], timeout_s: float, what: str | Callable[[], str]) -> None:
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            if await holds():  # type: ignore[misc]
                return
            await asyncio.sleep(0.3)
        said = what if isinstance(what, str) else what()
        raise AssertionError(f"{said} after {timeout_s} s; the workers said:\n{self.logs()[-4000:]}")


def _apart(wanted: dict[str, bytes], got: dict[str, bytes]) -> str:
    """How many verdicts are missing or more than wanted, and for those that differ: events counted, of how many."""
    common = wanted.keys() & got.keys()
    differing = (key for key in common if got[key] != wanted[key])
    events = {key: tuple(json.loads(one[key])["revision"] for one in (got, wanted)) for key in differing}
    return f"{len(wanted.keys() - common)} missing, {len(got.keys() - common)} too many, differing: {events}"


def bout(count: int, runs: int, seed: int) -> list[tuple[str, bytes, bytes]]:
    """Events of some runs as (stream, key, value), in order."""
    return [(one.stream, one.run.encode(), one.value) for one in events(count, runs, seed=seed)]


def disordered(sent: Sequence[tuple[str, bytes, bytes]], seed: int) -> list[tuple[str, bytes, bytes]]:
    """All of them, a tenth twice, in any order."""
    random = Random(seed)  # noqa: S311 - the same disorder each time
    twice = random.sample(list(sent), len(sent) // 10)
    return random.sample([*sent, *twice], len(sent) + len(twice))


def offline(sent: Iterable[tuple[str, bytes, bytes]]) -> dict[str, bytes]:
    """The verdict of every run, without any broker."""
    pipeline = Pipeline()
    for _, _, value in sent:
        event = _decode(value)
        assert isinstance(event, Event)
        pipeline.feed(event)
    return {key: run.verdict_bytes() for key, run in pipeline.runs.items()}
