"""The state folded from a run's facts: plain data, a function of the facts in order."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from metrics.facts import Answered, Asked, Done
from streams.actions.base import Action
from streams.actions.workspace import Learner

NEVER: Final = -1
"""A moment that has not come."""

IDLE_GAP: Final = 300 * 1_000_000
"""A gap longer than 5 minutes is idle time (µs)."""

MAX_CITED: Final = 50
"""Event ids kept where only citing needs them."""

MAX_LISTED: Final = 2_000
"""Edits, incidents, … kept as records of their own; past it only the counts go on."""


class Edit(Struct, array_like=True):
    """A successful edit of `work` or `test` files."""

    id: str
    at: int
    paths: tuple[str, ...]
    same: int
    reverted: bool = False


class ChangeSet(Struct, array_like=True):
    """The changes between two verifying checks or reverts."""

    lines: int = 0
    unknown: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    symbols: set[str] = field(default_factory=set)

    @property
    def units(self) -> int:
        """Change units: one for every 100 changed lines begun; where lines are unknown, one for every file."""
        return max(1, -(-self.lines // 100), len(self.unknown)) if self.files else 0


class Standing(Struct, array_like=True):
    """Where one check command stands: what failed in its last run, and its best count."""

    last: set[str]
    failed: int
    best_failed: int
    total: int
    work_version: int
    share: float = -1.0


class Shown(Struct, frozen=True):
    """What one run of a check showed."""

    event: str
    call: Done
    action: Action
    failing: frozenset[str] = frozenset()
    """Names that fail; the command itself where names are unknown."""

    fixed: frozenset[str] = frozenset()
    """Names that failed before and that this check shows to pass."""

    newly: frozenset[str] = frozenset()
    """Names that fail now and passed in the last run of the same command: new tests of the contestant's own did not."""

    fingerprint: str = ""
    """What makes two failures of checks the same: the command and the failing names."""

    @property
    def end(self) -> int:
        """When it was known."""
        return self.call.end


class Contradiction(Struct, array_like=True):
    """Evidence against the current approach."""

    id: str
    at: int
    command: str
    failing: tuple[str, ...]
    version: int = 0
    """The tree's version when it was shown: a pass without a change since is a flake, not a fix."""

    presumed: bool = False
    """It rests on the presumption that the tests of the base tree pass."""

    answer: Literal["", "approach", "fixed"] = ""
    answer_id: str = ""
    answer_at: int = NEVER


class Approach(Struct, array_like=True):
    """A change of approach and how it went."""

    id: str
    at: int
    how: Literal["revert", "moved", "plan"]
    progress: bool = False
    answers: bool = False
    """It answered a contradiction; without one it was spontaneous."""


class Incident(Struct, array_like=True):
    """An error to recover from."""

    id: str
    what: str
    kind: Literal["check", "could_not_run", "call", "reported"]
    opened: int
    command: str = ""
    failing: tuple[str, ...] = ()
    tool: str = ""
    sub: str = ""
    paths: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    same: int = 0
    version: int = 0
    """The tree's version at the last failure: a change since then makes a repeat a changed one."""

    detected: int = NEVER
    detected_id: str = ""
    resolved: int = NEVER
    resolved_id: str = ""
    reopened: int = NEVER
    spent: int = 0
    """Microseconds of earlier openings that were resolved."""

    count: int = 1
    unchanged: int = 0
    """Repeats that were the same action unchanged."""

    next_same: bool | None = None
    """Whether the next attempt was the same action unchanged; None: no attempt yet."""

    ids: list[str] = []


class TakenBack(Struct, array_like=True):
    """A revert whose taken edits may come back: if all do and nothing else changes, it was a diagnosis."""

    id: str
    left: set[int]
    pushed: bool = False


class Knowledge(Struct, array_like=True):
    """What later facts tell of earlier ones. When it grows, the run is folded anew with it."""

    learner: Learner = field(default_factory=Learner)
    seen: int = 0
    """Calls that the learner has taken in: when the run is folded anew it takes in only those that follow."""

    base_failing: set[str] = field(default_factory=set)
    """Failing names (or commands) seen on the base tree after they had been taken for a contradiction."""

    diagnostic: set[str] = field(default_factory=set)
    """Reverts after which the same edits were made again."""


_END_MARKS: Final = {"submitted": "submission", "run_ended": "run_ended", "match_ended": "match_ended"}


class RunFacts(Struct):
    """A run's state: what the metrics read. Times are microseconds; NEVER where there is none."""

    knowledge: Knowledge = field(default_factory=Knowledge)
    count: int = 0
    """Facts folded."""

    # the frame, from marks
    marked: set[str] = set()
    """Kinds of frame events seen, with or without a time."""

    run_started: int = NEVER
    match_started: int = NEVER
    submitted: int = NEVER
    handed_in: int = NEVER
    """End of the last submitting call."""

    handed_in_id: str = ""
    run_ended: int = NEVER
    match_ended: int = NEVER
    workspace: str = ""
    expected: tuple[str, ...] = ()
    truncated: bool = False
    lost: int = 0

    # time
    first: int = NEVER
    last_own: int = NEVER
    busy_from: int = NEVER
    spent_until: int = NEVER
    """Up to here the time has been put down to a phase."""

    busy_until: int = NEVER
    gaps: list[tuple[int, int]] = []
    """Idle gaps: nothing happened for more than five minutes."""

    phases: dict[str, int] = {}
    untimed: int = 0

    # calls
    calls: int = 0
    asked: dict[str, tuple[str, Asked]] = {}
    """Open calls: the event's id, and what was asked."""

    answered: dict[str, tuple[str, Answered]] = {}
    """Ends whose beginning has not come."""

    failed_calls: int = 0
    wasted: dict[str, str] = {}
    seen: dict[int, int] = {}
    """Identical-call hash -> output hash, since the last change of state."""

    # changes
    version: int = 0
    """Rises with every change of the tree or the environment."""

    work_version: int = 0
    """Rises with every change of work files and every revert."""

    edits: list[Edit] = []
    edit_count: int = 0
    reverted_count: int = 0
    committed: int = 0
    """Edits before this place were committed: a checkout does not take them back."""

    contents: dict[str, list[str]] = {}
    taken_back: list[TakenBack] = []
    reapply: list[int] = []
    """Hashes of edits that a diagnosis took back and that are to come again."""

    first_change: int = NEVER
    first_change_id: str = ""
    open_set: ChangeSet = field(default_factory=ChangeSet)
    last_set: ChangeSet = field(default_factory=ChangeSet)
    sets: int = 0
    units: int = 0
    lines: int = 0
    lines_unknown: int = 0
    files: dict[str, int] = {}
    """Work files and when they were first changed."""

    own_tests: set[str] = set()
    """Test files that the contestant made."""

    untried: set[str] = set()
    """Those of them that it wrote since they were last run: what fails in them has not passed before."""

    plans: int = 0
    plan_content: int = 0

    # checks
    raw_checks: int = 0
    effective: list[str] = []
    """The first ones; `effective_count` counts all."""

    effective_count: int = 0
    fresh: bool = False
    """A change happened since the last effective check."""

    fresh_since_contradiction: bool = False
    standings: dict[str, Standing] = {}
    failing: dict[str, str] = {}
    """What fails now by name (or command), and under which command it was seen."""

    passed_before: set[str] = set()
    """Failing names that once passed, or are presumed to have: fixing them is no progress."""

    first_progress: int = NEVER
    first_progress_id: str = ""
    first_progress_basis: str = ""
    results: list[float] = []
    """The newest test shares."""

    result_ids: list[str] = []
    steps: int = 0
    steps_kept: int = 0

    # checkpoints
    scores: list[tuple[str, float]] = []
    best_score: float = -1.0
    score_steps: int = 0
    score_steps_kept: int = 0
    first_score_progress: int = NEVER
    first_score_progress_id: str = ""

    # recovery
    contradictions: list[Contradiction] = []
    pending: dict[str, list[int]] = {}
    """Places of contradictions that a check may still close, by command."""

    approaches: list[Approach] = []
    in_approach: bool = False
    incidents: dict[str, Incident] = {}
    newest_incident: str = ""
    undetected: list[str] = []
    open_count: int = 0
    open_kinds: dict[str, int] = {}
    """`open_count` by kind of incident."""

    open_by: dict[str, list[str]] = {}
    """Open incidents by what they are looked for by, so that a call costs the same however many are open."""

    incident_overflow: int = 0
    lookups: dict[str, tuple[str, int]] = {}
    """Failed look-ups by target: the event and its end. Tried again, it is an incident."""

    @property
    def timed(self) -> bool:
        """Whether the events carry usable time: at most one call in twenty may lack it."""
        return self.untimed * 20 <= self.calls

    @property
    def t0(self) -> int:
        """The start: of the run, else of the match, else the first event."""
        return next((at for at in (self.run_started, self.match_started, self.first) if at != NEVER), NEVER)

    @property
    def t_end(self) -> int:
        """The end: the submission, else the end of the run or match, else the contestant's last own event."""
        ends = (max(self.submitted, self.handed_in), self.run_ended, self.match_ended, self.last_own)
        return next((at for at in ends if at != NEVER), self.t0)

    @property
    def end(self) -> str:
        """How the run ended: submitted, run_ended, match_ended, or abandoned (no end on record)."""
        if self.handed_in_id:
            return "submitted"
        return next((name for name, kind in _END_MARKS.items() if kind in self.marked), "abandoned")

    @property
    def total(self) -> int:
        """Microseconds from start to end."""
        return max(0, self.t_end - self.t0)

    @property
    def active(self) -> int:
        """Microseconds of `total` less idle gaps of over five minutes."""
        start, end = self.t0, self.t_end
        idle = sum(max(0, min(b, end) - max(a, start)) for a, b in self.gaps if min(b, end) - max(a, start) > IDLE_GAP)
        if self.busy_from != NEVER and self.busy_from - start > IDLE_GAP:
            idle += self.busy_from - start
        last = max(self.busy_until, start)
        if end - last > IDLE_GAP:
            idle += end - last
        return max(0, self.total - idle)


encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(RunFacts).decode
