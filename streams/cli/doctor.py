"""`boutwatch doctor`: whether the broker is there, and all as declared."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from streams.cli._broker import Broker, Prefix, running_broker, topic_prefix
from streams.cli._console import line, show_table
from streams.cli._errors import BELOW_BAR
from streams.topics import declared

if TYPE_CHECKING:
    from streams.cli._checks import Finding
    from streams.settings import Settings

STYLE = {"ok": "green", "warn": "yellow", "fail": "bold red"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command()(doctor)


def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a check: check, state, says.")] = False,
    broker: Broker = None,
    prefix: Prefix = None,
) -> None:
    """Check versions, the broker, its topics, its workers and its clock.

    The clock is read from a record in a topic of the check's own, removed at once. Exit codes: 0 no check failed
    (warnings do not count), 1 one failed, an unreachable broker included, 2 wrong usage.
    """
    from streams.settings import Settings  # noqa: PLC0415 - pydantic is slow to load

    findings = asyncio.run(_examine(running_broker(broker), topic_prefix(prefix), Settings()))
    if as_json:
        for finding in findings:
            line(msgspec.json.encode(finding))
    else:
        _show(findings)
    raise typer.Exit(BELOW_BAR if any(one.state == "fail" for one in findings) else 0)


async def _examine(address: str, prefix: str, settings: Settings) -> list[Finding]:
    from streams.cli import _checks  # noqa: PLC0415 - Kafka's client is loaded where a broker is asked

    # The client logs each failed attempt; the finding is enough.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL + 1)
    wanted = declared(prefix, settings.partitions, settings.app_id)
    findings = [*_checks.versions(), await _checks.reachable(address)]
    if findings[-1].state != "fail":
        findings.append(await _checks.as_declared(address, wanted))
        findings.append(await _checks.workers(address, settings.app_id))
        # Events that this machine stamps count as late or early against those of others from `lateness_s` on.
        limits = {"warn_s": settings.publish_interval_s, "fail_s": max(settings.lateness_s, settings.publish_interval_s)}
        findings.append(await _checks.clock(address, prefix, **limits))
    return findings


def _show(findings: list[Finding]) -> None:
    from rich.table import Table  # noqa: PLC0415 - only people need it
    from rich.text import Text  # noqa: PLC0415 - as above

    table = Table("", "check", "", box=None, pad_edge=False, show_header=False)
    for one in findings:
        table.add_row(Text(one.state, STYLE[one.state]), one.check, one.says)
    show_table(table)
