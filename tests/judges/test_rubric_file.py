"""The rubric file: what it may say, how it is hashed, and what a broken one is told."""

from __future__ import annotations

from fractions import Fraction
from importlib import resources
from pathlib import Path

import pytest
from pydantic import ValidationError

from judges.rubric import RubricError, load

TEXT = resources.files("judges").joinpath("rubric.toml").read_text()


def changed(folder: Path, *swaps: tuple[str, str]) -> Path:
    """The rubric of the package with some text swapped, as a file."""
    text = TEXT
    for old, new in swaps:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = folder / "mine.toml"
    path.write_text(text)
    return path


OBJECTIVE, PROCESS = "[lanes.objective]\nweight = 50", "[lanes.process]\nweight = 20"
STRATEGY = "[lanes.strategy]\nweight = 15"

BROKEN = {
    "knots out of order": (
        [('[0.15, 100], [0.40, 40], [0.70, 0]]\nsays = "first', '[0.40, 100], [0.15, 40], [0.70, 0]]\nsays = "first')],
        "lanes.process.criteria[dwell_time].marks[dwell_time].curve: knots must ascend by value: 0.15 comes after 0.40",
    ),
    "a knot twice": ([("[[0.15, 100], [0.40, 40]", "[[0.15, 100], [0.15, 40]")], "curve: knots must ascend by value"),
    "one knot": ([("[[0, 0], [0.25, 50], [0.5, 100]]", "[[0, 0]]")], "curve: Tuple should have at least 2 items"),
    "a score above 100": ([("[0.5, 100]]", "[0.5, 101]]")], "less than or equal to 100"),
    "a score below 0": ([("[[0, 85]", "[[0, -85]")], "greater than or equal to 0"),
    "a knot of three": ([("[0.5, 100]]", "[0.5, 100, 3]]")], "curve[2]"),
    "not a number": ([("[0.5, 100]]", "[0.5, nan]]")], "finite number"),
    "a number in quotes": ([("weight = 25", 'weight = "25"')], "weight: must be a number, not '25'"),
    "a truth value": ([("weight = 25", "weight = true")], "weight: must be a number, not True"),
    "lane weights that do not sum": (
        [(OBJECTIVE, "[lanes.objective]\nweight = 55")],
        "lanes: the weights of the lanes must sum to 100, not 105",
    ),
    "objective too small": (
        [(OBJECTIVE, "[lanes.objective]\nweight = 39")],
        "lanes: objective.weight must lie in 40 to 55, not 39",
    ),
    "objective too large": ([(OBJECTIVE, "[lanes.objective]\nweight = 56")], "must lie in 40 to 55, not 56"),
    "process larger than objective": (
        [(PROCESS, "[lanes.process]\nweight = 60")],
        "process.weight must lie in 15 to 20",
    ),
    "strategy too small": (
        [(STRATEGY, "[lanes.strategy]\nweight = 14")],
        "strategy.weight must lie in 15 to 20, not 14",
    ),
    "criteria that do not sum": (
        [("weight = 25", "weight = 24")],
        "lanes.process: the weights of the criteria must sum to 100, not 99",
    ),
    "a weight of nothing": ([("weight = 25", "weight = 0")], "criteria[verification_density].weight: Input should be"),
    "two criteria of one name": (
        [('name = "dwell_time"', 'name = "tool_waste"')],
        "lanes.process: two criteria have one name: tool_waste",
    ),
    "an unknown key": ([('unit = "ratio"', 'unti = "ratio"')], "marks[verification_density].unti: Extra inputs"),
    "an unknown figure": ([('figure = "items"', 'figure = "sum"')], "figure: Input should be 'value', 'items' or"),
    "a sentence with an unknown word": ([("{value} effective", "{speed} effective")], "says: cannot fill in {speed}"),
    "a sentence with a stray brace": ([("{value} effective", "{value effective")], "says: "),
    "a missing lane": ([(STRATEGY, "")], "lanes.strategy: Field required"),
    "an unknown lane": ([(STRATEGY, f"{STRATEGY}\n[lanes.luck]\nweight = 15")], "lanes.luck: Extra inputs"),
    "no version": ([('version = "1"', "")], "version: Field required"),
    "an empty version": ([('version = "1"', 'version = ""')], "version: "),
    "labels upside down": ([("at = 90", "at = 10")], "labels: labels must descend by `at`"),
    "scores without a label": ([("at = 0,", "at = 5,")], "labels: the last label must be at 0"),
    "a share above 1": ([("measured_share = 0.5", "measured_share = 1.5")], "thresholds.measured_share: "),
    "a hash set by hand": ([('version = "1"', 'version = "1"\nhash = "00"')], "hash: is computed from the content"),
    "no TOML": ([('version = "1"', "version = ")], "is not TOML: "),
}


def test_the_rubric_that_comes_with_the_package_is_lawful() -> None:
    """It loads, weighs Objective most, and knows its version and hash."""
    rubric = load()
    weights = {name: lane.weight for name, lane in rubric.lanes}
    assert max(weights, key=weights.__getitem__) == "objective"
    assert rubric.version == "1"
    assert len(rubric.hash) == 64
    assert load() is rubric


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_names_file_key_and_reason(case: str, tmp_path: Path) -> None:
    """One who writes a rubric is told where to look and what is wrong there."""
    swaps, expected = BROKEN[case]
    with pytest.raises(RubricError) as caught:
        load(changed(tmp_path, *swaps))
    message = str(caught.value)
    assert message.startswith(str(tmp_path / "mine.toml"))
    assert expected in message


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """A line for each, so that the file is not mended fault by fault."""
    path = changed(tmp_path, ("[0.5, 100]]", "[0.5, 101]]"), ('unit = "share"', 'unit = "percent"'))
    with pytest.raises(RubricError) as caught:
        load(path)
    lines = str(caught.value).splitlines()
    assert len(lines) == 2
    assert all(line.startswith(f"{path}: lanes.process.criteria[") for line in lines)


def test_a_file_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    """The same kind of error as for a broken one."""
    with pytest.raises(RubricError, match=r"none\.toml: cannot be read: No such file"):
        load(tmp_path / "none.toml")


def test_bytes_that_are_no_text_are_told_so(tmp_path: Path) -> None:
    """No traceback of a decoder reaches the user."""
    path = tmp_path / "raw.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RubricError, match="is not TOML"):
        load(path)


def test_layout_and_comments_do_not_change_the_hash(tmp_path: Path) -> None:
    """Only the content counts; 50.0 is 50 and 0.40 is 0.4."""
    same = changed(tmp_path, ("weight = 50", "weight = 50.0  # half"), ("[0.40, 40]", "[ 0.4,   40 ]"))
    assert load(same).hash == load().hash


@pytest.mark.parametrize(
    "swap", [('version = "1"', 'version = "2"'), ("[0.40, 40]", "[0.41, 40]"), ("effective checks", "checks that tell")]
)
def test_any_content_changes_the_hash(swap: tuple[str, str], tmp_path: Path) -> None:
    """A score names the rubric that made it, to the last knot."""
    assert load(changed(tmp_path, swap)).hash != load().hash


def test_weights_may_move_within_their_ranges(tmp_path: Path) -> None:
    """A profile for another format may weigh differently."""
    path = changed(tmp_path, (OBJECTIVE, "[lanes.objective]\nweight = 45"), (STRATEGY, "[lanes.strategy]\nweight = 20"))
    assert load(path).lane("objective").weight == 45


def test_a_rubric_cannot_be_changed() -> None:
    """Nor can any part of it."""
    rubric = load()
    with pytest.raises(ValidationError):
        setattr(rubric, "version", "9")  # noqa: B010
    with pytest.raises(ValidationError):
        setattr(rubric.lane("process").criteria[0].marks[0], "metric", "luck")  # noqa: B010


@pytest.mark.parametrize(
    ("final", "label"),
    [
        ("100", "elite"),
        ("90", "elite"),
        ("89.99", "strong"),
        ("75", "strong"),
        ("74.99", "competent"),
        ("55", "competent"),
        ("54.99", "struggling"),
        ("35", "struggling"),
        ("34.99", "weak"),
        ("15", "weak"),
        ("14.99", "failed"),
        ("0", "failed"),
    ],
)
def test_a_label_begins_at_its_bar(final: str, label: str) -> None:
    """A hundredth below, it is the next lower one."""
    assert load().label(Fraction(final)) == label


def test_a_lane_nobody_has_is_a_key_error() -> None:
    """A judge without a place in the rubric is a mistake of the caller."""
    with pytest.raises(KeyError):
        load().lane("luck")
