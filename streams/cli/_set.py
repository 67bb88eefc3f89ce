"""What the demo needs around it: a broker, topics of its own and a worker; all of it gone when the block ends."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient

from streams.broker import embedded, keeper
from streams.cli._board import Board
from streams.cli._broker import broker_address, create, started
from streams.cli._ending import Ending
from streams.cli._kafka import reaching
from streams.cli._stage import Stage
from streams.topics import declared

PARTITIONS: Final = 4
INTERVAL_S: Final = 0.3
"""Readings of one run come at most this often."""


@contextlib.contextmanager
def stage(broker: str | None, board: Board, ending: Ending) -> Iterator[Stage]:
    """A stage that is ready to play on. Without a broker given, or with `embedded`, it has its own.

    Raises what was asked of `ending`, at the latest when all is gone.
    """
    prefix = f"boutwatch-demo-{os.getpid()}-{int(time.time())}"
    address = "embedded" if broker is None else broker_address(broker)
    own = address == "embedded"
    around = started(prefix, PARTITIONS, prefix, ending.run) if own else _guest(address, prefix, ending)
    with ending.heard(), around as reached, tempfile.TemporaryDirectory(prefix="boutwatch-demo-") as folder:
        log = Path(folder) / "worker.log"
        with _worker(reached, prefix, Path(folder), log) as process:
            yield Stage(reached, prefix, board, process, log)


@contextlib.contextmanager
def _guest(address: str, prefix: str, ending: Ending) -> Iterator[str]:
    """Topics of the demo's own on somebody's broker, deleted at the end."""
    try:
        create(address, prefix, PARTITIONS, prefix, ending.run)
        yield address
    finally:
        asyncio.run(_delete(address, [topic.name for topic in declared(prefix, PARTITIONS, prefix)]))


async def _delete(address: str, names: list[str]) -> None:
    async with reaching(address):
        admin = AIOKafkaAdminClient(bootstrap_servers=address)
        try:
            await admin.start()
            await admin.delete_topics(names)
        finally:
            await admin.close()


@contextlib.contextmanager
def _worker(address: str, prefix: str, folder: Path, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "streams.cli", "worker"]
    environment = _environment(address, prefix) | {"TMPDIR": str(folder)}  # what it keeps on disk goes with the demo
    process = keeper.start(command, folder, log, cwd=folder, env=environment)
    try:
        yield process
    finally:
        keeper.stop(process)


def _environment(address: str, prefix: str) -> dict[str, str]:
    """The demo's settings and nobody else's: what is configured for real work does not concern it."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("BOUTWATCH_")}
    path = [str(Path(__file__).parents[2]), *filter(None, [kept.get("PYTHONPATH")])]
    settings = {
        "broker": address,
        "topic_prefix": prefix,
        "app_id": prefix,
        "partitions": PARTITIONS,
        "publish_interval_s": INTERVAL_S,
        "rebalance_timeout_s": embedded.REBALANCE_S,
        "session_timeout_s": embedded.SESSION_S,
        "log_level": "warning",
    }
    ours = {f"BOUTWATCH_{name.upper()}": str(value) for name, value in settings.items()}
    return {**kept, **ours, "PYTHONPATH": os.pathsep.join(path)}
