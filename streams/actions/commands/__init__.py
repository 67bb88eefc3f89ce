"""Families of commands: one file a family, found by discovery.

A family is a module with a table `HANDLERS` from a program's name to a function from the command and its line to actions. A
new family is one new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from streams.actions.commands.base import Handler


@cache
def handlers() -> dict[str, Handler]:
    """Every program that is known, with what reads it; a name in two families is a mistake and raises."""
    found: dict[str, Handler] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda item: item.name):
        table: dict[str, Handler] = getattr(importlib.import_module(f"{__name__}.{module.name}"), "HANDLERS", {})
        double = found.keys() & table.keys()
        if double:
            raise ValueError(f"{module.name} handles {sorted(double)}, which another family handles already")
        found.update(table)
    return found
