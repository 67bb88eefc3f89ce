"""Finding the metrics: every Metric subclass in a module of this package, by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import metrics
from metrics.base import Metric


@cache
def all_metrics() -> tuple[Metric, ...]:
    """One instance of every metric, ordered by name: a new file in `metrics/` is enough to add one."""
    found: dict[str, Metric] = {}
    for module in pkgutil.iter_modules(metrics.__path__):
        for value in vars(importlib.import_module(f"metrics.{module.name}")).values():
            if _is_metric(value) and value.__module__ == f"metrics.{module.name}":
                found[value.name] = value()
    return tuple(found[name] for name in sorted(found))


def _is_metric(value: object) -> bool:
    return inspect.isclass(value) and issubclass(value, Metric) and not inspect.isabstract(value)
