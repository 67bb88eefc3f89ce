"""Patches: the files they touch and how many lines each gains and loses."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Final

from msgspec import Struct

MAX_DIFF_LINES: Final = 800
"""Above this the exact difference of two texts costs too much; the count is then taken from a bag of lines."""


class PatchFile(Struct):
    """One file of a patch."""

    path: str
    added: int = 0
    removed: int = 0
    created: bool = False
    deleted: bool = False
    blank: bool = True
    symbols: tuple[str, ...] = ()


_APPLY: Final = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+?)\s*$")
_MOVE: Final = re.compile(r"^\*\*\* Move to: (.+?)\s*$")
_GIT: Final = re.compile(r"^diff --git a/(.+?) b/(.+?)\s*$")
_HUNK: Final = re.compile(r"^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_SYMBOL: Final = re.compile(
    r"^[ \t]*(?:export\s+)?(?:default\s+)?(?:pub(?:\(\w+\))?\s+)?(?:async\s+)?(?:static\s+)?"
    r"(?:def|class|function\*?|fn|func|struct|enum|trait|interface|impl|module|type)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)

_DEFINING: Final = frozenset(
    {"def", "class", "function", "function*", "fn", "func", "struct", "enum", "trait", "interface", "impl", "module", "type"}
)
"""Of these words one is in every definition that `_SYMBOL` finds, with space around it."""


def symbols_in(text: str) -> tuple[str, ...]:
    """Names of the functions and classes that a text defines, at most ten."""
    return () if _DEFINING.isdisjoint(text.split()) else tuple(dict.fromkeys(_SYMBOL.findall(text)))[:10]


def patch_files(text: str) -> list[PatchFile]:
    """The files of an `apply_patch` text or of a unified diff; empty where it is neither."""
    if "*** Begin Patch" in text or _APPLY.search(text) or "\n*** " in text:
        found = _apply_patch(text)
        if found:
            return found
    return _unified(text)


def _apply_patch(text: str) -> list[PatchFile]:
    files: list[PatchFile] = []
    for line in text.splitlines():
        begins = _APPLY.match(line)
        if begins:
            files.append(
                PatchFile(begins[2], created=begins[1] == "Add", deleted=begins[1] == "Delete", blank=begins[1] != "Delete")
            )
        elif files and (moved := _MOVE.match(line)):
            files.append(PatchFile(moved[1], created=True))
        elif files:
            _count(files[-1], line)
    for file in files:
        file.blank = file.blank and bool(file.added or file.removed)
    return files


def _count(file: PatchFile, line: str) -> None:
    mark = line[:1]
    if mark not in {"+", "-"}:
        if line.startswith("@@"):
            _note_symbol(file, line.strip("@ "))
        return
    if mark == "+":
        file.added += 1
    else:
        file.removed += 1
    if file.blank and line[1:].strip():
        file.blank = False
    _note_symbol(file, line[1:])


def _note_symbol(file: PatchFile, text: str) -> None:
    match = _SYMBOL.match(text)
    if match and len(file.symbols) < 10 and match[1] not in file.symbols:
        file.symbols = (*file.symbols, match[1])


def _unified(text: str) -> list[PatchFile]:
    files: list[PatchFile] = []
    old = ""
    left = right = 0
    for line in text.splitlines():
        if left > 0 or right > 0:
            _count(files[-1], line)
            left -= line[:1] != "+"
            right -= line[:1] != "-"
            continue
        hunk = _HUNK.match(line)
        if hunk and files:
            left, right = int(hunk[1] or 1), int(hunk[2] or 1)
            _note_symbol(files[-1], line.rsplit("@@", 1)[-1].strip())
        elif line.startswith("--- "):
            old = _name(line[4:])
        elif line.startswith("+++ "):
            new = _name(line[4:])
            path = new if new != "/dev/null" else old
            files.append(PatchFile(path, created=old == "/dev/null", deleted=new == "/dev/null"))
    for file in files:
        file.blank = file.blank and bool(file.added or file.removed)
    return [file for file in files if file.path]


def _name(text: str) -> str:
    name = text.split("\t", 1)[0].strip().strip('"')
    return name[2:] if name[:2] in {"a/", "b/"} else name


def change(old: str, new: str) -> tuple[int, int, bool, tuple[str, ...]]:
    """What is put for what: lines added and removed, whether only white space differs, names that either text defines."""
    less, more = old.split(), new.split()
    plain = _DEFINING.isdisjoint(less) and _DEFINING.isdisjoint(more)
    symbols = () if plain else symbols_in(f"{old}\n{new}")
    blank = less == more or "".join(less) == "".join(more)
    return *_line_counts(old, new), blank, symbols


def _line_counts(old: str, new: str) -> tuple[int, int]:
    if old == new:
        return 0, 0
    before, after = old.splitlines(), new.splitlines()
    if before and after and (before[0] == after[0] or before[-1] == after[-1]):
        before, after = _trimmed(before, after)
    kept = 0 if not before or not after or set(before).isdisjoint(after) else _kept(before, after)
    return len(after) - kept, len(before) - kept


def _trimmed(before: list[str], after: list[str]) -> tuple[list[str], list[str]]:
    """The lines between those that both texts begin and end with."""
    shorter = min(len(before), len(after))
    head = 0
    while head < shorter and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return before[head : len(before) - tail], after[head : len(after) - tail]


def _kept(before: list[str], after: list[str]) -> int:
    if len(before) + len(after) > MAX_DIFF_LINES:
        return len(set(before) & set(after))
    return sum(block.size for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks())
