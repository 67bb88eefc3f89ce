"""`boutwatch actions FILE`: what each tool call of a file means, one line an action."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from streams.actions.base import Action
from streams.actions.calls import Call, calls_of
from streams.cli._text import clean
from streams.events import Event, Micros, Rejected, rfc3339
from streams.sources import SourceError, read_file

_BAD_INPUT = 2


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("actions")(actions)


def actions(
    file: Annotated[Path, typer.Argument(help="A trajectory of any known format; - for standard input.")],
    form: Annotated[str | None, typer.Option("--format", help="The file's format; without it, told from the content.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Print the actions of every tool call: class, kind, outcome, status, scope, paths, counts."""
    try:
        rows, rejected = _rows(file, form)
    except (SourceError, OSError) as error:
        typer.echo(f"boutwatch: {clean(str(error))}", err=True)
        raise typer.Exit(_BAD_INPUT) from error
    for item in rejected:
        typer.echo(f"{clean(item.where or str(file))}: {clean(item.reason)}", err=True)
    if as_json:
        for row in rows:
            sys.stdout.write(json.dumps(row) + "\n")
    else:
        Console().print(_table(rows))
    if rejected:
        raise typer.Exit(_BAD_INPUT)


def _rows(file: Path, form: str | None) -> tuple[list[dict[str, Any]], list[Rejected]]:
    """One row an action, in call order, and what could not be read."""
    events: list[Event] = []
    rejected: list[Rejected] = []
    for item in read_file(file, format=form):
        if isinstance(item, Rejected):
            rejected.append(item)
        else:
            events.append(item)
    return [_row(call, action) for call in calls_of(events) for action in call.actions], rejected


def _row(call: Call, action: Action) -> dict[str, Any]:
    counts = {name: getattr(action, name) for name in ("passed", "failed", "errors", "skipped")}
    return {
        "ref": call.ref,
        "i": call.index,
        "class": action.cls,
        "kind": action.kind or None,
        "outcome": action.outcome or None,
        "status": action.status or None,
        "scope": action.scope or None,
        "paths": list(action.paths),
        "counts": counts if any(count >= 0 for count in counts.values()) else None,
        "at": rfc3339(Micros(call.at)) if call.at is not None else None,
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table("i", "call", "class", "kind", "outcome", "status", "scope", "paths", "counts", title=f"{len(rows)} actions")
    for row in rows:
        table.add_row(*_cells(row))
    return table


def _cells(row: dict[str, Any]) -> Iterator[str]:
    yield "" if row["i"] is None else str(row["i"])
    yield row["ref"][-12:]
    for name in ("class", "kind", "outcome", "status", "scope"):
        yield row[name] or ""
    yield ", ".join(row["paths"])
    counts = row["counts"] or {}
    yield " ".join(f"{count} {name}" for name, count in counts.items() if count > 0)
