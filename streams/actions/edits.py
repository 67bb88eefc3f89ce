"""Edit actions from texts and patches, whatever tool they came by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

from streams.actions.base import UNKNOWN, Action, Scope
from streams.actions.patches import PatchFile, change, patch_files, symbols_in
from streams.actions.paths import scope_of
from streams.actions.snippets import snippet_of


def text_hash(text: str) -> str:
    """A content hash, 16 hex digits."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def replaced(path: str, pairs: Sequence[tuple[str, str]]) -> Action:
    """An edit that replaces texts by others in one file."""
    if len(pairs) == 1:
        added, removed, blank, symbols = change(*pairs[0])
    else:
        found = [change(old, new) for old, new in pairs]
        added, removed = sum(one[0] for one in found), sum(one[1] for one in found)
        blank = all(one[2] for one in found)
        symbols = tuple(dict.fromkeys(name for one in found for name in one[3]))[:10]
    scope: Scope = scope_of(path) if path else "work"
    return Action("edit", (path,) if path else (), scope=scope, added=added, removed=removed, blank=blank, symbols=symbols)


def written(path: str, text: str, *, masked: bool = False, append: bool = False, command: str = "") -> Action:
    """A file that is written whole or appended to. Whether it was there before the text does not show."""
    snippet = snippet_of(path, text)
    return Action(
        "edit",
        (path,),
        scope=scope_of(path),
        added=text.count("\n") + (not text.endswith("\n") and bool(text)),
        removed=0 if append else UNKNOWN,
        blank=append and not text.strip(),
        created=not append,
        after="" if append else text_hash(text),
        symbols=symbols_in(text),
        command=command,
        masked=masked,
        asserts=snippet.asserts,
        writes=() if snippet.tests else snippet.rewrites,
    )


def patch_actions(text: str, place: Callable[[str], str]) -> list[Action]:
    """One edit per scope that a patch touches: its files of one role are one change."""
    groups: dict[Scope, list[PatchFile]] = {}
    for file in patch_files(text):
        file.path = place(file.path)
        groups.setdefault(scope_of(file.path), []).append(file)
    return [_group(scope, files) for scope, files in groups.items()]


def _group(scope: Scope, files: list[PatchFile]) -> Action:
    symbols = tuple(dict.fromkeys(name for file in files for name in file.symbols))
    return Action(
        "edit",
        tuple(dict.fromkeys(file.path for file in files))[:50],
        scope=scope,
        added=sum(file.added for file in files),
        removed=UNKNOWN
        if any(file.deleted for file in files) and not any(file.removed for file in files)
        else sum(file.removed for file in files),
        blank=all(file.blank for file in files),
        created=all(file.created for file in files),
        symbols=symbols[:10],
        command="apply_patch",
    )
