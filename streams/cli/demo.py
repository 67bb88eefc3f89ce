"""`boutwatch demo`: a broker, a worker, a bout of three contestants, their metrics live and their verdicts."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer
from rich.live import Live

from streams.cli._board import Board
from streams.cli._bout import bout, revisions
from streams.cli._broker import Broker
from streams.cli._console import console, line, note
from streams.cli._ending import Ending
from streams.cli._plan import plan, span
from streams.cli._render import summary, verdict_view
from streams.cli.replay import speed_of
from streams.events.times import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from streams.cli._stage import Stage
    from streams.events import Event

LENGTH_S = 20.0
"""How long the replay takes where no speed is given."""


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(demo)


def demo(
    *,
    speed: Annotated[
        str | None, typer.Option(metavar="N|max", help="So many times as fast as it happened. [default: 20 seconds]")
    ] = None,
    broker: Broker = None,
    as_json: Annotated[bool, typer.Option("--json", help="Only the verdicts, as published, one a line.")] = False,
) -> None:
    """Watch three recorded contestants solve one task, live, and see them judged.

    Starts a broker and a worker of its own, replays the bout in about 20 seconds, shows every contestant's metrics as
    they arrive and ends with the verdicts. Leaves nothing behind.
    """
    events = bout()
    steps = plan(events, speed=_speed(speed, events))
    board = Board(revisions(events))
    board.total = len(steps)
    # The worker's and the broker's code is loaded only to be used.
    from streams.cli._set import stage  # noqa: PLC0415
    from streams.logs import configure  # noqa: PLC0415

    configure("warning")
    if not as_json:
        note("starting a broker and a worker …")
    ending = Ending()
    with stage(broker, board, ending) as ready, _shown(ready, silent=as_json):
        ending.run(ready.play(steps))
    for verdict, value in board.verdicts():
        if as_json:
            line(value)
        else:
            console().print(verdict_view(verdict))
    if not as_json:
        console().print(summary(verdict for verdict, _ in board.verdicts()))


def _speed(speed: str | None, events: list[Event]) -> float:
    if speed is not None:
        return speed_of(speed)
    first, last = span(events)
    return max(1.0, (last - first) / SECOND / LENGTH_S)


@contextlib.contextmanager
def _shown(stage: Stage, *, silent: bool) -> Iterator[None]:
    if silent:
        yield
        return
    screen = console()
    with Live(console=screen, get_renderable=lambda: stage.board.view(stage.status), refresh_per_second=5):
        yield
        stage.status = "over"
    screen.print()
