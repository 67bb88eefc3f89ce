"""`boutwatch worker`: fold what comes on the input topics, publish readings, opinions and verdicts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli._broker import Broker, Prefix
from streams.cli._errors import Failure, message_and_code

if TYPE_CHECKING:
    from streams.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(worker)


def worker(
    broker: Broker = None,
    topic_prefix: Prefix = None,
    app_id: Annotated[str | None, typer.Option("--app-id", metavar="NAME", help="The group; else as configured.")] = None,
) -> None:
    """Run one worker in this process until it is told to stop (SIGTERM, Ctrl-C).

    Workers with one application id share the partitions. Exit codes: 0 told to stop (130 or 143 if that came before it had
    begun), 2 wrong usage, no broker or other topics than configured. 70: it stopped itself because an output or state could
    not be kept; start it again, nothing is lost.
    """
    # Faust takes a second to import, and no other verb needs it.
    import structlog  # noqa: PLC0415

    from streams.logs import configure  # noqa: PLC0415
    from streams.settings import EMBEDDED, Settings  # noqa: PLC0415
    from streams.worker import run  # noqa: PLC0415

    given = {"broker": broker, "topic_prefix": topic_prefix, "app_id": app_id}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    if settings.broker == EMBEDDED:
        raise Failure("a worker needs a broker that is there: name it with --broker kafka://HOST:PORT")
    configure(settings.log_level, settings.log_format)
    try:
        asyncio.run(_check(settings))
    except (Failure, OSError) as error:
        if settings.log_format == "text":
            raise
        message, code = message_and_code(error)
        # Whoever reads the log as JSON gets this as JSON, too.
        structlog.stdlib.get_logger(__name__).error(message, exit_code=code)
        raise Failure(code=code) from error
    run(settings)


async def _check(settings: Settings) -> None:
    """Raise if a topic is missing, or one has another number of partitions: state would be looked for in the wrong place."""
    from streams.cli._kafka import reaching, require  # noqa: PLC0415
    from streams.worker import needed  # noqa: PLC0415

    async with reaching(settings.broker):
        found = await require(settings.broker, needed(settings))
    wrong = sorted(name for name, partitions in found.items() if len(partitions) != settings.partitions)
    if wrong:
        first = f"{wrong[0]} has {len(found[wrong[0]])}" + (f" ({len(wrong)} topics differ)" if len(wrong) > 1 else "")
        raise Failure(f"topics need {settings.partitions} partitions as configured, but {first}; set BOUTWATCH_PARTITIONS")
