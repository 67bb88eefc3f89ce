"""Being told to end is never lost, wherever the program happens to be."""

# ruff: noqa: PT012 - the block is what the signal comes into

from __future__ import annotations

import asyncio
import os
import signal
import time
import weakref

import pytest

from streams.cli._ending import SIGNALS, Ending


def ask(number: signal.Signals = signal.SIGTERM) -> None:
    """What `kill` does; Python runs the handler before the next line."""
    os.kill(os.getpid(), number)


@pytest.mark.parametrize(("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)])
def test_a_signal_is_raised_when_the_block_ends(number: signal.Signals, error: type[BaseException]) -> None:
    """Not before: what the block began, it can finish or undo."""
    ending, reached = Ending(), False
    with pytest.raises(error), ending.heard():
        ask(number)
        reached = True
    assert reached


def test_the_exit_code_says_which_signal_it_was() -> None:
    """128 and its number, as shells have it."""
    ending = Ending()
    with pytest.raises(SystemExit) as left, ending.heard():
        ask(signal.SIGHUP)
    assert left.value.code == 128 + signal.SIGHUP


def test_a_signal_in_the_callback_of_a_weak_reference_is_not_lost() -> None:
    """Python drops what such a callback raises: a handler that raised there would be as if never called."""

    class Thing:
        pass

    called = []
    thing, ending = Thing(), Ending()
    _ref = weakref.ref(thing, lambda _: (ask(), called.append(True)))
    with pytest.raises(SystemExit), ending.heard():
        del thing
        assert called
        ending.check()


def test_a_signal_wakes_what_waits() -> None:
    """The work is cancelled at once, and cleans up after itself."""
    cleaned = []

    async def work() -> None:
        asyncio.get_running_loop().call_later(0.05, ask)
        try:
            await asyncio.sleep(60)
        finally:
            cleaned.append(True)

    ending, started = Ending(), time.monotonic()
    with pytest.raises(SystemExit), ending.heard():
        ending.run(work())
    assert cleaned
    assert time.monotonic() - started < 30


def test_a_cancellation_that_the_work_swallows_is_not_lost() -> None:
    """As `asyncio.wait_for` of Python 3.11 does, where the answer comes in the same moment."""

    async def work() -> None:
        asyncio.get_running_loop().call_soon(ask)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return

    ending = Ending()
    with pytest.raises(SystemExit), ending.heard():
        ending.run(work())
        pytest.fail("the work went on")


def test_nothing_is_begun_after_a_signal() -> None:
    """Work that had not started when the signal came never does."""
    begun = []

    async def work() -> None:  # noqa: RUF029 - what is run is a coroutine
        begun.append(True)

    ending = Ending()
    with pytest.raises(SystemExit), ending.heard():
        ask()
        ending.run(work())
    assert not begun


def test_a_second_signal_raises_at_once() -> None:
    """Who asks twice does not want to wait."""
    ending = Ending()
    with pytest.raises(SystemExit), ending.heard():
        ask()
        with pytest.raises(SystemExit):
            ask()


def test_the_signal_wins_over_what_follows_from_it() -> None:
    """Ctrl-C reaches the broker as well; that it is gone is no error of its own."""
    ending = Ending()
    with pytest.raises(KeyboardInterrupt), ending.heard():
        ask(signal.SIGINT)
        raise ConnectionError("the broker is gone")


def test_without_a_signal_all_is_as_before() -> None:
    """The work runs, its error passes, and the handlers are the old ones."""
    before = [signal.getsignal(one) for one in SIGNALS]

    async def work() -> None:
        await asyncio.sleep(0)
        raise ConnectionError("down")

    ending = Ending()
    with pytest.raises(ConnectionError), ending.heard():
        ending.run(work())
    ending.check()
    assert [signal.getsignal(one) for one in SIGNALS] == before
