"""What a program says of itself: its own success or failure, its first error, the files its traces enter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final

MAX_PLACES: Final = 20
MAX_ERROR: Final = 200
_LINE: Final = 400
_LINES_A_MARK: Final = 40

_FAIL_MARKS: Final = frozenset(
    {
        "FAIL",
        "ail",
        "rror",
        "ERROR",
        "xception",
        "ismatch",
        "MISMATCH",
        "BUG",
        "Bug",
        "bug",
        "reproduced",
        "❌",
        "✗",
        "✘",
        "WRONG",
        "Wrong",
        "xpected",
        "INCORRECT",
        "ncorrect",
        "confirmed",
    }
)
_FAILING: Final = frozenset(
    [
        "FAIL",
        "MISMATCH",
        "WRONG",
        "INCORRECT",
        "BUG",
        "ERROR",
        "Error",
        "Failed",
        "Failure",
        "Mismatch",
        "Wrong",
        "❌",
        "✗",
        "✘",
        "reproduced",
        "REPRODUCED",
        "confirmed",
        "CONFIRMED",
        "still",
        "Caught",
        "Got",
        "Unexpected",
        "Exception",
    ]
)
"""Words of which `_FAIL` cannot do without one: without any, no line needs a look."""

_FAIL: Final = re.compile(
    r"""(?mx)
    ^[^\w\n]{0,6}(?:FAIL(?:ED|URE)?|MISMATCH|WRONG|INCORRECT|BUG|ERROR|Error|Failed|Failure|Mismatch|Wrong)\b(?![ ]0\b)
    | [:>=\-\]|][ ]*(?:FAIL(?:ED)?|MISMATCH|WRONG|INCORRECT)\b | [❌✗✘]
    | (?<![Nn]ot[ ])(?<![Nn]o[ ])\b(?:[Ii]ssue|ISSUE|[Bb]ug|BUG|[Pp]roblem)[ ](?:is[ ]|was[ ])?
      (?:(?:successfully[ ])?reproduced|REPRODUCED|confirmed|CONFIRMED|still[ ]\w+)
    | ^[^\w\n]{0,6}(?:Caught|Got|Unexpected)[ ](?:an?[ ])?(?:unexpected[ ])?(?:exception|error|\w+(?:Error|Exception))\b
    | ^[^\w\n]{0,6}(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception):[ ]
    """
)
_EXCUSED: Final = re.compile(
    r"(?i)as expected|expected (?:error|failure|exception)|correctly|\b0 (?:fail|error|mismatch)|no (?:err"
    r"ors?|failures?|mismatch)|should (?:fail|raise)|not reproduced|raised properly|properly raised"
)
_COMPARED: Final = re.compile(
    r"(?im)^.{0,120}?\bexpected[:=]?\s+(.{1,80}?)[,;)]?\s+(?:but\s+)?(?:got|actual|received|was)[:=]?\s+(.{1,80}?)\)?$"
)
_PASS_MARKS: Final = frozenset(
    {
        "PASS",
        "assed",
        "OK",
        "SUCCESS",
        "uccess",
        "✓",
        "✔",
        "✅",
        "not reproduced",
        "orrect",
        "ixed",
        "NOT REPRODUCED",
        "xpected",
    }
)
_PASS: Final = re.compile(
    r"""(?mx)
    ^[^\w\n]{0,6}(?:PASS(?:ED)?|OK|SUCCESS|Success|Passed)\b | [:>=\-\]|][ ]*(?:PASS(?:ED)?|OK|SUCCESS)\b | [✓✔✅]
    | \b[Nn]ot[ ]reproduced | NOT[ ]REPRODUCED | \b[Aa]ll[ ].{0,40}\b(?:passed|pass|correct|OK|good)\b | \b[Ss]uccessfully\b
    | \b(?:is|are|was|works)[ ](?:now[ ])?(?:fixed|correct(?:ly)?)\b
    """
)


def has(marks: tuple[str, ...], text: str) -> bool:
    """Whether one of the marks is in the text."""
    for mark in marks:  # noqa: SIM110 - a generator costs three times as much here
        if mark in text:
            return True
    return False


def lines_with(text: str, marks: Iterable[str]) -> Iterator[str]:
    """The lines in which a mark stands, each mark's first forty: looking at these alone is what keeps reading cheap."""
    for mark in marks:
        position = text.find(mark)
        for _ in range(_LINES_A_MARK):
            if position < 0:
                break
            start = text.rfind("\n", 0, position) + 1
            end = text.find("\n", position)
            end = len(text) if end < 0 else end
            yield text[start:end][:_LINE]
            position = text.find(mark, end)


def matches(text: str, marks: AbstractSet[str], pattern: re.Pattern[str]) -> bool:
    """Whether the pattern is in a line that holds one of the marks."""
    if not marks:
        return False
    seen: set[str] = set()
    for line in lines_with(text, marks):
        if line not in seen and pattern.search(line):
            return True
        seen.add(line)
    return False


def own_fail(text: str, found: AbstractSet[str]) -> bool:
    """The program prints a FAIL, a mismatch, a caught error or its own bug; excused lines ("as expected") do not count.

    `found` are the `OWN_MARKS` that are in the text.
    """
    if not _FAILING.isdisjoint(found):
        for line in lines_with(text, found & _FAIL_MARKS):
            if _FAIL.search(line) and not _EXCUSED.search(line):
                return True
    return "xpected" in found and _differs(text)


def _differs(text: str) -> bool:
    """`expected 3, got 4`: a comparison that the program prints and that does not hold."""
    for line in lines_with(text, ("xpected",)):
        match = _COMPARED.match(line)
        if match and match[1].strip(" '\"`.") != match[2].strip(" '\"`."):
            return True
    return False


def own_pass(text: str, found: AbstractSet[str]) -> bool:
    """The program prints its own success; `found` are the `OWN_MARKS` that are in the text."""
    return matches(text, found & _PASS_MARKS, _PASS)


OWN_MARKS: Final = _FAIL_MARKS | _FAILING | _PASS_MARKS
"""What `own_fail` and `own_pass` need to know of a text."""

_RAISED: Final = re.compile(r"(?m)^((?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning)\b.*)$")
_TOLD: Final = re.compile(
    r"(?m)^.*(?:\berror\b|\bError\b|ERROR|fatal:|FAILED|panicked|not found|No such|cannot|Cannot|[Dd]enied|timed out).*$"
)
_E_LINE: Final = re.compile(r"(?m)^E\s{1,7}(\S.*)$")


def first_error(text: str) -> str:
    """The line that tells most of an error: the exception raised, else the first line that speaks of one, else the first."""
    found = _E_LINE.search(text) or _RAISED.search(text) or _TOLD.search(text)
    line = (found[found.lastindex or 0] if found else next((each for each in text.splitlines() if each.strip()), "")).strip()
    return line[:MAX_ERROR]


_PLACE: Final = re.compile(
    r"""(?mx) File[ ]"([^"\n]{1,300})",[ ]line[ ]\d | ^[ \t]*(?:-->[ ])?((?:[\w.@+-]*/)*[\w.@+-]{1,80}\.[A-Za-z]{1,5}):\d+
    | \(((?:/|\./|file://)[^():\n]{1,300}):\d+:\d+\) | ^[ \t]+at[ ]((?:/|\./|file://)[^():\n]{1,300}):\d+:\d+
    | ❯[ ](\S{1,300}?):\d+:\d+ | ^(\S{1,300}?\.tsx?)\(\d+,\d+\):[ ]error
    | panicked[ ]at[ ](\S{1,300}?):\d+"""
)
_LINE_PLACE: Final = re.compile(r"(?m)^[ \t]*(?:-->[ ])?((?:[\w.@+-]*/)*[\w.@+-]{1,80}\.[A-Za-z]{1,5}):\d+")
_OTHER_PLACE: Final = ('File "', "(/", "(./", "(file:", " at /", " at ./", " at file:", "❯ ", ".ts(", ".tsx(", "panicked at ")
"""Texts of which one is in every place of `_PLACE` that is not a `_LINE_PLACE`: without any, the cheap pattern does."""

_FOREIGN: Final = (
    "site-packages",
    "/usr/lib",
    "/lib/python",
    "node_modules",
    "node:",
    "<",
    "/.cargo/",
    "/rustc/",
    "dist-packages",
    "/go/src/",
)


def places_in(text: str) -> tuple[str, ...]:
    """Files that tracebacks and compiler messages name, libraries left out, in order, at most twenty."""
    found: dict[str, None] = {}
    pattern = _PLACE if has(_OTHER_PLACE, text) else _LINE_PLACE
    for match in pattern.finditer(text):
        place = match[match.lastindex or 0].removeprefix("file://").removeprefix("./")
        if place not in found and not has(_FOREIGN, place):
            found[place] = None
            if len(found) >= MAX_PLACES:
                break
    return tuple(found)
