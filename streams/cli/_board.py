"""The demo's board: each contestant's newest readings side by side, and the verdicts once they are there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from judges.verdict import Verdict
from metrics import all_metrics
from metrics.base import Reading
from streams.cli._newest import Newest
from streams.cli._render import MARKS, good_ranges, value_text
from streams.cli._text import clean
from streams.events.base import split_run
from streams.pipeline import LiveReadings


class Board:
    """What has been heard of the runs so far.

    `revisions` says for each run how many events it is made of: a verdict that rests on all of them is the last one.
    """

    def __init__(self, revisions: Mapping[str, int]) -> None:
        self._revisions = dict(revisions)
        self._readings: dict[str, LiveReadings] = {}
        self._newest = Newest()
        self.sent = 0
        self.total = 0

    def reading(self, value: bytes | None) -> None:
        """Take in a record of the `readings` topic; an older one than is known changes nothing."""
        live = msgspec.json.decode(value or b"", type=LiveReadings)
        known = self._readings.get(live.run)
        if live.run in self._revisions and (known is None or live.revision >= known.revision):
            self._readings[live.run] = live

    def verdict(self, value: bytes | None) -> None:
        """Take in a record of the `verdicts` topic."""
        self._newest.offer(value)

    @property
    def heard(self) -> bool:
        """Whether the worker has said anything."""
        return bool(self._readings)

    @property
    def done(self) -> bool:
        """Whether the last verdict of every run is there."""
        final = {kept.verdict.run: kept.verdict.revision for kept in self._newest.all()}
        return all(final.get(run) == revision for run, revision in self._revisions.items())

    def verdicts(self) -> tuple[tuple[Verdict, bytes], ...]:
        """The newest verdict of each run with its bytes, ordered by run."""
        return tuple((kept.verdict, kept.value) for kept in self._newest.all() if kept.verdict.run in self._revisions)

    def view(self, status: str) -> RenderableType:
        """The board as a table: a line a metric, a column a contestant."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1))
        table.add_column("Metric", no_wrap=True)
        table.add_column("Good", no_wrap=True, style="dim")
        runs = sorted(self._revisions)
        for run in runs:
            table.add_column(Text(clean(split_run(run)[1])), justify="right", min_width=16)
        table.add_row("events", "", *(self._events(run) for run in runs), style="bold")
        goods = good_ranges()
        for metric in all_metrics():
            cells = (self._cell(run, metric.name) for run in runs)
            table.add_row(metric.name, str(goods[metric.name] or ""), *cells)
        return Group(table, Text(f"{status}  {self.sent}/{self.total} events sent", style="dim"))

    def _events(self, run: str) -> Text:
        live = self._readings.get(run)
        if live is None:
            return Text("waiting", style="dim")
        return Text(f"{live.revision}" if live.provisional else f"{live.revision} final")

    def _cell(self, run: str, metric: str) -> Text:
        live = self._readings.get(run)
        reading = _find(live, metric) if live else None
        if reading is None:
            return Text("")
        mark, style = MARKS[reading.in_good_range]
        shown = value_text(reading)
        return Text.assemble(shown, " ", (mark, style)) if reading.state == "measured" else shown


def _find(live: LiveReadings, metric: str) -> Reading | None:
    return next((reading for reading in live.readings if reading.metric == metric), None)
