"""Where output goes: people read tables, programs read bytes, and neither gets the other's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.table import Table

WIDTH = 130
"""Columns where the output is no terminal and nothing says how wide it is."""

LONGEST = 100_000
"""Columns that a row may have where there is no terminal."""


def console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is: no markup, no emoji codes, no guessed colours in what others wrote."""
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    return made if made.is_terminal else Console(stderr=stderr, markup=False, emoji=False, highlight=False, width=_width(made))


def _width(made: Console) -> int:
    return made.width if "COLUMNS" in made._environ else WIDTH  # noqa: SLF001 - as rich itself reads it


def show_table(table: Table, screen: Console | None = None) -> None:
    """A table for people. On a terminal it is fitted into its width; elsewhere every row stays one line, however long.

    What is piped is searched line by line: a row that went on below would be found in halves.
    """
    screen = screen or console()
    if not screen.is_terminal:
        for column in table.columns:
            column.no_wrap, column.overflow = True, "ignore"
        screen.width = max(screen.width, screen.measure(table, options=screen.options.update(width=LONGEST)).maximum)
    screen.print(table)


def line(value: bytes) -> None:
    """One JSON value on stdout, bytes as they are."""
    sys.stdout.buffer.write(value + b"\n")
    sys.stdout.buffer.flush()


def note(text: str) -> None:
    """One line for the user beside the result, on stderr."""
    print(text, file=sys.stderr, flush=True)
