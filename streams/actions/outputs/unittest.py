"""Python's unittest (Django and nose print the same)."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Outcome, TestRun
from streams.actions.outputs.base import number, run

MARKS = ("Ran ",)
_RAN: Final = re.compile(r"(?m)^Ran (\d+) tests? in [\d.]+s")
_RESULT: Final = re.compile(r"(?m)^(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?")
_NAMED: Final = re.compile(r"(?m)^(?:FAIL|ERROR): (\S+)(?: \(([^)\n]+)\))?")


def read(text: str) -> TestRun | None:
    """`Ran 12 tests` and the line after it. All errors from loading mean that nothing could run."""
    ran = _RAN.search(text)
    if ran is None:
        return None
    result = _RESULT.search(text, ran.end())
    details = dict(re.findall(r"(\w[\w ]*?)=(\d+)", result[2] or "")) if result else {}
    failed, errors, skipped = (number(details.get(key)) for key in ("failures", "errors", "skipped"))
    total = int(ran[1])
    named = _NAMED.findall(text)
    unloaded = bool(named) and all("_FailedTest" in place for _, place in named) and not failed
    outcome: Outcome | None = "error" if (unloaded and errors >= total) or total == 0 else None
    failing = [f"{place}.{name}" if place and not place.endswith(name) else place or name for name, place in named]
    passed = max(0, total - failed - errors - skipped - number(details.get("expected failures")))
    return run("unittest", passed=passed, failed=failed, errors=errors, skipped=skipped, failing=failing, outcome=outcome)
