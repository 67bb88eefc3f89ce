"""A kept process ends with its starter; its exit code and its output are as if nobody kept it."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest

from streams.broker import keeper

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are kept by POSIX signals")

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"


def python(code: str) -> list[str]:
    """A command that runs some Python."""
    return [sys.executable, "-c", code]


def until_said(log: Path, text: str) -> None:
    """Wait until the process has said it."""
    until = time.monotonic() + 20
    while text not in log.read_text():
        assert time.monotonic() < until, "the process says nothing"
        time.sleep(0.02)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What goes with the process."""
    made = tmp_path / "own"
    made.mkdir()
    return made


def test_output_and_exit_code_are_the_commands_own(folder: Path) -> None:
    """And what lies in the folder is still there to be read."""
    log = folder / "log"
    process = keeper.start(python("import os; print(os.environ['COLOUR'], os.getcwd()); raise SystemExit(7)"), folder, log,
                           cwd=folder, env={"COLOUR": "red"})  # fmt: skip
    assert process.wait(20) == 7
    keeper.stop(process)
    assert log.read_text() == f"red {folder.resolve()}\n"


def test_a_signal_that_ended_the_command_is_told_as_shells_do(folder: Path) -> None:
    """128 and its number."""
    process = keeper.start(python("import os, signal; os.kill(os.getpid(), signal.SIGKILL)"), folder, folder / "log")
    assert process.wait(20) == 128 + signal.SIGKILL
    keeper.stop(process)


def test_what_does_not_heed_the_request_to_end_is_killed(folder: Path) -> None:
    """Command and keeper; to stop twice is harmless."""
    process = keeper.start(python(STUBBORN), folder, folder / "log")
    until_said(folder / "log", "up")
    started = psutil.Process(process.pid).children(recursive=True)
    assert started
    keeper.stop(process)
    assert psutil.wait_procs(started, timeout=5)[1] == []
    assert process.returncode == 128 + signal.SIGKILL
    keeper.stop(process)


def test_it_can_be_stopped_at_any_moment_of_its_start(folder: Path) -> None:
    """Neither an instant after its start nor while the command comes up does anything stay."""
    for wait_ms in range(0, 60, 6):
        process = keeper.start(python("import time; time.sleep(600)"), folder, folder / "log")
        time.sleep(wait_ms / 1000)
        family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        keeper.stop(process)
        assert psutil.wait_procs(family, timeout=5)[1] == []


def test_when_the_starter_is_gone_the_folder_goes_too(folder: Path) -> None:
    """The end of the pipe is all that it hears of it."""
    process = keeper.start(python(STUBBORN), folder, folder / "log")
    until_said(folder / "log", "up")
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 128 + signal.SIGKILL
    assert not folder.exists()
