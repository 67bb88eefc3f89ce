"""`boutwatch topics`: the declared topics, and whether the broker has them so."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import typer

from streams.cli._broker import Broker, Prefix, running_broker
from streams.cli._console import line, note, show_table
from streams.cli._errors import BELOW_BAR
from streams.topicdiff import MISSING, Difference, Found, differences, untold
from streams.topics import Topic, declared

if TYPE_CHECKING:
    from rich.table import Table

SHOWN_S: Final = 30.0
"""Apache Kafka says yes first and shows it later: 2 s for 200 partitions on two busy cores."""

_POLL_S: Final = 0.1

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    verb = typer.Typer(help="The declared topics, and whether the broker has them so.", no_args_is_help=True)
    for command in (apply, diff, list_):
        verb.command(command.__name__.rstrip("_"))(command)
    app.add_typer(verb, name="topics")


def apply(
    *,
    force: Annotated[bool, typer.Option("--force", help="Also what deletes data, as a shorter retention does.")] = False,
    as_json: AsJson = False,
    broker: Broker = None,
    prefix: Prefix = None,
) -> None:
    """Create the topics that are missing, and give the others the declared retention and cleanup.

    What would delete data is left as it is without --force. A partition count stays in any case: Kafka cannot lower it, and
    with a higher one keys would move to other partitions. Exit codes: 0 all as declared, 1 something still differs, 2 wrong
    usage or no broker.
    """
    address, wanted = running_broker(broker), configured(prefix)
    done, left = asyncio.run(_apply(address, wanted, force=force))
    for one in done:
        _say(one, as_json, "created" if one.what == MISSING else f"{one.what} set to {one.declared}")
    _tell(left, as_json)
    note(f"{address}: {len(wanted)} topics declared, {_count(done, 'change')} made, {_count(left, 'difference')} left")
    _note_left(left, force=force)
    raise typer.Exit(BELOW_BAR if left else 0)


def diff(*, as_json: AsJson = False, broker: Broker = None, prefix: Prefix = None) -> None:
    """Show what is not as declared: missing topics, other partition counts, other retention or cleanup.

    Exit codes: 0 no difference, 1 some, 2 wrong usage or no broker.
    """
    address, wanted = running_broker(broker), configured(prefix)
    there = asyncio.run(look(address, wanted))
    _note_untold(wanted, there)
    left = differences(wanted, there)
    _tell(left, as_json)
    note(f"{address}: {len(wanted)} topics declared, {_count(left, 'difference')}")
    raise typer.Exit(BELOW_BAR if left else 0)


def list_(*, as_json: AsJson = False, broker: Broker = None, prefix: Prefix = None) -> None:
    """Show every declared topic and the partitions that it has on the broker."""
    address, wanted = running_broker(broker), configured(prefix)
    there = asyncio.run(look(address, wanted))
    if as_json:
        for topic in wanted:
            line(msgspec.json.encode(_row(topic, there.get(topic.name))))
    else:
        show_table(_table(wanted, there))


def configured(prefix: str | None) -> tuple[Topic, ...]:
    """The declared topics under this prefix, else under the configured one. Raises ValueError."""
    from streams.settings import Settings  # noqa: PLC0415 - pydantic is slow to load

    settings = Settings()
    return declared(settings.topic_prefix if prefix is None else prefix, settings.partitions, settings.app_id)


async def look(address: str, wanted: tuple[Topic, ...]) -> dict[str, Found]:
    """Those of the topics that the broker has. Raises BrokerError."""
    from streams.cli import _kafka, _topicstate  # noqa: PLC0415 - Kafka's client is loaded where a broker is asked

    async with _kafka.reaching(address):
        return await _topicstate.found(address, {topic.name for topic in wanted})


async def _apply(address: str, wanted: tuple[Topic, ...], *, force: bool) -> tuple[list[Difference], tuple[Difference, ...]]:
    """What was mended, and what is left."""
    from streams import topicadmin  # noqa: PLC0415 - as above
    from streams.cli import _kafka, _topicstate  # noqa: PLC0415 - as above

    before = await look(address, wanted)
    ill = differences(wanted, before)
    asked = {_key(one) for one in ill if one.what == MISSING}
    values = [one for one in ill if one.mendable and one.what != MISSING and (force or not one.loses)]
    async with _kafka.reaching(address):
        await topicadmin.create_topics(address, wanted)
        if values and await _topicstate.configure(address, values, before):
            asked |= {_key(one) for one in values}
        elif values:
            note("the broker cannot change the configuration of a topic that is there")
    there = await _shown(address, wanted, asked)
    _note_untold(wanted, there)
    left = differences(wanted, there)
    still = {_key(one) for one in left}
    return [one for one in ill if _key(one) not in still], left


async def _shown(address: str, wanted: tuple[Topic, ...], asked: set[tuple[str, str]]) -> dict[str, Found]:
    """The topics as soon as the broker shows what was asked of it, else as they are after `SHOWN_S` seconds."""
    until = time.monotonic() + SHOWN_S
    while True:
        there = await look(address, wanted)
        if asked.isdisjoint(map(_key, differences(wanted, there))) or time.monotonic() > until:
            return there
        await asyncio.sleep(_POLL_S)


def _key(one: Difference) -> tuple[str, str]:
    return one.topic, one.what


def _note_untold(wanted: tuple[Topic, ...], there: dict[str, Found]) -> None:
    if names := untold(wanted, there):
        note(f"the broker does not tell the configuration of {len(names)} topics: compared by partitions alone")


def _note_left(left: tuple[Difference, ...], *, force: bool) -> None:
    spared = [one for one in left if one.loses]
    if spared and not force:
        note(f"{_count(spared, 'difference')} left because to mend would delete data: 'topics apply --force' does it")
    counts = [one for one in left if not one.mendable]
    if any(int(one.found) > int(one.declared) for one in counts):
        note("Kafka cannot lower a partition count, with --force neither")
    if any(int(one.found) < int(one.declared) for one in counts):
        note("a partition count is not raised: keys would move to other partitions, away from their state")
    if counts:
        note("set BOUTWATCH_PARTITIONS to the count that is there, or take another --topic-prefix")


def _tell(left: tuple[Difference, ...], as_json: bool) -> None:
    for one in left:
        _say(one, as_json, "")


def _say(one: Difference, as_json: bool, done: str) -> None:
    if as_json:
        line(msgspec.json.encode({**msgspec.to_builtins(one), "mended": bool(done)}))
    else:
        typer.echo(f"{one.topic}: {done}" if done else str(one))


def _row(topic: Topic, there: Found | None) -> dict[str, Any]:
    return {
        "name": topic.name,
        "direction": topic.direction,
        "partitions": topic.partitions,
        "found_partitions": there.partitions if there else None,
        "retention_s": None if topic.retention is None else topic.retention.total_seconds(),
        "compact": topic.compact,
        "key": topic.key,
        "summary": topic.summary,
    }


def _table(wanted: tuple[Topic, ...], there: dict[str, Found]) -> Table:
    from rich.table import Table  # noqa: PLC0415 - only people need it

    table = Table("topic", "", "partitions", "on the broker", "kept", "key", box=None, pad_edge=False)
    for topic in wanted:
        has = there.get(topic.name)
        shown = str(has.partitions) if has else MISSING
        table.add_row(topic.name, topic.direction, str(topic.partitions), shown, _kept(topic), topic.key)
    return table


def _kept(topic: Topic) -> str:
    if topic.compact:
        return "newest by key"
    return "for ever" if topic.retention is None else f"{topic.retention.days} d"


def _count(of: list[Difference] | tuple[Difference, ...], noun: str) -> str:
    return f"{len(of) or 'no'} {noun}{'' if len(of) == 1 else 's'}"
