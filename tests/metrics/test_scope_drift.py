"""Scope drift: which changed work files lie outside what the rules of the match expect to change."""

from __future__ import annotations

import pytest

from metrics.base import Reading
from tests.told import Story


def drift(expected: tuple[str, ...], *changed: str, workspace: str = "") -> Reading:
    """The reading of a run that changes these files one after the other, the first at 10 s."""
    story = Story().event("match_started", 0, rules={"expected_paths": expected, "workspace": workspace})
    for number, path in enumerate(changed, 1):
        story.edit(number * 10, number * 10 + 1, path)
    return story.submit(100).readings()["scope_drift"]


def test_without_rules_nothing_can_be_said() -> None:
    """No rule says what the task asks to change: no number, no full marks."""
    bare = Story().start().edit(10, 11, "src/a.py").submit(60).readings()["scope_drift"]
    assert (bare.state, bare.value, bare.reason) == (
        "not_applicable",
        None,
        "no rules say what the task is expected to change",
    )
    assert drift((), "src/a.py").state == "not_applicable"


def test_without_a_change_of_the_work_nothing_drifts() -> None:
    """Reading is no change, and a test file is not the work."""
    assert [drift(("src",)).state, drift(("src",), "tests/test_x.py").state] == ["not_applicable", "not_applicable"]


def test_one_of_four_files_outside_is_a_quarter_and_out_of_range() -> None:
    """The good range is open: below 0.25. The reading rests on the edit of the file outside."""
    one = drift(("src/",), "src/a.py", "src/b.py", "src/deep/c.py", "tools/d.py")
    assert (one.value, one.numerator, one.denominator, one.in_good_range) == (0.25, 1, 4, False)
    assert (one.evidence, one.details) == (("c-004",), {"outside": ["tools/d.py"]})


def test_one_of_five_files_outside_is_in_range() -> None:
    """0.2 is below 0.25."""
    one = drift(("src/",), "src/a.py", "src/b.py", "src/c.py", "src/d.py", "tools/e.py")
    assert (one.value, one.in_good_range) == (0.2, True)


def test_every_edit_of_a_file_outside_is_evidence_and_the_file_counts_once() -> None:
    """Files are counted, edits are cited."""
    one = drift(("src",), "src/a.py", "tools/d.py", "src/a.py", "tools/d.py")
    assert (one.numerator, one.denominator, one.evidence) == (1, 2, ("c-002", "c-004"))


@pytest.mark.parametrize(
    ("expected", "inside"),
    [
        ("src/pkg/a.py", True),
        ("./src/pkg/a.py", True),
        ("src/pkg/b.py", False),
        ("src", True),
        ("src/", True),
        ("./src/pkg/", True),
        ("sr", False),
        ("pkg", False),
        ("src/*.py", True),
        ("src/*/a.py", True),
        ("src/**/*.py", True),
        ("src/pkg/**/*.py", True),
        ("**/a.py", True),
        ("*.toml", False),
        (".", True),
        ("./", True),
    ],
)
def test_rules_name_files_folders_or_patterns(expected: str, *, inside: bool) -> None:
    """A folder holds all below it and not what merely starts like it; `**/` may be no folder at all."""
    assert drift((expected,), "src/pkg/a.py").value == (0 if inside else 1)


@pytest.mark.parametrize(
    ("expected", "inside"), [("/ws/src", True), ("/ws/src/a.py", True), ("/ws", True), ("/ws/tools", False), ("src", True)]
)
def test_rules_may_name_paths_from_the_root(expected: str, *, inside: bool) -> None:
    """The workspace is taken off the rule as it is taken off the path."""
    assert drift((expected,), "src/a.py", workspace="/ws").value == (0 if inside else 1)
    assert drift((expected,), "/ws/src/a.py", workspace="/ws").value == (0 if inside else 1)


@pytest.mark.parametrize(("expected", "inside"), [("src/a.py", True), ("src", True), ("tools", False), (".", False)])
def test_a_path_from_an_unknown_root_is_known_by_its_end(expected: str, *, inside: bool) -> None:
    """Neither the call's folder nor the rules say where the work lies; everything is not everywhere."""
    assert drift((expected,), "/elsewhere/src/a.py").value == (0 if inside else 1)


def test_a_file_is_expected_if_any_rule_names_it() -> None:
    """Two rules, one file under each, one under none."""
    one = drift(("src/a.py", "lib"), "src/a.py", "lib/b.py", "src/c.py")
    assert (one.value, one.details) == (round(1 / 3, 6), {"outside": ["src/c.py"]})
