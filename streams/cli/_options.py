"""Options that several verbs share, said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="FILE", help="Telemetry of runs, - for standard input; the format is told from the content."),
]
Format = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="Read the files as this format, whatever they look like.")
]
MatchId = Annotated[str | None, typer.Option("--match-id", metavar="ID", help="The match, in place of the file's own.")]
ContestantId = Annotated[
    str | None, typer.Option("--contestant", metavar="ID", help="The contestant, in place of the file's own.")
]
Zone = Annotated[str | None, typer.Option("--zone", metavar="ZONE", help="Zone of times that name none, like Europe/Berlin.")]
