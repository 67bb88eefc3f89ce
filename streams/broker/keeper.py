"""Keeps a process no longer than its starter lives, even if that one is killed and can do nothing more.

Run as a script of its own (the standard library alone, so that it starts fast): `keeper.py FOLDER COMMAND…`. Its standard
input is a pipe that the starter holds open and never writes to. The pipe's end means that the starter is gone: the command
is then ended, and FOLDER, which the starter can no longer remove, is removed. Told by SIGTERM it ends the command, too, and
leaves the folder to the starter. Its exit code is the command's, or 128 and the number of the signal that ended that.

The kernel's own way (PR_SET_PDEATHSIG) is Linux's alone, and takes the end of a thread for the end of its process.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

STOP_S: Final = 5.0
"""The command must have ended by then, else it is killed."""

_LATE_S: Final = STOP_S + 3

_GONE: Final = 0
"""Standard input, whose end says that the starter is gone."""


def start(
    command: Sequence[str], folder: Path, log: Path, *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a kept process that writes to `log`; it is ended with `stop`, or when we are gone, and then `folder` with it.

    It has a session of its own: Ctrl-C in a terminal is for us, who then end it in order.
    """
    with log.open("wb") as out:
        return subprocess.Popen(
            [*_keeper(folder), *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a kept process and its keeper: asked first, then killed."""
    process.terminate()
    try:
        process.wait(_LATE_S)
    except subprocess.TimeoutExpired:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # its session: the keeper alone would leave the command behind
        process.kill()
        process.wait()
    if process.stdin is not None:
        process.stdin.close()


def _keeper(folder: Path) -> list[str]:
    """What comes before the command. Without POSIX signals there is no keeper, and a killed starter leaves it behind."""
    return [sys.executable, "-I", "-S", __file__, str(folder)] if os.name == "posix" else []


def keep(folder: str, command: Sequence[str]) -> int:
    """Run the command until it ends, the starter is gone, or SIGTERM comes. Returns the exit code."""
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: asked.append(number))
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # A signal wakes by a byte rather than by an exception, which could come before the command is remembered.
    woken, wake = _pipe()
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    gone = False
    while child.poll() is None and not asked and not gone:
        ready, _, _ = select.select([_GONE, woken], [], [])
        if woken in ready:
            os.read(woken, 4096)
        gone = _GONE in ready and not os.read(_GONE, 4096)
    _end(child)
    if gone:
        shutil.rmtree(folder, ignore_errors=True)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def _pipe() -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(STOP_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


if __name__ == "__main__":
    sys.exit(keep(sys.argv[1], sys.argv[2:]))
