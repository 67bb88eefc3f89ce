"""A file of any known format to events: the format told from its content, every event settled and counted."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import BinaryIO, Final, cast

from streams.events import Event, Rejected
from streams.events.decode import settle
from streams.sources.base import Source, SourceContext, SourceError, SourceReport
from streams.sources.discovery import discover

HEAD_BYTES: Final = 256 * 1024
"""How much of a file its format is told from."""

STDIN: Final = Path("-")
"""The path that means standard input."""

_IN_MEMORY: Final = 32 << 20
"""What comes through a pipe is kept in memory up to here, past it in a file: the format is told before it is read."""

_BOM: Final = b"\xef\xbb\xbf"
_LEAST_SURE = 0.2
_EMPTY = "the file is empty; give one that holds a run's telemetry"
_ENDINGS = re.compile(r"(?:\.(?:traj|json|jsonl|ndjson|trajectory))+\Z")
_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


def sniff(head: bytes, name: str) -> Source:
    """The source whose format the content has.

    Raises SourceError saying what was tried and what to do.
    """
    if _blank(head):
        raise SourceError(f"{name}: {_EMPTY}")
    scores = {source.name: source.matches(head, name) for source in discover().values()}
    best = max(scores, key=lambda key: (scores[key], key))
    if scores[best] >= _LEAST_SURE:
        return discover()[best]
    raise SourceError(f"{name}: {_not_text(head) or _unknown(scores)}")


def _unknown(scores: dict[str, float]) -> str:
    return f"no known format (tried: {', '.join(scores)}); if it is one of these, name it with --format"


def _readable(source: Source, head: bytes, name: str) -> Source:
    """A source that was named. It is believed, but for what no format looks like: that would be one error a line."""
    if why := _packed(head):
        raise SourceError(f"{name}: {why}")
    return source


def _not_text(head: bytes) -> str:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16 text; convert it to UTF-8 first"
    binary = "a binary file; give the JSON or JSON Lines file that the harness wrote"
    return _packed(head) or (binary if b"\x00" in head else "")


def _packed(head: bytes) -> str:
    packed = next((name for magic, name in _PACKED.items() if head.startswith(magic)), "")
    return packed and f"packed with {packed}; unpack it first"


def read_file(  # noqa: PLR0913 - each is an option of its own on the command line
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word the command line has too
    match_id: str | None = None,
    contestant_id: str | None = None,
    zone: tzinfo | None = None,
    report: SourceReport | None = None,
) -> Iterator[Event | Rejected]:
    """The events of one file in file order, each settled; what cannot be read comes as `Rejected` with file and line.

    The path `-` is standard input; that and any other pipe is taken in whole before the first event comes.
    `format` overrides what the content says; `match_id` and `contestant_id` override what the file says; `zone` is what
    naive times are read in. `report` is filled while the events are taken.

    Raises SourceError at once where the file cannot be opened or its format is not known, and while reading where a
    whole-file document is broken.
    """
    where = Path(path)
    source = _named(format, where) if format else None
    name = "stdin" if where == STDIN else str(path)
    file, head = _open(where, name)
    try:
        source = _readable(source, head, name) if source else sniff(head, name)
    except SourceError:
        file.close()
        raise
    context = SourceContext(
        name=name,
        stem=_ENDINGS.sub("", Path(name).name) or where.name,
        match_id=match_id or None,
        contestant_id=contestant_id,
        zone=zone,
        report=report if report is not None else SourceReport(),
    )
    return _events(source, file, context)


def _named(name: str, path: Path) -> Source:
    try:
        return discover()[name]
    except KeyError:
        raise SourceError(f"{path}: no format {name!r}; there are: {', '.join(discover())}") from None


def _open(path: Path, name: str) -> tuple[BinaryIO, bytes]:
    try:
        file = _from_start(os.fdopen(os.dup(0), "rb") if path == STDIN else path.open("rb"))
        start = file.tell()  # of standard input, somebody may have read already
        head = file.read(HEAD_BYTES)
        file.seek(start)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise SourceError(f"{name}: {getattr(error, 'strerror', None) or error}; give a readable file") from None
    if _blank(head):
        file.close()
        raise SourceError(f"{name}: {_EMPTY}")
    return file, head


def _blank(head: bytes) -> bool:
    return not head.removeprefix(_BOM).strip()


def _from_start(file: BinaryIO) -> BinaryIO:
    """The file itself, or all of it kept where it can be read twice: of a pipe, the head would be gone."""
    if file.seekable():
        return file
    with file:
        kept = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - whoever reads the events closes it
        shutil.copyfileobj(file, kept)
        kept.seek(0)
        return cast("BinaryIO", kept)


def _events(source: Source, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
    with file:
        for result in source.read(file, context):
            if isinstance(result, Rejected):
                context.report.rejected += 1
                yield result
            else:
                context.report.events += 1
                yield settle(result)
