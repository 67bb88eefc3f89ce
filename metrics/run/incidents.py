"""Incidents: errors to recover from, how they were opened, noticed, repeated and resolved."""

from __future__ import annotations

from typing import Final, Literal

from metrics.facts import Done, Fault
from metrics.run.approach import is_over
from metrics.run.state import MAX_LISTED, NEVER, Incident, RunFacts, Shown
from streams.actions.base import Action

MERGE: Final = 5 * 1_000_000
"""An error that the harness reports within 5 s of a failing call is that failure (µs)."""

LONGEST: Final = 400
"""Characters of a fingerprint that are kept."""


def _of_call(run: RunFacts, event: str, call: Done, what: str) -> Incident:
    return Incident(
        event,
        what[:LONGEST],
        "call",
        call.end,
        tool=call.tool,
        sub=call.sub,
        paths=paths_of(call),
        same=call.same,
        version=run.version,
        ids=[event],
    )


def _of_check(run: RunFacts, shown: Shown, kind: Literal["check", "could_not_run"]) -> Incident:
    """The fingerprint of a failing check is its command and the failing names."""
    action, call = shown.action, shown.call
    names = tuple(sorted(shown.failing))
    incident = _of_call(run, shown.event, call, fingerprint(shown) if kind == "check" else f"{action.command}: could not run")
    incident.kind, incident.command, incident.failing = kind, action.command, names
    incident.paths, incident.places = action.targets or action.paths, action.places
    return incident


def fingerprint(shown: Shown) -> str:
    """What makes two failures of checks the same: the command and the failing names."""
    return f"{shown.action.command}: {', '.join(sorted(shown.failing))}"[:LONGEST]


def paths_of(call: Done) -> tuple[str, ...]:
    """The paths that a call names."""
    return tuple(dict.fromkeys(path for action in call.actions for path in action.paths))


def _open_incident(run: RunFacts, incident: Incident) -> None:
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


def failed(run: RunFacts, shown: Shown) -> None:
    """A check fails against the approach."""
    _open_incident(run, _of_check(run, shown, "check"))


def could_not_run(run: RunFacts, shown: Shown) -> None:
    """A check could not run."""
    _open_incident(run, _of_check(run, shown, "could_not_run"))


def known(run: RunFacts, shown: Shown) -> bool:
    """Whether this failure has been opened before."""
    return fingerprint(shown) in run.incidents


def _open(run: RunFacts) -> list[Incident]:
    return [run.incidents[what] for what in run.open_incidents]


def _resolve(run: RunFacts, incident: Incident, event: str, at: int) -> None:
    incident.resolved, incident.resolved_id = at, event
    if incident.detected == NEVER:
        # What resolves it has reacted to it, at the latest now.
        incident.detected, incident.detected_id = at, event
    run.open_incidents.remove(incident.what)


def ran(run: RunFacts, shown: Shown) -> None:
    """A check ran: what could not run before is resolved."""
    for one in _open(run):
        if one.kind == "could_not_run" and _same_target(one, shown.action):
            _resolve(run, one, shown.event, shown.end)


def _same_target(incident: Incident, action: Action) -> bool:
    return incident.command == action.command or bool(action.targets and incident.paths == action.targets)


def passed(run: RunFacts, shown: Shown) -> None:
    """What a check, after a change, shows to be over."""
    for one in _open(run):
        if run.version != one.version and _is_resolved(one, shown):
            _resolve(run, one, shown.event, shown.end)


def _is_resolved(incident: Incident, shown: Shown) -> bool:
    if incident.kind == "check":
        return is_over(incident.command, incident.failing, shown)
    return incident.kind == "reported" and shown.action.outcome == "passed"


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
        place = Incident(event, fault.fingerprint[:LONGEST], "reported", at, version=run.version, ids=[event])
        _open_incident(run, place)


def call_failed(run: RunFacts, event: str, call: Done) -> None:
    """A tool call failed. A failed look-up is an incident only once the same target is tried again."""
    what = ": ".join(part for part in (call.tool, call.sub, " ".join(paths_of(call)), call.error) if part)
    incident = _of_call(run, event, call, what)
    if all(action.cls in ("explore", "network") for action in call.actions):
        target = f"{call.tool}\0{call.sub}\0{' '.join(paths_of(call))}"
        first = run.lookups.get(target)
        if first is None:
            if len(run.lookups) < MAX_LISTED:
                run.lookups[target] = (event, call.end)
            return
        incident.opened = min(incident.opened, first[1])
        incident.ids.insert(0, first[0])
    _open_incident(run, incident)


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
