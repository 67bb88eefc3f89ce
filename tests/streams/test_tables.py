"""The durable table: what was written is on the broker, and comes back from there alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from streams.app import App, create_app
from streams.settings import Settings


class Sent(list[tuple[str, bytes, bytes | None, int]]):
    """A producer that remembers the records and acknowledges when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.acknowledged: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def send(self, topic: str, key: bytes, value: bytes | None, partition: int, *_: object) -> asyncio.Future[None]:
        self.append((topic, key, value, partition))
        return self.acknowledged


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> App:
    """An app that is not started."""
    monkeypatch.chdir(tmp_path)
    return create_app(Settings(app_id="tables"))


async def test_a_write_is_done_when_the_broker_has_it(app: App) -> None:
    """The futures of a write are those of its changelog records: not done before the broker says so."""
    sent = app.producer = Sent()
    futures = await app.runs.write(2, {b"a": b"1", b"b": b"2"})
    assert sent == [("tables-runs-changelog", b"a", b"1", 2), ("tables-runs-changelog", b"b", b"2", 2)]
    assert not any(one.done() for one in futures)
    sent.acknowledged.set_result(None)
    await asyncio.gather(*futures)


async def test_a_write_that_failed_is_heard_of(app: App) -> None:
    """An error of the broker reaches who awaits the write."""
    sent = app.producer = Sent()
    futures = await app.runs.write(0, {b"a": b"1"})
    sent.acknowledged.set_exception(ConnectionError("gone"))
    with pytest.raises(ConnectionError):
        await asyncio.gather(*futures)


async def test_an_empty_value_deletes(app: App) -> None:
    """In the table and, as a tombstone, in the changelog."""
    sent = app.producer = Sent()
    await app.runs.write(1, {b"a": b"1"})
    await app.runs.write(1, {b"a": b""})
    assert sent[-1] == ("tables-runs-changelog", b"a", None, 1)
    assert app.runs.of_partitions([1]) == {1: {}}


async def test_each_partition_has_its_own(app: App) -> None:
    """What was written for a partition is found under it, and nowhere else."""
    app.producer = Sent()
    await app.runs.write(0, {b"a": b"1"})
    await app.runs.write(1, {b"b": b"2"})
    assert app.runs.of_partitions([1, 2]) == {1: {b"b": b"2"}, 2: {}}
