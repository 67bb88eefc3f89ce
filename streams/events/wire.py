"""What must hold of a message's bytes before anybody reads them: there are some, not too many, UTF-8, not too deep.

`decode` and `models` both begin here, so that neither is more lenient than the other about the bytes themselves.
"""

from __future__ import annotations

import re
from typing import Final

from streams.events.base import MAX_MESSAGE_BYTES, Rejected

MAX_DEPTH: Final = 400
"""Levels of nesting. A definite limit, since a parser's own depends on how deep its caller already is."""

RAW_KEPT: Final = 4096
"""Bytes of a rejected message that its `Rejected` keeps."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_ESCAPE = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


class UnreadableError(ValueError):
    """The bytes cannot be read as JSON at all; `stage` says which check failed."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(reason)
        self.stage = stage


def text_of(raw: bytes | None) -> str:
    """The message as text. Raises UnreadableError: nothing there, too large, not UTF-8 or nested too deep."""
    if not raw:
        raise UnreadableError("json", "the message is empty")
    if len(raw) > MAX_MESSAGE_BYTES:
        raise UnreadableError("size", f"{len(raw)} bytes; the limit is {MAX_MESSAGE_BYTES}")
    if len(raw) > 2 * MAX_DEPTH and raw.count(b"[") + raw.count(b"{") > MAX_DEPTH and _depth(raw) > MAX_DEPTH:
        raise UnreadableError("json", f"nested deeper than {MAX_DEPTH} levels")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise UnreadableError("json", f"not UTF-8: {error.reason} at byte {error.start}") from None


def without_lone_surrogates(text: str) -> str:
    r"""The JSON text with each lone surrogate escape (`\udcff`: a byte that was no UTF-8) as U+FFFD.

    Harnesses in Python write such escapes when a tool prints bytes that are no text; the event around them is sound.
    """
    return _ESCAPE.sub(lambda found: r"\ufffd" if found["lone"] else found[0], text)


def rejected(raw: bytes | None, stage: str, reason: str) -> Rejected:
    """What could not be read, as data, with the beginning of what came."""
    return Rejected(stage=stage, reason=reason, raw=(raw or b"")[:RAW_KEPT])


def _depth(raw: bytes) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
