"""Reading the files of a command line: events out, rejected lines told on stderr, unreadable files counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from streams.cli._console import console, note
from streams.cli._errors import Failure
from streams.cli._text import clean
from streams.events import Event, Rejected
from streams.sources import SourceError, discover, read_file
from streams.sources.reading import STDIN

SHOW_FROM_BYTES = 8 << 20
SHOW_FROM_FILES = 20
"""From here on a terminal sees a progress bar: below, it would only flicker."""

_STEP = 2_000


@dataclass(slots=True)
class Files:
    """The files of one command, how they are to be read, and what went wrong. Counts are complete after `events`."""

    paths: list[Path]
    format: str | None = None
    match_id: str | None = None
    contestant_id: str | None = None
    zone: tzinfo | None = None
    rejected: int = 0
    unread: list[str] = field(default_factory=list)
    """Files that gave no event at all or broke off, as their messages name them."""

    def events(self) -> Iterator[Event]:
        """Every event of every file, in file order. What cannot be read is told on stderr, and reading goes on."""
        sizes = [path.stat().st_size if path.is_file() else 0 for path in self.paths]
        big = sum(sizes) >= SHOW_FROM_BYTES or len(sizes) >= SHOW_FROM_FILES
        screen = console(stderr=True)
        with _progress(screen, show=big and screen.is_terminal) as bar:
            task = bar.add_task("reading", total=sum(sizes) or None, events=0)
            for path, size in zip(self.paths, sizes, strict=True):
                yield from self._one(path, bar, task)
                bar.advance(task, size)

    def _one(self, path: Path, bar: Progress, task: TaskID) -> Iterator[Event]:
        taken = refused = 0
        try:
            for event in self._open(path):
                if isinstance(event, Rejected):
                    refused += 1
                    note(f"{clean(event.where)}: {clean(event.reason)}")
                    continue
                taken += 1
                if taken % _STEP == 0:
                    bar.update(task, events=taken, description=path.name[:40])
                yield event
        except SourceError as error:
            note(f"boutwatch: {clean(str(error))}")
            self.unread.append(str(path))
        else:
            if not taken:
                name = "stdin" if path == STDIN else clean(str(path))
                note(f"boutwatch: {name}: no event in it; give a file that holds a run's telemetry")
                self.unread.append(name)
        self.rejected += refused

    def _open(self, path: Path) -> Iterator[Event | Rejected]:
        return read_file(path, format=self.format, match_id=self.match_id, contestant_id=self.contestant_id, zone=self.zone)

    def conclude(self, *, strict: bool) -> None:
        """Say what could not be read. Raises Failure where that makes the command fail."""
        if self.rejected:
            note(f"boutwatch: {self.rejected} rejected {'line' if self.rejected == 1 else 'lines'}, listed above")
        if self.unread or (strict and self.rejected):
            raise Failure


def files(
    paths: list[Path],
    format: str | None = None,  # noqa: A002 - the word the command line has
    match_id: str | None = None,
    contestant_id: str | None = None,
    zone: str | None = None,
) -> Files:
    """The files with their options checked. Raises Failure for an unknown format or zone."""
    if format is not None and format not in discover():
        raise Failure(f"no format {clean(format)!r}; there are: {', '.join(discover())}")
    return Files(paths, format, match_id, contestant_id, _zone(zone))


def _zone(name: str | None) -> tzinfo | None:
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Failure(f"no time zone {clean(name)!r}; give its IANA name, like Europe/Berlin or UTC") from None


def _progress(screen: Console, *, show: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[events]} events", markup=False),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=not show,
    )
