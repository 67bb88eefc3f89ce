"""Shorthands for the tests of actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from streams.actions import answer, ask, join
from streams.actions.base import Action

Run = Callable[..., tuple[Action, ...]]


@pytest.fixture
def run() -> Run:
    """A shell line with its output and exit code, as final actions."""

    def shell(
        line: str, output: str = "", code: int | None = 0, status: str | None = None, cwd: str = "/repo"
    ) -> tuple[Action, ...]:
        return join(ask("Bash", {"command": line}, cwd), answer(output, status, code))

    return shell
