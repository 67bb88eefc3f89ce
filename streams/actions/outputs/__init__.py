"""What test frameworks, compilers and linters print: one file a framework, found by discovery.

A reader is a module with `MARKS`, texts of which one must be there before anything costly is tried, and
`read(text) -> TestRun | None`. A new reader is one new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
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


def runs_in(text: str) -> tuple[TestRun, ...]:
    """What each framework's reader finds in a text."""
    found = []
    for marks, read in readers():
        for mark in marks:
            if mark in text:
                run = read(text)
                if run is not None:
                    found.append(run)
                break
    return tuple(found)
