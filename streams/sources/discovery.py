"""Finding the sources: every `Source` subclass in a module of this package, by its name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeGuard

from streams.sources.base import Source

if TYPE_CHECKING:
    from collections.abc import Mapping

_PACKAGE = "streams.sources"


@cache
def discover() -> Mapping[str, Source]:
    """One instance of every source by name: a new file in `streams/sources/` is enough to add one."""
    found: dict[str, Source] = {}
    package = importlib.import_module(_PACKAGE)
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{_PACKAGE}.{info.name}")
        for value in vars(module).values():
            if _is_source(value) and value.__module__ == module.__name__:
                found[value.name] = value()
    return MappingProxyType(dict(sorted(found.items())))


def _is_source(value: object) -> TypeGuard[type[Source]]:
    return inspect.isclass(value) and issubclass(value, Source) and not inspect.isabstract(value)
