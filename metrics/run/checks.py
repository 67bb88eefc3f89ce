"""Verifying checks: what failed and passed, whether that is progress, and whether it contradicts the approach."""

from __future__ import annotations

from metrics.facts import Done
from metrics.run import recovery
from metrics.run.changes import close_set, on_base
from metrics.run.state import MAX_LISTED, NEVER, RunFacts, Standing
from streams.actions.base import Action

VERIFYING = ("test", "probe", "build")


def check(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    """Fold a check in. Returns whether it tells something new of earlier facts."""
    if action.kind not in VERIFYING or action.outcome in ("", "pending"):
        return False
    if action.outcome == "error":
        _could_not_run(run, event, call, action)
        return False
    run.raw_checks += 1
    if run.fresh:
        run.fresh = False
        run.effective_count += 1
        if len(run.effective) < MAX_LISTED:
            run.effective.append(event)
    close_set(run)
    recovery.ran(run, event, call, action)
    if action.outcome == "unknown":
        return False
    return _result(run, event, call, action)


def _could_not_run(run: RunFacts, event: str, call: Done, action: Action) -> None:
    changed = run.fresh_since_contradiction and not on_base(run)
    if changed and action.command in run.standings:
        recovery.contradict(run, event, call.end, action, (action.command,), presumed=False)
    recovery.open_incident(
        run, recovery.new_incident(run, event, call, f"{action.command}: could not run", "could_not_run", action)
    )


def _result(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    failing = _failing(action)
    standing = run.standings.get(action.command)
    base = on_base(run)
    newly = failing - standing.last if standing else set()
    fixed = {name for name in run.failing if name not in failing and covers(action, name, run.failing[name])}
    first = standing is None and not fixed
    progress = not newly and _rises(run, action, standing, fixed) and not base
    grew = False
    if base and failing and run.first_change != NEVER:
        grew = _shows_on_base(run, failing)
    if progress:
        _note_progress(run, event, call.end, "first_green" if first else "fixed")
    elif standing and failing == standing.last and not failing & run.passed_before and not failing:
        recovery.best_again(run)
    contradicts = bool(failing) and not progress and not base and _against(run, action, standing, failing, newly)
    if contradicts and run.fresh_since_contradiction:
        presumed = standing is None and not failing & set(run.failing)
        recovery.contradict(run, event, call.end, action, tuple(sorted(failing)), presumed=presumed)
    if contradicts or (failing and recovery.known(run, action, failing)):
        recovery.failed(run, event, call, action, tuple(sorted(failing)))
    recovery.passed(run, event, call, action, failing, fixed)
    _stand(run, event, action, failing, fixed, newly, contradicts=contradicts)
    return grew


def _failing(action: Action) -> set[str]:
    if action.outcome != "failed":
        return set()
    return set(action.failing) or {action.command}


def covers(action: Action, name: str, command: str) -> bool:
    """Whether a check would have shown `name` (seen failing under `command`) if it still failed."""
    if action.command == command:
        return True
    if action.kind != "test" or name == command:
        return bool(action.targets) and name == command and action.command == name
    if action.outcome == "failed" and not action.failing:
        return False
    return not action.targets or any(_within(name, target) for target in action.targets)


def _within(name: str, target: str) -> bool:
    target = target.removeprefix("./").rstrip("/")
    name = name.removeprefix("./")
    return name == target or name.startswith((f"{target}::", f"{target}/", f"{target}["))


def _rises(run: RunFacts, action: Action, standing: Standing | None, fixed: set[str]) -> bool:
    """Whether the best result so far rises: something that never passed passes now."""
    if fixed - run.passed_before:
        return _by_work(run, standing)
    if standing is None:
        return action.outcome == "passed" and not any(_same_target(run, action, one) for one in run.standings)
    fewer = 0 <= action.failed < standing.best_failed and not action.failing
    return fewer and _total(action) >= standing.total and _by_work(run, standing)


def _same_target(run: RunFacts, action: Action, command: str) -> bool:
    """A run of everything covers a later run of a part, so that the part has an earlier result."""
    first = action.command.split(" ", 1)[0]
    return action.kind == "test" and command == first and not run.standings[command].last


def _by_work(run: RunFacts, standing: Standing | None) -> bool:
    """Passing by editing the failing tests is no progress: work changed (or was reverted) since the last result."""
    return standing is None or run.work_version > standing.work_version


def _against(
    run: RunFacts, action: Action, standing: Standing | None, failing: set[str], newly: set[str]
) -> bool:
    """Whether a failing check without progress speaks against the approach."""
    if standing is not None:
        return bool(newly or failing & standing.last)
    if failing & set(run.failing):
        return True
    if action.kind == "probe":
        return bool(set(action.places) & set(run.files)) or _enters(run, action)
    presumed = failing - run.knowledge.base_failing
    return bool(presumed) and not all(_own(run, name) for name in presumed)


def _enters(run: RunFacts, action: Action) -> bool:
    return any(place.endswith(f"/{path}") or path.endswith(f"/{place}") for place in action.places for path in run.files)


def _own(run: RunFacts, name: str) -> bool:
    """Whether a failing test is one that the contestant wrote itself: it is not presumed to have passed."""
    file = name.split("::", 1)[0].removeprefix("./")
    return any(file == path or path.endswith(f"/{file}") or file.endswith(f"/{path}") for path in run.own_tests)


def _shows_on_base(run: RunFacts, failing: set[str]) -> bool:
    """A failure on the base tree withdraws the contradictions that rested on presuming it passes there."""
    seen = {name for one in run.contradictions if one.presumed for name in one.failing if name in failing}
    new = seen - run.knowledge.base_failing
    run.knowledge.base_failing |= new
    return bool(new)


def _note_progress(run: RunFacts, event: str, end: int, basis: str) -> None:
    if run.first_progress == NEVER:
        run.first_progress, run.first_progress_id, run.first_progress_basis = end, event, basis
    recovery.progressed(run)


def _total(action: Action) -> int:
    return max(action.passed, 0) + max(action.failed, 0) + max(action.errors, 0)


def _stand(
    run: RunFacts,
    event: str,
    action: Action,
    failing: set[str],
    fixed: set[str],
    newly: set[str],
    *,
    contradicts: bool,
) -> None:
    standing = run.standings.get(action.command)
    failed = max(action.failed, 0) + max(action.errors, 0) if action.failed >= 0 else len(failing)
    share = action.passed / _total(action) if action.passed >= 0 and _total(action) else -1.0
    if action.kind == "test" and share >= 0:
        _list_result(run, event, share, standing.share if standing else -1.0)
    for name in fixed:
        run.failing.pop(name, None)
    if standing is not None:
        run.passed_before |= newly
    elif contradicts:
        run.passed_before |= {name for name in failing if name not in run.failing}
    run.passed_before |= fixed
    if len(run.failing) + len(failing) <= MAX_LISTED:
        run.failing.update(dict.fromkeys(failing, action.command))
    best = min(failed, standing.best_failed) if standing else failed
    if standing is not None or len(run.standings) < MAX_LISTED:
        run.standings[action.command] = Standing(failing, failed, best, _total(action), run.work_version, share)


def _list_result(run: RunFacts, event: str, share: float, before: float) -> None:
    """Test shares are compared under one command: a narrower run is no fall."""
    if before >= 0:
        run.steps += 1
        run.steps_kept += share >= before
    if len(run.results) < MAX_LISTED:
        run.results.append((event, round(share, 6)))
