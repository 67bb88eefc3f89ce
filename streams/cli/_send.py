"""Sending a replay: each event at its moment, every acknowledgement awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from streams.cli._kafka import producer, reaching, require, send
from streams.cli._plan import Step
from streams.cli._wire import Record, record

IN_FLIGHT: Final = 1_000
"""Records handed over and not yet acknowledged, at most."""

_SLACK_S: Final = 0.002


async def send_all(address: str, prefix: str, steps: Sequence[Step], sent: Callable[[Step], None]) -> None:
    """Send every step at its moment; return when the broker has acknowledged all. `sent` is told of each hand-over.

    Raises BrokerError where the broker cannot be reached, lacks a topic, or refuses a record.
    """
    records = [record(step.event, prefix) for step in steps]
    async with reaching(address):
        await require(address, {one.topic for one in records})
        await _send(address, records, steps, sent)


async def _send(address: str, records: list[Record], steps: Sequence[Step], sent: Callable[[Step], None]) -> None:
    loop = asyncio.get_running_loop()
    waiting: list[asyncio.Future[object]] = []
    async with producer(address) as to:
        start = loop.time()
        for one, step in zip(records, steps, strict=True):
            pause = start + step.due_s - loop.time()
            if pause > _SLACK_S:
                await asyncio.sleep(pause)
            waiting.append(await send(to, one))
            sent(step)
            if len(waiting) >= IN_FLIGHT:
                await asyncio.gather(*waiting)
                waiting.clear()
        await asyncio.gather(*waiting)
