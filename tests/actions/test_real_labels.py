"""Real files that others wrote, against what was read in them by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.labels import CORE, REAL, measure, summary

pytestmark = pytest.mark.skipif(
    not (REAL / "labels").is_dir(), reason="the real files are not beside the project (../shared/real): nothing to compare with"
)


def test_actions_match_what_was_read_by_hand() -> None:
    """F1 of each core class and the accuracy of outcomes reach 0.95 on the labelled files."""
    figures = summary(measure())
    assert figures["files"] >= 10
    for name in CORE:
        assert figures["classes"][name]["f1"] >= 0.95, figures["misses"]
    assert figures["outcome"]["accuracy"] >= 0.95, figures["misses"]


def test_every_left_out_label_has_its_reason() -> None:
    """Nothing is left out in silence."""
    assert all(len(item[-1]) > 20 for item in summary(measure())["left_out"])


@pytest.mark.parametrize(
    "path",
    sorted(path for name in ("claude_code", "codex", "mini_swe_agent", "swe_agent") for path in (REAL / name).glob("*")),
    ids=lambda path: path.name,
)
def test_every_real_file_becomes_actions(path: Path) -> None:
    """Each file's calls have actions, and none is left pending unless it never ended."""
    from benchmarks.labels import actions_of  # noqa: PLC0415 - the folder may be absent

    for ref, action in actions_of(path):
        assert ref
        assert action.cls
