"""A report for people says every figure, every reason and what is absent, and prints foreign text as text."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from judges import all_judges
from judges.rubric import load
from judges.verdict import verdict
from metrics import all_metrics
from metrics.base import Item, Reading
from streams.cli._render import run_view, verdict_view

NASTY = "[bold]\x1b[31m:smile: …"


def printed(view: RenderableType, width: int = 200) -> str:
    """What a view looks like where nothing is coloured."""
    out = io.StringIO()
    Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(view)
    return out.getvalue()


def readings(**changed: Reading) -> tuple[Reading, ...]:
    """A reading of every metric, absent unless given."""
    absent = {
        metric.name: Reading(metric=metric.name, state="not_applicable", unit=metric.unit, reason="nothing of the kind")
        for metric in all_metrics()
    }
    return tuple((absent | changed).values())


PIVOT = Reading(
    metric="pivot_latency", state="measured", unit="s", value=47.0, numerator=94.0, denominator=2.0, in_good_range=True,
    evidence=("e80", "e95", "e140"), evidence_count=3,
    items=(Item(54.0, ("e80", "e140"), label="pytest -q"), Item(None, ("e95",), open=True, age=490.0, label=NASTY)),
)  # fmt: skip
WASTE = Reading(
    metric="tool_waste", state="measured", unit="ratio", value=0.5, numerator=5.0, denominator=10.0, in_good_range=False
)
DENSITY = Reading(metric="verification_density", state="insufficient", unit="ratio", reason="telemetry was lost")


def report() -> str:
    """A report with a measured, an open and an insufficient reading in it."""
    made = readings(pivot_latency=PIVOT, tool_waste=WASTE, verification_density=DENSITY)
    rubric = load()
    opinions = [judge.opine("m/c", {one.metric: one for one in made}, rubric) for judge in all_judges()]
    return printed(run_view("m/c", made, verdict("m/c", opinions, rubric, revision=12, end="submitted")))


def line_of(text: str, start: str) -> str:
    """The first line that begins so."""
    return next(line for line in text.splitlines() if line.strip().startswith(start))


def test_a_measured_metric_shows_value_unit_range_mark_and_what_it_is_made_of() -> None:
    """One line holds the whole reading."""
    line = line_of(report(), "pivot_latency")
    assert all(part in line for part in ("47 s", "< 120", "✓", "94 / 2", "3: e80, e95 …"))
    assert "✗" in line_of(report(), "tool_waste")


def test_an_absent_metric_shows_its_state_and_reason_and_no_number() -> None:
    """Nothing stands in for a missing value."""
    line = line_of(report(), "verification_density")
    assert "insufficient" in line
    assert "telemetry was lost" in line
    assert " 0" not in line.replace("0.5", "")


def test_what_a_mean_is_made_of_is_listed_and_open_ones_have_their_age() -> None:
    """Contradictions with their answers; the open one is not averaged and not hidden."""
    text = report()
    assert "54 s" in line_of(text, "pytest -q")
    assert "open for 490 s" in text


def test_foreign_text_is_printed_and_neither_obeyed_nor_styled() -> None:
    """Markup, emoji codes and escape sequences in a label come out as their characters."""
    text = report()
    assert r"[bold]\x1b[31m:smile: …" in text
    assert "\x1b" not in text


def test_a_verdict_tells_state_coverage_provisional_figure_and_why() -> None:
    """An incomplete verdict shows no final, and the figure beside it says that it is no result."""
    text = report()
    assert "incomplete" in text
    assert "final " not in line_of(text, "Verdict")
    assert "coverage" in text
    assert "objective (missing)" in text
    assert "12 events" in text


def test_points_of_every_scored_criterion_are_shown_with_reason() -> None:
    """The table of an opinion adds up before the reader's eyes."""
    made = tuple(
        metric.measured(0.1, evidence=["e1"]) if metric.good else metric.absent("not_applicable", "none")
        for metric in all_metrics()
    )
    rubric = load()
    opinions = [judge.opine("m/c", {one.metric: one for one in made}, rubric) for judge in all_judges()]
    scored = [one for one in opinions if one.score is not None]
    assert scored
    text = printed(verdict_view(verdict("m/c", opinions, rubric, revision=1, end="submitted")))
    for opinion in scored:
        assert f"{opinion.score:.2f}".rstrip("0").rstrip(".") + " / 100" in text
        for criterion in opinion.criteria:
            assert criterion.name in text
