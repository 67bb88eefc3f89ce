"""The only orchestration: events in; readings, opinions and verdicts out. Pure: the time is given, nothing is sent.

The worker keeps one pipeline for each partition, `boutwatch score` one for all its files. Both therefore say the same of the
same set of events, to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from judges import all_judges
from judges.base import Opinion
from judges.rubric import Rubric, load
from judges.verdict import Verdict, encode, verdict
from metrics import all_metrics
from metrics.base import Reading
from metrics.ledger import Fed, Ledger
from metrics.run import EAGER, RunFacts, Timeline
from metrics.window import HOP_S, SIZES_S, Window, hop, window
from streams.events import Event
from streams.events.base import split_run
from streams.events.times import SECOND
from streams.match import Match

SEPARATOR: Final = "\x1f"
"""Between a run and the name of its block in the state's keys."""

HOT: Final = 64
"""Runs whose folded state stays unpacked; the others keep it as bytes."""


BRIEF: Final = 20
"""Items and event ids of one reading in a `readings` message: its verdict has them all."""


class Output(Struct, frozen=True):
    """Something to publish. Publishing it twice does no harm: the id is derived from what it says."""

    stream: Literal["readings", "opinions", "verdicts"]
    key: str
    id: str
    value: bytes


class Report(Struct, frozen=True, omit_defaults=True):
    """All that is said of a run."""

    run: str
    match_id: str
    contestant_id: str
    revision: int
    end: str
    """How the run ended: submitted, run_ended, match_ended or abandoned (no end on record)."""

    t0: int
    t_end: int
    conflicts: int
    """Events that came under an id which another content already had."""

    lost: int
    """Sequence numbers that are missing."""

    readings: tuple[Reading, ...]
    opinions: tuple[Opinion, ...]
    verdict: Verdict
    truncated: bool = False
    """Whether there were more events than are kept of a run."""


class LiveReadings(Struct, frozen=True, omit_defaults=True):
    """The value of a `readings` message."""

    run: str
    match_id: str
    contestant_id: str
    revision: int
    provisional: bool
    watermark: int
    """Newest event time less the allowed lateness (µs): what is after it may still change."""

    end: str
    readings: tuple[Reading, ...]
    windows: dict[str, Window] = {}
    conflicts: int = 0
    """Events that came under an id which another content already had."""

    lost: int = 0
    """Sequence numbers that are missing."""


class Run:
    """One contestant in one match."""

    def __init__(self, key: str, rubric: Rubric, ledger: Ledger | None = None) -> None:
        self.key = key
        self.match_id, self.contestant_id = split_run(key)
        self._rubric = rubric
        self.ledger = ledger or Ledger()
        self.timeline = Timeline(self.ledger)
        self._windows: dict[str, Window] = {}
        self._windows_end = -1
        self._read: tuple[object, tuple[Reading, ...]] = None, ()

    def feed(self, event: Event) -> Fed:
        """Take an event in. Cheap: readings, opinions and verdicts are made only when somebody asks."""
        fed, fresh = self.ledger.add(event), self.ledger.fresh
        if fresh is not None and len(fresh) >= EAGER:
            self.timeline.facts()  # while facts and state are still unpacked
        return fed

    @property
    def revision(self) -> int:
        """How many different events the run is made of."""
        return self.ledger.revision

    def facts(self) -> RunFacts:
        """The folded state; callers must not change it."""
        return self.timeline.facts()

    def readings(self) -> tuple[Reading, ...]:
        """A reading of every metric; worked out once for each set of events."""
        known = self.revision, self.ledger.head.truncated
        if self._read[0] != known:
            facts = self.facts()
            self._read = known, tuple([metric.read(facts) for metric in all_metrics()])
        return self._read[1]

    def windows(self) -> dict[str, Window]:
        """The newest windows that are over, by size in seconds; computed once a hop."""
        end = hop(self.ledger.newest)
        if end != self._windows_end:
            self._windows = {str(size): _brief_window(window(self.ledger, end, size)) for size in SIZES_S}
            self._windows_end = end
        return self._windows

    def live(self, lateness_us: int, *, provisional: bool, windows: bool = True) -> LiveReadings:
        """What a `readings` message says; without `windows` those of the last time."""
        return LiveReadings(
            self.key,
            self.match_id,
            self.contestant_id,
            self.revision,
            provisional,
            max(0, self.ledger.newest - lateness_us),
            self.facts().end,
            tuple(_brief(reading) for reading in self.readings()),
            self.windows() if windows else self._windows,
            self.ledger.conflicts,
            self.ledger.lost,
        )

    def cool(self) -> None:
        """Keep what can be kept as bytes, until the run is read again."""
        self.timeline.cool()
        self._windows, self._windows_end = {}, -1
        self._read = None, ()

    def report(self) -> Report:
        """Readings, opinions and verdict: a function of the set of events."""
        facts = self.facts()
        readings = self.readings()
        by_name = {reading.metric: reading for reading in readings}
        opinions = tuple(judge.opine(self.key, by_name, self._rubric) for judge in all_judges())
        final = verdict(self.key, opinions, self._rubric, revision=self.revision, end=facts.end)
        return Report(
            self.key,
            self.match_id,
            self.contestant_id,
            self.revision,
            facts.end,
            facts.t0,
            facts.t_end,
            self.ledger.conflicts,
            self.ledger.lost,
            readings,
            opinions,
            final,
            self.ledger.head.truncated,
        )

    def verdict_bytes(self) -> bytes:
        """The verdict as it is published."""
        return encode(self.report().verdict)


def _brief(reading: Reading) -> Reading:
    if len(reading.items) <= BRIEF and len(reading.evidence) <= BRIEF:
        return reading
    return replace(reading, items=reading.items[-BRIEF:], evidence=reading.evidence[:BRIEF])


def _brief_window(whole: Window) -> Window:
    """A window of readings without their items: those are in the run's own reading."""
    return replace(whole, readings=tuple(replace(one, items=(), evidence=one.evidence[:5]) for one in whole.readings))


class _Pace:
    """When a run was touched and published: of the rim's time, never of the verdict's."""

    __slots__ = ("arrived", "final", "published", "touched", "verdict_revision", "windows")

    def __init__(self) -> None:
        self.arrived = self.published = self.final = self.windows = 0
        self.touched = True
        self.verdict_revision = -1


class Pipeline:
    """All runs of one partition, or of some files."""

    def __init__(
        self,
        rubric: Rubric | None = None,
        *,
        interval_us: int = SECOND,
        lateness_us: int = 20 * SECOND,
        idle_us: int = 900 * SECOND,
    ) -> None:
        self._rubric = rubric or load()
        self._interval, self._lateness, self._idle = interval_us, lateness_us, idle_us
        self.runs: dict[str, Run] = {}
        self._matches: dict[str, Match] = {}
        self._pace: dict[str, _Pace] = {}
        self._active: dict[str, None] = {}
        self._arrived: dict[str, None] = {}
        self._unsaved: dict[str, None] = {}
        self._hot: dict[str, None] = {}
        self._behind = False

    def feed(self, event: Event) -> Fed:
        """Take an event in; one that speaks of the whole match is taken in for each contestant it is known to have."""
        if not event.contestant_id:
            match = self._matches.setdefault(event.match_id, Match())
            outcomes = [self._feed(one) for one in match.feed(event)]
            return outcomes[0] if outcomes else "new"
        return self._feed(event)

    def _feed(self, event: Event) -> Fed:
        key = event.run
        run = self.runs.get(key)
        if run is None:
            run = self.runs[key] = Run(key, self._rubric)
            self._pace[key] = _Pace()
        fed = run.feed(event)
        if fed != "duplicate":
            self._arrived[key] = self._unsaved[key] = None
        return fed

    def collect(self, now: int, *, behind: bool = False) -> list[Output]:
        """What is due at `now` (µs): readings of runs with news, at most once an interval each; verdicts of final runs.

        Who is `behind` gets no new windows: they cost most, and would be over long before anybody saw them.
        """
        self._behind = behind
        for key in self._arrived:
            pace = self._pace[key]
            pace.arrived, pace.touched, pace.final = now, True, 0
            self._active[key] = None
        self._arrived.clear()
        outputs: list[Output] = []
        for key in list(self._active):
            outputs += self._due(key, self._pace[key], now)
        return outputs

    def _due(self, key: str, pace: _Pace, now: int) -> list[Output]:
        """The first reading comes at once, later ones at most one an interval; a verdict once nothing came for an interval."""
        run, outputs = self.runs[key], []
        if pace.touched and now - pace.published >= self._interval:
            pace.touched, pace.published = False, now
            pace.final = self._final_at(run, pace)
            outputs.append(self._live(run, pace, now))
            self._keep_hot(key)
        if not pace.touched and pace.final and now >= self._settled(pace):
            outputs += self._verdict(run, pace)
            self._keep_hot(key)
            del self._active[key]
        return outputs

    def _settled(self, pace: _Pace) -> int:
        """When a run's verdict is due. While events still come it would be out of date at once."""
        return max(pace.final, pace.arrived + self._interval)

    def _live(self, run: Run, pace: _Pace, now: int) -> Output:
        # A bout that is replayed fast hops often: its windows are computed once a hop of real time; of one that is over
        # nobody looks at the last minute.
        fresh = now < pace.final and not self._behind and now - pace.windows >= HOP_S * SECOND
        pace.windows = now if fresh else pace.windows
        return self._readings(run, provisional=now < pace.final, windows=fresh)

    def _final_at(self, run: Run, pace: _Pace) -> int:
        """When a run is final: its end plus the lateness, or the idle limit after its last arrival."""
        facts, abandoned = run.facts(), pace.arrived + self._idle
        return abandoned if facts.end == "abandoned" else min(facts.t_end + self._lateness, abandoned)

    def _readings(self, run: Run, *, provisional: bool, windows: bool = True) -> Output:
        live = run.live(self._lateness, provisional=provisional, windows=windows)
        return Output("readings", run.key, f"{run.key}/readings/{run.revision}", msgspec.json.encode(live))

    def _verdict(self, run: Run, pace: _Pace) -> list[Output]:
        if pace.verdict_revision == run.revision:
            return []
        pace.verdict_revision = run.revision
        report = run.report()
        outputs = [self._readings(run, provisional=False, windows=False)]
        for one in report.opinions:
            value = msgspec.json.encode(one)
            outputs.append(Output("opinions", f"{run.key}/{one.judge}", f"{run.key}/{one.judge}/{run.revision}", value))
        outputs.append(Output("verdicts", run.key, report.verdict.verdict_id, encode(report.verdict)))
        return outputs

    def _keep_hot(self, key: str) -> None:
        self._hot.pop(key, None)
        self._hot[key] = None
        if len(self._hot) > HOT:
            oldest = next(iter(self._hot))
            del self._hot[oldest]
            self.runs[oldest].cool()

    def next_due(self) -> int | None:
        """When `collect` has something to do (µs); 0: at once, something has arrived; None: not until it does."""
        if self._arrived:
            return 0
        times = [self._next(self._pace[key]) for key in self._active]
        return min(times, default=None)

    def _next(self, pace: _Pace) -> int:
        return pace.published + self._interval if pace.touched else self._settled(pace)

    def take_state(self) -> dict[str, bytes]:
        """The blocks of state that changed since the last call; an empty value: the block is gone."""
        state: dict[str, bytes] = {}
        for key in self._unsaved:
            for name, data in self.runs[key].ledger.take_blocks().items():
                state[f"{key}{SEPARATOR}{name}"] = data
        self._unsaved.clear()
        return state

    def restore(self, items: Iterable[tuple[str, bytes]]) -> None:
        """Take over the state that `take_state` gave, after a start or a rebalance. Its runs are looked at anew."""
        blocks: dict[str, dict[str, bytes]] = {}
        for key, data in items:
            run, _, name = key.rpartition(SEPARATOR)
            blocks.setdefault(run, {})[name] = data
        for key, parts in blocks.items():
            self.runs[key] = Run(key, self._rubric, Ledger.load(parts))
            self._pace[key] = _Pace()
            self._arrived[key] = None
