"""The offline pipeline: events per second, memory of a live run, and cost per event as runs grow.

`python -m benchmarks.score` prints JSON on stdout. Each measurement has a process of its own, on one core.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, Final, cast

import psutil

from benchmarks.events import events
from streams.collector import spare_the_collector
from streams.events import Event
from streams.events.decode import decoder
from streams.pipeline import Pipeline

FLOOR_EVENTS_S: Final = 40_000
CEILING_RUN_BYTES: Final = 60 * 1024
LOOK: Final = 20_000
"""Events between two looks at all runs."""

LENGTHS: Final = (1_000, 10_000, 50_000)


def throughput(count: int, runs: int) -> dict[str, Any]:
    """Decode, feed, and the report of every run: events/s of CPU time."""
    values = [one.value for one in events(count, runs)]
    decode, pipeline = decoder(), Pipeline()
    spare_the_collector()
    start = time.process_time()
    for value in values:
        pipeline.feed(cast("Event", decode(value)))
    fed = time.process_time()
    for run in pipeline.runs.values():
        run.report()
    done = time.process_time()
    return {
        "events": count,
        "runs": runs,
        "events_s": round(count / (done - start)),
        "feed_us": round(1e6 * (fed - start) / count, 2),
        "report_us": round(1e6 * (done - fed) / count, 2),
    }


def memory(count: int, runs: int) -> dict[str, Any]:
    """What a live run holds after `count / runs` events, folded and read as in a worker: growth of the process by run.

    The caches of what lines and outputs mean are shared by all runs and bounded; half as many other runs fill them first.
    """
    pipeline = Pipeline()
    others = [one.value for one in events(count // 2, runs // 2, first=runs)]
    values = [one.value for one in events(count, runs)]
    _live(pipeline, others)
    before = _resident()
    _live(pipeline, values)
    return {"events_a_run": count // runs, "runs": runs, "run_bytes": (_resident() - before) // runs}


def _live(pipeline: Pipeline, values: list[bytes]) -> None:
    decode = decoder()
    for number, value in enumerate(values, start=1):
        pipeline.feed(cast("Event", decode(value)))
        if number % LOOK == 0 or number == len(values):
            pipeline.collect(time.time_ns() // 1000)
            pipeline.take_state()


def _resident() -> int:
    gc.collect()
    resident: int = psutil.Process().memory_info().rss
    return resident


def length(count: int, _: int) -> dict[str, Any]:
    """One run of this length, read every 100 events as a worker does: cost of an event."""
    decode, pipeline = decoder(), Pipeline(interval_us=0)
    values = [one.value for one in events(count, 1)]
    start = time.process_time()
    for number, value in enumerate(values):
        pipeline.feed(cast("Event", decode(value)))
        if number % 100 == 0:
            pipeline.collect(number * 1_000_000)
            pipeline.take_state()
    return {"events": count, "event_us": round(1e6 * (time.process_time() - start) / count, 2)}


MEASURES: Final[dict[str, Callable[[int, int], dict[str, Any]]]] = {
    "throughput": throughput,
    "memory": memory,
    "length": length,
}


def main() -> None:
    """Measure everything, or the one thing that a child was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.score")
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--one", choices=MEASURES, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(MEASURES[args.one](args.events, args.runs)))
        return
    speed = _measured("throughput", args.events, args.runs)
    held = _measured("memory", args.runs * 1_000, args.runs)
    print(
        json.dumps(
            {
                "throughput": speed | {"floor": FLOOR_EVENTS_S, "kept": speed["events_s"] >= FLOOR_EVENTS_S},
                "memory": held | {"ceiling": CEILING_RUN_BYTES, "kept": held["run_bytes"] <= CEILING_RUN_BYTES},
                "lengths": [_measured("length", count, 1) for count in LENGTHS],
            },
            indent=2,
        )
    )


def _measured(name: str, count: int, runs: int) -> dict[str, Any]:
    print(f"{name}: {count} events, {runs} runs", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks.score", "--one", name, "--events", str(count), "--runs", str(runs)]
    # Strings hash alike in every child, so that two runs of the benchmark do the same work.
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ | {"PYTHONHASHSEED": "0"})
    return cast("dict[str, Any]", json.loads(done.stdout))


if __name__ == "__main__":
    main()
