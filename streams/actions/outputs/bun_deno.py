"""`bun test`, `deno test`, and Playwright's list."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import TestRun
from streams.actions.outputs.base import number, run

MARKS = (" pass\n", " passed | ", " passed (")
_BUN: Final = re.compile(r"(?m)^ *(\d+) pass\n(?: *(\d+) skip\n)?(?: *\d+ todo\n)? *(\d+) fail$")
_DENO: Final = re.compile(r"(?m)^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps\))? \| (\d+) failed(?: \| (\d+) ignored)?")
_BUN_NAMED: Final = re.compile(r"(?m)^\(fail\) (.+?)(?: \[[\d.]+ms\])?$")
_PLAYWRIGHT: Final = re.compile(r"(?m)^  (?:(\d+) failed\n(?:    .*\n)*)?(?:  (\d+) skipped\n)?  (\d+) passed \([\d.]+m?s\)")


def read(text: str) -> TestRun | None:
    """` 5 pass`, ` 1 fail`; `ok | 5 passed | 0 failed`; `  3 passed (2.1s)`."""
    bun = _BUN.search(text)
    if bun:
        return run("bun", passed=int(bun[1]), skipped=number(bun[2]), failed=int(bun[3]), failing=_BUN_NAMED.findall(text))
    deno = _DENO.search(text)
    if deno:
        return run("deno", passed=int(deno[1]), failed=int(deno[2]), skipped=number(deno[3]))
    playwright = _PLAYWRIGHT.search(text)
    if playwright:
        return run("playwright", passed=int(playwright[3]), failed=number(playwright[1]), skipped=number(playwright[2]))
    return None
