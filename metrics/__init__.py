"""Process and recovery metrics: pure functions of the set of a run's events."""

from __future__ import annotations

from metrics.base import VERSION, Good, Item, Metric, Reading
from metrics.discovery import all_metrics

__all__ = ["VERSION", "Good", "Item", "Metric", "Reading", "all_metrics"]
