"""The steps that scripts are made of. The first field is the pause before the step, in seconds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from streams.record.desk import Desk


@dataclass(frozen=True)
class Step(ABC):
    """One thing that a contestant does."""

    pause_s: float

    @abstractmethod
    def do(self, desk: Desk) -> None:
        """Do it at the desk."""


@dataclass(frozen=True)
class Say(Step):
    """A message; `confidence` from 0 to 1 where the contestant gives one."""

    text: str
    confidence: float | None = None

    def do(self, desk: Desk) -> None:
        """Say it."""
        desk.say(self.text, self.confidence)


@dataclass(frozen=True)
class Think(Step):
    """A plan in items; a later one changes it."""

    items: tuple[str, ...]
    is_change: bool = False

    def do(self, desk: Desk) -> None:
        """Write the plan."""
        desk.plan(self.items, is_change=self.is_change)


@dataclass(frozen=True)
class Read(Step):
    """A file, read with the read tool."""

    path: str

    def do(self, desk: Desk) -> None:
        """Read it."""
        desk.call("read", {"file_path": self.path}, lambda: desk.workspace.read(self.path))


@dataclass(frozen=True)
class Shell(Step):
    """A shell line, in two events."""

    command: str

    def do(self, desk: Desk) -> None:
        """Run it."""
        desk.call("bash", {"command": self.command}, lambda: desk.workspace.shell(self.command), two_phases=True)


@dataclass(frozen=True)
class Edit(Step):
    """A replacement with the edit tool."""

    path: str
    old: str
    new: str

    def do(self, desk: Desk) -> None:
        """Replace, where the text is there exactly once."""
        arguments = {"file_path": self.path, "old_string": self.old, "new_string": self.new}
        desk.call("edit", arguments, lambda: desk.workspace.edit(self.path, self.old, self.new))


@dataclass(frozen=True)
class Write(Step):
    """A whole file with the write tool."""

    path: str
    text: str

    def do(self, desk: Desk) -> None:
        """Write it."""
        desk.call("write", {"file_path": self.path, "content": self.text}, lambda: desk.workspace.write(self.path, self.text))


@dataclass(frozen=True)
class Commit(Step):
    """A commit of all changes, and the harness's checkpoint of it."""

    message: str

    def do(self, desk: Desk) -> None:
        """Commit."""
        Shell(0, f'git commit -q -a -m "{self.message}"').do(desk)
        desk.checkpoint(self.message)


@dataclass(frozen=True)
class Submit(Step):
    """The work is handed in."""

    text: str

    def do(self, desk: Desk) -> None:
        """Hand in."""
        desk.submit(self.text)


def play(desk: Desk, script: Iterable[Step]) -> None:
    """A whole run."""
    desk.start()
    for step in script:
        desk.pause(step.pause_s)
        step.do(desk)
