"""pytest: the summary line and the short test summary."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = (" passed", " failed", " error", " skipped", " deselected", " xfailed", " xpassed", "no tests ran")
_SUMMARY: Final = re.compile(
    r"(?m)^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|sub"
    r"tests passed|subtests failed)(?:, )?)+)"
    r" in \d[\d.:]*m?s"
)
_COUNT: Final = re.compile(r"(\d+) (failed|passed|skipped|xfailed|xpassed|errors?)\b")
_NAMED: Final = re.compile(r"(?m)^(?:FAILED|ERROR) (\S+?\.py(?:::[^\n]*?)?)(?: - |$)")
_NONE: Final = re.compile(r"(?m)^(?:=+ )?no tests ran in ")


def read(text: str) -> TestRun | None:
    """The last summary line: a suite that tests pytest plugins prints others before it.

    A collection error means that it could not run.
    """
    found = _SUMMARY.findall(text)
    if not found:
        return run("pytest", outcome="error") if _NONE.search(text) else None
    counts = dict.fromkeys(("passed", "failed", "errors", "skipped"), 0)
    for count, word in _COUNT.findall(found[-1]):
        key = {"error": "errors", "xpassed": "passed"}.get(word, word)
        if key in counts:
            counts[key] += number(count)
    collecting = "during collection" in text and not counts["failed"] and not counts["passed"]
    return run("pytest", **counts, failing=_NAMED.findall(text), outcome="error" if collecting else None)
