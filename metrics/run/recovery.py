"""Contradictions, changes of approach and incidents: what went against the contestant and how it came back."""

from __future__ import annotations

from typing import Literal

from metrics.facts import Done, Fault
from metrics.run.state import MAX_LISTED, NEVER, Approach, Contradiction, Incident, RunFacts
from streams.actions.base import Action

MERGE = 5 * 1_000_000
"""An error that the harness reports within 5 s of a failing call is that failure (µs)."""


# -- contradictions and approaches


def contradict(
    run: RunFacts, event: str, at: int, action: Action, failing: tuple[str, ...], *, presumed: bool
) -> None:
    """A verifying check speaks against the current approach; what follows is no longer part of that approach."""
    run.fresh_since_contradiction = False
    run.in_approach = False
    if len(run.contradictions) < MAX_LISTED:
        run.contradictions.append(Contradiction(event, at, action.command, failing, presumed))


def _change_approach(run: RunFacts, event: str, start: int, how: Literal["revert", "moved", "plan"]) -> bool:
    """Answer every contradiction that is open and was known when this began. Returns whether there was one."""
    answered = False
    for one in run.contradictions:
        if not one.answer and start >= one.at:
            one.answer, one.answer_id, one.answer_at = "approach", event, start
            answered = True
    if answered:
        run.approaches.append(Approach(event, start, how, answers=True))
        run.in_approach = True
    return answered


def moved(run: RunFacts, event: str, start: int, *, moves: bool) -> None:
    """A change was made; in another place it answers what is open."""
    if moves:
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


best_again = progressed


# -- incidents


def new_incident(
    run: RunFacts,
    event: str,
    call: Done,
    what: str,
    kind: Literal["check", "could_not_run", "call", "reported"],
    action: Action | None = None,
    failing: tuple[str, ...] = (),
) -> Incident:
    """An incident that a call opens at its end."""
    return Incident(
        event,
        what[:400],
        kind,
        call.end,
        command=action.command if action else "",
        failing=failing,
        tool=call.tool,
        sub=call.sub,
        paths=(action.targets or action.paths) if action else paths_of(call),
        places=action.places if action else (),
        same=call.same,
        version=run.version,
        ids=[event],
    )


def paths_of(call: Done) -> tuple[str, ...]:
    """The paths that a call names."""
    return tuple(dict.fromkeys(path for action in call.actions for path in action.paths))


def open_incident(run: RunFacts, incident: Incident) -> None:
    """Open an incident, or count it as a repeat of the one with the same fingerprint."""
    known = run.incidents.get(incident.what)
    if known is not None:
        _repeat(run, known, incident)
        return
    _absorb_report(run, incident)
    if len(run.incidents) >= MAX_LISTED:
        run.incident_overflow += 1
        return
    run.incidents[incident.what] = incident
    run.open_incidents.append(incident.what)


def _repeat(run: RunFacts, known: Incident, again: Incident) -> None:
    known.count += 1
    if len(known.ids) < 50:
        known.ids.append(again.id)
    if known.resolved == NEVER:
        same = again.same == known.same and run.version == known.version
        known.unchanged += same
        if known.next_same is None:
            known.next_same = same
    else:
        known.spent += known.resolved - max(known.opened, known.reopened)
        known.resolved, known.resolved_id, known.reopened = NEVER, "", again.opened
        run.open_incidents.append(known.what)
    known.same, known.version = again.same, run.version


def _absorb_report(run: RunFacts, incident: Incident) -> None:
    """The harness's own report of this failure, just before it, is the same incident."""
    for what in run.open_incidents:
        one = run.incidents[what]
        if one.kind == "reported" and one.count == 1 and 0 <= incident.opened - one.opened <= MERGE:
            run.open_incidents.remove(what)
            del run.incidents[what]
            incident.opened = one.opened
            incident.ids.insert(0, one.id)
            return


def failed(run: RunFacts, event: str, call: Done, action: Action, failing: tuple[str, ...]) -> None:
    """A check fails against the approach: its fingerprint is the command and the failing names."""
    what = f"{action.command}: {', '.join(failing)}"
    open_incident(run, new_incident(run, event, call, what, "check", action, failing))


def known(run: RunFacts, action: Action, failing: set[str]) -> bool:
    """Whether this failure is one that had been opened before."""
    return f"{action.command}: {', '.join(sorted(failing))}"[:400] in run.incidents


def _open(run: RunFacts) -> list[Incident]:
    return [run.incidents[what] for what in run.open_incidents]


def _resolve(run: RunFacts, incident: Incident, event: str, at: int) -> None:
    incident.resolved, incident.resolved_id = at, event
    if incident.detected == NEVER:
        # What resolves it has reacted to it, at the latest now.
        incident.detected, incident.detected_id = at, event
    run.open_incidents.remove(incident.what)


def ran(run: RunFacts, event: str, call: Done, action: Action) -> None:
    """A check ran: what could not run before is resolved."""
    for one in _open(run):
        if one.kind == "could_not_run" and _same_target(one, action):
            _resolve(run, one, event, call.end)


def _same_target(incident: Incident, action: Action) -> bool:
    return incident.command == action.command or bool(action.targets and incident.paths == action.targets)


def passed(run: RunFacts, event: str, call: Done, action: Action, failing: set[str], fixed: set[str]) -> None:
    """What a check shows to be over: incidents of its target, and contradictions whose failures are gone."""
    for one in _open(run):
        if run.version == one.version:
            continue
        if one.kind == "check" and _over(one.command, one.failing, action, failing, fixed):
            _resolve(run, one, event, call.end)
        elif one.kind == "reported" and not failing and action.outcome == "passed":
            _resolve(run, one, event, call.end)
    _close_contradictions(run, event, call.end, action, failing, fixed)


def _over(command: str, names: tuple[str, ...], action: Action, failing: set[str], fixed: set[str]) -> bool:
    gone = not any(name in failing for name in names)
    return gone and (command == action.command or all(name in fixed for name in names))


def _close_contradictions(
    run: RunFacts, event: str, at: int, action: Action, failing: set[str], fixed: set[str]
) -> None:
    for one in run.contradictions:
        if one.answer == "fixed" or not _over(one.command, one.failing, action, failing, fixed):
            continue
        if not one.answer:
            one.answer, one.answer_id, one.answer_at = "fixed", event, at
        elif one.answer_at != NEVER and run.in_approach:
            _approach_of(run, one.answer_id)


def _approach_of(run: RunFacts, event: str) -> None:
    for approach in reversed(run.approaches):
        if approach.id == event:
            approach.progress = True
            return


def reported(run: RunFacts, event: str, at: int, fault: Fault) -> None:
    """An error event: it resolves, repeats or opens an incident."""
    if fault.resolves:
        for one in _open(run):
            if one.what == fault.resolves:
                _resolve(run, one, event, at)
        return
    recent = next((one for one in _open(run) if one.kind != "reported" and 0 <= at - one.opened <= MERGE), None)
    if recent is not None:
        recent.ids.append(event)
        return
    baseline = run.first_change == NEVER and fault.sort in ("test_failure", "lint_error")
    if not baseline:
        place = Incident(event, fault.fingerprint[:400], "reported", at, version=run.version, ids=[event])
        open_incident(run, place)


def call_failed(run: RunFacts, event: str, call: Done) -> None:
    """A tool call failed. A failed look-up is an incident only once the same target is tried again."""
    what = ": ".join(part for part in (call.tool, call.sub, " ".join(paths_of(call)), call.error) if part)
    incident = new_incident(run, event, call, what, "call")
    if all(action.cls in ("explore", "network") for action in call.actions):
        target = f"{call.tool}\0{call.sub}\0{' '.join(paths_of(call))}"
        first = run.lookups.get(target)
        if first is None:
            if len(run.lookups) < MAX_LISTED:
                run.lookups[target] = (event, call.end)
            return
        incident.opened = min(incident.opened, first[1])
        incident.ids.insert(0, first[0])
    open_incident(run, incident)


def call_succeeded(run: RunFacts, event: str, call: Done) -> None:
    """The first later success of the same tool, sub-command and path resolves a failed call."""
    for one in _open(run):
        if one.kind == "call" and _same_call(one, call) and call.start >= one.opened:
            if one.next_same is None:
                one.next_same = one.same == call.same and one.version == run.version
            _resolve(run, one, event, call.end)


def _same_call(incident: Incident, call: Done) -> bool:
    return (incident.tool, incident.sub, incident.paths) == (call.tool, call.sub, paths_of(call))


def react(run: RunFacts, event: str, call: Done) -> None:
    """The first call that reacts to an open incident detects it; the next attempt at its target is held against it."""
    if not run.open_incidents:
        return
    for one in _open(run):
        if call.start < max(one.opened, one.reopened):
            continue
        if one.detected == NEVER and _reacts(run, one, call):
            one.detected, one.detected_id = call.start, event
        if one.next_same is None and one.kind in ("check", "could_not_run") and _attempts(one, call):
            one.next_same = call.same == one.same and run.version == one.version


def _attempts(incident: Incident, call: Done) -> bool:
    return any(action.cls == "check" and _same_target(incident, action) for action in call.actions)


def _reacts(run: RunFacts, incident: Incident, call: Done) -> bool:
    if incident.kind == "call" and call.tool == incident.tool and call.same != incident.same:
        return True
    for action in call.actions:
        if action.cls in ("plan", "edit", "revert", "setup"):
            return True
        if action.cls == "check" and call.same != incident.same:
            return True
        if action.cls == "explore" and _reads_place(run, incident, action):
            return True
    return False


def _reads_place(run: RunFacts, incident: Incident, action: Action) -> bool:
    """A read of the failing place: a file that the failure names or that was changed; where none is known, any read."""
    named = {*incident.places, *incident.paths, *(name.split("::", 1)[0] for name in incident.failing if "::" in name)}
    if not action.paths or not named:
        return True
    return any(
        path == place or place.endswith(f"/{path}") or path.endswith(f"/{place}") or place.startswith(f"{path}/")
        for path in action.paths
        for place in (*named, *run.last_set.files)
    )
