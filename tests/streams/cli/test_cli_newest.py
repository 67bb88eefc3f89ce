"""Of the verdicts of a run, the one with the highest revision counts, whatever order they come in."""

from __future__ import annotations

import itertools

import pytest

from judges.rubric import load
from judges.verdict import encode, verdict
from streams.cli._newest import Newest

RUBRIC = load()


def value(run: str, revision: int) -> bytes:
    """A verdict as it is published."""
    return encode(verdict(run, (), RUBRIC, revision=revision, end="submitted"))


def test_the_highest_revision_is_kept_in_every_order_of_arrival() -> None:
    """A compacted topic still holds old records in its tail."""
    values = [value("m/c", 1), value("m/c", 2), value("m/c", 3)]
    for order in itertools.permutations(values):
        newest = Newest()
        for one in order:
            newest.offer(one)
        assert [kept.value for kept in newest.all()] == [values[2]]


def test_runs_are_kept_apart_and_ordered() -> None:
    """One verdict for each run."""
    newest = Newest()
    for run in ("m/b", "m/a", "n/a"):
        newest.offer(value(run, 1))
    assert [kept.verdict.run for kept in newest.all()] == ["m/a", "m/b", "n/a"]


def test_only_the_match_that_is_asked_for_is_kept() -> None:
    """A match id may hold a slash; the contestant is what follows the last."""
    newest = Newest("m/1")
    for run in ("m/1/a", "m/a", "m/1/2/a"):
        newest.offer(value(run, 1))
    assert [kept.verdict.run for kept in newest.all()] == ["m/1/a"]


def test_the_same_verdict_again_is_no_news_and_neither_is_a_tombstone() -> None:
    """A consumer that follows the topic shows each verdict once."""
    newest = Newest()
    assert newest.offer(value("m/c", 1)) is not None
    assert newest.offer(value("m/c", 1)) is None
    assert newest.offer(None) is None
    assert newest.offer(b"") is None


def test_what_is_no_verdict_is_refused_with_a_reason() -> None:
    """And what was known stays."""
    newest = Newest()
    newest.offer(value("m/c", 1))
    with pytest.raises(ValueError, match="no verdict"):
        newest.offer(b'{"run": "m/c"}')
    assert len(newest.all()) == 1
