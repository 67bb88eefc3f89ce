"""What `boutwatch score` says to files that are no files, or not what they seem, and to what comes through a pipe."""

from __future__ import annotations

import gzip
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    Cli = Callable[..., subprocess.CompletedProcess[str]]
    Native = Callable[..., Path]
    Rows = Callable[..., list[dict[str, Any]]]


def test_a_pipe_is_read_as_a_file_is(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """`-` is standard input; the verdict is the same, and a bad line is told with its number."""
    path = native(*bout_rows())
    lines = path.read_text().splitlines(keepends=True)
    piped = boutwatch("score", "-", "--verdict", stdin="".join([*lines[:2], "{broken\n", *lines[2:]]))
    assert piped.stdout == boutwatch("score", path, "--verdict").stdout
    assert piped.returncode == 0
    assert piped.stderr.startswith("stdin:3: ")


def test_other_verbs_read_a_pipe_too(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """`actions` shows what it would for the file."""
    path = native(*bout_rows())
    piped = boutwatch("actions", "-", "--json", stdin=path.read_text())
    assert (piped.returncode, piped.stderr) == (0, "")
    assert piped.stdout == boutwatch("actions", path, "--json").stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_as_well(boutwatch: Cli, native: Native, bout_rows: Rows, tmp_path: Path) -> None:
    """What `score <(command)` gives in a shell cannot be read twice."""
    path = native(*bout_rows())
    shell = f"{sys.executable} -m streams.cli score <(cat {path}) --verdict"
    import subprocess  # noqa: PLC0415 - a shell is needed by this test alone

    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, cwd=tmp_path, check=False, env=_plain())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == boutwatch("score", path, "--verdict").stdout


def _plain() -> dict[str, str]:
    from pathlib import Path  # noqa: PLC0415 - as above

    kept = {name: value for name, value in os.environ.items() if not name.startswith("BOUTWATCH_")}
    return {**kept, "PYTHONPATH": str(Path(__file__).parents[3])}


def test_an_empty_pipe_is_told(boutwatch: Cli) -> None:
    """As an empty file is."""
    done = boutwatch("score", "-", stdin="")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "boutwatch: stdin: the file is empty; give one that holds a run's telemetry\n"


def test_no_file_and_a_folder_are_told_by_name(boutwatch: Cli, tmp_path: Path) -> None:
    """A line each."""
    done = boutwatch("score", "missing.jsonl", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    missing, folder = done.stderr.splitlines()
    assert missing.startswith("boutwatch: missing.jsonl: No such file")
    assert folder.startswith(f"boutwatch: {tmp_path}: Is a directory")


def test_a_file_that_may_not_be_read_is_told(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """Permissions; root may read all but what the kernel refuses."""
    path = native(*bout_rows())
    path.chmod(0)
    refused = path if not os.access(path, os.R_OK) else "/proc/self/mem"
    if not os.path.exists(refused):  # noqa: PTH110 - what is refused may be text
        pytest.skip("this user may read every file here")
    done = boutwatch("score", refused)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"boutwatch: {refused}: ")
    assert line.endswith("give a readable file")


@pytest.mark.parametrize("options", [(), ("--format", "native")], ids=["format told", "format named"])
def test_a_packed_file_is_one_message_whatever_it_is_called(
    boutwatch: Cli, native: Native, bout_rows: Rows, options: tuple[str, ...]
) -> None:
    """Not one for each line of its bytes; and the way out is said."""
    path = native(*bout_rows())
    path.write_bytes(gzip.compress(path.read_bytes()))
    done = boutwatch("score", path, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"boutwatch: {path}: packed with gzip; unpack it first\n"


def test_a_byte_order_mark_alone_is_an_empty_file_and_before_a_run_is_nothing(
    boutwatch: Cli, native: Native, bout_rows: Rows
) -> None:
    """Editors on Windows write one."""
    path = native(*bout_rows())
    plain = boutwatch("score", path, "--verdict").stdout
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert boutwatch("score", path, "--verdict").stdout == plain
    path.write_bytes(b"\xef\xbb\xbf\r\n")
    assert "the file is empty" in boutwatch("score", path).stderr


def test_blank_lines_and_lines_of_zeros_keep_the_numbers_of_the_others(boutwatch: Cli, native: Native, bout_rows: Rows) -> None:
    """A blank line is nothing; zeros, as a crash leaves them, are a bad line."""
    rows = bout_rows()
    path = native(*rows[:2], "", "\0\0\0", "", *rows[2:], "{")
    done = boutwatch("score", path, "--verdict")
    assert done.returncode == 0
    assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{path}:4", f"{path}:{len(rows) + 4}", "boutwatch"]
    assert done.stdout == boutwatch("score", native(*rows, name="whole.jsonl"), "--verdict").stdout


def test_a_file_of_bad_lines_alone_is_told_line_by_line_and_the_next_file_is_scored(
    boutwatch: Cli, native: Native, bout_rows: Rows
) -> None:
    """Exit code 2, for one of the files gave nothing."""
    bad, good = native("{", "7", '{"kind": "dance"}', name="bad.jsonl"), native(*bout_rows())
    done = boutwatch("score", bad, good, "--verdict", "--format", "native")
    assert done.returncode == 2
    assert done.stdout == boutwatch("score", good, "--verdict").stdout
    *told, none, count = done.stderr.splitlines()
    assert [line.split(": ")[0] for line in told] == [f"{bad}:1", f"{bad}:2", f"{bad}:3"]
    assert none.startswith(f"boutwatch: {bad}: no event in it")
    assert count == "boutwatch: 3 rejected lines, listed above"
