"""Apache Kafka itself for the tests: a single KRaft node, a real process on the loopback address.

Its settings are those of docker-compose.yml (`streams.broker.node`); its jars come from Maven (`streams.broker.jars`).
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from streams.broker import embedded, jars
from streams.broker.embedded import BrokerStartError
from streams.broker.jars import ToolMissingError
from streams.broker.node import CLUSTER_ID, server_properties

READY_S: Final = 90.0
"""It must have started by then; it takes a few seconds on an idle machine."""

STOP_S: Final = 30.0
"""An orderly stop must be done by then, else the process is killed."""

JAVA: Final = 17
"""The oldest Java that the broker of Kafka 4 runs on."""

_STARTED: Final = "Kafka Server started"
_POLL_S: Final = 0.05
_FLAGS: Final = ("-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true")
"""A small heap and a quick start rather than a high throughput: it shares a developer's machine."""

_LOGGING: Final = """\
status = error
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d %p %c{1}: %m%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
logger.server.name = kafka.server.KafkaRaftServer
logger.server.level = info
"""


class Kafka:
    """One node with its data in a folder. It keeps port and data over `stop` or `kill` and a new `start`."""

    def __init__(self, folder: Path, libs: Path) -> None:
        """`folder` is the node's own, and stays; `libs` holds the jars. Nothing runs before `start`."""
        client, controller = _two_ports()
        self.bootstrap = f"127.0.0.1:{client}"
        """Its bootstrap address for clients, `HOST:PORT`."""
        self.log = folder / "broker.log"
        """What the node said, all starts in one file."""
        self._properties = folder / "server.properties"
        self._logging = folder / "log4j2.properties"
        self._command = [java(), *_FLAGS, f"-Dlog4j2.configurationFile={self._logging}", "-cp", f"{libs}/*"]
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self._logging.write_text(_LOGGING, "utf-8")
        data = folder / "data"
        self._properties.write_text(server_properties(self.bootstrap, f"127.0.0.1:{controller}", data), "utf-8")

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def format(self) -> None:
        """Make its data folder; one that is there already stays as it is. Raises BrokerStartError."""
        what = ("kafka.tools.StorageTool", "format", "--ignore-formatted", "-t", CLUSTER_ID, "-c", str(self._properties))
        command = [*self._command, *what]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=READY_S, check=False)
        if done.returncode:
            raise BrokerStartError(f"Apache Kafka's storage could not be formatted: {_last(done.stdout + done.stderr)}")

    def start(self) -> None:
        """Run the node, and return when it takes requests. Raises BrokerStartError; harmless when it runs already."""
        if self.running:
            return
        with self.log.open("ab") as out:
            said = out.tell()
            command = [*self._command, "kafka.Kafka", str(self._properties)]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        try:
            self._wait(self._process, said)
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """End the node in order, as an operator would. What clients had acknowledged is on the disk."""
        if self._process is not None:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(STOP_S)
        self.kill()

    def kill(self) -> None:
        """End the node at once (`SIGKILL`), as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _wait(self, process: subprocess.Popen[bytes], said: int) -> None:
        until = time.monotonic() + READY_S
        # Its own word is surer than an open port: the port opens before the controller has taken the node in.
        while _STARTED not in (text := self.log.read_bytes()[said:].decode("utf-8", "replace")):
            if process.poll() is not None:
                raise BrokerStartError(f"Apache Kafka ended while starting (exit {process.returncode}): {_last(text)}")
            if time.monotonic() > until:
                raise BrokerStartError(f"Apache Kafka was not ready within {READY_S:.0f} s; it said last: {_last(text)}")
            time.sleep(_POLL_S)


@contextlib.contextmanager
def start(folder: Path | None = None) -> Iterator[Kafka]:
    """A running node, empty unless `folder` has its data; ends with the block, and so does a folder that none named.

    Raises BrokerStartError when Java or Maven is missing, or the node does not start.
    """
    java()  # before anything is fetched for it
    with contextlib.ExitStack() as stack:
        own = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boutwatch-kafka-")))
        node = Kafka(own, jars.fetched())
        stack.callback(node.stop)
        node.format()
        node.start()
        yield node


def java() -> str:
    """The path of a Java that can run the broker. Raises ToolMissingError when there is none, or an older one."""
    hint = f"install Java {JAVA} or newer: Apache Kafka runs on it"
    program = jars.tool("java", hint)
    said = subprocess.run([program, "-version"], capture_output=True, text=True, errors="replace", check=False)
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    if found is None or int(found[1]) < JAVA:
        raise ToolMissingError(f"{program} is Java {found[1] if found else 'of an unknown version'}; {hint}")
    return program


def _two_ports() -> tuple[int, int]:
    first = second = embedded.free_port()
    while second == first:
        second = embedded.free_port()
    return first, second


def _last(text: str) -> str:
    return " | ".join(line for line in text.splitlines()[-8:] if line.strip()) or "nothing"
