"""How long an event takes from being produced to the first reading that counts it, under a steady rate.

A real worker process with a publish interval of 100 ms. Events bear the time at which they are sent. With 200 runs an
event seldom waits for its run's interval; the broker is asked for every record by itself, without lingering.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict, deque
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from benchmarks.events import Sent, events
from streams.topics import topic_name

RUNS: Final = 200
WARM_S: Final = 10.0
SECONDS: Final = 30.0
INTERVAL_S: Final = 0.1
START_S: Final = 60.0


class Clock:
    """When events were sent, by run, until a reading counts them."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, deque[tuple[int, float]]] = defaultdict(deque)
        self._sent: defaultdict[str, int] = defaultdict(int)
        self.latencies: list[float] = []
        self.readings = 0
        self.counting = False

    def sent(self, run: str) -> None:
        """An event of a run goes out now."""
        self._sent[run] += 1
        self._waiting[run].append((self._sent[run], time.monotonic()))

    def reading(self, run: str, revision: int) -> None:
        """A reading that counts so many events is here."""
        self.readings += 1
        waiting, now = self._waiting[run], time.monotonic()
        while waiting and waiting[0][0] <= revision:
            _, then = waiting.popleft()
            if self.counting:
                self.latencies.append(now - then)

    def found(self, rate: int) -> dict[str, Any]:
        """The percentiles, in milliseconds."""
        cuts = quantiles(self.latencies, n=1000)
        percentiles = {f"p{name}_ms": round(1000 * cuts[cut - 1], 1) for name, cut in (("50", 500), ("90", 900), ("99", 990))}
        left = sum(len(one) for one in self._waiting.values())
        return {"rate": rate, "runs": RUNS, "events": len(self.latencies), "uncounted": left, **percentiles}


def measure(address: str, prefix: str, partitions: int, rate: int) -> dict[str, Any]:
    """Start a worker, send at the rate, and give the percentiles of the latency."""
    given = {
        "BROKER": address,
        "TOPIC_PREFIX": prefix,
        "APP_ID": prefix,
        "PARTITIONS": partitions,
        "PUBLISH_INTERVAL_S": INTERVAL_S,
        "REBALANCE_TIMEOUT_S": 3,
        "SESSION_TIMEOUT_S": 6,
    }
    env = os.environ | {f"BOUTWATCH_{name}": str(value) for name, value in given.items()}
    with tempfile.TemporaryFile() as log:
        worker = subprocess.Popen(
            [sys.executable, "-m", "streams.cli", "worker"], env=env, stdout=log, stderr=log, cwd=Path.cwd()
        )
        try:
            return asyncio.run(_play(address, prefix, rate))
        finally:
            worker.terminate()
            worker.wait()


async def _play(address: str, prefix: str, rate: int) -> dict[str, Any]:
    clock = Clock()
    everything = iter(events(round(rate * (WARM_S + SECONDS)) + 4 * RUNS, RUNS, seed=5))
    async with (
        AIOKafkaProducer(bootstrap_servers=address) as producer,
        AIOKafkaConsumer(topic_name("readings", prefix), bootstrap_servers=address, fetch_max_wait_ms=10) as consumer,
    ):
        listening = asyncio.create_task(_listen(consumer, clock))
        for _ in range(RUNS):
            await _send(producer, prefix, next(everything), clock)
        async with asyncio.timeout(START_S):
            while clock.readings < RUNS:  # noqa: ASYNC110 - readings are no event of this loop
                await asyncio.sleep(0.1)
        start, total = time.monotonic(), round(rate * (WARM_S + SECONDS))
        for number in range(total):
            due = start + number / rate
            if (pause := due - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            clock.counting = number > rate * WARM_S
            await _send(producer, prefix, next(everything), clock)
        await asyncio.sleep(2)
        listening.cancel()
    return clock.found(rate)


async def _listen(consumer: AIOKafkaConsumer, clock: Clock) -> None:
    async for record in consumer:
        clock.reading(record.key.decode(), msgspec.json.decode(record.value)["revision"])


async def _send(producer: AIOKafkaProducer, prefix: str, one: Sent, clock: Clock) -> None:
    event, now = msgspec.json.decode(one.value), time.time_ns() // 1000
    took = event.get("ended_at", 0) - event.get("started_at", 0)
    event |= {"at": now} | ({"started_at": now - took, "ended_at": now} if took else {})
    clock.sent(one.run)
    await producer.send(topic_name(one.stream, prefix), msgspec.json.encode(event), key=one.run.encode())
