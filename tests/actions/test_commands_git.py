"""Commands of the family git: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    ("git checkout -- src/a.py", "revert"),
    ("git checkout src/a.py", "revert"),
    ("git checkout HEAD~1 -- src/a.py", "revert"),
    ("git checkout .", "revert"),
    ("git checkout main", "other"),
    ("git checkout -b fix", "other"),
    ("git checkout feature/login", "other"),
    ("git restore src/a.py", "revert"),
    ("git restore --staged a.py", "other"),
    ("git reset --hard", "revert"),
    ("git reset HEAD a.py", "other"),
    ("git stash", "revert"),
    ("git stash pop", "revert"),
    ("git stash list", "explore"),
    ("git revert HEAD", "revert"),
    ("git apply -R x.patch", "revert"),
    ("git apply x.patch", "edit"),
    ("git clean -fd", "revert"),
    ("git clean -n", "explore"),
    ("git commit -am x", "checkpoint"),
    ("git tag v1", "checkpoint"),
    ("git add -A", "other"),
    ("git push origin main", "other,network"),
    ("git clone https://github.com/a/b", "setup,network"),
    ("git log --oneline", "explore"),
    ("git diff HEAD", "explore"),
    ("git status", "explore"),
    ("git -C sub show", "explore"),
    ("git branch", "explore"),
    ("git branch x", "other"),
    ("git mv a.py b.py", "edit"),
    ("git rm --cached a.py", "other"),
    ("gh pr view 3", "explore,network"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_git_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
