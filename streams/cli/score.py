"""`boutwatch score`: files in; metrics, Process and Recovery scores and the verdict out. No Kafka."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from judges.verdict import encode
from metrics.ledger import MAX_FACTS
from streams.cli._console import console, line, note
from streams.cli._errors import BELOW_BAR, Failure
from streams.cli._options import ContestantId, Format, MatchId, Paths, Zone
from streams.cli._read import files
from streams.cli._text import clean, figure
from streams.collector import spare_the_collector
from streams.pipeline import Pipeline, Report

if TYPE_CHECKING:
    from judges.base import Opinion

Bar = Annotated[float | None, typer.Option(min=0, max=100, metavar="N", help="Exit with 1 where a run's score is below N.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(score)


def score(  # noqa: PLR0913 - one parameter an option
    paths: Paths,
    *,
    format: Format = None,  # noqa: A002 - the option's own name
    match_id: MatchId = None,
    contestant: ContestantId = None,
    zone: Zone = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a run: run, readings, opinions, verdict.")] = False,
    verdict: Annotated[
        bool, typer.Option("--verdict", help="Only the verdicts, as the bytes that the verdicts topic carries.")
    ] = False,
    min_process: Bar = None,
    min_recovery: Bar = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 where any line was rejected.")] = False,
) -> None:
    """Score runs from files: metrics with their good ranges, both scores with reasons, the verdict.

    Needs no broker. A bar is kept by a Recovery that does not apply (no error happened), not by a score that could not
    be measured. Exit codes: 0 scored, 1 below a bar, 2 wrong usage or a file that cannot be read.
    """
    spare_the_collector()
    read = files(paths, format, match_id, contestant, zone)
    pipeline = Pipeline()
    for event in read.events():
        pipeline.feed(event)
    reports = [pipeline.runs[key].report() for key in sorted(pipeline.runs)]
    for report in reports:
        if verdict:
            line(encode(report.verdict))
        elif as_json:
            line(_object(report))
        else:
            _print(report)
        for oddity in _oddities(report):
            note(f"boutwatch: {clean(report.run)}: {oddity}")
    if not reports and not read.unread:
        raise Failure("no run in these files: their events name a match but no contestant; name one with --contestant")
    read.conclude(strict=strict)
    _hold(reports, {"process": min_process, "recovery": min_recovery})


def _object(report: Report) -> bytes:
    made = {
        "run": report.run,
        "readings": report.readings,
        "opinions": report.opinions,
        "verdict": msgspec.Raw(encode(report.verdict)),
    }
    return msgspec.json.encode(made)


def _print(report: Report) -> None:
    from streams.cli._render import run_view  # noqa: PLC0415 - programs that want JSON need not load it

    console().print(run_view(report.run, report.readings, report.verdict))


def _oddities(report: Report) -> Iterator[str]:
    """What became of events that were read and are not counted, or never came."""
    if report.conflicts:
        came = "event came" if report.conflicts == 1 else "events came"
        yield f"{report.conflicts} {came} under an id that another content has; one content of each id is counted"
    if report.lost:
        numbers = "sequence number is" if report.lost == 1 else "sequence numbers are"
        yield f"{report.lost} {numbers} missing: events were lost before they came here"
    if report.truncated:
        yield f"holds more than the {MAX_FACTS} events that are kept of a run: what is past them is not counted"


def _hold(reports: Iterable[Report], bars: dict[str, float | None]) -> None:
    """Hold every score against its bar. Raises Failure with what is below."""
    below = [
        f"{clean(report.run)} {opinion.judge} {_why(opinion)}, the bar is {figure(bar)}"
        for report in reports
        for opinion in report.opinions
        if (bar := bars.get(opinion.judge)) is not None and not _kept(opinion, bar)
    ]
    if below:
        raise Failure("; ".join(below), code=BELOW_BAR)


def _kept(opinion: Opinion, bar: float) -> bool:
    return opinion.status == "not_applicable" if opinion.score is None else opinion.score >= bar


def _why(opinion: Opinion) -> str:
    return f"has no score ({opinion.status})" if opinion.score is None else f"is {figure(opinion.score, 2)}"
