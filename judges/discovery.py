"""Finding the judges: every Judge subclass in a module of this package, in the rubric's fixed order."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import judges
from judges.base import Judge
from judges.rubric import judge_order


@cache
def all_judges() -> tuple[Judge, ...]:
    """One instance of every judge, lanes first: a new file in `judges/` is enough to add one."""
    found: dict[str, Judge] = {}
    for module in pkgutil.iter_modules(judges.__path__):
        for value in vars(importlib.import_module(f"judges.{module.name}")).values():
            own = inspect.isclass(value) and value.__module__ == f"judges.{module.name}"
            if own and issubclass(value, Judge) and not inspect.isabstract(value):
                found[value.name] = value()
    return tuple(found[name] for name in sorted(found, key=judge_order))
