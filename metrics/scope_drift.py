"""Whether a contestant changes what the task does not ask it to change."""

from __future__ import annotations

from fnmatch import fnmatchcase

from metrics.base import Good, Metric, Reading
from metrics.run.state import RunFacts


class ScopeDrift(Metric):
    """Share of the changed work files that lie outside what the rules of the match expect to change.

    The rules name files, folders or patterns (`expected_paths`); without them nothing can be said. Changes that nobody asked
    for are what a reviewer has to undo. Example: four work files changed, one of them outside `src/`: 0.25.
    """

    name = "scope_drift"
    unit = "share"
    good = Good(high=0.25)

    def measure(self, run: RunFacts) -> Reading:
        """Unexpected files over changed files."""
        if not run.expected:
            return self.absent("not_applicable", "no rules say what the task is expected to change")
        if not run.files:
            return self.absent("not_applicable", "no change of the work")
        expected = [_relative(one, run.workspace) for one in run.expected]
        outside = sorted(path for path in run.files if not _is_expected(_relative(path, run.workspace), expected))
        evidence = [one.id for one in run.edits if any(path in outside for path in one.paths)]
        return self.ratio(len(outside), len(run.files), evidence=evidence, details={"outside": outside[:50]})


def _relative(path: str, workspace: str) -> str:
    """A path as it is named inside the workspace; the workspace itself, like `.`, is everything."""
    root = workspace.rstrip("/")
    inside = "" if path.rstrip("/") == root else path.removeprefix(f"{root}/") if root else path
    return inside.removeprefix("./").rstrip("/") or "."


def _is_expected(path: str, expected: list[str]) -> bool:
    return any(_within(path, one) for one in expected)


def _within(path: str, expected: str) -> bool:
    if expected == ".":
        return not path.startswith(("/", "../"))
    if path == expected or path.startswith(f"{expected}/") or path.endswith(f"/{expected}"):
        return True
    if path.startswith("/") and f"/{expected}/" in path:
        # Where the root is not known, a folder is known by its name.
        return True
    # `**/` is any number of folders, none included.
    return fnmatchcase(path, expected) or fnmatchcase(path, expected.replace("**/", ""))
