"""Judges: opinions from readings, and the verdict that opinions make."""

from __future__ import annotations

from judges.base import Criterion, Judge, Opinion, Provenance
from judges.discovery import all_judges

__all__ = ["Criterion", "Judge", "Opinion", "Provenance", "all_judges"]
