"""Logging in one format for everything that logs: our own code, Faust, Kafka's client, asyncio, Python's warnings.

Text for people, or JSON lines for programs: `time` (RFC 3339, UTC), `level`, `logger`, `event`, the event's own fields, and
`exception` where there is one. Code that does not know structlog gives fields with `extra={...}`.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import Final, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

Format = Literal["text", "json"]

CHATTY: Final = ("faust", "aiokafka", "mode", "streams.app", "streams.tables", "streams.transport")
"""Loggers that tell warnings alone, until debugging: Faust logs under the names of our classes' modules, too."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_FIRST: Final = ("time", "level", "logger", "event")


def configure(level: str = "info", form: Format = "text", stream: TextIO | None = None) -> None:
    """Log to `stream` (else standard error) from `level` on, in place of whatever was configured before."""
    handler = logging.StreamHandler(stream or sys.stderr)
    last = _json() if form == "json" else _text(handler.stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _stripped, *last],
            foreign_pre_chain=[structlog.stdlib.ExtraAdder(), *_shared()],
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in CHATTY:
        quiet = logging.NOTSET if level == "debug" else max(logging.WARNING, logging.root.level)
        logging.getLogger(name).setLevel(quiet)
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _shared() -> list[Processor]:
    return [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.StackInfoRenderer(),
    ]


def _json() -> list[Processor]:
    return [structlog.processors.format_exc_info, _ordered, structlog.processors.JSONRenderer()]


def _text(stream: TextIO) -> list[Processor]:
    # The exception's own lines alone: a traceback with the values of variables could show what nobody meant to log.
    plain = structlog.dev.plain_traceback
    console = structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), timestamp_key="time", pad_event_to=0, exception_formatter=plain
    )
    return [_visible, console]


def _stripped(_: WrappedLogger, __: str, fields: EventDict) -> EventDict:
    """Python's warnings end with a line break."""
    return {**fields, "event": str(fields.get("event", "")).strip()}


def _visible(_: WrappedLogger, __: str, fields: EventDict) -> EventDict:
    """An event stays one line, and its control characters do nothing to a terminal: it may quote what others wrote."""
    return {**fields, "event": _CONTROL.sub(lambda found: repr(found[0])[1:-1], fields["event"])}


def _ordered(_: WrappedLogger, __: str, fields: EventDict) -> EventDict:
    """What every line has comes first: lines are read by people, too."""
    return {name: fields[name] for name in _FIRST if name in fields} | dict(fields)
