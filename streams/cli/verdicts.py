"""`boutwatch verdicts`: what the verdicts topic says now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from streams.cli._broker import Broker, Prefix, log_as_configured, running_broker, topic_prefix
from streams.cli._console import console, line, note
from streams.cli._newest import Kept, Newest
from streams.cli._render import verdict_view
from streams.cli._text import clean
from streams.topics import topic_name

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(verdicts)


def verdicts(
    *,
    match: Annotated[str | None, typer.Option(metavar="ID", help="Only the runs of this match.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The verdicts as published, one a line.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with every new verdict until Ctrl-C.")] = False,
    broker: Broker = None,
    prefix: Prefix = None,
) -> None:
    """Show the newest verdict of every run, ordered by run."""
    log_as_configured()
    show = _show_json if as_json else _show
    found = asyncio.run(_read(running_broker(broker), topic_prefix(prefix), Newest(match), show, follow=follow))
    if not found:
        note("boutwatch: no verdict there yet; a run is judged when it has ended" + (f" (match {match})" if match else ""))


async def _read(address: str, prefix: str, newest: Newest, show: Callable[[Kept], None], *, follow: bool) -> int:
    from streams.cli import _kafka  # noqa: PLC0415 - Kafka's client is loaded where a broker is asked

    async with _kafka.reaching(address), _kafka.reader(address, [topic_name("verdicts", prefix)]) as consumer:
        async for record in _kafka.to_end(consumer):
            _offer(newest, record)
        for kept in newest.all():
            show(kept)
        if follow:
            async for record in _kafka.onwards(consumer):
                if (news := _offer(newest, record)) is not None:
                    show(news)
    return len(newest.all())


def _offer(newest: Newest, record: ConsumerRecord) -> Kept | None:
    try:
        return newest.offer(record.value)
    except ValueError as error:
        note(f"{record.topic}/{record.partition}/{record.offset}: {clean(str(error))}")
        return None


def _show(kept: Kept) -> None:
    console().print(verdict_view(kept.verdict))


def _show_json(kept: Kept) -> None:
    line(kept.value)
