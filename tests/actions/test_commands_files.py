"""Commands of the family files: what each line means."""

from __future__ import annotations

import pytest

from streams.actions import ask

LINES = [
    ("cat > src/a.py <<'EOF'\nx\nEOF", "edit"),
    ("echo x >> README.md", "edit"),
    ("tee src/b.py <<EOF\nx\nEOF", "edit"),
    ("rm -rf build", "edit"),
    ("mv a.py b.py", "edit"),
    ("cp a.py a.py.bak", "edit"),
    ("cp a.py.bak a.py", "revert"),
    ("touch src/x/__init__.py", "edit"),
    ("sed -i 's/a/b/' x.py", "edit"),
    ("sed -i.bak -e s/a/b/ x.py", "edit"),
    ("sed -i '' s/a/b/ x.py", "edit"),
    ("sed -n 1,5p x.py", "explore"),
    ("perl -pi -e 's/a/b/' x.py", "edit"),
    ("find . -name '*.py' -exec sed -i s/a/b/ {} +", "edit"),
    ("find . -delete", "edit"),
    ("find . -exec grep x {} +", "explore"),
    ("grep -rl a src | xargs sed -i s/a/b/", "edit"),
    ("awk -i inplace '{print}' a.txt", "edit"),
    ("awk '{print}' a.txt", "explore"),
    ("jq .x a.json > b.json", "edit"),
    ("jq .x a.json > /tmp/b.json", "explore"),
    ("pytest > out.log", "check:test:pytest"),
    ("python a.py | tee /tmp/o.txt", "check:probe:python a.py"),
    ("mkdir -p a", "other"),
    ("cd a", "other"),
    ("chmod +x a", "other"),
    ("patch -p1 < x.patch", "edit"),
    ("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch\nEOF", "edit"),
]
"""A line; per action its class, for a check also kind and normalised command."""


@pytest.mark.parametrize(("line", "wanted"), LINES)
def test_files_lines_mean_what_they_do(line: str, wanted: str) -> None:
    """Class, kind and normalised command follow from the line alone."""
    got = [
        f"check:{action.kind}:{action.command}" if action.cls == "check" else action.cls
        for action in ask("Bash", {"command": line}, "/repo").actions
    ]
    expected = wanted.split(",")
    assert len(got) == len(expected)
    for mine, want in zip(got, expected, strict=True):
        assert mine == want or (want.count(":") == 1 and mine.startswith(want + ":"))
