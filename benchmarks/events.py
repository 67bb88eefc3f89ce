"""Realistic events for the benchmarks, the same ones for the same seed.

Contestants read, search, edit and test. Some of their command lines repeat (the test command, the look at the status), most
are new (line ranges, search words), as in real sessions. An event is about 600 bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import msgspec

START_US = 1_767_225_600_000_000
"""2026-01-01: where the time of the events begins."""

_MODULES = ("parser", "lexer", "cache", "store", "router", "views", "models", "client", "config", "report")
_WORDS = ("handle", "token", "retry", "buffer", "request", "offset", "schema", "index", "value", "state", "result", "error")


class Sent(NamedTuple):
    """One event as it is produced."""

    stream: str
    run: str
    value: bytes


def events(count: int, runs: int, *, seed: int = 1, start_us: int = START_US, first: int = 0) -> Iterator[Sent]:
    """`count` events of `runs` runs, numbered from `first`: all starts, then calls of a random run each, then all ends."""
    random = Random(seed)
    numbers = range(first, first + runs)
    contestants = [_Contestant(number, Random(f"{seed}/{number}"), start_us) for number in numbers]
    yield from (one.start() for one in contestants)
    for _ in range(max(0, count - 2 * runs)):
        yield contestants[random.randrange(runs)].step()
    yield from (one.end() for one in contestants)


class _Contestant:
    def __init__(self, number: int, random: Random, start_us: int) -> None:
        self._random, self._at = random, start_us + number * 1000
        self._match, self._name = f"match-{number // 4:04}", f"contestant-{number % 4}"
        self._seq, self._edited, self._failing = 0, "", 1

    def start(self) -> Sent:
        return self._sent("control", "run_started", cwd="/repo", harness="bench")

    def end(self) -> Sent:
        return self._sent("control", "run_ended", reason="done")

    def step(self) -> Sent:
        kinds = (self._look, self._search, self._edit, self._test, self._status, self._say, self._checkpoint)
        return self._random.choices(kinds, weights=(30, 18, 20, 18, 6, 6, 2))[0]()

    def _file(self) -> str:
        return f"/repo/src/{self._random.choice(_MODULES)}_{self._random.randrange(8)}.py"

    def _look(self) -> Sent:
        path, line = self._file(), self._random.randrange(1, 900)
        if self._random.random() < 0.5:
            return self._call("Read", {"file_path": path, "offset": line, "limit": 40}, self._source(6))
        return self._call("Bash", {"command": f"sed -n {line},{line + 40}p {path}"}, self._source(6), exit_code=0)

    def _search(self) -> Sent:
        words = "|".join(self._random.sample(_WORDS, 2))
        found = "\n".join(f"{self._file()}:{self._random.randrange(900)}:    {self._line()}" for _ in range(4))
        return self._call("Bash", {"command": f"grep -rnE '{words}' src | head -20"}, found, exit_code=0)

    def _edit(self) -> Sent:
        self._edited = self._file()
        arguments = {"file_path": self._edited, "old_string": self._source(2), "new_string": self._source(3)}
        return self._call("Edit", arguments, f"The file {self._edited} has been updated.")

    def _test(self) -> Sent:
        name = f"tests/test_{self._random.choice(_MODULES)}.py"
        command = "python -m pytest -q" if self._random.random() < 0.5 else f"cd /repo && python -m pytest -q {name}"
        # What fails goes on failing for a while: most runs of a suite show what the last one showed.
        if self._random.random() < 0.3:
            self._failing = self._random.choice((0, 0, 1, 2))
        failed = self._failing
        lines = [f"FAILED {name}::test_{_WORDS[place]} - AssertionError: 1 != 2" for place in range(failed)]
        counts = f"{failed} failed, " if failed else ""
        output = "\n".join(("." * 60 + " [100%]", *lines, f"{counts}{60 - failed} passed in 1.42s"))
        return self._call("Bash", {"command": command}, output, exit_code=1 if failed else 0)

    def _status(self) -> Sent:
        return self._call("Bash", {"command": "git status --short"}, " M src/parser_1.py\n?? notes.txt", exit_code=0)

    def _say(self) -> Sent:
        return self._sent("traces", "message", role="assistant", text=" ".join(self._line() for _ in range(6)))

    def _checkpoint(self) -> Sent:
        passed = self._random.randrange(40, 60)
        counts = {"passed": passed, "failed": 60 - passed}
        return self._sent("checkpoints", "checkpoint", label=f"step {self._seq}", score=passed, tests=counts)

    def _source(self, lines: int) -> str:
        return "\n".join(f"    {self._line()}" for _ in range(lines))

    def _line(self) -> str:
        one, two, three = self._random.sample(_WORDS, 3)
        return f"{one}_{self._random.randrange(1000)} = self.{two}({three}, {self._random.randrange(100)})"

    def _call(self, tool: str, arguments: dict[str, object], output: str, exit_code: int | None = None) -> Sent:
        started = self._at + self._random.randrange(200_000, 4_000_000)
        fields = {"call_id": f"toolu_{self._random.getrandbits(96):024x}", "tool": tool, "arguments": arguments}
        fields |= {"started_at": started, "ended_at": started + self._random.randrange(20_000, 900_000)}
        fields |= {"status": "failed" if exit_code else "ok", "output": output, "cwd": "/repo"}
        fields |= {} if exit_code is None else {"exit_code": exit_code}
        # As the sources and hooks name them: the call's id and its phase.
        return self._sent("traces", "tool_call", at=fields["ended_at"], event_id=f"{fields['call_id']}#end", **fields)

    def _sent(self, stream: str, kind: str, *, at: int | None = None, **fields: object) -> Sent:
        self._seq += 1
        self._at = at or self._at + self._random.randrange(50_000, 2_000_000)
        run = f"{self._match}/{self._name}"
        event = {
            "kind": kind,
            "event_id": f"row:{self._seq}",
            "match_id": self._match,
            "contestant_id": self._name,
            "seq": self._seq,
            "producer": "bench",
            "at": self._at,
            **fields,
        }
        return Sent(stream, run, msgspec.json.encode(event))
