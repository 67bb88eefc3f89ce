"""Golden bouts: short stories told by hand, each with a sentence of what it shows and the readings that follow by hand.

`python -m tests.golden` writes them, and the verdicts on them, to `tests/bouts/`; there a change of any verdict shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from streams.events import Event
from streams.pipeline import Pipeline
from streams.record.bout import lines
from streams.sources import read_file
from tests.stories import say, story

BOUTS: Final = Path(__file__).resolve().parents[1] / "bouts"

Told = Iterable[Event | Iterable[Event]]
Expected = float | str
"""A value, or a state where there is none."""


class Golden(NamedTuple):
    """A golden bout as it is told."""

    name: str
    sentence: str
    events: list[Event]
    expected: dict[str, Expected]
    """Readings by metric, worked out by hand from the definitions."""

    @property
    def lines(self) -> bytes:
        """What its file holds."""
        return lines(self.events)


STORIES: Final[dict[str, Golden]] = {}


def golden(**expected: Expected) -> Callable[[Callable[[], Told]], Golden]:
    """Make a function that tells a story into a golden bout: its name is the bout's, its docstring the first message."""

    def made(tell: Callable[[], Told]) -> Golden:
        name = tell.__name__.replace("_", "-")
        sentence = (tell.__doc__ or "").strip()
        bout = Golden(name, sentence, story(say(0, sentence, role="system"), *tell(), match=name), expected)
        STORIES[name] = bout
        return bout

    return made


def verdicts(path: Path) -> bytes:
    """The verdicts on a file: canonical JSON, a line a run, by run."""
    pipeline = Pipeline()
    for event in read_file(path):
        pipeline.feed(event)
    return b"".join(pipeline.runs[key].verdict_bytes() + b"\n" for key in sorted(pipeline.runs))
