"""Incidents: errors to recover from, how they were opened, noticed, repeated and resolved."""

from __future__ import annotations

from typing import Final, Literal

from metrics.facts import Done, Fault
from metrics.run.approach import is_over
from metrics.run.state import MAX_LISTED, NEVER, Incident, RunFacts, Shown
from streams.actions.base import Action

MERGE: Final = 5 * 1_000_000
"""An error that the harness reports within 5 s of a failing call is that failure (µs)."""

IDS_KEPT: Final = 50
"""Event ids that are kept of one incident."""

_REACTIONS: Final = frozenset({"plan", "edit", "revert", "setup", "check"})

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
    incident = _of_call(run, shown.event, call, shown.fingerprint if kind == "check" else f"{action.command}: could not run")
    incident.kind, incident.command, incident.failing = kind, action.command, names
    incident.paths, incident.places = action.targets or action.paths, action.places
    return incident


def paths_of(call: Done) -> tuple[str, ...]:
    """The paths that a call names."""
    if len(call.actions) == 1:
        return call.actions[0].paths
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
    run.newest_incident = incident.what
    run.undetected.append(incident.what)
    _list(run, incident)


def _repeat(run: RunFacts, known: Incident, again: Incident) -> None:
    known.count += 1
    if len(known.ids) < IDS_KEPT:
        known.ids.append(again.id)
    if known.resolved == NEVER:
        same = again.same == known.same and run.version == known.version
        known.unchanged += same
        if known.next_same is None:
            known.next_same = same
    else:
        known.spent += known.resolved - max(known.opened, known.reopened)
        known.resolved, known.resolved_id, known.reopened = NEVER, "", again.opened
        run.newest_incident = known.what
        _list(run, known)
    known.same, known.version = again.same, run.version


def _keys(incident: Incident) -> tuple[str, ...]:
    """Where an open incident is looked for: by its command and target, its call, or as a report."""
    if incident.kind == "reported":
        return ("reported",)
    if incident.kind == "call":
        return (_call_key(incident.tool, incident.sub, incident.paths),)
    return _check_keys(incident.command, incident.paths)


def _check_keys(command: str, targets: tuple[str, ...]) -> tuple[str, ...]:
    target = "\0".join(("targets", *targets))
    return (f"command\0{command}", target) if targets else (f"command\0{command}",)


def _call_key(tool: str, sub: str, paths: tuple[str, ...]) -> str:
    return "\0".join(("call", tool, sub, *paths))


def _list(run: RunFacts, incident: Incident) -> None:
    run.open_count += 1
    run.open_kinds[incident.kind] = run.open_kinds.get(incident.kind, 0) + 1
    for key in _keys(incident):
        run.open_by.setdefault(key, []).append(incident.what)


def _unlist(run: RunFacts, incident: Incident) -> None:
    run.open_count -= 1
    run.open_kinds[incident.kind] -= 1
    for key in _keys(incident):
        names = run.open_by[key]
        names.remove(incident.what)
        if not names:
            del run.open_by[key]


def _open_at(run: RunFacts, *keys: str) -> list[Incident]:
    """Open incidents under any of these keys, each once."""
    if run.open_by.keys().isdisjoint(keys):
        return []
    names = dict.fromkeys(name for key in keys for name in run.open_by.get(key, ()))
    return [run.incidents[name] for name in names]


def _absorb_report(run: RunFacts, incident: Incident) -> None:
    """The harness's own report of this failure, just before it, is the same incident."""
    for one in _open_at(run, "reported"):
        if one.count == 1 and 0 <= incident.opened - one.opened <= MERGE:
            _unlist(run, one)
            del run.incidents[one.what]
            if one.what in run.undetected:
                run.undetected.remove(one.what)
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
    return shown.fingerprint[:LONGEST] in run.incidents


def _resolve(run: RunFacts, incident: Incident, event: str, at: int) -> None:
    incident.resolved, incident.resolved_id = at, event
    if incident.detected == NEVER:
        # What resolves it has reacted to it, at the latest now.
        incident.detected, incident.detected_id = at, event
        run.undetected.remove(incident.what)
    _unlist(run, incident)


def ran(run: RunFacts, shown: Shown) -> None:
    """A check ran: what could not run before is resolved."""
    if not run.open_kinds.get("could_not_run"):
        return
    for one in _open_at(run, *_check_keys(shown.action.command, shown.action.targets)):
        if one.kind == "could_not_run":
            _resolve(run, one, shown.event, shown.end)


def passed(run: RunFacts, shown: Shown) -> None:
    """What a check, after a change, shows to be over."""
    kinds = run.open_kinds
    if not (kinds.get("check") or kinds.get("reported")):
        return
    keys = [f"command\0{shown.action.command}"]
    if shown.fixed:
        keys += [f"command\0{run.failing[name]}" for name in sorted(shown.fixed)]
    for one in _open_at(run, *keys, "reported"):
        if run.version != one.version and _is_resolved(one, shown):
            _resolve(run, one, shown.event, shown.end)


def _is_resolved(incident: Incident, shown: Shown) -> bool:
    if incident.kind == "check":
        return is_over(incident.command, incident.failing, shown)
    return incident.kind == "reported" and shown.action.outcome == "passed"


def reported(run: RunFacts, event: str, at: int, fault: Fault) -> None:
    """An error event: it resolves, repeats or opens an incident."""
    if fault.resolves:
        over = run.incidents.get(fault.resolves[:LONGEST])
        if over is not None and over.resolved == NEVER:
            _resolve(run, over, event, at)
        return
    recent = run.incidents.get(run.newest_incident)
    if recent is not None and recent.kind != "reported" and 0 <= at - max(recent.opened, recent.reopened) <= MERGE:
        recent.ids.append(event)
        return
    baseline = run.first_change == NEVER and fault.sort in ("test_failure", "lint_error")
    if not baseline:
        report = Incident(event, fault.fingerprint[:LONGEST], "reported", at, version=run.version, ids=[event])
        _open_incident(run, report)


def call_failed(run: RunFacts, event: str, call: Done) -> None:
    """A tool call failed. A failed look-up is an incident only once the same target is tried again."""
    what = ": ".join(part for part in (call.tool, call.sub, " ".join(paths_of(call)), call.error) if part)
    incident = _of_call(run, event, call, what)
    if all(action.cls in ("explore", "network") for action in call.actions):
        # A look-up that names no path is tried again only by the same words.
        target = f"{call.tool}\0{call.sub}\0{' '.join(paths_of(call)) or call.same}"
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
    if not run.open_kinds.get("call"):
        return
    for one in _open_at(run, _call_key(call.tool, call.sub, paths_of(call))):
        if call.start >= one.opened:
            if one.next_same is None:
                one.next_same = one.same == call.same and one.version == run.version
            _resolve(run, one, event, call.end)


def react(run: RunFacts, event: str, call: Done) -> None:
    """The first call that reacts to an open incident detects it; the next attempt at its target is held against it."""
    for name in run.undetected.copy():
        one = run.incidents[name]
        if call.start >= one.opened and _reacts(run, one, call):
            one.detected, one.detected_id = call.start, event
            run.undetected.remove(name)
    kinds = run.open_kinds
    if run.reapply or not (kinds.get("check") or kinds.get("could_not_run")):
        return  # a run while a diagnosis has taken changes out is no attempt
    for action in call.actions:
        if action.cls == "check":
            for one in _open_at(run, *_check_keys(action.command, action.targets)):
                if one.next_same is None and call.start >= one.opened:
                    one.next_same = call.same == one.same and run.version == one.version


def _reacts(run: RunFacts, incident: Incident, call: Done) -> bool:
    if call.same == incident.same:
        # The same again, unchanged: going on as before is no reaction.
        return False
    if incident.kind == "call" and call.tool == incident.tool:
        return True
    for action in call.actions:
        if action.cls in _REACTIONS:
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
