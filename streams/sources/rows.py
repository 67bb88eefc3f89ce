"""Lines and JSON values of foreign files: bounded, tolerant, and never an exception for what a line holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import msgspec

from streams.events import Rejected
from streams.sources.base import SourceContext, SourceError

MAX_LINE_BYTES: Final = 32 << 20
"""A longer line is rejected: real rows with a picture in them have some 10 MiB."""

MAX_DOCUMENT_BYTES: Final = 512 << 20
"""A longer whole-file document is refused: it has to be in memory at once."""

_MAX_DEPTH = 100
_SURROGATE = re.compile("[\ud800-\udfff]")
_INT64 = 1 << 63


def numbered_lines(file: BinaryIO, limit: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes]]:
    """Lines with their number from 1, without their ends; blank ones are left out.

    Of a line over the limit only the first `limit` + 1 bytes are kept, the rest is skipped unread.
    """
    number = 0
    while line := file.readline(limit + 1):
        number += 1
        if len(line) > limit and not line.endswith(b"\n"):
            _skip_line(file)
        elif number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if stripped := line.strip():
            yield number, stripped


def _skip_line(file: BinaryIO) -> None:
    while rest := file.readline(1 << 20):
        if rest.endswith(b"\n"):
            return


def json_rows(file: BinaryIO, context: SourceContext) -> Iterator[tuple[int, dict[str, Any] | Rejected]]:
    """The objects of a JSON Lines file with their line numbers; a line that holds none is `Rejected`."""
    for number, line in numbered_lines(file):
        if len(line) > MAX_LINE_BYTES:
            reason = f"the line is longer than {MAX_LINE_BYTES} bytes"
            yield number, context.rejected(number, "size", reason, line)
            continue
        try:
            row = parse(line)
        except ValueError as error:
            yield number, context.rejected(number, "json", str(error), line)
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            yield number, context.rejected(number, "json", f"a row is an object, not {_json_type(row)}", line)


def head_rows(head: bytes, most: int = 50) -> list[dict[str, Any]]:
    """The objects in a file's first lines, where it is JSON Lines; none where its first line is no whole object."""
    rows = []
    for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()[:most]:
        try:
            row = parse(line) if line.strip() else None
        except ValueError:
            continue  # cut off, or damaged: the others tell enough
        if isinstance(row, dict):
            rows.append(row)
    return rows


def is_document(head: bytes) -> bool:
    """Whether a file can be one JSON object rather than lines of them."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"{") and len(head_rows(text, 3)) < 2


def document(file: BinaryIO, context: SourceContext) -> dict[str, Any]:
    """The one JSON object that the file is.

    Raises SourceError with the position of what is wrong.
    """
    raw = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise SourceError(f"{context.name}: larger than {MAX_DOCUMENT_BYTES >> 20} MiB; cut it into one file a run")
    try:
        value = parse(raw.removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        hint = "the file may have been cut off while it was written; take it again from its source"
        raise SourceError(f"{context.name}: no valid JSON: {error}; {hint}") from None
    if not isinstance(value, dict):
        raise SourceError(f"{context.name}: the document is {_json_type(value)}, an object is expected")
    return value


def parse(raw: bytes) -> Any:
    """One JSON value. Lone surrogates, which harnesses write when they cut text, become U+FFFD.

    Raises ValueError saying what is wrong and where.
    """
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return _parse_leniently(raw)


def _parse_leniently(raw: bytes) -> Any:
    # The standard parser is slower, but takes what Python and JavaScript programs write (NaN, lone surrogates),
    # and names the line and column of what it does not take.
    try:
        return _scrubbed(json.loads(raw.decode(), parse_constant=lambda _: None))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _scrubbed(value: Any, depth: int = 0) -> Any:
    if depth > _MAX_DEPTH:
        raise ValueError(f"nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, dict):
        return {_scrubbed(key): _scrubbed(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [_scrubbed(item, depth + 1) for item in value]
    return value


def plain(value: Any, depth: int = 0) -> Any:
    """Arguments as every encoder takes them: integers beyond 64 bits become text.

    Raises ValueError where they are nested too deeply to be passed on.
    """
    if depth > _MAX_DEPTH:
        raise ValueError(f"arguments nested deeper than {_MAX_DEPTH} levels")
    if isinstance(value, dict):
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return str(value)
    return value


def mapping(value: Any, key: str) -> dict[str, Any]:
    """The object under a key, empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def items(value: Any, key: str) -> list[Any]:
    """The list under a key, empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def string(value: Any, key: str) -> str:
    """The text under a key, empty where there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def integer(value: Any) -> int | None:
    """A whole number of at most 32 bits, also one written as text; none for anything else."""
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) <= 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not -(1 << 31) <= value < 1 << 32:
        return None
    return value


def text_of(content: Any) -> str:
    """The text of a message's or tool result's content: text itself, or a list of blocks (pictures are named only)."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (_block_text(block) for block in content)
    return "\n".join(part for part in parts if part)


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    kind = string(block, "type")
    if kind in {"image", "image_url", "input_image"}:
        return "[image]"
    return string(block, "text")


def between(text: str, tag: str) -> str | None:
    """What stands between a tag's first opening and its last closing, without the line ends next to them."""
    start, end = text.find(f"<{tag}>"), text.rfind(f"</{tag}>")
    if start < 0 or end < start:
        return None
    return text[start + len(tag) + 2 : end].removeprefix("\n").removesuffix("\n")


def _json_type(value: Any) -> str:
    names = {list: "a list", str: "text", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "null")
