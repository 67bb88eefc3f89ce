"""Foreign formats in, events or `Rejected` out: one file a format, found by discovery.

A new format is one new file in this package with one `Source` subclass in it.
"""

from __future__ import annotations

from streams.sources.base import Source, SourceContext, SourceError, SourceReport
from streams.sources.discovery import discover
from streams.sources.reading import read_file, sniff

__all__ = ["Source", "SourceContext", "SourceError", "SourceReport", "discover", "read_file", "sniff"]
