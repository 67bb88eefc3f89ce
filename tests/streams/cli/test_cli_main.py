"""The command's manners: one line for an error, exit codes that mean something, nothing loaded in vain."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from streams.cli import verbs
from streams.cli._errors import BAD_INPUT, BELOW_BAR, FAULT, Failure, message_and_code

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[3]


def test_help_names_every_verb(boutwatch: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """What discovery finds is what the help shows."""
    shown = boutwatch("--help")
    assert shown.returncode == 0
    assert {"score", "replay", "verdicts", "demo"} <= set(verbs())
    assert [verb for verb in verbs() if verb not in shown.stdout] == []


def test_the_version_is_the_packages(boutwatch: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """`--version` and nothing else."""
    shown = boutwatch("--version")
    assert shown.returncode == 0
    assert shown.stdout.startswith("boutwatch 0.")


@pytest.mark.parametrize("arguments", [["nonsense"], ["--nonsense"], ["score"], ["score", "x", "--min-process", "high"]])
def test_wrong_usage_is_one_line_that_names_the_help(
    boutwatch: Callable[..., subprocess.CompletedProcess[str]], arguments: list[str]
) -> None:
    """No usage block, no traceback: what is wrong and where to read on."""
    shown = boutwatch(*arguments)
    assert shown.returncode == BAD_INPUT
    assert shown.stdout == ""
    (line,) = shown.stderr.splitlines()
    assert line.startswith("boutwatch: ")
    assert "--help'" in line


def test_score_loads_neither_faust_nor_kafkas_client(
    native: Callable[..., Path], bout_rows: Callable[..., list[object]]
) -> None:
    """Scoring needs no broker, so nothing of one is even imported."""
    path = native(*bout_rows())
    code = (
        "import sys\nfrom streams.cli import main\n"
        f"code = main(['score', {str(path)!r}, '--json'])\n"
        "heavy = {'faust', 'aiokafka', 'mode', 'polars', 'asyncio'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else code)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_closed_pipe_ends_the_command_without_a_word(
    native: Callable[..., Path], bout_rows: Callable[..., list[object]]
) -> None:
    """`boutwatch score … | head` is no error."""
    path = native(*(row for number in range(40) for row in bout_rows(f"c{number}")))
    ran = subprocess.Popen(
        [sys.executable, "-m", "streams.cli", "score", str(path), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    assert ran.stdout is not None
    assert ran.stderr is not None
    ran.stdout.close()
    assert ran.stderr.read() == b""
    assert ran.wait(60) == 141


def test_ctrl_c_ends_the_command_with_130_and_no_traceback(tmp_path: Path) -> None:
    """Interrupted while it waits for input, the command just ends."""
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    ran = subprocess.Popen(
        [sys.executable, "-m", "streams.cli", "score", str(pipe), "--format", "native"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    with pipe.open("wb"):  # opens once the command reads
        time.sleep(0.2)
        ran.send_signal(signal.SIGINT)
        _, said = ran.communicate(timeout=60)
    assert (ran.returncode, said) == (130, b"")


def test_an_error_of_boutwatch_itself_says_so_and_is_not_taken_for_bad_input() -> None:
    """Its exit code is none of those that say something about a result or an input."""
    message, code = message_and_code(KeyError("x"))
    assert code == FAULT
    assert "report it" in message


def test_expected_errors_become_one_line_with_their_code() -> None:
    """Line breaks are folded; a file is named; a bar has its own code."""
    assert message_and_code(ValueError("a\n b")) == ("a b", BAD_INPUT)
    assert message_and_code(FileNotFoundError(2, "No such file", "x.jsonl")) == ("x.jsonl: No such file", BAD_INPUT)
    assert message_and_code(Failure("too low", BELOW_BAR)) == ("too low", BELOW_BAR)


def test_a_traceback_is_shown_where_it_is_asked_for(boutwatch: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    """BOUTWATCH_DEBUG=1 adds it; the one line stays."""
    wrong = ("score", "x", "--zone", "Nowhere")
    plain, debug = boutwatch(*wrong), boutwatch(*wrong, BOUTWATCH_DEBUG="1")
    assert "Traceback" not in plain.stderr
    assert "Traceback" in debug.stderr
    assert debug.stderr.splitlines()[-1] == plain.stderr.strip()


@pytest.mark.parametrize("verb", [("worker",), ("doctor",), ("topics", "list"), ("verdicts",)])
def test_a_mistyped_variable_is_wrong_usage(
    boutwatch: Callable[..., subprocess.CompletedProcess[str]], verb: tuple[str, ...]
) -> None:
    """One line that names it and the nearest setting; nothing is asked of a broker."""
    done = boutwatch(*verb, "--broker", "127.0.0.1:1", BOUTWATCH_TOPICPREFIX="x")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("boutwatch: environment variable BOUTWATCH_TOPICPREFIX: ")
    assert "did you mean BOUTWATCH_TOPIC_PREFIX?" in line
