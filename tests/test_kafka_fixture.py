"""The tests on Apache Kafka are skipped where it cannot run, and never skipped unseen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run_without(path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of one test on Apache Kafka, with nothing on the search path but `path`."""
    kept = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "kafka", "-rs"]
    return subprocess.run(
        [*command, "tests/streams/test_kafka_broker.py::test_starting_what_runs_changes_nothing"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**kept, "PATH": str(path), "PYTHONPATH": str(ROOT), **environment},
        check=False,
    )


def test_without_java_the_lane_is_skipped_with_the_reason(tmp_path: Path) -> None:
    """A developer sees what to install."""
    done = run_without(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no Apache Kafka on this machine: java is not on the PATH; install Java" in done.stdout
    assert "1 skipped" in done.stdout


def test_without_maven_the_lane_is_skipped_with_the_reason(tmp_path: Path) -> None:
    """Java alone has no jars to run, unless they were fetched before."""
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"21.0.1\"' >&2\n")
    java.chmod(0o755)
    done = run_without(tmp_path, BOUTWATCH_KAFKA_HOME=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mvn is not on the PATH; install Maven" in done.stdout


@pytest.mark.parametrize("value", ["true", "1"])
def test_in_ci_it_fails_instead(tmp_path: Path, value: str) -> None:
    """A lane that never ran is not green."""
    done = run_without(tmp_path, CI=value)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "CI is set, so Apache Kafka must be here: java is not on the PATH" in done.stdout
