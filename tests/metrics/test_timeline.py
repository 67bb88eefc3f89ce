"""Later facts change the reading of earlier ones, and folding them anew always ends."""

from __future__ import annotations

import pytest

from metrics.ledger import Ledger
from metrics.run import Timeline
from streams.events import Event, Micros, ToolCall
from streams.events.decode import settle
from tests.strategies import T0


def call(number: int, tool: str, output: str = "", **arguments: str) -> Event:
    """One call, a second long, ten seconds after the one before."""
    start = T0 + number * 10_000_000
    return settle(
        ToolCall(
            match_id="m",
            contestant_id="c",
            call_id=f"call{number}",
            tool=tool,
            arguments=arguments,
            started_at=Micros(start),
            ended_at=Micros(start + 1_000_000),
            status="ok",
            output=output,
        )
    )


def make(number: int) -> Event:
    """A script is written at the top of the workspace."""
    return call(number, "Write", "File created successfully", file_path="helper.py", content="import a\nprint(a.f())\n")


def remove(number: int) -> Event:
    """The script is removed."""
    return call(number, "Bash", command="rm helper.py")


def folded(events: list[Event], *, at_each: bool) -> Timeline:
    """The timeline of events, read at each one or only at the end."""
    ledger = Ledger()
    timeline = Timeline(ledger)
    for event in events:
        ledger.add(event)
        if at_each:
            timeline.facts()
    timeline.facts()
    return timeline


@pytest.mark.timeout(20)
@pytest.mark.parametrize("at_each", [True, False])
def test_a_script_made_and_removed_again_and_again_is_folded_to_an_end(at_each: bool) -> None:
    """What a file is taken for may go to and fro; each call is learned from once."""
    events = [event for round_ in range(6) for event in (make(2 * round_), remove(2 * round_ + 1))]
    assert folded(events, at_each=at_each).facts().calls == 12


def test_a_file_that_turns_out_to_be_scratch_was_no_change() -> None:
    """Judged by place while it stands, revised once it is removed."""
    events = [make(0), call(1, "Bash", "1", command="python helper.py")]
    assert folded(events, at_each=True).facts().edit_count == 1
    assert folded([*events, remove(2)], at_each=True).facts().edit_count == 0


def test_a_cooled_run_goes_on_where_it_was() -> None:
    """Keeping the state as bytes changes nothing of it."""
    events = [make(0), call(1, "Bash", "1", command="python helper.py"), remove(2)]
    ledger = Ledger()
    timeline = Timeline(ledger)
    for event in events:
        ledger.add(event)
        timeline.facts()
        timeline.cool()
    assert timeline.facts() == folded(events, at_each=False).facts()
