"""A file of any known format to events: the format told from its content, every event settled and counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import BinaryIO, Final

from streams.events import Event, Rejected
from streams.events.decode import settle
from streams.sources.base import Source, SourceContext, SourceError, SourceReport
from streams.sources.discovery import discover

HEAD_BYTES: Final = 256 * 1024
"""How much of a file its format is told from."""

_LEAST_SURE = 0.2
_EMPTY = "the file is empty; give one that holds a run's telemetry"
_ENDINGS = re.compile(r"(?:\.(?:traj|json|jsonl|ndjson|trajectory))+\Z")
_PACKED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


def sniff(head: bytes, name: str) -> Source:
    """The source whose format the content has.

    Raises SourceError saying what was tried and what to do.
    """
    if not head.strip():
        raise SourceError(f"{name}: {_EMPTY}")
    scores = {source.name: source.matches(head, name) for source in discover().values()}
    best = max(scores, key=lambda key: (scores[key], key))
    if scores[best] >= _LEAST_SURE:
        return discover()[best]
    raise SourceError(f"{name}: {_not_text(head) or _unknown(scores)}")


def _unknown(scores: dict[str, float]) -> str:
    return f"no known format (tried: {', '.join(scores)}); if it is one of these, name it with --format"


def _not_text(head: bytes) -> str:
    for magic, packed in _PACKED.items():
        if head.startswith(magic):
            return f"packed with {packed}; unpack it first"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16 text; convert it to UTF-8 first"
    if b"\x00" in head:
        return "a binary file; give the JSON or JSON Lines file that the harness wrote"
    return ""


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

    `format` overrides what the content says; `match_id` and `contestant_id` override what the file says; `zone` is what
    naive times are read in. `report` is filled while the events are taken.

    Raises SourceError at once where the file cannot be opened or its format is not known, and while reading where a
    whole-file document is broken.
    """
    where = Path(path)
    source = _named(format, where) if format else None
    file, head = _open(where)
    try:
        source = source or sniff(head, str(path))
    except SourceError:
        file.close()
        raise
    context = SourceContext(
        name=str(path),
        stem=_ENDINGS.sub("", where.name) or where.name,
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


def _open(path: Path) -> tuple[BinaryIO, bytes]:
    try:
        file = path.open("rb")
        head = file.read(HEAD_BYTES)
        file.seek(0)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise SourceError(f"{path}: {getattr(error, 'strerror', None) or error}; give a readable file") from None
    if not head.strip():
        file.close()
        raise SourceError(f"{path}: {_EMPTY}")
    return file, head


def _events(source: Source, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
    with file:
        for result in source.read(file, context):
            if isinstance(result, Rejected):
                context.report.rejected += 1
                yield result
            else:
                context.report.events += 1
                yield settle(result)
