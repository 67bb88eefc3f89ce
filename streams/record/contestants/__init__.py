"""The contestants of the bout: each a script in a module of its own, named for how it works."""

from __future__ import annotations

from typing import Final

from streams.record.contestants import disciplined, overclaiming, thrashing
from streams.record.steps import Step

SCRIPTS: Final[dict[str, tuple[Step, ...]]] = {
    "disciplined": disciplined.SCRIPT,
    "overclaiming": overclaiming.SCRIPT,
    "thrashing": thrashing.SCRIPT,
}
"""What each contestant does, by its name."""
