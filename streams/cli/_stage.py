"""The demo's play: send the bout, hear the worker, and notice when something stands still."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import Popen
from typing import Final

from streams.cli import _kafka
from streams.cli._board import Board
from streams.cli._errors import FAULT, Failure
from streams.cli._plan import Step
from streams.cli._send import send_all
from streams.topics import topic_name

START_S: Final = 40.0
"""The worker must have said something by then."""

END_S: Final = 40.0
"""After the last event, the verdicts must be there by then."""

_LOOK_S: Final = 0.1
_LOG_LINES: Final = 5


class Stage:
    """Where a bout is replayed: a broker, a worker, and the board that shows what the worker says."""

    def __init__(self, address: str, prefix: str, board: Board, worker: Popen[bytes], log: Path) -> None:
        self.address, self.prefix, self.board, self.worker, self.log = address, prefix, board, worker, log
        self.status = "starting the worker"

    async def play(self, steps: Sequence[Step]) -> None:
        """Replay the steps and return when the last verdict of every run is there.

        Raises Failure where the worker ends or says nothing in time, BrokerError where the broker goes.
        """
        tasks = [asyncio.create_task(one) for one in (self._script(steps), self._listen(), self._watch_worker())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _script(self, steps: Sequence[Step]) -> None:
        first, rest = opening(steps)
        await send_all(self.address, self.prefix, first, self._sent)
        await self._until(lambda: self.board.heard, START_S, "the worker has said nothing")
        self.status = "replaying"
        await send_all(self.address, self.prefix, rest, self._sent)
        self.status = "waiting for the verdicts"
        await self._until(lambda: self.board.done, END_S, "the verdicts have not come")

    def _sent(self, _: Step) -> None:
        self.board.sent += 1

    async def _listen(self) -> None:
        readings = topic_name("readings", self.prefix)
        topics = [readings, topic_name("verdicts", self.prefix)]
        async with _kafka.reaching(self.address), _kafka.reader(self.address, topics) as consumer:
            async for record in _kafka.onwards(consumer):
                (self.board.reading if record.topic == readings else self.board.verdict)(record.value)

    async def _watch_worker(self) -> None:
        while self.worker.poll() is None:  # noqa: ASYNC110 - a process raises no event here
            await asyncio.sleep(_LOOK_S)
        raise Failure(f"the worker ended with exit code {self.worker.returncode}{self._last_words()}", FAULT)

    async def _until(self, holds: Callable[[], bool], seconds: float, what: str) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not holds():  # noqa: ASYNC110 - what is waited for comes from two topics
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            raise Failure(f"{what} for {seconds:g} s{self._last_words()}", FAULT) from None

    def _last_words(self) -> str:
        text = ""
        with contextlib.suppress(OSError):
            text = self.log.read_text("utf-8", "replace")
        lines = text.splitlines()[-_LOG_LINES:]
        return "; it said last: " + " | ".join(lines) if lines else ""


def opening(steps: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """The first event of each run, to be sent ahead, and the rest: the worker shows by them that it is there."""
    first: dict[str, Step] = {}
    for step in steps:
        first.setdefault(step.event.run, step)
    ahead = [step._replace(due_s=0.0) for step in first.values()]
    taken = {id(step) for step in first.values()}
    return ahead, [step for step in steps if id(step) not in taken]
