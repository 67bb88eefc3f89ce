"""Commands of the family node: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    ("npm test -- --run src/a.test.ts -t 'does x'", "check:test:npm test -t does x src/a.test.ts"),
    ("npm run test:unit", "check:test:npm test:unit"),
    ("yarn lint", "check:lint:npm lint"),
    ("pnpm --filter web build", "check:build:npm build"),
    ("npx jest src/a.test.ts", "check:test:jest src/a.test.ts"),
    ("npx vitest run", "check:test:vitest"),
    ("npx mocha", "check:test:mocha"),
    ("npx tsc", "check:build:tsc"),
    ("tsc --noEmit -p .", "check:lint:tsc -p ."),
    ("eslint src --fix", "check:lint:eslint src"),
    ("npm run dev", "setup"),
    ("npm install lodash", "setup,network"),
    ("npm ls", "explore"),
    ("node scripts/x.js", "check:probe:node scripts/x.js"),
    ("node --test", "check:test:node --test"),
    ("deno test", "check:test:deno test"),
    ("bun test a", "check:test:bun test a"),
    ("npx create-react-app x", "setup,network"),
    ('node -e "console.log(1)"', "explore"),
    ("node -e \"const f=require('./src'); f()\"", "check:probe"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_node_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
