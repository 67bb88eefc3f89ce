"""The recorder: the contestants' commands really run, and what is on record is what running them gives."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from streams.events import Event, Rejected, Submission, ToolCall
from streams.events.decode import decoder
from streams.record.contestants import SCRIPTS
from streams.record.desk import Desk
from streams.record.steps import Edit, Shell, play
from streams.record.task import FILES, NAME
from streams.record.workspace import SHOWN, Workspace

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "tests" / "bouts" / f"{NAME}.jsonl"
VARIES = re.compile(r"in \d+\.\d\ds\b")

pytestmark = pytest.mark.skipif(not (shutil.which("git") and shutil.which("bash")), reason="the recorder needs git and bash")


def decoded(content: bytes) -> list[Event]:
    """Every line as an event; none is rejected."""
    read = decoder()
    events = [read(line) for line in content.splitlines()]
    sound = [event for event in events if not isinstance(event, Rejected)]
    assert len(sound) == len(events)
    return sound


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The recorder as its users start it."""
    line = [sys.executable, "-m", "streams.record", *arguments]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, timeout=100)


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bout, recorded anew without pauses."""
    folder = tmp_path_factory.mktemp("recorded") / "made"
    done = command("--out", str(folder), "--pace", "10000")
    assert done.returncode == 0, done.stderr
    return (folder / KEPT.name).read_bytes()


def essence(content: bytes) -> dict[str, list[dict[str, Any]]]:
    """Each contestant's events without times and commits; of an output, its last line without the seconds."""
    found: dict[str, list[dict[str, Any]]] = {}
    for event in decoded(content):
        kept = msgspec.to_builtins(event, enc_hook=int)
        for name in ("at", "started_at", "ended_at", "commit"):
            kept.pop(name, None)
        kept["output"] = VARIES.sub("in N s", kept.get("output", "")).rpartition("\n")[2].replace("bash: line 1: ", "bash: ")
        found.setdefault(event.contestant_id, []).append(kept)
    return found


def test_the_bout_on_record_is_what_the_scripts_give(again: bytes) -> None:
    """Ids, calls, exit codes, hashes and results are the same whenever it is recorded; only times and commits differ."""
    assert essence(again) == essence(KEPT.read_bytes())


def test_the_bout_on_record_was_recorded_with_its_pauses() -> None:
    """At pace 1: every contestant is at work for minutes, and no call ends before it started."""
    for name, script in SCRIPTS.items():
        events = [event for event in decoded(KEPT.read_bytes()) if event.contestant_id == name]
        spent = (events[-1].at - events[0].at) / 1_000_000
        assert 180 < spent < 600
        assert spent >= sum(step.pause_s for step in script)
        assert [event.seq for event in events] == list(range(len(events)))
        assert all(one.started_at <= one.ended_at for one in events if isinstance(one, ToolCall) and one.ended_at)


@pytest.mark.parametrize("which", ["kept", "again"])
def test_nothing_of_the_machine_is_on_record(which: str, again: bytes) -> None:
    """No temporary folder, no home, no installation, no host name."""
    text = (KEPT.read_bytes() if which == "kept" else again).decode()
    assert SHOWN in text
    host = os.uname().nodename
    for secret in (tempfile.gettempdir(), str(Path.home()), sys.prefix, sys.base_prefix, str(ROOT), host):
        telling = len(secret) > 3 and (secret != host or not host.isalpha())  # a host may be called `main`
        assert not telling or secret not in text


def test_what_is_handed_in_is_what_the_story_says(again: bytes) -> None:
    """Two contestants end with all tests passing; one says so while two fail."""
    last: dict[str, str] = {}
    for event in decoded(again):
        if isinstance(event, ToolCall) and (counts := re.search(r"[^\n]*\d (?:passed|failed) in[^\n]*\Z", event.output)):
            last[event.contestant_id] = VARIES.sub("", counts[0]).strip()
    assert last == {"disciplined": "16 passed", "thrashing": "12 passed", "overclaiming": "2 failed, 10 passed"}
    texts = {event.contestant_id: event.text for event in decoded(again) if isinstance(event, Submission)}
    assert all("tests pass" in text for text in texts.values())


def test_the_task_fails_in_three_of_twelve_places(tmp_path: Path) -> None:
    """The base commit: nine tests pass, three do not, and no cache is left in the repository."""
    workspace = Workspace(tmp_path, "solo")
    done = workspace.shell("pytest -q")
    assert (done.exit_code, done.ok) == (1, False)
    assert re.search(r"3 failed, 9 passed in \d", done.output)
    assert workspace.shell("git status --short").output == ""
    assert workspace.shell("git ls-files").output.splitlines() == sorted(FILES)


def test_the_base_commit_is_the_same_in_every_repository(tmp_path: Path) -> None:
    """Content, author and date are fixed, whoever works in it."""
    commits = set()
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        commits.add(Workspace(tmp_path / name, "solo").commit)
    assert len(commits) == 1


def test_an_edit_changes_one_place_and_says_what_it_changed(tmp_path: Path) -> None:
    """Hashes before and after, lines added and removed; an edit that finds no place or two changes nothing."""
    workspace = Workspace(tmp_path, "solo")
    (change,) = workspace.edit("README.md", "# spans", "# Spans\n\nOf time.").files
    assert (change.path, change.added, change.removed) == ("README.md", 3, 1)
    (back,) = workspace.write("README.md", FILES["README.md"]).files
    assert (back.before, back.after) == (change.after, change.before)
    absent, twice = workspace.edit("README.md", "absent", "x"), workspace.edit("README.md", "s", "x")
    assert (absent.ok, twice.ok, absent.files, twice.files) == (False, False, (), ())
    assert workspace.place("README.md").read_text("utf-8") == FILES["README.md"]


def test_a_command_is_told_in_two_events_and_an_edit_in_one(tmp_path: Path) -> None:
    """The two phases share a call id; the end has the output, exit code and status."""
    desk = Desk("solo", Workspace(tmp_path, "solo"), pace=1000)
    play(desk, (Shell(0, "echo one; exit 3"), Edit(0, "README.md", "# spans", "# Spans")))
    begun, ended, edited = (event for event in desk.events if isinstance(event, ToolCall))
    assert (begun.phase, ended.phase, edited.phase) == ("start", "end", "end")
    assert begun.call_id == ended.call_id != edited.call_id
    assert (ended.output, ended.exit_code, ended.status) == ("one", 3, "failed")


def test_a_pace_of_nothing_is_wrong_usage() -> None:
    """It says which option is meant."""
    wrong = command("--pace", "0")
    assert wrong.returncode == 2
    assert "--pace" in wrong.stderr
