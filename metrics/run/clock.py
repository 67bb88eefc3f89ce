"""Activity and idleness: which time a contestant spent, and on what."""

from __future__ import annotations

from metrics.facts import NO_TIME
from metrics.run.state import IDLE_GAP, NEVER, RunFacts


def seen(run: RunFacts, at: int) -> None:
    """Anything happened at all: the first event starts the run where nothing else does."""
    if at != NO_TIME and (run.first == NEVER or at < run.first):
        run.first = at


def busy(run: RunFacts, start: int, end: int, phase: str = "") -> None:
    """The contestant did something from `start` to `end`; `phase` names what, for the shares of active time."""
    if end == NO_TIME:
        return
    if start == NO_TIME or start > end:
        start = end
    if start < run.first or run.first == NEVER:
        run.first = start
    if end > run.last_own:  # noqa: PLR1730 - a comparison costs less than a call
        run.last_own = end
    before = run.busy_until
    if before == NEVER:
        run.busy_from, run.busy_until = start, end
    elif start >= before:  # as one call after the other
        if start - before > IDLE_GAP:
            run.gaps.append((before, start))
        run.busy_until = end
    else:
        _overlap(run, start, end)
    if phase:
        _spend(run, phase, start, end)


def _overlap(run: RunFacts, start: int, end: int) -> None:
    """A call that began before an earlier one was over."""
    if run.gaps:
        _trim(run, start, end)
    run.busy_from = min(run.busy_from, start)
    run.busy_until = max(run.busy_until, end)


def _spend(run: RunFacts, phase: str, start: int, end: int) -> None:
    """Put the time since the last call's end, thinking included and idle gaps left out, down to this call's phase."""
    if run.spent_until == NEVER:
        run.spent_until = start
    since = run.spent_until
    if end <= since:
        return
    span = end - since
    for low, high in reversed(run.gaps) if run.gaps else ():
        if high <= since:
            break
        span -= max(0, min(high, end) - max(low, since))
    if span > 0:
        run.phases[phase] = run.phases.get(phase, 0) + span
    run.spent_until = end


def _trim(run: RunFacts, start: int, end: int) -> None:
    """A long call that ends now was busy through what looked like a gap."""
    kept: list[tuple[int, int]] = []
    for low, high in run.gaps:
        if end <= low or start >= high:
            kept.append((low, high))
            continue
        kept += [part for part in ((low, start), (end, high)) if part[1] - part[0] > IDLE_GAP]
    run.gaps = kept
