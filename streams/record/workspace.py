"""A temporary git repository in which a contestant's commands really run, and what of them may be told."""

from __future__ import annotations

import difflib
import os
import shlex
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from streams.events import FileChange
from streams.record.task import FILES, NAME

SHOWN: Final = f"/workspace/{NAME}"
"""What the temporary folder is called in everything that is recorded."""

_BASE_DATE: Final = "2026-01-01T00:00:00+00:00"
_LONGEST_S: Final = 60


class Done(NamedTuple):
    """How something ended."""

    output: str
    exit_code: int | None = None
    ok: bool = True
    files: tuple[FileChange, ...] = ()


class Workspace:
    """The repository of one contestant, below a folder of its own."""

    def __init__(self, folder: Path, contestant: str) -> None:
        """Make the repository with its base commit, and commands that start this very Python."""
        self.root = folder.resolve() / NAME
        self._tools = folder.resolve() / "bin"
        self._environment = _environment(self._tools, folder.resolve(), contestant)
        for path, text in FILES.items():
            self.place(path).parent.mkdir(parents=True, exist_ok=True)
            self.place(path).write_text(text, "utf-8")
        _command(self._tools / "python", f'exec {shlex.quote(sys.executable)} "$@"')
        _command(self._tools / "pytest", f'exec {shlex.quote(sys.executable)} -m pytest "$@"')
        self._must(
            "git init -q -b main && git add -A && git commit -q -m Base",
            GIT_COMMITTER_DATE=_BASE_DATE,
            GIT_AUTHOR_DATE=_BASE_DATE,
        )

    def place(self, path: str) -> Path:
        """Where a file really lies."""
        return self.root / path

    @property
    def commit(self) -> str:
        """The newest commit."""
        return self._must("git rev-parse HEAD").strip()

    def _must(self, command: str, **environment: str) -> str:
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env={**self._environment, **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def shell(self, command: str) -> Done:
        """Run a shell line; standard output and error come as one."""
        ended = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_LONGEST_S,
            check=False,
        )
        return Done(self._told(ended.stdout.decode("utf-8", "replace")), ended.returncode, ended.returncode == 0)

    def _told(self, output: str) -> str:
        """The output without what belongs to this machine."""
        for real, shown in ((str(self.root), SHOWN), (sys.prefix, "/opt/python"), (sys.base_prefix, "/opt/python")):
            output = output.replace(real, shown)
        return output.rstrip("\n")

    def read(self, path: str) -> Done:
        """A file with line numbers."""
        lines = self.place(path).read_text("utf-8").splitlines()
        return Done("\n".join(f"{number:>4}  {line}" for number, line in enumerate(lines, 1)))

    def edit(self, path: str, old: str, new: str) -> Done:
        """Replace a text that is there exactly once; else nothing is changed."""
        before = self.place(path).read_text("utf-8")
        found = before.count(old)
        if found != 1:
            why = "String to replace not found in file." if not found else f"Found {found} matches of the string to replace."
            return Done(f"{why}\nString: {old}", ok=False)
        return self._put(path, before, before.replace(old, new), f"The file {path} has been updated.")

    def write(self, path: str, text: str) -> Done:
        """Put a whole file."""
        place = self.place(path)
        if not place.exists():
            return self._put(path, "", text, f"File created successfully at: {path}")
        return self._put(path, place.read_text("utf-8"), text, f"The file {path} has been updated.")

    def _put(self, path: str, before: str, after: str, output: str) -> Done:
        self.place(path).write_text(after, "utf-8")
        return Done(output, files=(_change(path, before, after),))


def _change(path: str, before: str, after: str) -> FileChange:
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    added, removed = (sum(line.startswith(mark) for line in lines) for mark in ("+ ", "- "))
    return FileChange(path=path, before=_hash(before), after=_hash(after), added=added, removed=removed)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16] if text else ""


def _command(path: Path, line: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    path.chmod(0o755)


def _environment(tools: Path, home: Path, contestant: str) -> dict[str, str]:
    """Nothing of the user's own settings reaches the commands."""
    person = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", contestant), ("EMAIL", f"{contestant}@example.org"))
    }
    return {
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "COLUMNS": "80",
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        **person,
    }
