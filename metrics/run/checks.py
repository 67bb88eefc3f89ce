"""Verifying checks: what failed and passed, whether that is progress, and whether it contradicts the approach."""

from __future__ import annotations

from msgspec.structs import replace

from metrics.facts import Done
from metrics.run import approach, incidents
from metrics.run.changes import close_set, on_base
from metrics.run.state import MAX_CITED, MAX_LISTED, NEVER, RunFacts, Shown, Standing
from streams.actions.base import Action

RESULTS_KEPT = 200
_NONE: frozenset[str] = frozenset()
VERIFYING = ("test", "probe", "build")


def check(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    """Fold a check in. Returns whether it tells something new of earlier facts."""
    if action.kind not in VERIFYING or action.outcome in ("", "pending"):
        return False
    if action.outcome == "error":
        _could_not_run(run, Shown(event, call, action, frozenset((action.command,))))
        return False
    run.raw_checks += 1
    if not run.reapply:
        # While a diagnosis has taken changes out, a run neither verifies them nor ends their set.
        _count(run, event)
        close_set(run)
    if action.outcome == "unknown" and action.command in run.failing:
        # It crashed or said that it failed, and now it does not: that much the probe does show.
        action = replace(action, outcome="passed", weak=True)
    shown = _show(run, event, call, action)
    if not run.reapply:
        incidents.ran(run, shown)
    return action.outcome != "unknown" and _result(run, shown)


def _count(run: RunFacts, event: str) -> None:
    if run.fresh:
        run.fresh = False
        run.effective_count += 1
        if len(run.effective) < MAX_CITED:
            run.effective.append(event)


def _could_not_run(run: RunFacts, shown: Shown) -> None:
    """A check that could not run contradicts the approach only if the same check ran before."""
    changed = run.fresh_since_contradiction and not on_base(run)
    if changed and shown.action.command in run.standings:
        approach.contradict(run, shown, presumed=False)
    incidents.could_not_run(run, shown)


def _show(run: RunFacts, event: str, call: Done, action: Action) -> Shown:
    failing = _failing(action)
    standing = run.standings.get(action.command)
    fixed = frozenset([name for name, by in run.failing.items() if name not in failing and covers(action, name, by)])
    newly = failing - standing.last if standing and failing else _NONE
    if newly and run.untried:
        newly = frozenset(name for name in newly if not _is_of(name, run.untried))
    fingerprint = f"{action.command}: {', '.join(sorted(failing))}" if failing else ""
    return Shown(event, call, action, failing, fixed, newly, fingerprint)


def _result(run: RunFacts, shown: Shown) -> bool:
    standing = run.standings.get(shown.action.command)
    base = on_base(run)
    grew = base and run.first_change != NEVER and _shows_on_base(run, shown.failing)
    progress = not base and not shown.newly and _rises(run, shown, standing)
    if progress:
        _note_progress(run, shown, "fixed" if standing or shown.fixed else "first_green")
    elif shown.fixed and not base and _best_again(shown, standing):
        approach.progressed(run)
    contradicts = bool(shown.failing) and not (progress or base or run.reapply) and _against(run, shown, standing)
    if contradicts and run.fresh_since_contradiction:
        approach.contradict(run, shown, presumed=standing is None and shown.failing.isdisjoint(run.failing))
    if not run.reapply:
        # While a diagnosis has taken changes out, no result speaks of them.
        if contradicts or (shown.failing and incidents.known(run, shown)):
            incidents.failed(run, shown)
        incidents.passed(run, shown)
        approach.close_contradictions(run, shown)
    _stand(run, shown, contradicts=contradicts)
    return grew


def _best_again(shown: Shown, standing: Standing | None) -> bool:
    """Whether the best result is reached again after it was worse."""
    if standing is None:
        return not shown.failing
    return len(shown.failing) <= standing.best_failed and len(shown.failing) < len(standing.last)


def _failing(action: Action) -> frozenset[str]:
    if action.outcome != "failed":
        return _NONE
    return frozenset(action.failing or (action.command,))


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


def _rises(run: RunFacts, shown: Shown, standing: Standing | None) -> bool:
    """Whether the best result so far rises: something that never passed passes now."""
    action = shown.action
    if shown.fixed:
        return any(_by_work(run, run.standings.get(run.failing[name])) for name in shown.fixed - run.passed_before)
    if standing is None:
        return action.outcome == "passed" and not any(_covers(action, one) for one in run.standings)
    fewer = 0 <= action.failed < standing.best_failed and not action.failing
    return fewer and _total(action) >= standing.total and _by_work(run, standing)


def _covers(action: Action, command: str) -> bool:
    """A run of everything covers a later run of a part, so that the part has an earlier result."""
    first = action.command.split(" ", 1)[0]
    return action.kind == "test" and command == first


def _by_work(run: RunFacts, standing: Standing | None) -> bool:
    """Passing by editing the failing tests is no progress: work changed (or was reverted) since the last result."""
    return standing is None or run.work_version > standing.work_version


def _against(run: RunFacts, shown: Shown, standing: Standing | None) -> bool:
    """Whether a failing check without progress speaks against the approach."""
    if standing is not None:
        return bool(shown.newly or shown.failing & standing.last)
    if not shown.failing.isdisjoint(run.failing):
        return True
    if shown.action.kind == "probe":
        return _enters(run, shown.action)
    presumed = shown.failing - run.knowledge.base_failing
    return bool(presumed) and not all(_own(run, name) for name in presumed)


def _enters(run: RunFacts, action: Action) -> bool:
    """Whether a traceback enters a changed file."""
    return any(
        place == path or place.endswith(f"/{path}") or path.endswith(f"/{place}")
        for place in action.places
        for path in run.files
    )


def _own(run: RunFacts, name: str) -> bool:
    """Whether a failing test is one that the contestant wrote itself: it is not presumed to have passed."""
    return _is_of(name, run.own_tests)


def _is_of(name: str, files: set[str]) -> bool:
    file = name.split("::", 1)[0].removeprefix("./")
    return any(file == path or path.endswith(f"/{file}") or file.endswith(f"/{path}") for path in files)


def _shows_on_base(run: RunFacts, failing: frozenset[str]) -> bool:
    """A failure on the base tree withdraws the contradictions that rested on presuming it passes there."""
    seen = {name for one in run.contradictions if one.presumed for name in one.failing if name in failing}
    new = seen - run.knowledge.base_failing
    run.knowledge.base_failing |= new
    return bool(new)


def _note_progress(run: RunFacts, shown: Shown, basis: str) -> None:
    if run.first_progress == NEVER:
        run.first_progress, run.first_progress_id, run.first_progress_basis = shown.end, shown.event, basis
    approach.progressed(run)


def _total(action: Action) -> int:
    return max(action.passed, 0) + max(action.failed, 0) + max(action.errors, 0)


def _stand(run: RunFacts, shown: Shown, *, contradicts: bool) -> None:
    """Note the result as the command's newest."""
    action, standing = shown.action, run.standings.get(shown.action.command)
    total = _total(action)
    share = action.passed / total if action.passed >= 0 and total else -1.0
    if action.kind == "test" and share >= 0:
        _list_result(run, shown.event, share, standing.share if standing else -1.0)
    if standing is not None:
        if shown.newly:
            run.passed_before |= _regressed(run, shown)
    elif contradicts:
        run.passed_before |= {name for name in shown.failing if name not in run.failing}
    _restate(run, shown)
    if run.untried and action.kind == "test":
        run.untried -= {path for path in run.untried if _runs(action, path)}
    if standing is not None or len(run.standings) < MAX_LISTED:
        failed = max(action.failed, 0) + max(action.errors, 0) if action.failed >= 0 else len(shown.failing)
        best = min(failed, standing.best_failed) if standing else failed
        run.standings[action.command] = Standing(set(shown.failing), failed, best, total, run.work_version, share)


def _runs(action: Action, path: str) -> bool:
    return not action.targets or any(_within(path, target.split("::", 1)[0]) for target in action.targets)


def _restate(run: RunFacts, shown: Shown) -> None:
    """Say of each name what is known of it now."""
    if shown.fixed:
        run.passed_before |= shown.fixed
        for name in () if run.reapply else shown.fixed:
            run.failing.pop(name, None)
    if shown.failing and len(run.failing) + len(shown.failing) <= MAX_LISTED:
        for name in sorted(shown.failing):
            run.failing[name] = shown.action.command


def _regressed(run: RunFacts, shown: Shown) -> set[str]:
    """What fails now and passed before: not the contestant's own new tests, nor what fails before the first change."""
    if run.first_change == NEVER:
        return set()
    return {name for name in shown.newly if not _own(run, name)}


def _list_result(run: RunFacts, event: str, share: float, before: float) -> None:
    """Test shares are compared under one command: a narrower run is no fall."""
    if before >= 0:
        run.steps += 1
        run.steps_kept += share >= before
    run.results.append(round(share, 6))
    if len(run.results) > RESULTS_KEPT:
        del run.results[0]
    if len(run.result_ids) < MAX_CITED:
        run.result_ids.append(event)
