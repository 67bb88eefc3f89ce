"""Contradictions and changes of approach: what spoke against the contestant's way, and how it turned."""

from __future__ import annotations

from typing import Literal

from metrics.run.state import MAX_LISTED, Approach, Contradiction, RunFacts, Shown


def contradict(run: RunFacts, shown: Shown, *, presumed: bool) -> None:
    """A verifying check speaks against the current approach; what follows is no longer part of that approach."""
    run.fresh_since_contradiction = False
    run.in_approach = False
    if len(run.contradictions) < MAX_LISTED:
        failing = tuple(sorted(shown.failing))
        _drop_answered(run)
        run.pending.setdefault(shown.action.command, []).append(len(run.contradictions))
        run.contradictions.append(Contradiction(shown.event, shown.end, shown.action.command, failing, run.version, presumed))


def _drop_answered(run: RunFacts) -> None:
    """The approach that answered a contradiction is over: a check can no longer make it a success."""
    for command in list(run.pending):
        left = [place for place in run.pending[command] if not run.contradictions[place].answer]
        if left:
            run.pending[command] = left
        else:
            del run.pending[command]


def _change_approach(run: RunFacts, event: str, start: int, how: Literal["revert", "moved", "plan"]) -> bool:
    """Answer every contradiction that is open and was known when this began. Returns whether there was one."""
    places = [place for listed in run.pending.values() for place in listed]
    open_ones = [run.contradictions[place] for place in places]
    known = [one for one in open_ones if not one.answer and start >= one.at]
    if not known:
        return False
    _drop_answered(run)
    for one in known:
        one.answer, one.answer_id, one.answer_at = "approach", event, start
    run.approaches.append(Approach(event, start, how, answers=True))
    run.in_approach = True
    return True


def moved(run: RunFacts, event: str, start: int) -> None:
    """A change was made in another place: it answers what is open."""
    _change_approach(run, event, start, "moved")


def reverted(run: RunFacts, event: str, start: int) -> None:
    """Changes were taken back. With nothing open and no approach under way that is a spontaneous change of approach."""
    if not _change_approach(run, event, start, "revert") and not run.in_approach:
        run.approaches.append(Approach(event, start, "revert"))
        run.in_approach = True


def replanned(run: RunFacts, event: str, start: int, content: int, *, change: bool = False) -> None:
    """A plan was written. New items answer what is open; a mere change of states does not."""
    run.plans += 1
    if content != run.plan_content or change:
        run.plan_content = content
        _change_approach(run, event, start, "plan")


def progressed(run: RunFacts) -> None:
    """The approach under way made progress."""
    if run.approaches and run.in_approach:
        run.approaches[-1].progress = True


def is_over(command: str, names: tuple[str, ...], shown: Shown) -> bool:
    """Whether a check shows that what failed under `command` fails no more."""
    if names == (command,) and shown.failing:
        # Which of its tests failed was not known then: only a pass shows that none does.
        return False
    gone = not any(name in shown.failing for name in names)
    return gone and (command == shown.action.command or all(name in shown.fixed for name in names))


def close_contradictions(run: RunFacts, shown: Shown) -> None:
    """A check shows failures to be gone: what was open is fixed in place; an approach that answered it has succeeded."""
    if not run.pending:
        return
    for command in dict.fromkeys((shown.action.command, *(run.failing[name] for name in sorted(shown.fixed)))):
        for place in run.pending.get(command, []).copy():
            one = run.contradictions[place]
            if run.version != one.version and is_over(one.command, one.failing, shown):
                _close(run, shown, place)


def _close(run: RunFacts, shown: Shown, place: int) -> None:
    one = run.contradictions[place]
    if one.answer:
        _succeeded(run, one.answer_id)
    else:
        one.answer, one.answer_id, one.answer_at = "fixed", shown.event, shown.end
    run.pending[one.command].remove(place)
    if not run.pending[one.command]:
        del run.pending[one.command]


def _succeeded(run: RunFacts, event: str) -> None:
    """Only the approach under way can still succeed: an earlier one ended when this began."""
    if run.in_approach and run.approaches[-1].id == event:
        run.approaches[-1].progress = True
