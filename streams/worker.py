"""Running the app in this process: signals, logging, exit codes."""

from __future__ import annotations

import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Final, NoReturn

import mode
import structlog

from streams.agents import PipelineFactory, attach
from streams.app import create_app
from streams.collector import spare_the_collector
from streams.events import FAMILIES
from streams.logs import configure
from streams.topics import TABLES, declared

if TYPE_CHECKING:
    from streams.settings import Settings

FAILED: Final = 70
"""Exit code of a worker that stopped itself because something could not be kept."""

LEAVE_S: Final = 15.0
"""An orderly stop must be done by then. Without a broker it never is: partitions cannot be given up, nor sends finished."""

log = structlog.stdlib.get_logger(__name__)


def needed(settings: Settings) -> frozenset[str]:
    """The topics that a worker reads and writes; all of them must be there before it starts."""
    table = declared(settings.topic_prefix, settings.partitions, settings.app_id)
    streams = {*FAMILIES, *(f"{stream}.dlq" for stream in FAMILIES), *TABLES, "readings", "opinions", "verdicts"}
    return frozenset(topic.name for topic in table if topic.stream in streams)


def run(settings: Settings, factory: PipelineFactory | None = None) -> NoReturn:
    """Run a worker until SIGTERM or SIGINT, then give its partitions up and exit with 0.

    Exits with 70 at once, without acknowledging anything more, when an output or state could not be kept, or when it was
    told to stop and could not do so in order within `LEAVE_S` seconds.
    """
    configure(settings.log_level, settings.log_format)
    app = create_app(settings)
    app.in_worker = True
    worker = attach(app, settings, fail_stop, factory)
    spare_the_collector()
    runner = Runner(app, override_logging=False, redirect_stdouts=False, quiet=True)
    try:
        runner.execute_from_commandline()
    finally:
        log.info("stopped", **worker.counts)


class Runner(mode.Worker):
    """Starts and stops the app, and does not wait for ever until that is done."""

    async def stop(self) -> None:
        """Stop in order, else at once."""
        # A thread: whatever blocks the event loop does not block it.
        late = threading.Timer(LEAVE_S, fail_stop, [TimeoutError(f"no orderly stop within {LEAVE_S:g} s")])
        late.daemon = True
        late.start()
        await super().stop()


def fail_stop(error: BaseException) -> NoReturn:
    """End the process where it stands: an orderly stop would still commit offsets."""
    log.critical("stopping at once", error=f"{type(error).__name__}: {error}", exc_info=error)
    logging.shutdown()
    sys.stdout.flush()
    os._exit(FAILED)
