"""A whole bout: all contestants at the same time, framed by the events of the match, as lines of a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec

from streams.events import Event, MatchEnded, MatchStarted, Micros, Rules, rfc3339
from streams.record.desk import PRODUCER, Desk, now
from streams.record.steps import Step, play
from streams.record.task import EXPECTED, NAME
from streams.record.workspace import SHOWN, Workspace

_LIMIT_S: Final = 900.0


def record(scripts: Mapping[str, Sequence[Step]], *, pace: float = 1) -> list[Event]:
    """Play every contestant's script, all at once, each in a repository of its own; return all events by time.

    Raises what a contestant's step raises: a script that cannot be played is a mistake in the script.
    """
    with tempfile.TemporaryDirectory(prefix="boutwatch-record-") as folder:
        desks = [Desk(name, _workspace(Path(folder) / name, name), pace=pace) for name in scripts]
        events: list[Event] = [_started(desks)]
        with ThreadPoolExecutor(len(desks)) as pool:
            for played in [pool.submit(play, desk, scripts[desk.contestant]) for desk in desks]:
                played.result()
        events += sorted((event for desk in desks for event in desk.events), key=_place)
        return [*events, _ended(desks)]


def _place(event: Event) -> tuple[int, str]:
    return event.at or 0, event.event_id


def _workspace(folder: Path, contestant: str) -> Workspace:
    folder.mkdir()
    return Workspace(folder, contestant)


def _started(desks: Sequence[Desk]) -> MatchStarted:
    rules = Rules(workspace=SHOWN, base_commit=desks[0].workspace.commit, expected_paths=EXPECTED)
    return MatchStarted(
        match_id=NAME,
        event_id="match-started",
        producer=PRODUCER,
        at=now(),
        challenge_id=NAME,
        contestants=tuple(desk.contestant for desk in desks),
        time_limit_s=_LIMIT_S,
        rules=rules,
    )


def _ended(desks: Sequence[Desk]) -> MatchEnded:
    return MatchEnded(
        match_id=NAME,
        event_id="match-ended",
        producer=PRODUCER,
        at=now(),
        contestants=tuple(desk.contestant for desk in desks),
        reason="all contestants have handed in",
    )


def lines(events: Iterable[Event]) -> bytes:
    """Native JSON Lines; times as RFC 3339."""
    return b"".join(_encode(event) + b"\n" for event in events)


def _time(value: object) -> str:
    if isinstance(value, Micros):
        return rfc3339(value)
    raise NotImplementedError(type(value))


_encode: Final = msgspec.json.Encoder(enc_hook=_time).encode
