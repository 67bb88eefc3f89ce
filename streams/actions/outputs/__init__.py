"""What test frameworks, compilers and linters print: one file a framework, found by discovery.

A reader is a module with `MARKS`, texts of which one must be there before anything costly is tried, and
`read(text) -> TestRun | None`. A new reader is one new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache

from streams.actions.base import TestRun

Reader = Callable[[str], TestRun | None]


@cache
def readers() -> tuple[tuple[tuple[str, ...], Reader], ...]:
    """All readers with their marks, by name."""
    found = []
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda item: item.name):
        loaded = importlib.import_module(f"{__name__}.{module.name}")
        if hasattr(loaded, "MARKS"):
            found.append((loaded.MARKS, loaded.read))
    return tuple(found)


@cache
def _by_mark() -> dict[str, tuple[int, ...]]:
    """The places of the readers that ask for a mark."""
    places: dict[str, tuple[int, ...]] = {}
    for place, (marks, _) in enumerate(readers()):
        for mark in marks:
            places[mark] = (*places.get(mark, ()), place)
    return places


def runs_in(text: str, marks: AbstractSet[str] | None = None) -> tuple[TestRun, ...]:
    """What each framework's reader finds in a text; `marks` are those known to be in it, where they were sought before."""
    by_mark = _by_mark()
    if marks is None:
        marks = {mark for mark in by_mark if mark in text}
    places = {place for mark in marks if mark in by_mark for place in by_mark[mark]}
    found = (readers()[place][1](text) for place in sorted(places))
    return tuple(run for run in found if run is not None)
