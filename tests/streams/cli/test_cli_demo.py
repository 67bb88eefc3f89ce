"""The demo as a user starts it: it ends by itself with the verdicts, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from streams.cli._bout import FOLDER
from streams.cli._plan import plan
from streams.cli._stage import opening
from streams.events import Event, Message, Micros

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """The demo with its temporary files in a folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "streams.cli", "demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def helpers(demo: subprocess.Popen[bytes], number: int) -> list[psutil.Process]:
    """The demo's own processes, once there are so many."""
    until = time.monotonic() + 60
    while time.monotonic() < until and demo.poll() is None:
        found = psutil.Process(demo.pid).children(recursive=True)
        if len(found) >= number:
            return found
        time.sleep(0.1)
    raise AssertionError(f"the demo started fewer than {number} processes")


@pytest.mark.broker
def test_the_demo_ends_with_the_verdicts_that_score_gives(
    tmp_path: Path, boutwatch: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Through Kafka and Faust or straight from the file: the same bytes; and no file is left."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    demo = start(temporary, "--json", "--speed", "max")
    out, said = demo.communicate(timeout=100)
    assert demo.returncode == 0, said
    assert out.decode() == boutwatch("score", *sorted(FOLDER.glob("*.jsonl")), "--verdict").stdout
    assert list(temporary.iterdir()) == []


@pytest.mark.broker
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_demo_that_is_stopped_takes_its_broker_and_worker_with_it(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """Ctrl-C or a request to end, in the middle: no process and no file stays."""
    demo = start(tmp_path, "--json")
    started = helpers(demo, 2)
    demo.send_signal(number)
    out, _ = demo.communicate(timeout=60)
    assert (demo.returncode, out) == (code, b"")
    assert psutil.wait_procs(started, timeout=10)[1] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.broker
def test_a_demo_that_is_killed_takes_them_with_it_too(tmp_path: Path) -> None:
    """It can do nothing itself any more: those that keep its processes see that it is gone."""
    demo = start(tmp_path, "--json")
    started = helpers(demo, 4)
    demo.kill()
    demo.communicate(timeout=60)
    assert psutil.wait_procs(started, timeout=20)[1] == []
    until = time.monotonic() + 10
    while (left := list(tmp_path.iterdir())) and time.monotonic() < until:
        time.sleep(0.05)
    assert left == []


def test_the_first_event_of_each_run_is_sent_ahead_and_none_is_lost() -> None:
    """They show that the worker is there, before the rest is paced."""
    events: list[Event] = [
        Message(match_id="m", contestant_id="ab"[number % 2], event_id=str(number), at=Micros(1_750_000_000_000_000 + number))
        for number in range(6)
    ]
    ahead, rest = opening(plan(events))
    assert [step.event.event_id for step in ahead] == ["0", "1"]
    assert [step.event.event_id for step in rest] == ["2", "3", "4", "5"]
