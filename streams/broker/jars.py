"""The jars of Apache Kafka, fetched once by Maven into a cache folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from importlib import resources
from pathlib import Path
from typing import Final

from streams.broker.embedded import BrokerStartError


class ToolMissingError(BrokerStartError):
    """A program that Apache Kafka needs is not on this machine, or is too old; the message says what to install."""


HOME: Final = "BOUTWATCH_KAFKA_HOME"
"""The environment variable that names the cache folder; else `.kafka` in the current folder."""

FETCH_S: Final = 600.0
_POM: Final = "pom.xml"


def home() -> Path:
    """The cache folder, absolute; it need not be there yet."""
    return Path(os.environ.get(HOME) or ".kafka").resolve()


def pom() -> str:
    """The list of jars, as Maven reads it."""
    return resources.files("streams.broker").joinpath(_POM).read_text("utf-8")


def version() -> str:
    """Which Apache Kafka it is: the one place that says it."""
    found = re.search(r"<kafka\.version>(\d+\.\d+\.\d+)</kafka\.version>", pom())
    if found is None:
        raise BrokerStartError(f"streams/broker/{_POM} names no kafka.version")
    return found[1]


def fetched(folder: Path | None = None) -> Path:
    """The folder with all jars of this version, fetched first if it is not there.

    Raises BrokerStartError when Maven is missing, fails or takes longer than `FETCH_S` seconds.
    """
    root = folder or home()
    libs = root / f"libs-{version()}"
    if not libs.is_dir():
        root.mkdir(parents=True, exist_ok=True)
        # Another process may fetch at the same time: each its own folder, and the rename says that it is whole.
        with tempfile.TemporaryDirectory(prefix="fetch-", dir=root) as work:
            _keep(_fetch(Path(work)), libs)
    return libs


def tool(name: str, why: str) -> str:
    """The path of a program. Raises ToolMissingError when it is not there."""
    found = shutil.which(name)
    if found is None:
        raise ToolMissingError(f"{name} is not on the PATH; {why}")
    return found


def _fetch(work: Path) -> Path:
    maven = tool("mvn", "install Maven (and Java 17 or newer): it fetches the jars of Apache Kafka")
    (work / _POM).write_text(pom(), "utf-8")
    target = work / "libs"
    command = [maven, "-q", "-B", "-f", str(work / _POM), "dependency:copy-dependencies", f"-DoutputDirectory={target}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=FETCH_S, check=False)
    except subprocess.TimeoutExpired:
        raise BrokerStartError(f"Maven did not fetch Apache Kafka within {FETCH_S:.0f} s; try again") from None
    if done.returncode or not any(target.glob("kafka_*.jar")):
        last = " | ".join((done.stdout + done.stderr).split("\n")[-5:]).strip()
        raise BrokerStartError(f"Maven did not fetch Apache Kafka {version()}: {last or 'it said nothing'}")
    return target


def _keep(made: Path, libs: Path) -> None:
    try:
        made.rename(libs)
    except OSError:
        if not libs.is_dir():
            raise
