"""Small pieces of text for people: figures with their units, ids, and foreign text made safe to print."""

from __future__ import annotations

import unicodedata
from typing import Final

ID_CHARS: Final = 18
"""Of an id in a table; `--json` has it whole."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of characters that move the cursor, colour the terminal or turn the line round."""


def clean(text: str) -> str:
    r"""The text on one line, with what a terminal would obey made visible (`\x1b`)."""
    folded = " ".join(text.split())
    if folded.isascii() and folded.isprintable():
        return folded
    return "".join(_visible(one) for one in folded)


def _visible(one: str) -> str:
    return one.encode("unicode_escape").decode() if unicodedata.category(one) in _HIDDEN else one


def figure(value: float | None, places: int = 3) -> str:
    """A number without needless zeros; a dash for none."""
    if value is None:
        return "–"
    text = f"{value:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def quantity(value: float | None, unit: str) -> str:
    """A number with its unit; a ratio and a share have none worth saying twice."""
    text = figure(value)
    if value is None or unit in {"ratio", "share", "shares", ""}:
        return text
    return f"{text} {unit.removeprefix('1')}".replace(" /", "/")


def short(event: str, limit: int = ID_CHARS) -> str:
    """An id short enough for a table. Its end stays: ids of one producer often begin alike."""
    event = clean(event)
    return event if len(event) <= limit else f"{event[: limit // 2 - 1]}…{event[-(limit // 2) :]}"


def cited(evidence: tuple[str, ...], count: int = 0, shown: int = 2) -> str:
    """How many events are cited, and the first of them."""
    total = max(count, len(evidence))
    if not total:
        return ""
    rest = " …" if total > min(shown, len(evidence)) else ""
    return f"{total}: {', '.join(short(event) for event in evidence[:shown])}{rest}"
