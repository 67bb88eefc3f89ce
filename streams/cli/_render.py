"""A run's readings, opinions and verdict as tables for a terminal. Data in, something to print out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from judges.base import Criterion, Opinion
from judges.verdict import Verdict
from metrics import all_metrics
from metrics.base import Good, Item, Reading
from streams.cli._text import cited, clean, figure, quantity
from streams.events.base import split_run

MARKS: Final[Mapping[bool | None, tuple[str, str]]] = {True: ("✓", "green"), False: ("✗", "red"), None: ("–", "dim")}
ITEMS_SHOWN: Final = 12
_LISTS: Final = (
    ("recovery_speed", "Incidents", "resolved after"),
    ("pivot_latency", "Contradictions", "answered after"),
)
"""Readings whose items are worth a table of their own."""


def run_view(run: str, readings: tuple[Reading, ...], verdict: Verdict) -> RenderableType:
    """Everything about one run: its metrics, what they are made of, the opinions and the verdict."""
    parts: list[RenderableType] = [Rule(Text(clean(run), style="bold")), metrics_table(readings)]
    by_name = {reading.metric: reading for reading in readings}
    for metric, title, done in _LISTS:
        if metric in by_name and by_name[metric].items:
            parts.append(Padding(items_table(by_name[metric].items, title, done), (1, 0, 0, 0)))
    parts.append(verdict_view(verdict, titled=False))
    return Group(*parts)


def metrics_table(readings: Iterable[Reading]) -> Table:
    """One line a metric: value and unit, good range and whether it is kept, what it was divided, what it cites."""
    table = _table("Metric", "Value", "Good", "", "Made of", "Events")
    table.columns[1].justify = "right"
    goods = good_ranges()
    for reading in readings:
        mark, style = MARKS[reading.in_good_range]
        table.add_row(
            reading.metric,
            value_text(reading),
            str(goods.get(reading.metric) or "–"),
            Text(mark, style=style),
            _made_of(reading),
            cited(reading.evidence, reading.evidence_count),
        )
    return table


def good_ranges() -> dict[str, Good | None]:
    """The good range of every metric by name."""
    return {metric.name: metric.good for metric in all_metrics()}


def value_text(reading: Reading) -> Text:
    """The value with its unit, or the state that stands in its place."""
    if reading.state == "measured":
        return Text(quantity(reading.value, reading.unit))
    return Text(reading.state.replace("_", " "), style="dim")


def _made_of(reading: Reading) -> str:
    parts = []
    if reading.denominator is not None:
        parts.append(f"{figure(reading.numerator)} / {figure(reading.denominator)}")
    if reading.unit == "shares":
        shares = {name: share for name, share in reading.details.items() if share}
        parts.append(", ".join(f"{clean(name)} {figure(share * 100, 1)} %" for name, share in shares.items()))
    if reading.reason:
        parts.append(clean(reading.reason))
    return "; ".join(parts)


def items_table(items: tuple[Item, ...], title: str, done: str) -> Table:
    """What a mean is made of, open ones with their age; the first of them where there are many."""
    table = _table(title, done, "Events")
    table.columns[1].justify = "right"
    for item in items[:ITEMS_SHOWN]:
        took = Text(f"open for {figure(item.age, 1)} s", style="yellow") if item.open else f"{figure(item.value, 1)} s"
        table.add_row(clean(item.label) or "–", took, cited(item.evidence))
    if len(items) > ITEMS_SHOWN:
        table.add_row(Text(f"… and {len(items) - ITEMS_SHOWN} more", style="dim"), "", "")
    return table


def verdict_view(verdict: Verdict, *, titled: bool = True) -> RenderableType:
    """The opinions with their criteria, then the verdict and why it is what it is."""
    parts: list[RenderableType] = [Rule(Text(clean(verdict.run), style="bold"))] if titled else []
    parts += [opinion_view(opinion) for opinion in verdict.opinions]
    parts.append(Padding(_conclusion(verdict), (1, 0, 1, 1)))
    return Group(*parts)


def summary(verdicts: Iterable[Verdict]) -> Table:
    """One line a contestant: what each judge gave, and what it comes to."""
    table = _table("Contestant", "Process", "Recovery", "Final", "Provisional", "Coverage", "Ended")
    for column in table.columns[1:6]:
        column.justify = "right"
    for one in verdicts:
        opinions = {opinion.judge: score_text(opinion) for opinion in one.opinions}
        table.add_row(
            Text(clean(split_run(one.run)[1]), style="bold"),
            opinions.get("process", "–"),
            opinions.get("recovery", "–"),
            figure(one.final, 2),
            figure(one.provisional, 2),
            f"{figure(one.coverage * 100, 2)} %",
            clean(one.end),
        )
    return table


def opinion_view(opinion: Opinion) -> RenderableType:
    """One judge's score, and for each criterion its points, its reason and the events it cites."""
    head = Text.assemble(
        (opinion.judge.capitalize(), "bold"),
        ("  ", ""),
        score_text(opinion),
        (f"  basis: {clean(opinion.basis)}", "dim"),
    )
    if opinion.reason:
        head.append(f"  {clean(opinion.reason)}")
    if opinion.flags:
        head.append(f"  flags: {clean(', '.join(opinion.flags))}", style="yellow")
    lines: list[RenderableType] = [Padding(head, (1, 0, 0, 1))]
    if opinion.criteria:
        lines.append(_criteria(opinion.criteria))
    return Group(*lines)


def score_text(opinion: Opinion) -> Text:
    """A score out of 100, or the status that stands in its place."""
    if opinion.score is None:
        return Text(opinion.status.replace("_", " "), style="yellow")
    return Text(f"{figure(opinion.score, 2)} / 100", style="bold cyan")


def _criteria(criteria: tuple[Criterion, ...]) -> Table:
    table = _table("Criterion", "Weight", "Score", "Points", "Reason", "Events")
    for column in table.columns[1:4]:
        column.justify = "right"
    for one in criteria:
        table.add_row(
            one.name,
            f"{figure(one.weight, 2)} %",
            figure(one.score, 2),
            figure(one.points, 2),
            clean(one.reason),
            cited(one.evidence),
        )
    return table


def _conclusion(verdict: Verdict) -> Text:
    text = Text.assemble(("Verdict  ", "bold"), (verdict.state, "yellow" if verdict.state == "incomplete" else "green"))
    if verdict.final is not None:
        text.append(f"  final {figure(verdict.final, 2)} / 100 ({verdict.label})", style="bold")
    text.append(f"  coverage {figure(verdict.coverage * 100, 2)} % of the weight")
    if verdict.provisional is not None:
        text.append(f"  provisional {figure(verdict.provisional, 2)} (no result; not comparable between runs)")
    text.append(f"\n{clean(verdict.reason)}")
    origin = f"rubric {clean(verdict.rubric)}, metrics {clean(verdict.metrics)}, verdict {verdict.verdict_id}"
    text.append(f"\nended: {clean(verdict.end)}, {verdict.revision} events, {origin}", style="dim")
    return text


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in {"Metric", "Criterion", "Value", "Good", "Weight"})
    return table
