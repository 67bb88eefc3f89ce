"""Events per second of one worker, beside a bare loop, our driver, Faust as it comes and the offline pipeline; and latency.

`python -m benchmarks.worker` prints JSON on stdout and its progress on stderr. Every loop has a process of its own. The
ratios are those of one run on one machine: absolute figures of two machines say nothing about each other. Measured on Apache
Kafka where Java and Maven are; the embedded broker is made for demos, and at a few hundred requests a second it is itself the
latency.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

from aiokafka import AIOKafkaProducer

from benchmarks.events import events
from benchmarks.latency import measure
from streams.broker import embedded, kafka
from streams.broker.jars import ToolMissingError
from streams.topicadmin import create_topics
from streams.topics import declared, topic_name

FLOORS: Final = {"driver/bare": 0.4, "worker/offline": 0.7, "worker/per_event": 5.0}
LATENCY_MS: Final = {"p50_ms": 60.0, "p99_ms": 250.0}
PARTITIONS: Final = 4
LOOP_S: Final = 600


def main() -> None:
    """Run what is asked for and print one JSON object."""
    args = _arguments()
    with _broker(args.broker) as (broker, address):
        result: dict[str, Any] = {"broker": broker, "events": args.events, "runs": args.runs, "partitions": PARTITIONS}
        if args.only != "latency":
            result |= throughput(address, args)
        if args.only != "throughput":
            result["latency"] = latency(address, args.rate)
    print(json.dumps(result, indent=2))


def throughput(address: str, args: argparse.Namespace) -> dict[str, Any]:
    """Every loop over the same events, and the ratios that have a floor."""
    asyncio.run(fill(address, "bench", args.events, args.runs))
    asyncio.run(fill(address, "few", args.few, args.runs))
    loops = {
        "bare": run_loop("bare", address, "bench", args.events),
        "driver": run_loop("driver", address, "bench", args.events),
        "per_event": run_loop("per_event", address, "few", args.few),
        "offline": run_loop("offline", address, "bench", args.events, "--runs", str(args.runs)),
        "worker": run_loop("worker", address, "bench", args.events),
    }
    ratios = {name: _ratio(loops, *name.split("/")) for name in FLOORS}
    return {"loops": loops, "ratios": ratios, "floors": FLOORS, "kept": {name: ratios[name] >= FLOORS[name] for name in FLOORS}}


def latency(address: str, rate: int) -> dict[str, Any]:
    """Produce to `readings`, and the limits."""
    say(f"latency at {rate} events/s")
    asyncio.run(create(address, "late"))
    found = measure(address, "late", PARTITIONS, rate)
    return found | {"limits": LATENCY_MS, "kept": {name: found[name] < limit for name, limit in LATENCY_MS.items()}}


async def create(address: str, prefix: str) -> None:
    """The topics of a prefix."""
    await create_topics(address, declared(prefix, PARTITIONS, prefix))


async def fill(address: str, prefix: str, count: int, runs: int) -> None:
    """Produce the events of a benchmark, in their order."""
    say(f"producing {count} events")
    await create(address, prefix)
    async with AIOKafkaProducer(bootstrap_servers=address, linger_ms=20, max_batch_size=1 << 18) as producer:
        for one in events(count, runs):
            await producer.send(topic_name(one.stream, prefix), one.value, key=one.run.encode())


def run_loop(name: str, address: str, prefix: str, count: int, *more: str) -> dict[str, float]:
    """One loop in a process of its own."""
    say(f"{name}: {count} events")
    command = [sys.executable, "-m", "benchmarks.loops", name, "--bootstrap", address, "--prefix", prefix]
    command += ["--events", str(count), "--partitions", str(PARTITIONS), *more]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=LOOP_S)
    found: dict[str, float] = json.loads(done.stdout)
    say(f"{name}: {found}")
    return found


def say(what: str) -> None:
    """Progress, for who waits."""
    print(what, file=sys.stderr, flush=True)


def _ratio(loops: dict[str, dict[str, float]], one: str, other: str) -> float:
    return round(loops[one]["events_s"] / loops[other]["events_s"], 3)


@contextlib.contextmanager
def _broker(which: str) -> Iterator[tuple[str, str]]:
    """What the broker is, and its address."""
    with contextlib.ExitStack() as stack:
        if which == "auto":
            try:
                kafka.java()
                which = "kafka"
            except ToolMissingError as missing:
                say(f"{missing}; measuring on the embedded broker instead")
                which = "embedded"
        if which == "kafka":
            yield which, stack.enter_context(kafka.start()).bootstrap
        elif which == "embedded":
            yield which, stack.enter_context(embedded.start())
        else:
            yield which, which.removeprefix("kafka://")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worker")
    parser.add_argument("--broker", default="auto", help="kafka, embedded, kafka://HOST:PORT, or auto: Kafka where it can run")
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--few", type=int, default=10_000, help="events for the per-event loop, which is slow")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rate", type=int, default=500, help="events/s of the latency run")
    parser.add_argument("--only", choices=("throughput", "latency"))
    return parser.parse_args()


if __name__ == "__main__":
    main()
