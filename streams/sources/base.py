"""What a source is: it knows one format by its content and turns a file of it into events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from hashlib import blake2b
from typing import Any, BinaryIO, ClassVar

import msgspec

from streams.events import Event, Micros, Rejected, micros

DEFAULT_CONTESTANT = "contestant"
_RAW_KEPT = 4096


class SourceError(ValueError):
    """A file that cannot be read as a whole: the message says what is wrong and what to do."""


class TimeFieldError(ValueError):
    """A time that cannot be read, in a row that can."""


@dataclass(slots=True)
class SourceReport:
    """What was met while reading a file, beside its events. Complete once the events are all taken."""

    unknown_rows: Counter[str] = field(default_factory=Counter)
    """Rows of types the source does not know: ignored and counted, by type."""

    repeated_rows: int = 0
    """Rows that came before with the same id (a resumed session copies its history): taken once."""

    events: int = 0
    rejected: int = 0


@dataclass(slots=True)
class SourceContext:
    """What a source is told about the file it reads."""

    name: str
    """The file, as error messages show it."""

    stem: str
    """The file's name without its endings: the match when the content names none."""

    match_id: str | None = None
    contestant_id: str | None = None
    zone: tzinfo | None = None
    """What naive times are read in; without one they are rejected."""

    report: SourceReport = field(default_factory=SourceReport)

    def frame(self, producer: str, found_match: str = "") -> dict[str, Any]:
        """The fields that all events of the file share."""
        return {
            "match_id": self.match_id or bounded(found_match) or bounded(self.stem) or "match",
            "contestant_id": DEFAULT_CONTESTANT if self.contestant_id is None else self.contestant_id,
            "producer": producer,
        }

    def rejected(self, where: int | str, stage: str, reason: str, raw: bytes = b"") -> Rejected:
        """A part of the file that could not be read; `where` is its line (from 1) or its place in the document."""
        return Rejected(stage=stage, reason=reason, where=f"{self.name}:{where}", raw=raw[:_RAW_KEPT])

    def failed(self, where: int | str, error: ValueError, row: object) -> Rejected:
        """A row that was read but makes no sense."""
        stage = "time" if isinstance(error, TimeFieldError) else "fields"
        try:
            raw = msgspec.json.encode(row)
        except RecursionError:
            raw = b""  # nested too deeply to be shown
        return self.rejected(where, stage, str(error), raw)

    def time(self, value: object) -> Micros | None:
        """Read a time; an absent one is none.

        Raises TimeFieldError for what is no time, or has no zone where none is configured.
        """
        if value is None or value == "":
            return None
        try:
            return micros(value, self.zone)
        except ValueError as error:
            raise TimeFieldError(str(error)) from None


class Source(ABC):
    """One format. Subclasses have no state: `discover` makes one instance of each."""

    name: ClassVar[str]
    """What `--format` calls it."""

    about: ClassVar[str]
    """The format in a few words, for help texts."""

    @abstractmethod
    def matches(self, head: bytes, name: str) -> float:
        """How surely a file is of this format, from its first bytes (256 KiB at most) and its name: 0 (no) to 1."""

    @abstractmethod
    def read(self, file: BinaryIO, context: SourceContext) -> Iterator[Event | Rejected]:
        """The events of a file in file order; what cannot be read is `Rejected`, with its line.

        Raises SourceError where the file as a whole cannot be read.
        """


def timing(at: Micros | None, *, derived: bool = False) -> dict[str, Any]:
    """The two time fields of an event."""
    return {"at": at, "at_source": "none" if at is None else "derived" if derived else "event"}


def bounded(text: str, limit: int = 200) -> str:
    """An id within its bound; the cut end is replaced by a digest, so that different ids stay different."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 17]}~{blake2b(text.encode(), digest_size=8).hexdigest()}"
