"""Changes of the work: change-sets and units, edits taken back, and diagnosis by revert."""

from __future__ import annotations

from metrics.facts import Done
from metrics.run import approach
from metrics.run.state import MAX_LISTED, NEVER, ChangeSet, Edit, RunFacts, TakenBack
from streams.actions.base import UNKNOWN, Action

SAME_PLACE = 0.3
"""Overlap of files (or symbols) from which a change is in the same place as the last one."""


def counts(action: Action) -> bool:
    """Whether an edit is a change: it succeeded, touches work or tests, and differs by more than white space."""
    return action.status == "ok" and action.scope in ("work", "test") and not action.blank


def edit(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    """Fold an edit in. Returns whether it tells something new of earlier facts."""
    if not counts(action) or _is_rewrite(run, action):
        return False
    if call.same in run.reapply:
        run.reapply.remove(call.same)
        return False
    if _comes_back(run, call.same):
        return True
    if _is_return(run, action):
        return revert(run, event, call, action)
    run.version += 1
    run.fresh = run.fresh_since_contradiction = True
    if action.scope == "work":
        run.work_version += 1
        _first_changes(run, event, call.start, action.paths)
    elif action.created or not run.own_tests.isdisjoint(action.paths):
        run.own_tests.update(action.paths)
        run.untried.update(action.paths)
    if run.pending and _moves(run, action):
        approach.moved(run, event, call.start)
    _record(run, event, call, action)
    _grow(run.open_set, action)
    return False


def _first_changes(run: RunFacts, event: str, start: int, paths: tuple[str, ...]) -> None:
    if run.first_change == NEVER:
        run.first_change, run.first_change_id = start, event
    for path in paths:
        run.files.setdefault(path, start)


def _record(run: RunFacts, event: str, call: Done, action: Action) -> None:
    run.edit_count += 1
    if len(run.edits) < MAX_LISTED:
        run.edits.append(Edit(event, call.start, action.paths, call.same))
    if action.added == UNKNOWN and action.removed == UNKNOWN:
        run.lines_unknown += 1
    else:
        run.lines += max(action.added, 0) + max(action.removed, 0)
    for path in action.paths:
        if action.after or path in run.contents:
            known = run.contents.setdefault(path, [action.before] if action.before else [])
            known.append(action.after)  # empty: what the file holds now is not known
            del known[:-50]


def _grow(changes: ChangeSet, action: Action) -> None:
    changes.files.update(action.paths or ("?",))
    changes.symbols.update(action.symbols)
    if action.added == UNKNOWN and action.removed == UNKNOWN:
        changes.unknown.update(action.paths or ("?",))
    else:
        changes.lines += max(action.added, 0) + max(action.removed, 0)


def close_set(run: RunFacts) -> None:
    """A verifying check or a revert ends the open change-set."""
    if run.open_set.files:
        run.sets += 1
        run.units += run.open_set.units
        run.last_set, run.open_set = run.open_set, ChangeSet()


def _moves(run: RunFacts, action: Action) -> bool:
    """Whether a change is in another place than the last change-set.

    An edit of one of many files of the last set is in the same place: the share of the edit's own files counts as well as
    the Jaccard overlap, which would call it a move for its size alone.
    """
    last = run.last_set
    if not last.files:
        return False
    overlap = _overlap(set(action.paths), last.files)
    if overlap >= SAME_PLACE and action.symbols and last.symbols:
        overlap = _overlap(set(action.symbols), last.symbols)
    return overlap < SAME_PLACE


def _overlap(new: set[str], old: set[str]) -> float:
    both = len(new & old)
    return max(both / len(new | old), both / len(new)) if new and old else 1.0


def _is_rewrite(run: RunFacts, action: Action) -> bool:
    """A file that is written again just as it is: no change."""
    if not action.after or len(action.paths) != 1:
        return False
    return run.contents.get(action.paths[0], [""])[-1] == action.after


def _is_return(run: RunFacts, action: Action) -> bool:
    """An edit whose result is an earlier content takes back what came between."""
    if not action.after or len(action.paths) != 1:
        return False
    known = run.contents.get(action.paths[0], [])
    return action.after in known[:-1]


def revert(run: RunFacts, event: str, call: Done, action: Action) -> bool:
    """Fold a revert in. Returns whether it tells something new of earlier facts."""
    if action.takes == "pop":
        return _pop(run)
    taken = _taken(run, action)
    if not taken or action.status not in ("ok", ""):
        return False
    if event in run.knowledge.diagnostic:
        run.reapply += [one.same for one in taken]
        return False
    close_set(run)
    for one in taken:
        one.reverted = True
    run.reverted_count += len(taken)
    run.version += 1
    run.work_version += 1
    run.fresh_since_contradiction = True
    _forget_contents(run, action)
    approach.reverted(run, event, call.start)
    run.taken_back.append(TakenBack(event, {one.same for one in taken}, action.takes == "push"))
    return False


def _taken(run: RunFacts, action: Action) -> list[Edit]:
    standing = [one for one in run.edits[run.committed :] if not one.reverted]
    if action.paths:
        standing = [one for one in standing if _touches(action.paths, one.paths)]
    if action.after and action.cls == "edit":
        back = run.contents[action.paths[0]][::-1].index(action.after)
        return standing[-back:] if back else []
    return standing[-1:] if action.takes == "last" else standing


def _touches(paths: tuple[str, ...], edited: tuple[str, ...]) -> bool:
    return any(
        path in (".", "*") or one == path or one.startswith(f"{path.rstrip('/')}/") or one.endswith(f"/{path}")
        for path in paths
        for one in edited
    )


def _forget_contents(run: RunFacts, action: Action) -> None:
    for path in action.paths or tuple(run.contents):
        known = run.contents.get(path)
        if known and action.after in known:
            del known[known.index(action.after) + 1 :]
        elif known:
            del known[1:]


def _pop(run: RunFacts) -> bool:
    """A stash that comes back was a diagnosis: nothing was taken back."""
    pushed = next((one for one in reversed(run.taken_back) if one.pushed), None)
    if pushed is None:
        run.reapply.clear()
        return False
    run.knowledge.diagnostic.add(pushed.id)
    return True


def _comes_back(run: RunFacts, same: int) -> bool:
    """Whether this edit completes the return of all that a revert took: then that revert was a diagnosis."""
    for one in run.taken_back:
        if same in one.left:
            one.left.discard(same)
            if not one.left:
                run.knowledge.diagnostic.add(one.id)
            return not one.left
    if run.taken_back:
        run.taken_back = [one for one in run.taken_back if one.pushed]
    return False


def on_base(run: RunFacts) -> bool:
    """Whether the tree is as it was before the first work change."""
    return run.first_change == NEVER or run.edit_count <= run.reverted_count + len(run.reapply)
