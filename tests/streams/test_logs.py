"""Everything that logs does so in one format."""

from __future__ import annotations

import io
import json
import logging
import re
import signal
import warnings
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog

from streams.logs import CHATTY, configure
from tests.streams.lab import Lab, bout

RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """The test runner's own handlers come back."""
    root, names = logging.getLogger(), [*CHATTY, ""]
    handlers, levels = root.handlers[:], {name: logging.getLogger(name).level for name in names}
    root.handlers = []  # to configure closes the handlers that it finds
    yield
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


def written(level: str = "info", form: Any = "json") -> io.StringIO:
    """Logging, into memory."""
    stream = io.StringIO()
    configure(level, form, stream)
    return stream


def rows(stream: io.StringIO) -> list[dict[str, Any]]:
    """The JSON lines."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_our_own_and_foreign_loggers_write_the_same_fields_in_the_same_order() -> None:
    """Time, level, logger, event, then the fields of the event."""
    stream = written()
    structlog.stdlib.get_logger("streams.worker").info("stopped", new=3, dropped=1)
    logging.getLogger("somebody.else").warning("%d records", 3, extra={"new": 3, "dropped": 1})
    own, foreign = rows(stream)
    assert list(own) == list(foreign) == ["time", "level", "logger", "event", "new", "dropped"]
    assert [own[name] for name in ("level", "logger", "event", "new")] == ["info", "streams.worker", "stopped", 3]
    assert [foreign[name] for name in ("level", "logger", "event", "new")] == ["warning", "somebody.else", "3 records", 3]
    for row in (own, foreign):
        assert RFC_3339.fullmatch(row["time"])
        assert datetime.fromisoformat(row["time"]).utcoffset() == timedelta(0)


def test_an_exception_is_a_field() -> None:
    """With its traceback, on one line."""
    stream = written()
    for log in (structlog.stdlib.get_logger("a"), logging.getLogger("b")):
        try:
            raise ValueError("of two\nlines")  # noqa: TRY301
        except ValueError as error:
            log.critical("stopping", exc_info=error)
    found = rows(stream)
    assert [row["event"] for row in found] == ["stopping", "stopping"]
    assert all(row["exception"].endswith("ValueError: of two\nlines") for row in found)
    assert all("Traceback" in row["exception"] for row in found)


def test_warnings_of_python_come_the_same_way() -> None:
    """As one more logger."""
    stream = written()
    warnings.warn("old way", DeprecationWarning, stacklevel=1)
    (row,) = rows(stream)
    assert (row["logger"], row["level"]) == ("py.warnings", "warning")
    assert "DeprecationWarning: old way" in row["event"]


def test_what_json_cannot_hold_is_logged_all_the_same() -> None:
    """A log line is never lost for an odd value in it."""
    stream = written()
    structlog.stdlib.get_logger("a").info("odd", thing=object(), text="\udc80 ä", raw=b"x")
    (row,) = rows(stream)
    assert row["thing"].startswith("<object")
    assert (row["text"], row["raw"]) == ("\udc80 ä", "b'x'")


def test_text_has_the_same_and_stays_one_line() -> None:
    """What others wrote neither ends a line nor turns a terminal's colours."""
    stream = written(form="text")
    logging.getLogger("x").warning("bad\nline \x1b[31m", extra={"records": 4})
    (line,) = stream.getvalue().splitlines()
    time, rest = line.split(" ", 1)
    assert RFC_3339.fullmatch(time)
    assert rest == r"[warning  ] bad\nline \x1b[31m [x] records=4"


def test_text_shows_an_exception_below_without_the_values_of_its_variables() -> None:
    """A secret in a variable does not come into the log."""
    stream = written(form="text")
    secret = "hunter2"
    try:
        raise ValueError(len(secret))  # noqa: TRY301
    except ValueError:
        logging.getLogger("x").exception("failed")
    assert "ValueError: 7" in stream.getvalue()
    assert secret not in stream.getvalue()


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("debug", ["own debug", "own info", "own warning", "faust debug", "faust info", "faust warning"]),
        ("info", ["own info", "own warning", "faust warning"]),
        ("warning", ["own warning", "faust warning"]),
        ("error", []),
    ],
)
def test_the_level_is_the_least_that_is_told_and_faust_tells_warnings(level: str, said: list[str]) -> None:
    """Until debugging."""
    stream = written(level)
    for name in ("own", "faust"):
        for least in ("debug", "info", "warning"):
            getattr(logging.getLogger(name), least)(f"{name} {least}")
    assert [row["event"] for row in rows(stream)] == said


def test_to_configure_again_replaces_what_was() -> None:
    """No line comes twice."""
    first, second = written(), written("warning")
    logging.getLogger("x").warning("once")
    assert first.getvalue() == ""
    assert len(rows(second)) == 1


@pytest.mark.broker
async def test_all_that_a_worker_says_is_json(embedded_broker: str, tmp_path: Path) -> None:
    """From its start to its end; the counts are numbers of their own."""
    lab = Lab(embedded_broker, tmp_path)
    try:
        await lab.create()
        worker = lab.start(log_format="json")
        await lab.send([*bout(60, 2, seed=4), ("traces", b"m/c", b"{broken")])
        await lab.until(lambda: lab.read(lab.name("verdicts")), 60, "no verdict")
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(20) == 0
    finally:
        lab.close()
    said = [json.loads(line) for line in lab.logs().splitlines()]
    assert all({"time", "level", "logger", "event"} <= set(row) for row in said)
    assert (said[-1]["event"], said[-1]["unreadable"]) == ("stopped", 1)
    assert said[-1]["new"] == 60


@pytest.mark.broker
async def test_a_worker_that_cannot_start_says_so_in_json(embedded_broker: str, tmp_path: Path) -> None:
    """No topics are there."""
    lab = Lab(embedded_broker, tmp_path)
    worker = lab.start(log_format="json")
    assert worker.wait(30) == 2
    (row,) = [json.loads(line) for line in lab.logs().splitlines()]
    assert (row["level"], row["exit_code"]) == ("error", 2)
    assert "boutwatch topics apply" in row["event"]
