"""The packaged bout: what the demo replays, and what it must come to."""

from __future__ import annotations

import time
from importlib.resources import files
from pathlib import Path
from typing import Final

from streams.cli._errors import FAULT, Failure
from streams.cli._plan import shifted, span
from streams.events import Event, Rejected
from streams.events.times import SECOND
from streams.pipeline import Pipeline
from streams.sources import read_file

FOLDER: Final = Path(str(files("streams"))) / "bouts"

_AGO_US: Final = 60 * SECOND
"""The bout is told as one that ended a minute ago: past the lateness, so that its verdicts are final as it ends."""


def bout() -> list[Event]:
    """All events of the packaged bout, as if it had ended a minute ago. Verdicts do not depend on when a bout was."""
    paths = sorted(FOLDER.glob("*.jsonl"))
    events = [event for path in paths for event in read_file(path, format="native")]
    sound = [event for event in events if not isinstance(event, Rejected)]
    if not sound or len(sound) < len(events):
        raise Failure(f"the bout in {FOLDER} is missing or broken; install boutwatch again", FAULT)
    return shifted(sound, round(time.time() * SECOND) - _AGO_US - span(sound)[1])


def revisions(events: list[Event]) -> dict[str, int]:
    """How many distinct events each run is made of: the revision that its last verdict has."""
    pipeline = Pipeline()
    for event in events:
        pipeline.feed(event)
    return {key: run.revision for key, run in pipeline.runs.items()}
