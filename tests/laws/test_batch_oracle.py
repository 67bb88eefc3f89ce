"""Streaming state equals a batch recomputation with polars, at every prefix of a disordered, duplicated stream."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import Reading, all_metrics
from metrics.ledger import Ledger
from metrics.run import Timeline
from streams.events import Event, ToolCall
from tests import oracle
from tests.strategies import runs


def _without_reverts(events: list[Event]) -> list[Event]:
    """Diagnosis by revert is the fold's own rule, tested by stories; the oracle knows nothing of it."""
    text = [str(one.arguments) if isinstance(one, ToolCall) else "" for one in events]
    gone = {one.call_id for one, line in zip(events, text, strict=True) if isinstance(one, ToolCall) and "git " in line}
    return [one for one in events if not (isinstance(one, ToolCall) and one.call_id in gone)]


def _compare(prefix: list[Event], readings: dict[str, Reading]) -> None:
    table = oracle.calls(prefix)
    density = readings["verification_density"]
    wanted = oracle.verification(table)
    if wanted["units"]:
        assert {name: density.details[name] for name in wanted} == wanted
        assert density.numerator == wanted["effective"]
    else:
        assert density.state == "not_applicable"
    waste = oracle.waste(prefix)
    wasted = readings["tool_waste"]
    if waste["calls"] >= 5:
        assert wasted.denominator == waste["calls"]
        assert {name: wasted.details[name] for name in ("failed", "repeated", "never_used")} == {
            name: waste[name] for name in ("failed", "repeated", "never_used")
        }
    if not oracle.checkpoints(prefix):
        steps, kept = oracle.trajectory(table)
        assert (readings["score_trajectory"].denominator or 0, readings["score_trajectory"].numerator or 0) == (steps, kept)
    assert readings["dwell_time"].value == oracle.dwell(prefix)


@settings(max_examples=40, deadline=None)
@given(runs(most=18), st.randoms(use_true_random=False))
def test_streaming_equals_batch_at_every_prefix(events: list[Event], random) -> None:
    """Fed one by one, shuffled and with duplicates, the readings are at each step what polars makes of the same set."""
    stream = _without_reverts(events)
    stream += random.choices(stream, k=len(stream) // 3) if stream else []
    random.shuffle(stream)
    ledger = Ledger()
    timeline = Timeline(ledger)
    for place, event in enumerate(stream):
        ledger.add(event)
        state = timeline.facts()
        _compare(stream[: place + 1], {metric.name: metric.read(state) for metric in all_metrics()})


def test_the_oracle_sees_what_it_is_meant_to_see() -> None:
    """The generated runs do hold changes, effective checks, waste and falling results: the comparison is not idle."""
    seen: dict[str, int] = {}

    @settings(max_examples=200, deadline=None, derandomize=True)
    @given(runs(most=25))
    def collect(events: list[Event]) -> None:
        events = _without_reverts(events)
        table = oracle.calls(events)
        for name, value in {**oracle.verification(table), **oracle.waste(events), "steps": oracle.trajectory(table)[0]}.items():
            seen[name] = max(seen.get(name, 0), value)

    collect()
    assert all(seen[name] >= 2 for name in ("units", "effective", "raw", "failed", "repeated", "never_used", "steps")), seen
