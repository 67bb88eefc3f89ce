"""Small files made by hand, read the way `boutwatch` reads them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from streams.events import Rejected, ToolCall
from streams.sources import SourceReport, read_file


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., SimpleNamespace]:
    """Write rows (objects, or raw bytes) or a document to a file and read it back as events."""

    def reading(content: Any, name: str, **options: Any) -> SimpleNamespace:
        path = tmp_path / name
        path.write_bytes(as_bytes(content))
        report = SourceReport()
        items = list(read_file(path, report=report, **options))
        events = [item for item in items if not isinstance(item, Rejected)]
        return SimpleNamespace(
            path=path,
            report=report,
            items=items,
            events=events,
            rejected=[item for item in items if isinstance(item, Rejected)],
            calls={event.call_id: event for event in events if isinstance(event, ToolCall)},
        )

    return reading


def as_bytes(content: Any) -> bytes:
    """Bytes as they are, a list as JSON Lines, an object as one document."""
    if isinstance(content, bytes):
        return content
    if isinstance(content, list):
        rows = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in content)
        return b"".join(row + b"\n" for row in rows)
    return json.dumps(content).encode()
