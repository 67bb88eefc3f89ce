"""Which broker and which topics a command means: its option, else the settings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterator
from typing import Annotated, Any

import typer

from streams.cli._errors import Failure

Broker = Annotated[
    str | None, typer.Option("--broker", metavar="embedded|kafka://HOST:PORT", help="The broker; else as configured.")
]
Prefix = Annotated[
    str | None, typer.Option("--topic-prefix", metavar="NAME", help="First part of the topics' names; else as configured.")
]

Run = Callable[[Coroutine[Any, Any, None]], None]


def broker_address(broker: str | None) -> str:
    """The bootstrap address that the option or the settings name, or `embedded`. Raises ValueError for no broker."""
    from streams.settings import Settings, bootstrap  # noqa: PLC0415 - not every command asks for a broker

    return Settings().broker if broker is None else bootstrap(broker)


def running_broker(broker: str | None) -> str:
    """As `broker_address`, for a command that makes sense only with a broker that already runs."""
    address = broker_address(broker)
    if address == "embedded":
        raise Failure("an embedded broker lives only as long as the command that starts it; name one with kafka://HOST:PORT")
    return address


def topic_prefix(prefix: str | None) -> str:
    """The first part of the topics' names."""
    from streams.settings import Settings  # noqa: PLC0415 - as above

    return Settings().topic_prefix if prefix is None else prefix


def log_as_configured() -> None:
    """Let what Kafka's client and asyncio have to say come in the configured format. Raises ConfigError."""
    from streams.logs import configure  # noqa: PLC0415 - as above
    from streams.settings import Settings  # noqa: PLC0415 - as above

    settings = Settings()
    configure(settings.log_level, settings.log_format)


@contextlib.contextmanager
def started(prefix: str, partitions: int, app_id: str, run: Run = asyncio.run) -> Iterator[str]:
    """An embedded broker with all topics created, for as long as the block runs. Gives its address."""
    from streams.broker import embedded  # noqa: PLC0415 - as above

    try:
        broker = contextlib.ExitStack()
        address = broker.enter_context(embedded.start())
    except embedded.BrokerStartError as error:
        raise Failure(str(error)) from None
    with broker:
        create(address, prefix, partitions, app_id, run)
        yield address


def create(address: str, prefix: str, partitions: int, app_id: str, run: Run = asyncio.run) -> None:
    """Create every topic that is not there yet. `run` is what waits for it. Raises BrokerError."""
    from streams.cli._kafka import reaching  # noqa: PLC0415 - as above
    from streams.topicadmin import create_topics  # noqa: PLC0415 - as above
    from streams.topics import declared  # noqa: PLC0415 - as above

    async def make() -> None:
        async with reaching(address):
            await create_topics(address, declared(prefix, partitions, app_id))

    run(make())
