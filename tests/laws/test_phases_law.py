"""How a harness sends its calls, in one event or in two, says nothing of how the contestant worked."""

from __future__ import annotations

from hypothesis import given, settings
from msgspec.structs import replace

from metrics.base import Reading
from streams.events import Event, ToolCall
from streams.events.decode import settle
from streams.pipeline import Pipeline
from tests.strategies import runs


def in_two(event: Event) -> list[Event]:
    """A whole call as its start and its end; any other event as it is."""
    if not isinstance(event, ToolCall) or event.phase != "end" or not event.tool:
        return [event]
    begun = {"ended_at": None, "status": None, "exit_code": None, "output": "", "files": (), "seq": None}
    start = replace(event, event_id=f"{event.event_id}-begun", at=event.started_at, **begun)
    return [settle(start), settle(replace(event, tool="", arguments="", cwd=""))]


def readings(events: list[Event]) -> dict[str, tuple[str, float | None]]:
    """State and value by metric."""
    pipeline = Pipeline()
    for event in events:
        pipeline.feed(event)
    found: list[Reading] = [one for run in pipeline.runs.values() for one in run.readings()]
    return {one.metric: (one.state, one.value) for one in found if one.metric != "phase_mix"}


@settings(max_examples=150, deadline=None)
@given(runs())
def test_calls_in_two_events_read_as_in_one(events: list[Event]) -> None:
    """State and value of every metric but the phase mix are the same."""
    assert readings([part for event in events for part in in_two(event)]) == readings(events)
