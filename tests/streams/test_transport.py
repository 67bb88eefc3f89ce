"""The transport driver: what it commits, and that nothing is committed before it is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiokafka import ConsumerRecord
from faust.types import TP
from hypothesis import given
from hypothesis import strategies as st

from streams.app import App, create_app
from streams.settings import Settings
from streams.transport import Chunk, Consumer, Ledger

TRACES = TP("bouts.traces.v1", 0)


def record(offset: int, tp: TP = TRACES) -> ConsumerRecord:
    """A record of which the offset alone matters."""
    return ConsumerRecord(tp.topic, tp.partition, offset, 0, 0, b"k", b"v", None, 1, 1, ())


def chunk(*offsets: int) -> Chunk:
    """A chunk with records at these offsets."""
    return Chunk(record(offset) for offset in offsets)


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> App:
    """An app that is not started."""
    monkeypatch.chdir(tmp_path)
    return create_app(Settings())


@pytest.fixture
async def consumer(app: App) -> Consumer:
    """A consumer that is not connected, of an app that acknowledges its sources."""
    made = app.transport.create_consumer(callback=_nothing, on_partitions_revoked=_nothing, on_partitions_assigned=_nothing)
    app.consumer = made
    app.topics._acking_topics.update(app.sources)
    made.log.logger.setLevel("ERROR")
    return made


async def _nothing(*_: object, **__: object) -> None:
    """Take the place of Faust's callbacks."""


def delivered(consumer: Consumer, made: Chunk) -> Any:
    """The message of a chunk, as an agent holds it."""
    message = consumer._to_message(TRACES, made)
    message.incref()
    consumer.track_message(message)
    return message


@given(
    lengths=st.lists(st.integers(1, 5), min_size=1, max_size=12),
    holes=st.lists(st.integers(0, 4), min_size=12, max_size=12),
    data=st.data(),
)
def test_no_offset_is_committed_before_all_below_it_is_done(lengths: list[int], holes: list[int], data: st.DataObject) -> None:
    """Whatever the order of acknowledgements and the holes in the offsets, what is committed is done; at the end all is."""
    ledger, chunks, at = Ledger(), [], 0
    for length, hole in zip(lengths, holes, strict=False):
        at += hole
        chunks.append(chunk(*range(at, at + length)))
        ledger.hand_out(TRACES, chunks[-1])
        at += length
    committed = 0
    for one in data.draw(st.permutations(chunks)):
        one.done = True
        committed = ledger.committable(TRACES) or committed
        assert all(other.done for other in chunks if other[0].offset < committed)
    assert committed == at
    assert ledger.committable(TRACES) is None


def test_the_end_of_a_chunk_with_holes_is_one_past_its_last_record() -> None:
    """A compacted chunk commits past its last record, not past as many offsets as it has records."""
    assert chunk(3, 7, 40).end == 41


def test_a_position_that_moved_back_starts_anew() -> None:
    """A chunk that lies behind another was fetched again: the earlier hand-out no longer counts."""
    ledger, stale, again = Ledger(), chunk(10, 11), chunk(10, 11, 12)
    ledger.hand_out(TRACES, stale)
    ledger.hand_out(TRACES, again)
    stale.done = True
    assert ledger.committable(TRACES) is None
    again.done = True
    assert ledger.committable(TRACES) == 13


async def test_a_chunk_is_one_message_a_changelog_is_left_alone(consumer: Consumer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of a source come as one chunk; those of a changelog one by one, as Faust's recovery expects."""
    changelog = TP("boutwatch-runs-changelog", 0)
    fetched = {TRACES: [record(1), record(2)], changelog: [record(5, changelog), record(6, changelog)]}

    async def getmany(*_: object) -> dict[TP, list[ConsumerRecord]]:
        return fetched

    monkeypatch.setattr(consumer._thread, "getmany", getmany)
    got = await consumer._getmany(set(fetched), 1.0)
    assert [len(one) for one in got[TRACES]] == [2]
    assert got[changelog] == fetched[changelog]
    assert [consumer._to_message(changelog, one).offset for one in got[changelog]] == [5, 6]


async def test_sources_are_held_while_a_rebalance_moves_their_positions(
    consumer: Consumer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the moment that Faust resumes the partitions until its flow resumes after the seek, only changelogs are fetched.

    What Faust hands out in between it throws away when it clears its queues, and it would never come again.
    """
    changelog, asked = TP("boutwatch-runs-changelog", 0), []

    async def getmany(active: set[TP], *_: object) -> dict[TP, list[ConsumerRecord]]:
        asked.append(set(active))
        return {}

    async def seek(_: Consumer) -> None:
        assert consumer._fetching.locked()

    monkeypatch.setattr(consumer._thread, "getmany", getmany)
    monkeypatch.setattr(Consumer, "_seek_to_committed", seek)
    monkeypatch.setattr(consumer, "_get_active_partitions", lambda: {TRACES, changelog})
    consumer.resume_partitions({changelog})
    consumer.resume_flow()
    consumer.resume_partitions({TRACES})
    await consumer._getmany({TRACES, changelog}, 1.0)
    consumer.resume_flow()  # as for the recovery of a table: no seek has been yet
    await consumer._getmany({TRACES, changelog}, 1.0)
    await consumer.perform_seek()
    await consumer._getmany({TRACES, changelog}, 1.0)
    consumer.resume_flow()
    await consumer._getmany({TRACES, changelog}, 1.0)
    assert asked == [{changelog}, {changelog}, {changelog}, {TRACES, changelog}]


async def test_nothing_is_fetched_where_all_is_held(consumer: Consumer, monkeypatch: pytest.MonkeyPatch) -> None:
    """No partition to ask for is not the same as any: the client below takes an empty set for all."""

    async def getmany(*_: object) -> dict[TP, list[ConsumerRecord]]:
        raise AssertionError("asked for everything")

    monkeypatch.setattr(consumer._thread, "getmany", getmany)
    consumer._held = True
    assert await consumer._getmany({TRACES}, 1.0) == {}


async def test_an_acknowledged_chunk_commits_its_end(consumer: Consumer) -> None:
    """One acknowledgement for all records of a chunk, at the offset after its last."""
    message = delivered(consumer, chunk(0, 1, 2))
    assert consumer._filter_committable_offsets([TRACES]) == {}
    assert message.ack(consumer)
    assert consumer._filter_committable_offsets(list(consumer._filter_tps_with_pending_acks())) == {TRACES: 3}
    assert not consumer.unacked


async def test_later_chunks_wait_for_earlier_ones(consumer: Consumer) -> None:
    """A chunk that is done before the one below it is committed with that one."""
    first, second = delivered(consumer, chunk(0, 1)), delivered(consumer, chunk(5, 6))
    second.ack(consumer)
    assert consumer._filter_committable_offsets([TRACES]) == {}
    first.ack(consumer)
    assert consumer._filter_committable_offsets([TRACES]) == {TRACES: 7}


async def test_a_second_acknowledgement_is_none(consumer: Consumer) -> None:
    """Faust may acknowledge again as it closes a stream; nothing follows from it."""
    message = delivered(consumer, chunk(0, 1))
    assert message.ack(consumer)
    assert not consumer.ack(message)


@pytest.mark.parametrize("start", [4, 9])
@pytest.mark.parametrize("how", ["seek", "revoked"])
async def test_what_was_handed_out_before_does_not_commit_what_comes_after(
    consumer: Consumer, monkeypatch: pytest.MonkeyPatch, how: str, start: int
) -> None:
    """After a seek or a rebalance, the old chunk neither stands for a new one nor holds it back."""
    old = delivered(consumer, chunk(4, 5))
    if how == "seek":
        monkeypatch.setattr(consumer._thread, "seek", lambda *_: None)
        await consumer.seek(TRACES, 4)
    else:
        await consumer.on_partitions_revoked({TRACES})
    new = delivered(consumer, chunk(start, start + 2))
    assert consumer._filter_committable_offsets([TRACES]) == {}
    new.ack(consumer)
    assert consumer._filter_committable_offsets([TRACES]) == {TRACES: start + 3}
    old.ack(consumer)
    assert consumer._filter_committable_offsets([TRACES]) == {}


async def test_chunks_in_work_at_a_rebalance_are_committed_first(consumer: Consumer) -> None:
    """While Faust waits for what is in work, acknowledgements still count: giving a partition up loses no work."""
    message, seen = delivered(consumer, chunk(0, 1)), {}

    async def wait_empty(revoked: set[TP]) -> None:
        message.ack(consumer)
        seen.update(consumer._filter_committable_offsets(revoked))

    consumer._on_partitions_revoked = wait_empty
    await consumer.on_partitions_revoked({TRACES})
    assert seen == {TRACES: 2}
    assert consumer._filter_committable_offsets([TRACES]) == {}


async def test_a_chunk_from_before_the_read_offset_is_not_dropped(consumer: Consumer) -> None:
    """Faust drops messages below what it has read; a chunk must not vanish so, or nothing after it would be committed."""
    consumer._read_offset[TRACES] = 50
    consumer._to_message(TRACES, chunk(10, 11))
    assert consumer._read_offset[TRACES] == 10


async def test_a_seek_goes_back_to_the_beginning_where_nothing_was_committed(
    consumer: Consumer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Faust fetched and threw away in a rebalance comes again, also on partitions that never had a commit."""
    other, sought = TP(TRACES.topic, 1), []

    async def committed() -> dict[TP, int | None]:
        return {TRACES: None, other: 7}

    async def to_beginning(*tps: TP) -> None:
        sought.extend(tps)

    monkeypatch.setattr(consumer._thread, "seek_to_committed", committed)
    monkeypatch.setattr(consumer._thread, "seek_to_beginning", to_beginning)
    monkeypatch.setattr(consumer._thread, "assignment", lambda: {TRACES, other})
    await consumer.perform_seek()
    assert sought == [TRACES]
