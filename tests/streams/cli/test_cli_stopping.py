"""Told to end at any moment, also while it starts, a command is gone soon, and nothing of it stays."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import psutil
import pytest

from streams.broker import embedded
from streams.cli._bout import FOLDER
from streams.topicadmin import create_topics
from streams.topics import declared
from tests.streams.lab import Lab

pytestmark = [pytest.mark.broker, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
MARK = "WHOSE_CHILD_IS_THIS"
SOON_S = 25
"""On a busy machine; the worker alone may take 15 s, and only without a broker."""

UP = """
import os, runpy, sys
os.write(int(sys.argv.pop(1)), b"up")
runpy.run_module("streams.cli", run_name="__main__", alter_sys=True)
"""
"""The command, with a word on a pipe before its first line: what comes into Python's own start is no matter of ours."""

MOMENTS_S = (0.05, 0.5, 0.9, 1.4, 2.0, 3.5)
BOUT = str(min(FOLDER.glob("*.jsonl")))

ENDS = {signal.SIGINT: {130, -signal.SIGINT}, signal.SIGTERM: {143, -signal.SIGTERM}}
"""Exit codes; negative: the signal came before our own code was read in."""


class Ended(NamedTuple):
    """How a command ended, and what it left."""

    code: int
    out: bytes
    said: bytes
    took_s: float
    processes: list[str]
    files: list[str]


def stopped(folder: Path, arguments: tuple[str, ...], after_s: float, *signals: signal.Signals, **settings: object) -> Ended:
    """Start a command and send it a signal after some seconds, then more of them, if any, shortly after one another."""
    folder.mkdir()
    mark = uuid4().hex
    ours = {f"BOUTWATCH_{name.upper()}": str(value) for name, value in settings.items()}
    hears, tells = os.pipe()
    started = subprocess.Popen(
        [sys.executable, "-c", UP, str(tells), *arguments],
        pass_fds=[tells],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **ours, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder), MARK: mark},
    )
    os.close(tells)
    with os.fdopen(hears, "rb") as pipe:
        assert pipe.read(2) == b"up"
        time.sleep(after_s)
    asked = time.monotonic()
    for one in signals:
        started.send_signal(one)
        time.sleep(0.1 if len(signals) > 1 else 0)
    try:
        out, said = started.communicate(timeout=SOON_S)
    finally:
        started.kill()
    took_s = time.monotonic() - asked
    until = time.monotonic() + 10
    while ((left := _marked(mark)) or list(folder.iterdir())) and time.monotonic() < until:
        time.sleep(0.1)
    return Ended(started.returncode, out, said, took_s, left, [path.name for path in folder.iterdir()])


def _marked(mark: str) -> list[str]:
    """Command lines of the processes that come from ours."""
    found = []
    for one in psutil.process_iter():
        try:
            if one.environ().get(MARK) == mark and one.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(one.cmdline()))
        except psutil.Error:
            continue
    return found


def at_all_moments(folder: Path, arguments: tuple[str, ...], number: signal.Signals) -> list[Ended]:
    """The command stopped at each of the moments, several at a time."""
    with ThreadPoolExecutor(3) as pool:
        each = [pool.submit(stopped, folder / f"{at_s}", arguments, at_s, number) for at_s in MOMENTS_S]
        return [one.result() for one in each]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("arguments", [("demo", "--json"), ("replay", BOUT, "--broker", "embedded")], ids=["demo", "replay"])
def test_a_command_with_a_broker_of_its_own_ends_with_all_it_started(
    tmp_path: Path, arguments: tuple[str, ...], number: signal.Signals
) -> None:
    """The exit code says which signal it was; nothing is printed, no process and no file is left."""
    for ended in at_all_moments(tmp_path, arguments, number):
        assert ended.code in ENDS[number], ended
        assert (ended.out, ended.processes, ended.files) == (b"", [], []), ended
        assert ended.code < 0 or ended.said == b"", ended


def test_who_asks_twice_waits_no_longer_and_leaves_nothing_either(tmp_path: Path) -> None:
    """A second Ctrl-C comes into the middle of tidying up."""
    ended = stopped(tmp_path / "own", ("demo", "--json"), 3.0, signal.SIGINT, signal.SIGINT)
    assert ended.code in ENDS[signal.SIGINT], ended
    assert (ended.processes, ended.files) == ([], []), ended


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_ends_in_order_and_leaves_no_file(tmp_path: Path, embedded_broker: str, number: signal.Signals) -> None:
    """0 once it has begun: to be told to stop is how it ends."""

    def at(after_s: float) -> Ended:
        name = f"stop{uuid4().hex[:8]}"
        asyncio.run(create_topics(embedded_broker, declared(name, 2, name)))
        settings = {"broker": embedded_broker, "topic_prefix": name, "app_id": name, "partitions": 2,
                    "rebalance_timeout_s": 3, "session_timeout_s": 6}  # fmt: skip
        return stopped(tmp_path / name, ("worker",), after_s, number, **settings)

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(at, (*MOMENTS_S, 6.0)))
    for ended in found:
        assert ended.code in {0, *ENDS[number]}, ended
        assert (ended.out, ended.processes, ended.files) == (b"", [], []), ended
        assert b"Traceback" not in ended.said or ended.code < 0, ended
    assert found[-1].code == 0, found[-1]


async def test_a_worker_without_its_broker_ends_all_the_same(tmp_path: Path) -> None:
    """It cannot give up its partitions in order: it says so, and what was not acknowledged comes again."""
    with embedded.start() as address:
        lab = Lab(address, tmp_path)
        await lab.create()
        worker = lab.start()
        await asyncio.sleep(5)
    try:
        await asyncio.sleep(1)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(SOON_S) in {0, 70}
    finally:
        lab.close()


async def test_a_replay_whose_broker_is_gone_heeds_the_request_to_end(tmp_path: Path) -> None:
    """It does not wait for acknowledgements that cannot come."""
    with embedded.start() as address:
        lab = Lab(address, tmp_path)
        await lab.create()
        arguments = ("replay", BOUT, "--broker", address, "--topic-prefix", lab.prefix)
        running = asyncio.create_task(asyncio.to_thread(stopped, tmp_path / "own", arguments, 4.0, signal.SIGINT))
        await asyncio.sleep(2.5)
    ended = await running
    assert (ended.code, ended.said) == (130, b""), ended
    assert ended.took_s < 8, ended
