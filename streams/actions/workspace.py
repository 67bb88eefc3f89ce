"""What only the whole run shows of a file: that it is scratch, that it is the work, what a script does when it is run.

`learn` reads all calls of a run in order; `Learner` does the same one call at a time; `revise` corrects an action by it. The
fold is over completed calls in order, so that the same calls give the same knowledge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from streams.actions.base import Action, Scope, Status
from streams.actions.paths import SOURCE_FOLDER, is_scratch_name, is_test_name, scope_of, widest

MAX_PATHS: Final = 20_000
MAX_NAMESAKES: Final = 50
"""Files of one name that are looked through for another notation of the same file."""

_PRODUCT: Final = frozenset(
    {
        "main",
        "app",
        "index",
        "cli",
        "server",
        "setup",
        "manage",
        "conftest",
        "__init__",
        "__main__",
        "makefile",
        "dockerfile",
        "package",
        "pyproject",
        "cargo",
        "wsgi",
        "asgi",
        "config",
        "settings",
        "tasks",
        "noxfile",
        "fabfile",
        "build",
        "solution",
    }
)
_SCRIPT: Final = frozenset(
    {
        "py",
        "js",
        "ts",
        "mjs",
        "cjs",
        "sh",
        "rb",
        "pl",
        "php",
        "go",
        "c",
        "cpp",
        "rs",
        "java",
        "sql",
        "json",
        "txt",
        "html",
        "lua",
    }
)


_REVISED: Final = frozenset({"edit", "revert", "check"})
"""What a run can show to be another thing than the call alone says."""

Index = dict[str, list[str]]
"""Paths by their last part, so that a look-up costs the same however many there are."""


class Knowledge(Struct, array_like=True):
    """What a run shows of its files: paths of each role, by the end of the calls seen."""

    scratch: Index = {}
    work: Index = {}
    """Files that are the work by role, though their place says test or docs."""

    asserting: Index = {}
    """Scripts that assert something."""

    writing: Index = {}
    """Scripts that change files when run; `writes` says which files."""

    writes: dict[str, tuple[str, ...]] = {}

    def tells_of(self, name: str) -> bool:
        """Whether it tells anything of files of this name."""
        return name in self.scratch or name in self.work or name in self.asserting or name in self.writing


class _File(Struct, array_like=True):
    """What is known of one path."""

    seen: bool = False
    created: bool = False
    edited: bool = False
    removed: bool = False
    executed: bool = False
    tested: bool = False
    asserts: bool = False
    writes: tuple[str, ...] = ()


class Learner(Struct, array_like=True):
    """The fold of a run's calls: plain data, so that it can be kept with the run's state."""

    files: dict[str, _File] = {}
    by_name: Index = {}
    established: bool = False
    """Some file of the work that was there before was changed."""

    has_work: bool = False
    """Some file outside the documents was edited."""

    knowledge: Knowledge = field(default_factory=Knowledge)

    def see(self, actions: Sequence[Action]) -> bool:
        """Take one completed call in. True when an earlier call's scope, class or outcome would change by it."""
        if len(actions) == 1 and actions[0].cls == "explore":
            for path in actions[0].paths:
                if path not in self.files:
                    self._looked(actions[0], set())
                    break
            return False
        known = len(self.files)
        before = (self.established, self.has_work)
        touched: list[str] = []
        fresh: set[str] = set()
        for action in actions:
            self._take(action, touched, fresh)
        if before != (self.established, self.has_work) and known:
            touched = list(self.files)
        changed = False
        for path in touched:
            changed |= self._conclude(path) and path not in fresh
        return changed

    def _take(self, action: Action, touched: list[str], fresh: set[str]) -> None:
        """Note what an action shows of its paths; those of which something new shows go into `touched`."""
        if action.cls == "explore":
            self._looked(action, fresh)
        elif action.cls == "edit":
            if action.status != "failed":
                for path in action.paths:
                    key, file = self._found(path, fresh)
                    touched.append(key)
                    self._edited(file, path, action)
        elif action.cls == "check" and action.outcome != "error":
            for target in action.targets:
                path = target.split("::", 1)[0]
                key, file = self._found(path, fresh)
                touched.append(key)
                file.executed = file.executed or action.kind == "probe" or not action.framework
                file.tested = file.tested or action.kind == "test"

    def _looked(self, action: Action, fresh: set[str]) -> None:
        """That a file was there before matters only when the run edits it later."""
        for path in action.paths:
            if path not in self.files:
                _, file = self._found(path, fresh)
                file.seen = file.seen or not file.created

    def _edited(self, file: _File, path: str, action: Action) -> None:
        if action.command in {"rm", "mv", "unlink", "git"} and action.added <= 0 and not action.after:
            file.removed = True
            return
        if action.created and not file.seen and not file.edited:
            file.created = True
        elif not (self.established or file.created) and scope_of(path) == "work" and not is_scratch_name(path):
            self.established = True
        file.edited = True
        file.removed = False
        if not self.has_work:
            self.has_work = scope_of(path) in {"work", "test"}
        file.asserts = file.asserts or action.asserts
        file.writes = action.writes or file.writes

    def _found(self, path: str, fresh: set[str]) -> tuple[str, _File]:
        """The record of a path and its key; the same file may be named from the workspace or from the root."""
        file = self.files.get(path)
        if file is not None:
            return path, file
        name = _name(path)
        known = next((other for other in self.by_name.get(name, [])[:MAX_NAMESAKES] if same_file(other, path)), None)
        if known is not None:
            return known, self.files[known]
        file = _File()
        if len(self.files) < MAX_PATHS:
            self.by_name.setdefault(name, []).append(path)
            fresh.add(path)
            self.files[path] = file
        return path, file

    def _conclude(self, path: str) -> bool:
        """Draw the conclusions for one path. Returns whether one of them is new or gone."""
        file = self.files.get(path)
        if file is None:
            return False
        know, name = self.knowledge, _name(path)
        scratch = file.created and self._is_scratch(path, file)
        work = file.edited and not scratch and self._is_work(path, file)
        if not (scratch or work or file.asserts or file.writes) and not know.tells_of(name):
            return False
        changed = _set(know.scratch, name, path, holds=scratch) | _set(know.work, name, path, holds=work)
        changed |= _set(know.asserting, name, path, holds=file.asserts)
        changed |= _set(know.writing, name, path, holds=bool(file.writes)) | (know.writes.get(path, ()) != file.writes)
        if file.writes:
            know.writes[path] = file.writes
        return changed

    def _is_scratch(self, path: str, file: _File) -> bool:
        parts = path.split("/")
        stem, _, suffix = parts[-1].rpartition(".")
        if file.writes and not is_test_name(path):
            return True
        if is_scratch_name(path):
            return file.removed or not self._in_source(parts)
        if self._in_source(parts):
            return False
        if file.removed:
            return True
        if stem.lower() in _PRODUCT or suffix not in _SCRIPT:
            return False
        return file.executed and not file.tested and self.established

    @staticmethod
    def _in_source(parts: list[str]) -> bool:
        """In a folder of sources or of the suite: what is made there is meant to stay."""
        return any(part in SOURCE_FOLDER or part in {"tests", "test", "__tests__", "testing", "spec"} for part in parts[:-1])

    def _is_work(self, path: str, file: _File) -> bool:
        """In a folder of tests, but no test: run by itself, named as no runner collects it, there before the run."""
        place = scope_of(path)
        if place == "test":
            return not is_test_name(path) and file.executed and not file.created
        return place == "docs" and not self.established and not self.has_work


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _set(index: Index, name: str, path: str, *, holds: bool) -> bool:
    """Put a path into an index or take it out. Returns whether that changed anything."""
    paths = index.get(name, ())
    if holds == (path in paths):
        return False
    if holds:
        index.setdefault(name, []).append(path)
    else:
        index[name].remove(path)
    return True


def same_file(one: str, other: str) -> bool:
    """Whether two notations can be the same file: equal, or one the end of the other that is absolute."""
    if one == other:
        return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return longer.startswith("/") and not shorter.startswith("/") and longer.endswith(f"/{shorter}")


def learn(calls: Iterable[Sequence[Action]]) -> Knowledge:
    """What all calls of a run, in order, show of its files."""
    learner = Learner()
    for actions in calls:
        learner.see(actions)
    return learner.knowledge


def revise(action: Action, knowledge: Knowledge) -> Action:
    """The action as the whole run shows it: its scope by role, what a script's run was, whether a probe asserts."""
    if action.cls in {"edit", "revert"} and action.paths:
        paths = action.paths
        scope = role(paths[0], knowledge) if len(paths) == 1 else widest([role(path, knowledge) for path in paths])
        return action if scope == action.scope else replace(action, scope=scope)
    if action.cls == "check":
        return _revised_check(action, knowledge)
    return action


def revised(actions: tuple[Action, ...], knowledge: Knowledge) -> tuple[Action, ...]:
    """The actions of a call as the whole run shows them."""
    for action in actions:
        if action.cls in _REVISED:
            return tuple([revise(action, knowledge) for action in actions])
    return actions


def role(path: str, knowledge: Knowledge) -> Scope:
    """A file's scope by its role, else by its place."""
    if knowledge.scratch and _among(path, knowledge.scratch):
        return "scratch"
    return "work" if knowledge.work and _among(path, knowledge.work) else scope_of(path)


def _revised_check(action: Action, knowledge: Knowledge) -> Action:
    if not action.targets or action.framework:
        return action
    script = action.targets[0].split("::", 1)[0]
    if action.kind == "probe":
        for path in knowledge.writing.get(_name(script), ()):
            if same_file(path, script):
                return _as_edit(action, knowledge.writes[path], knowledge)
    if action.kind == "test" and _among(script, knowledge.scratch):
        action = replace(
            action, kind="probe", outcome="unknown" if action.outcome == "passed" and not action.asserts else action.outcome
        )
    if action.outcome == "unknown" and action.kind == "probe" and _among(script, knowledge.asserting):
        return replace(action, outcome="passed", asserts=True)
    return action


def _as_edit(action: Action, writes: tuple[str, ...], knowledge: Knowledge) -> Action:
    """The run of a script that changes files is an edit of these files."""
    status: Status = "failed" if action.outcome in {"failed", "error"} else "ok"
    scope = widest([role(path, knowledge) for path in writes])
    return Action("edit", writes, status=status, scope=scope, command=action.command)


def _among(path: str, index: Index) -> bool:
    known = index.get(_name(path)) if index else None
    return known is not None and (path in known or any(same_file(path, other) for other in known[:MAX_NAMESAKES]))
