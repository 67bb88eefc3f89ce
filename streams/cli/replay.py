"""`boutwatch replay`: recorded runs to their topics, at the pace in which they happened or another."""

from __future__ import annotations

import math
import time
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from streams.cli._broker import Broker, Prefix, broker_address, log_as_configured, started, topic_prefix
from streams.cli._console import console, note
from streams.cli._ending import Ending
from streams.cli._errors import Failure
from streams.cli._options import ContestantId, Format, MatchId, Paths, Zone
from streams.cli._plan import Step, plan, shifted, span
from streams.cli._read import files
from streams.events import Event
from streams.match import is_match_level
from streams.topics import APP_ID, PARTITIONS


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(replay)


def replay(  # noqa: PLR0913 - one parameter an option
    paths: Paths,
    *,
    speed: Annotated[str, typer.Option(metavar="N|max", help="So many times as fast as it happened; max: all at once.")] = "1",
    format: Format = None,  # noqa: A002 - the option's own name
    match_id: MatchId = None,
    contestant: ContestantId = None,
    zone: Zone = None,
    retime: Annotated[
        bool, typer.Option("--retime", help="Move all event times, so that the first event happens now.")
    ] = False,
    shuffle: Annotated[
        int | None, typer.Option(metavar="SEED", help="Send in a random order, the same for the same seed.")
    ] = None,
    duplicate: Annotated[
        float, typer.Option(min=0, max=1, metavar="SHARE", help="Share of the events to send a second time, later.")
    ] = 0,
    broker: Broker = None,
    prefix: Prefix = None,
) -> None:
    """Send recorded runs to their topics, keyed by run, with CloudEvents headers.

    Ends when the broker has acknowledged every event. The topics must be there: `boutwatch topics apply` makes them.
    With `--broker embedded` it is a rehearsal, on a broker that ends with it.
    """
    pace = speed_of(speed)
    read = files(paths, format, match_id, contestant, zone)
    events = list(read.events())
    if retime:
        events = shifted(events, round(time.time() * 1_000_000) - span(events)[0])
    steps = plan(events, speed=pace, shuffle=shuffle, duplicate=duplicate)
    if steps:
        log_as_configured()
        _send(broker_address(broker), topic_prefix(prefix), steps)
        note(_summary(events, len(steps)))
    read.conclude(strict=False)


def speed_of(text: str) -> float:
    """A speed as a number; `max` is infinite. Raises Failure for anything else."""
    try:
        value = math.inf if text == "max" else float(text)
    except ValueError:
        value = 0
    if not value > 0:
        raise Failure(f"--speed {text!r}: give a number above 0, or max")
    return value


def _send(address: str, prefix: str, steps: list[Step]) -> None:
    ending = Ending()
    with ending.heard():
        if address != "embedded":
            _send_to(address, prefix, steps, ending)
            return
        with started(prefix, PARTITIONS, APP_ID, ending.run) as rehearsal:
            _send_to(rehearsal, prefix, steps, ending)


def _send_to(address: str, prefix: str, steps: list[Step], ending: Ending) -> None:
    from streams.cli._send import send_all  # noqa: PLC0415 - only now is a broker needed

    screen = console(stderr=True)
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task("", total=len(steps))
        ending.run(send_all(address, prefix, steps, lambda _: bar.advance(task)))


def _summary(events: list[Event], sent: int) -> str:
    runs = {event.run for event in events if not is_match_level(event)}
    again = f", {sent - len(events)} of them twice" if sent > len(events) else ""
    return f"replayed {len(events)} events of {len(runs)} {'run' if len(runs) == 1 else 'runs'}{again}; all acknowledged"
