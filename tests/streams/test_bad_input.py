"""Bad input through `boutwatch score` and through a real worker: nothing stops, and nothing is lost silently."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random

import pytest

from metrics.ledger import MAX_FACTS
from tests.streams.bad import BAD, BAD_RECORDS, ODD, Bad, records
from tests.streams.lab import PARTITIONS, ROOT, Lab, bout

Record = tuple[str, bytes, bytes]

SOUND = bout(120, 3, seed=31)
LONG = bout(MAX_FACTS + 10_000, 1, seed=32)
MIXED = bout(20_000, 1, seed=33)


def score(path: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    """The real command."""
    command = [sys.executable, "-m", "streams.cli", "score", str(path), *options]
    return subprocess.run(command, capture_output=True, cwd=ROOT, check=False)


def written(path: Path, lines: Iterable[bytes]) -> Path:
    """A native file of these lines."""
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def by_run(verdicts: bytes) -> dict[str, bytes]:
    """What `score --verdict` printed, by run."""
    return {json.loads(one)["run"]: one for one in verdicts.splitlines()}


def renamed(sent: Iterable[Record], match: str) -> list[Record]:
    """The same events as those of another match."""
    rows = [(stream, {**json.loads(value), "match_id": match}) for stream, _, value in sent]
    return [(stream, f"{match}/{row['contestant_id']}".encode(), json.dumps(row).encode()) for stream, row in rows]


def shuffled(sent: list[Record], seed: int = 7) -> list[Record]:
    """All of them in any order."""
    return Random(seed).sample(sent, len(sent))


def test_each_bad_line_is_told_with_file_line_and_reason_and_the_rest_is_scored(tmp_path: Path) -> None:
    """As if the bad lines had not been there."""
    values = [value for _, _, value in SOUND]
    lines, places = list(values), {}
    for number, one in enumerate(BAD):
        lines.insert(5 * number, one.value or b"")
    for one in BAD:
        places[lines.index(one.value or b"") + 1] = one
    path = written(tmp_path / "bad.jsonl", lines)
    done = score(path, "--verdict", "--format", "native")
    assert (done.returncode, done.stdout) == (0, score(written(tmp_path / "sound.jsonl", values), "--verdict").stdout)
    *told, count = done.stderr.decode().splitlines()
    assert [line.split(": ", 1)[0] for line in told] == [f"{path}:{place}" for place in sorted(places)]
    for line in told:
        one = places[int(line.removeprefix(f"{path}:").split(":")[0])]
        assert one.says in line.split(": ", 1)[1], one.name
    assert count == f"boutwatch: {len(BAD)} rejected lines, listed above"
    assert score(path, "--verdict", "--strict", "--format", "native").returncode == 2


@pytest.mark.parametrize("one", BAD, ids=lambda one: one.name)
def test_a_file_of_nothing_but_a_bad_line_is_an_error(one: Bad, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Nothing is scored, and the exit code says so."""
    from streams.cli import main  # noqa: PLC0415 - in this process: so many starts would take half a minute

    path = written(tmp_path / "bad.jsonl", [one.value or b""])
    assert main(["score", str(path), "--format", "native"]) == 2
    out, said = capfd.readouterr()
    assert out == ""
    assert f"{path}:1: " in said
    assert one.says in said


def test_odd_runs_are_scored_and_what_is_odd_is_told(tmp_path: Path) -> None:
    """Every run has a verdict; an id with two contents is told, whichever came first, and a repetition is none."""
    sent = records()
    done = score(written(tmp_path / "odd.jsonl", [value for _, _, value in sent]), "--json")
    assert done.returncode == 0, done.stderr
    found = {one["run"]: one for one in map(json.loads, done.stdout.splitlines())}
    names = {name: f"odd/{name.replace('%', '%25').replace('/', '%2F')}" for name in ODD}
    assert set(found) == set(names.values())
    told = "1 event came under an id that another content has; one content of each id is counted"
    assert done.stderr.decode() == f"boutwatch: odd/one id, other content: {told}\n"
    ends = {name: found[run]["verdict"]["end"] for name, run in names.items()}
    assert {name for name, end in ends.items() if end == "abandoned"} == {"no end", "no frame", "all in 1970"}
    process = {name: found[run]["opinions"][0].get("score") for name, run in names.items()}
    assert process["twice the same"] == process["sound"] == process["slash/and%percent"]
    assert process["frame alone"] is None
    mixed = score(written(tmp_path / "mixed.jsonl", [value for _, _, value in shuffled(sent)]), "--json")
    assert mixed.stdout == done.stdout


@pytest.fixture(scope="module")
def of_great_length(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Record], subprocess.CompletedProcess[bytes]]:
    """A run beyond the limit, then a long one in any order; and what `score --json` says of them."""
    sent = [*renamed(LONG, "long"), *shuffled(renamed(MIXED, "mixed"))]
    path = written(tmp_path_factory.mktemp("length") / "sent.jsonl", [value for _, _, value in sent])
    return sent, score(path, "--json")


def test_a_run_beyond_the_limit_is_read_to_its_end_and_says_that_it_is_cut(
    of_great_length: tuple[list[Record], subprocess.CompletedProcess[bytes]],
) -> None:
    """No metric of it pretends to be measured, and stderr tells it too."""
    done = of_great_length[1]
    assert done.returncode == 0, done.stderr
    long = json.loads(done.stdout.splitlines()[0])
    assert long["verdict"]["end"] == "run_ended"
    assert {reading["state"] for reading in long["readings"]} == {"insufficient"}
    assert all("more events than are kept" in reading["reason"] for reading in long["readings"])
    assert f"boutwatch: long/contestant-0: holds more than the {MAX_FACTS} events" in done.stderr.decode()


def test_a_long_run_in_any_order_is_the_same_run(
    tmp_path: Path, of_great_length: tuple[list[Record], subprocess.CompletedProcess[bytes]]
) -> None:
    """20,000 events shuffled: the report of the sorted file, byte for byte."""
    straight = score(written(tmp_path / "straight.jsonl", [value for _, _, value in renamed(MIXED, "mixed")]), "--json")
    assert (straight.returncode, straight.stderr) == (0, b"")
    assert straight.stdout.splitlines() == of_great_length[1].stdout.splitlines()[1:]
    assert json.loads(straight.stdout)["opinions"][0]["score"] is not None


@pytest.fixture
async def lab(embedded_broker: str, tmp_path: Path) -> AsyncIterator[Lab]:
    """Topics of its own on the embedded broker, and no worker yet."""
    made = Lab(embedded_broker, tmp_path)
    await made.create()
    yield made
    made.close()


@pytest.mark.broker
async def test_each_bad_record_is_a_dead_letter_and_the_worker_lives_on(lab: Lab) -> None:
    """With reason, topic, partition and offset, on every topic, under any key; what is sound is scored as `score` does."""
    worker = lab.start(idle_s=2)
    streams = ("traces", "checkpoints", "errors", "control", "evidence")
    sent = [*SOUND, *records()]
    places = {}
    async with lab.producer() as producer:
        for number, one in enumerate((*BAD, *BAD_RECORDS)):
            key = (None, b"", b"\xff\x00", b"m/c")[number % 4]
            topic = lab.name(streams[number % len(streams)])
            meta = await producer.send_and_wait(topic, one.value, key=key, partition=number % PARTITIONS)
            places[topic, meta.partition, meta.offset] = one, key
    await lab.send(shuffled(sent))
    path = written(lab.folder / "sent.jsonl", [value for _, _, value in sent])
    await lab.until_verdicts(by_run(score(path, "--verdict").stdout))
    assert worker.poll() is None
    told = [line for line in lab.logs().splitlines() if "events came under an id that another content has" in line]
    assert "events=1" in told[0]
    readings = await lab.newest("readings")
    assert {run for run, one in readings.items() if json.loads(one).get("conflicts")} == {"odd/one id, other content"}
    letters = [letter for stream in streams for letter in await lab.read(f"{lab.name(stream)}.dlq")]
    found = {}
    for letter in letters:
        headers = {name: text.decode() for name, text in letter.headers}
        place = headers["topic"], int(headers["partition"]), int(headers["offset"])
        one, key = places[place]
        found[place] = one.name
        assert letter.topic == f"{headers['topic']}.dlq"
        assert (letter.key or None, letter.value or None) == (key or None, one.value or None), one.name
        assert headers["stage"] == one.stage, one.name
        assert one.says in headers["message"], one.name
    assert len(letters) == len(places)
    assert found == {place: one.name for place, (one, _) in places.items()}


@pytest.mark.broker
async def test_runs_of_great_length_go_through_the_worker_as_through_score(
    lab: Lab, of_great_length: tuple[list[Record], subprocess.CompletedProcess[bytes]]
) -> None:
    """A run beyond the limit and a long one in any order: the verdicts of `score`, and the worker lives on."""
    sent, scored = of_great_length
    worker = lab.start()
    await lab.send(sent, batch=4000)
    verdicts = b"\n".join(line.partition(b'"verdict":')[2][:-1] for line in scored.stdout.splitlines())
    await lab.until_verdicts(by_run(verdicts))
    assert worker.poll() is None
    assert not await lab.read(f"{lab.name('traces')}.dlq")
    assert "beyond what is kept of a run" in lab.logs()
    readings = json.loads((await lab.newest("readings"))["long/contestant-0"])
    assert not readings.get("provisional")
    assert {one["state"] for one in readings["readings"]} == {"insufficient"}
