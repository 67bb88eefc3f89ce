"""Real workers on a real broker: what comes out depends on the set of events alone, and nothing is lost."""

from __future__ import annotations

import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from streams.events import FAMILIES
from tests.streams.lab import PARTITIONS, Lab, bout, disordered, offline

pytestmark = [pytest.mark.broker, pytest.mark.timeout(180)]


@pytest.fixture
async def lab(embedded_broker: str, tmp_path: Path) -> AsyncIterator[Lab]:
    """Topics of its own on the embedded broker, and no worker yet."""
    made = Lab(embedded_broker, tmp_path)
    await made.create()
    yield made
    made.close()


async def test_disorder_duplicates_and_kill(lab: Lab) -> None:
    """Shuffled, duplicated, the worker killed midway and started again: the verdicts are the offline ones."""
    sent = bout(1500, 6, seed=11)
    mixed = disordered(sent, seed=5)
    first = lab.start()
    await lab.send(mixed[:400])
    await lab.until(lambda: lab.read(lab.name("readings")), 40, "no reading")
    await lab.send(mixed[400:900])
    first.send_signal(signal.SIGKILL)
    first.wait()
    await lab.send(mixed[900:])
    lab.start()
    await lab.until_verdicts(offline(sent))


async def test_orderly_stop_commits_all(lab: Lab) -> None:
    """A worker that is told to stop exits with 0 and has committed all that it took in."""
    sent = bout(600, 4, seed=3)
    worker = lab.start()
    await lab.send(sent)
    await lab.until_verdicts(offline(sent))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(20) == 0
    assert await lab.committed() == await lab.ends(FAMILIES)


async def test_rebalance(lab: Lab) -> None:
    """A second worker joins and the first one leaves while events come: the verdicts are the offline ones."""
    sent = bout(1200, 6, seed=7)
    first = lab.start()
    await lab.send(sent[:400])
    await lab.until(lambda: lab.read(lab.name("readings")), 40, "no reading")
    lab.start()
    await lab.send(sent[400:800], batch=20, pause_s=0.4)
    first.send_signal(signal.SIGTERM)
    assert first.wait(30) == 0
    await lab.send(sent[800:])
    await lab.until_verdicts(offline(sent))


async def test_bad_records_become_dead_letters(lab: Lab) -> None:
    """What cannot be read goes to the dead-letter topic with its key, value and headers, and stops nothing else."""
    bad = {
        b"broken": b'{"kind": "tool_call"',
        b"kind": b'{"kind": "dance", "match_id": "m", "contestant_id": "c"}',
        b"types": b'{"kind": "message", "match_id": 7}',
        b"naive": b'{"kind": "message", "match_id": "m", "contestant_id": "c", "at": "2026-01-01T00:00:00"}',
        b"large": b'{"kind": "message", "match_id": "m", "contestant_id": "c", "text": "' + b"x" * (2 << 20) + b'"}',
        b"tombstone": None,
        b"empty": b"",
        b"not text": b"\xff\xfe",
    }
    sent = bout(100, 2, seed=1)
    lab.start()
    async with lab.producer() as producer:
        for key, value in bad.items():
            await producer.send_and_wait(lab.name("traces"), value, key=key, headers=[("mine", b"1")])
    await lab.send(sent)
    await lab.until_verdicts(offline(sent))
    letters = {one.key: one for one in await lab.read(f"{lab.name('traces')}.dlq")}
    assert {key: one.value or None for key, one in letters.items()} == {key: value or None for key, value in bad.items()}
    for one in letters.values():
        headers = dict(one.headers)
        assert headers["mine"] == b"1"
        assert headers["topic"].decode() == lab.name("traces")
        assert headers["stage"]
        assert headers["message"]
        assert int(headers["offset"]) >= 0
    assert dict(letters[b"large"].headers)["stage"] == b"size"


async def test_records_come_home(lab: Lab) -> None:
    """Records under no key, a wrong key or in a wrong partition count as if they had been sent rightly."""
    sent = bout(300, 4, seed=9)
    lab.start()
    async with lab.producer() as producer:
        for number, (stream, _, value) in enumerate(sent):
            key = (None, b"", b"someone else")[number % 3]
            await producer.send(lab.name(stream), value, key=key, partition=number % PARTITIONS)
    await lab.until_verdicts(offline(sent))


async def test_match_events_reach_every_contestant(lab: Lab) -> None:
    """Events of a whole match, the end before the start that names the contestants, count for each of them."""
    sent = [one for one in bout(300, 4, seed=13) if json.loads(one[2])["kind"] not in {"run_started", "run_ended"}]
    match = json.loads(sent[0][2])["match_id"]
    frame = {"match_id": match, "producer": "referee"}
    names = [f"contestant-{number}" for number in range(4)]
    end = {**frame, "kind": "match_ended", "event_id": "end", "at": "2026-03-01T00:00:00Z"}
    start = {**frame, "kind": "match_started", "event_id": "start", "at": "2025-12-31T00:00:00Z", "contestants": names}
    marks = [("control", match.encode(), json.dumps(one).encode()) for one in (end, start)]
    lab.start()
    await lab.send([*marks[:1], *sent, *marks[1:]])
    wanted = offline([*sent, *marks])
    assert all(json.loads(verdict)["end"] == "match_ended" for verdict in wanted.values())
    await lab.until_verdicts(wanted)


async def test_cloudevents(lab: Lab) -> None:
    """Binary and structured CloudEvents count like plain events; their attributes fill in what the value leaves out."""
    sent = bout(60, 2, seed=2)
    lab.start()
    async with lab.producer() as producer:
        for number, (stream, key, value) in enumerate(sent):
            data = json.loads(value)
            name, kind = data.pop("event_id"), data.pop("kind")
            if number % 2:
                headers = [("ce_id", name.encode()), ("ce_type", f"boutwatch.{kind}.v1".encode())]
                await producer.send(lab.name(stream), json.dumps(data).encode(), key=key, headers=headers)
            else:
                envelope = {"specversion": "1.0", "id": name, "type": f"boutwatch.{kind}.v1", "source": "x", "data": data}
                kind_of_content = [("content-type", b"application/cloudevents+json; charset=utf-8")]
                await producer.send(lab.name(stream), json.dumps(envelope).encode(), key=key, headers=kind_of_content)
    await lab.until_verdicts(offline(sent))


async def test_a_worker_says_which_topic_is_missing(embedded_broker: str, tmp_path: Path) -> None:
    """Without its topics a worker does not start, and says which one it misses."""
    bare = Lab(embedded_broker, tmp_path)
    assert bare.start().wait(30) == 2
    assert bare.name("checkpoints") in bare.logs()


async def test_a_worker_refuses_another_partition_count(lab: Lab) -> None:
    """With more partitions configured than there are, a worker does not start: it would look for state in wrong places."""
    assert lab.start(partitions=PARTITIONS + 1).wait(30) == 2
    assert f"has {PARTITIONS}" in lab.logs()


async def test_readings_are_provisional_then_final(lab: Lab) -> None:
    """Readings come while the run lasts; the last one of each run is final and counts all of its events."""
    sent = bout(200, 2, seed=4)
    lab.start(lateness_s=0)
    await lab.send(sent[:-2])
    await lab.until(lambda: lab.read(lab.name("readings")), 40, "no reading")
    assert all(json.loads(value)["provisional"] for value in (await lab.newest("readings")).values())
    await lab.send(sent[-2:])
    await lab.until_verdicts(offline(sent))
    newest = {key: msgspec.json.decode(value) for key, value in (await lab.newest("readings")).items()}
    assert not any(one["provisional"] for one in newest.values())
    assert sum(one["revision"] for one in newest.values()) == len(sent)
