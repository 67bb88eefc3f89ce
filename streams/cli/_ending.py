"""Being told to end (Ctrl-C, SIGTERM, a closed terminal) while there are processes that must be ended, too.

A handler that raises does so wherever the program happens to be: in a destructor or the callback of a weak reference, where
Python drops the exception and all goes on as if nothing had been asked; or between the start of a process and the line that
remembers it. So the handler only takes a note and wakes what waits; the exception is raised where it cannot be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Iterator
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ending:
    """Whether the program was told to end."""

    def __init__(self) -> None:
        self._asked = 0
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Take a note of signals while the block runs; then raise what was asked, however the block went.

        A second signal is impatience: it raises at once.
        """
        before = {one: signal.signal(one, self._ask) for one in SIGNALS}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)
            # What else went wrong followed from it: on Ctrl-C the terminal tells every process of ours.
            self.check()

    def check(self) -> None:
        """Raise KeyboardInterrupt after Ctrl-C, SystemExit with 128 + its number after another signal; else nothing."""
        if self._asked == signal.SIGINT:
            raise KeyboardInterrupt
        if self._asked:
            raise SystemExit(128 + self._asked)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """`asyncio.run` that is cancelled when the program is told to end. Raises as `check` does."""
        try:
            self.check()
            asyncio.run(self._cancellable(work))
        except asyncio.CancelledError:
            self.check()
            raise
        finally:
            work.close()
        self.check()  # a cancellation can be lost, too; the note cannot

    async def _cancellable(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._waiting = asyncio.get_running_loop(), task
        if self._asked:
            task.cancel()
        try:
            await task
        finally:
            self._waiting = None

    def _ask(self, number: int, _: FrameType | None) -> None:
        again, self._asked = bool(self._asked), self._asked or number
        if again:
            self.check()
        if self._waiting is not None:
            loop, task = self._waiting
            loop.call_soon_threadsafe(task.cancel)
