"""One fact into the state: the dispatch, and the joining of calls that came in several events."""

from __future__ import annotations

from functools import cache
from typing import Final, get_args

from metrics.facts import NO_TIME, Answered, Asked, Done, Fact, Fault, Mark, Planned, Result, Said, call_of, done, hash64
from metrics.run import approach, changes, checks, clock, incidents
from metrics.run.state import MAX_LISTED, NEVER, RunFacts
from streams.actions.base import Action, ActionClass
from streams.actions.workspace import revised

_ALONE: Final[dict[str, frozenset[ActionClass]]] = {name: frozenset((name,)) for name in get_args(ActionClass)}
_PHASES: Final[tuple[tuple[ActionClass, str], ...]] = (
    ("check", "check"),
    ("edit", "edit"),
    ("revert", "edit"),
    ("plan", "plan"),
    ("explore", "explore"),
)
_STATE_CHANGES: Final = frozenset({"edit", "revert", "setup"})
_LOOKS: Final[frozenset[ActionClass]] = frozenset({"explore"})


def fold(run: RunFacts, item: Fact) -> bool:
    """Fold the next fact in. Returns whether it tells something new of earlier facts: then fold the run anew."""
    run.count += 1
    body = item.body
    match body:
        case Done():
            if run.asked:
                run.asked.pop(call_of(item), None)
            return _call(run, item.id, body)
        case Asked():
            return _asked(run, item, body)
        case Answered():
            return _answered(run, item, body)
        case Result():
            _result(run, item, body)
        case Fault():
            clock.seen(run, item.at)
            incidents.reported(run, item.id, item.at, body)
        case Planned():
            clock.busy(run, item.at, item.at, "plan")
            approach.replanned(run, item.id, item.at, body.content, change=body.change)
        case Said(own=True):
            clock.busy(run, item.at, item.at)
        case _:
            clock.seen(run, item.at)
    return False


def _asked(run: RunFacts, item: Fact, body: Asked) -> bool:
    clock.busy(run, body.start, body.start)
    call = call_of(item)
    ended = run.answered.pop(call, None)
    if ended is not None:
        return _join(run, ended[0], body, ended[1])
    if len(run.asked) < MAX_LISTED or call in run.asked:
        run.asked.setdefault(call, (item.id, body))
    return False


def _answered(run: RunFacts, item: Fact, body: Answered) -> bool:
    if body.answer.status == "pending":
        clock.busy(run, body.end, body.end)
        return False
    call = call_of(item)
    asked = run.asked.pop(call, None)
    if asked is not None:
        return _join(run, item.id, asked[1], body)
    clock.busy(run, body.start, body.end)
    if len(run.answered) < MAX_LISTED:
        run.answered[call] = (item.id, body)
    return False


def _join(run: RunFacts, event: str, asked: Asked, ended: Answered) -> bool:
    start = asked.start or ended.start
    return _call(run, event, done("", (start, max(ended.end, start)), asked.ask, ended.answer, asked.parent))


def _call(run: RunFacts, event: str, call: Done) -> bool:
    if len(call.actions) == 1 and call.actions[0].cls == "explore":
        _look(run, event, call)
        return False
    knowledge, grew = run.knowledge, False
    if run.calls >= knowledge.seen:
        grew = knowledge.learner.see(call.actions)
        knowledge.seen = run.calls + 1
    actions = revised(call.actions, knowledge.learner.knowledge)
    classes = _ALONE[actions[0].cls] if len(actions) == 1 else frozenset([action.cls for action in actions])
    run.calls += 1
    run.untimed += call.end == NO_TIME
    phase = _phase(classes)
    clock.busy(run, call.start, call.end, "recover" if run.open_count else phase)
    _waste(run, event, call, classes, phase)
    if run.open_count:
        incidents.react(run, event, call)
    for action in actions:
        grew |= _act(run, event, call, action)
    if "check" not in classes:
        _ending(run, event, call)
    return grew


def _look(run: RunFacts, event: str, call: Done) -> None:
    """A call that does nothing but look, as most do: it shows that its files were there, and changes and checks nothing."""
    knowledge = run.knowledge
    if run.calls >= knowledge.seen:
        knowledge.learner.see(call.actions)
        knowledge.seen = run.calls + 1
    run.calls += 1
    run.untimed += call.end == NO_TIME
    clock.busy(run, call.start, call.end, "recover" if run.open_count else "explore")
    _waste(run, event, call, _LOOKS, "explore")
    if run.undetected:
        incidents.react(run, event, call)
    _ending(run, event, call)


def _act(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    match action.cls:
        case "edit":
            return changes.edit(run, event, call, action)
        case "check":
            return checks.check(run, event, call, action)
        case "revert":
            return changes.revert(run, event, call, action)
        case "plan":
            approach.replanned(run, event, call.start, hash64(action.after))
        case "checkpoint" if action.status != "failed":
            run.committed = len(run.edits)
        case "submit":
            run.handed_in, run.handed_in_id = call.end or NEVER, event
        case "setup":
            run.version += action.status != "failed"
        case _:
            pass
    return False


@cache
def _phase(classes: frozenset[ActionClass]) -> str:
    """The phase a call belongs to: the most telling of its actions."""
    for cls, phase in _PHASES:
        if cls in classes:
            return phase
    return "other"


def _waste(run: RunFacts, event: str, call: Done, classes: frozenset[ActionClass], phase: str) -> None:
    """Note a call that failed, was never used, or repeats an identical one with no change of state between."""
    same = call.same if not call.parent else hash64(f"{call.parent}\0{call.same}")
    known = run.seen.get(same)
    if call.status == "interrupted":
        run.wasted[event] = "never used"
    elif _failed(call, classes):
        run.wasted[event] = "failed"
    elif known is not None and (known == call.out or phase != "other"):
        run.wasted[event] = "repeated"
    if not classes.isdisjoint(_STATE_CHANGES) and _changes_state(call):
        run.seen.clear()
    if len(run.seen) < MAX_LISTED:
        run.seen[same] = call.out


def _failed(call: Done, classes: frozenset[ActionClass]) -> bool:
    """A failing check is no failed call; one that could not run is."""
    if "check" in classes:
        return any(action.cls == "check" and action.outcome == "error" for action in call.actions)
    return call.status == "failed"


def _changes_state(call: Done) -> bool:
    return any(action.cls in _STATE_CHANGES and action.status != "failed" for action in call.actions)


def _ending(run: RunFacts, event: str, call: Done) -> None:
    """A call without a check opens or resolves incidents by its own success."""
    if call.status == "failed":
        run.failed_calls += 1
        incidents.call_failed(run, event, call)
    elif call.status == "ok":
        incidents.call_succeeded(run, event, call)


def _result(run: RunFacts, item: Fact, body: Result) -> None:
    clock.seen(run, item.at)
    if body.commit:
        run.committed = len(run.edits)
    share = body.passed / (body.passed + body.failed) if body.passed + body.failed > 0 else None
    score = body.score if body.score is not None else (share * 100 if share is not None else None)
    if score is None:
        return
    if run.scores:
        run.score_steps += 1
        run.score_steps_kept += score >= run.scores[-1][1]
        if score > run.best_score and run.first_change != NEVER:
            _score_progress(run, item)
    elif score == 100 and run.first_change != NEVER:
        _score_progress(run, item)
    run.best_score = max(run.best_score, score)
    run.scores = [*run.scores[-MAX_LISTED + 1 :], (item.id, score)]


def _score_progress(run: RunFacts, item: Fact) -> None:
    if run.first_score_progress == NEVER:
        run.first_score_progress, run.first_score_progress_id = item.at, item.id
    approach.progressed(run)


def frame(run: RunFacts, marks: list[Fact]) -> None:
    """Put the frame of the run in: it depends on the set of marks alone."""
    run.run_started = run.match_started = run.submitted = run.run_ended = run.match_ended = NEVER
    run.marked = {mark.body.kind for mark in marks if isinstance(mark.body, Mark)}
    for mark in marks:
        if isinstance(mark.body, Mark):
            _mark(run, mark.at, mark.body)


def _mark(run: RunFacts, at: int, body: Mark) -> None:
    if at == NO_TIME:
        return
    match body.kind:
        case "run_started":
            run.run_started = at if run.run_started == NEVER else min(run.run_started, at)
        case "match_started":
            run.match_started = at if run.match_started == NEVER else min(run.match_started, at)
            run.workspace, run.expected = body.workspace, body.expected
        case "submission":
            run.submitted = max(run.submitted, at)
        case "run_ended":
            run.run_ended = max(run.run_ended, at)
        case _:
            run.match_ended = max(run.match_ended, at)
