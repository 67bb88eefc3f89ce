"""The rubric: weights, curves and thresholds as data, checked when it is read, with a version and a hash."""

from __future__ import annotations

import hashlib
import json
import tomllib
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judges.curve import Curve

WEIGHT_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "objective": (40, 55),
    "process": (15, 20),
    "strategy": (15, 20),
    "recovery": (10, 15),
}
"""What a rubric may give each lane, in percent: Objective is the largest in all of them. The order is the judges'."""

FIELDS_OF_SAYS: Final = frozenset({"value", "done", "count", "values"})


def judge_order(name: str) -> tuple[int, str]:
    """Where a judge stands wherever judges are listed: lanes in their order, then the others by name."""
    lanes = list(WEIGHT_RANGES)
    return (lanes.index(name) if name in WEIGHT_RANGES else len(lanes)), name


class RubricError(ValueError):
    """A rubric file that cannot be used; the message names the file, the key and the reason, a line each."""


def _number(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        # Only a ValueError becomes a fault of the file, with its key.
        raise ValueError(f"must be a number, not {value!r}")  # noqa: TRY004
    return Decimal(value)


def _ascending(curve: Curve) -> Curve:
    for (left, _), (right, _) in pairwise(curve):
        if left >= right:
            raise ValueError(f"knots must ascend by value: {right} comes after {left}")
    return curve


def _sentence(text: str) -> str:
    unknown = {name for _, name, _, _ in Formatter().parse(text) if name is not None} - FIELDS_OF_SAYS
    if unknown:
        raise ValueError(f"cannot fill in {{{', '.join(sorted(unknown))}}}; known: {', '.join(sorted(FIELDS_OF_SAYS))}")
    return text


Number = Annotated[Decimal, BeforeValidator(_number), Field(allow_inf_nan=False)]
Score = Annotated[Number, Field(ge=0, le=100)]
Weight = Annotated[Number, Field(gt=0, le=100)]
Name = Annotated[str, Field(min_length=1)]
Says = Annotated[str, Field(min_length=1), AfterValidator(_sentence)]
Knots = Annotated[tuple[tuple[Number, Score], ...], Field(min_length=2), AfterValidator(_ascending)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Excess(_Part):
    """Points off for a detail of the reading that goes above a bound; never takes the score below the floor."""

    detail: Name
    above: Number
    points_per_unit: Annotated[Number, Field(gt=0)]
    floor: Score
    says: Says


class Bonus(_Part):
    """Points more, up to 100 in all, where a detail of the reading is a number above 0."""

    detail: Name
    points: Score
    says: Says


class NotReached(_Part):
    """The value that stands on the curve for "it could have happened and did not"."""

    value: Number
    says: Name


class Mark(_Part):
    """How one reading becomes a score of 0 to 100."""

    metric: Name
    figure: Literal["value", "items", "changes_per_100_lines"]
    unit: Literal["share", "s", "1/min", "ratio"]
    curve: Knots
    says: Says
    not_reached: NotReached | None = None
    absent: Name | None = None
    """Why the criterion does not apply where there is no such reading. None: its absence is a gap in the telemetry."""

    excess: Excess | None = None
    bonus: Bonus | None = None


class CriterionRule(_Part):
    """A criterion of a lane: the mean of its marks, those that apply."""

    name: Name
    weight: Weight
    marks: Annotated[tuple[Mark, ...], Field(min_length=1)]


class Lane(_Part):
    """One judge's place in the verdict, and its criteria where it judges from metrics."""

    weight: Weight
    may_not_apply: bool = False
    """Whether the lane's weight is spread over the others when nothing happened that it could judge."""

    applies_with: tuple[Name, ...] = ()
    """The lane does not apply when none of these metrics does. Empty: when none of its criteria does."""

    criteria: tuple[CriterionRule, ...] = ()

    @model_validator(mode="after")
    def _criteria_are_whole(self) -> Lane:
        names = [criterion.name for criterion in self.criteria]
        if len(set(names)) < len(names):
            raise ValueError(f"two criteria have one name: {', '.join(sorted({n for n in names if names.count(n) > 1}))}")
        total = sum(criterion.weight for criterion in self.criteria)
        if self.criteria and total != 100:
            raise ValueError(f"the weights of the criteria must sum to 100, not {total}")
        return self


class Lanes(_Part):
    """The lanes in the fixed order of the judges."""

    objective: Lane
    process: Lane
    strategy: Lane
    recovery: Lane

    @model_validator(mode="after")
    def _weights_are_lawful(self) -> Lanes:
        for name, lane in self:
            low, high = WEIGHT_RANGES[name]
            if not low <= lane.weight <= high:
                raise ValueError(f"{name}.weight must lie in {low} to {high}, not {lane.weight}")
        total = sum(lane.weight for _, lane in self)
        if total != 100:
            raise ValueError(f"the weights of the lanes must sum to 100, not {total}")
        return self


class Thresholds(_Part):
    """Bounds that no single lane owns."""

    measured_share: Annotated[Number, Field(gt=0, le=1)]
    anchor_allowance: Score


class Label(_Part):
    """A word for final scores from a bar upwards."""

    at: Score
    name: Name


def _descending(labels: tuple[Label, ...]) -> tuple[Label, ...]:
    if any(left.at <= right.at for left, right in pairwise(labels)):
        raise ValueError("labels must descend by `at`")
    if labels[-1].at != 0:
        raise ValueError("the last label must be at 0, so that every score has one")
    return labels


class Rubric(_Part):
    """A whole rubric. Immutable; two files of the same content have the same hash."""

    version: Name
    labels: Annotated[tuple[Label, ...], Field(min_length=1), AfterValidator(_descending)]
    thresholds: Thresholds
    lanes: Lanes
    hash: str
    """SHA-256 of the content, hexadecimal; comments, layout and `1.0` for `1` do not change it."""

    def lane(self, name: str) -> Lane:
        """A lane by its judge's name; `KeyError` for a judge that has none."""
        lanes: dict[str, Lane] = dict(self.lanes)
        return lanes[name]

    def label(self, final: Fraction) -> str:
        """The word for a final score of 0 to 100."""
        return next(label.name for label in self.labels if final >= Fraction(label.at))


def load(path: Path | str | None = None) -> Rubric:
    """Read and check a rubric file; without a path the one that comes with the package.

    Raises `RubricError` naming file, key and reason for whatever is wrong with it.
    """
    return _built_in() if path is None else _read(Path(path).read_bytes, str(path))


@cache
def _built_in() -> Rubric:
    return _read(resources.files("judges").joinpath("rubric.toml").read_bytes, "rubric.toml")


def _read(read: Any, name: str) -> Rubric:
    try:
        data = tomllib.loads(read().decode(), parse_float=Decimal)
    except OSError as error:
        raise RubricError(f"{name}: cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RubricError(f"{name}: is not TOML: {error}") from None
    if "hash" in data:
        raise RubricError(f"{name}: hash: is computed from the content and cannot be set")
    try:
        return Rubric.model_validate({**data, "hash": _hash(data)})
    except ValidationError as error:
        raise RubricError("\n".join(f"{name}: {line}" for line in _faults(error, data))) from None


def _hash(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    """50.0 as the 50 it is; an exponent so large that it would fill the memory stays as it was written."""
    if isinstance(value, Decimal) and value.is_finite():
        value = value.normalize()
        return int(value) if abs(value) < 10**9 and value == int(value) else str(value)
    return str(value)


def _faults(error: ValidationError, data: Mapping[str, Any]) -> list[str]:
    faults = error.errors()
    inside = {fault["loc"][:depth] for fault in faults for depth in range(len(fault["loc"]))}
    # What is said of a whole whose part is at fault ("too few valid parts") is no fault of its own.
    own = [fault for fault in faults if fault["loc"] not in inside]
    return [f"{_place(fault['loc'], data)}: {fault['msg'].removeprefix('Value error, ')}" for fault in own]


def _place(location: tuple[int | str, ...], data: Any) -> str:
    """A key as a person would look for it: list entries by their name where they have one."""
    text = ""
    for step in location:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            data = None
        if isinstance(step, str):
            text += f".{step}" if text else step
        else:
            named = data.get("name") or data.get("metric") if isinstance(data, dict) else None
            text += f"[{named or step}]"
    return text
