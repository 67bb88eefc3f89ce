"""The batch oracle: what a run's metrics must be, recomputed from its events with polars and nothing of the fold.

It knows only events and the reading of single calls. Sorting, de-duplication, the joining of phases, change-sets, effective
checks, waste and shares are written a second time, as queries over tables.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from streams.actions import answer, ask, join
from streams.actions.workspace import learn, revise
from streams.events import Checkpoint, Event, Message, Plan, RunEnded, RunStarted, Submission, ToolCall

SECOND = 1_000_000
VERIFYING = ["test", "probe", "build"]


def _unique(events: list[Event]) -> list[Event]:
    """Each event once, by call and phase or by id, in the order (time, sequence, id)."""
    rows = [
        {
            "n": n,
            "key": f"{one.call_id}\0{one.phase}" if isinstance(one, ToolCall) and one.call_id else one.event_id,
            "at": (one.started_at if one.phase == "start" else one.ended_at) or one.at or 0
            if isinstance(one, ToolCall)
            else one.at or 0,
            "seq": one.seq or 0,
            "id": one.event_id,
        }
        for n, one in enumerate(events)
    ]
    if not rows:
        return []
    kept = pl.DataFrame(rows).unique("key", keep="any").sort("at", "seq", "id")
    return [events[n] for n in kept["n"]]


def calls(events: list[Event]) -> pl.DataFrame:
    """One row for every completed call, in order of completion, with its actions."""
    begun = {one.call_id: one for one in events if isinstance(one, ToolCall) and one.phase == "start"}
    rows: list[dict[str, Any]] = []
    ordered = _unique(events)
    place = {(one.call_id, one.phase): n for n, one in enumerate(ordered) if isinstance(one, ToolCall)}
    ended = [one for one in ordered if isinstance(one, ToolCall) and one.phase == "end"]
    # A call is known once both of its halves are: at equal times the end may stand before its start.
    ended.sort(key=lambda one: max(place[one.call_id, "end"], place.get((one.call_id, "start"), 0)))
    for one in ended:
        asked = one if one.tool else begun.get(one.call_id)
        if asked is None:
            continue
        question = ask(asked.tool, asked.arguments, asked.cwd, asked.files)
        read = answer(one.output, one.status, one.exit_code)
        rows.append(
            {
                "id": one.event_id,
                "start": int(asked.started_at or one.started_at or one.at or 0),
                "end": int(one.ended_at or one.at or 0),
                "status": read.status,
                "same": str(question.same),
                "actions": join(question, read),
            }
        )
    knowledge = learn([row["actions"] for row in rows])
    for row in rows:
        row["actions"] = [revise(action, knowledge) for action in row["actions"]]
    schema = {"id": pl.String, "start": pl.Int64, "end": pl.Int64, "status": pl.String, "same": pl.String, "actions": pl.Object}
    return pl.DataFrame(rows, schema=schema).with_row_index("call")


def steps(table: pl.DataFrame) -> pl.DataFrame:
    """One row for every action, in order."""
    rows = [
        {
            "call": row["call"],
            "id": row["id"],
            "start": row["start"],
            "end": row["end"],
            "cls": action.cls,
            "kind": action.kind,
            "outcome": action.outcome,
            "command": action.command,
            "changes": action.cls == "edit" and action.status == "ok" and action.scope in ("work", "test") and not action.blank,
            "work": action.scope == "work",
            "paths": list(action.paths),
            "after": action.after,
            "lines": max(action.added, 0) + max(action.removed, 0) if action.added >= 0 or action.removed >= 0 else None,
            "passed": action.passed,
            "total": max(action.passed, 0) + max(action.failed, 0) + max(action.errors, 0),
        }
        for row in table.iter_rows(named=True)
        for action in row["actions"]
    ]
    schema = {
        "call": pl.UInt32, "id": pl.String, "start": pl.Int64, "end": pl.Int64, "cls": pl.String, "kind": pl.String,
        "outcome": pl.String, "command": pl.String, "changes": pl.Boolean, "work": pl.Boolean, "paths": pl.List(pl.String),
        "lines": pl.Int64, "passed": pl.Int64, "total": pl.Int64, "returns": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(_by_content(rows), schema=schema).with_row_index("step")


def _by_content(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what changes nothing: a file written again as it is. One written as it once was takes back what came since."""
    contents: dict[str, list[str]] = {}
    for row in rows:
        after = row.pop("after")
        row["returns"] = False
        known = contents.get(row["paths"][0], []) if row["changes"] and after else []
        if known and after in known:
            row["changes"], row["returns"] = False, known[-1] != after
            del known[known.index(after) + 1 :]
        for path in row["paths"] if row["changes"] else ():
            contents.setdefault(path, []).append(after)
    return rows


def verification(table: pl.DataFrame) -> dict[str, int]:
    """Change-sets, change units, effective and raw checks: windows over the steps."""
    ran = pl.col("kind").is_in(VERIFYING) & pl.col("outcome").is_in(["passed", "failed", "unknown"])
    ends = pl.col("ran") | pl.col("returns")
    marked = steps(table).with_columns(ran=ran).with_columns(set=ends.cum_sum().shift(1, fill_value=0))
    sets = (
        marked.filter("changes")
        .with_columns(unknown=pl.col("lines").is_null())
        .group_by("set")
        .agg(
            lines=pl.col("lines").sum(),
            unknown=pl.col("paths").filter(pl.col("unknown")).explode().drop_nulls().n_unique(),
        )
        .with_columns(units=pl.max_horizontal(pl.lit(1), (pl.col("lines") / 100).ceil().cast(pl.Int64), "unknown"))
    )
    checked = marked.filter("ran")["set"].to_list()
    return {
        "change_sets": sets.height,
        "units": int(sets["units"].sum()),
        "raw": len(checked),
        # A check ends its set; it is effective if that set holds a change.
        "effective": len(set(checked) & set(sets["set"].to_list())),
    }


def waste(events: list[Event]) -> dict[str, int]:
    """Failed calls, identical repeats with nothing changed between, and calls that never ended."""
    table = calls(events)
    rows = []
    for row in table.iter_rows(named=True):
        actions = row["actions"]
        check = any(one.cls == "check" for one in actions)
        error = any(one.cls == "check" and one.outcome == "error" for one in actions)
        state = any(one.cls in ("edit", "revert", "setup") and one.status != "failed" for one in actions)
        # `grep` and `diff` say with an exit code of 1 what they found: no failure.
        failed = row["status"] == "failed" and not (actions and all(one.status == "ok" for one in actions))
        rows.append({"same": row["same"], "failed": error or (failed and not check), "state": state})
    marked = pl.DataFrame(rows, schema={"same": pl.String, "failed": pl.Boolean, "state": pl.Boolean}).with_columns(
        epoch=pl.col("state").cum_sum().shift(1, fill_value=0)
    )
    # The call that changes the state is itself forgotten with what was before it, and remembered in the new epoch.
    known = marked.with_columns(after=pl.col("epoch") + pl.col("state"))
    repeated = 0
    for place, row in enumerate(known.iter_rows(named=True)):
        before = known[:place].filter((pl.col("same") == row["same"]) & (pl.col("after") == row["epoch"]))
        repeated += bool(before.height) and not row["failed"]
    ended = {one.call_id for one in events if isinstance(one, ToolCall) and one.phase == "end"}
    open_calls = {one.call_id for one in events if isinstance(one, ToolCall) and one.phase == "start"} - ended
    return {
        "failed": int(known["failed"].sum()),
        "repeated": repeated,
        "never_used": len(open_calls),
        "calls": table.height + len(open_calls),
    }


def trajectory(table: pl.DataFrame) -> tuple[int, int]:
    """Steps between test results of one command, and how many of them do not fall."""
    results = (
        steps(table)
        .filter((pl.col("kind") == "test") & pl.col("outcome").is_in(["passed", "failed"]))
        .filter((pl.col("total") > 0) & (pl.col("passed") >= 0))
        .with_columns(share=pl.col("passed") / pl.col("total"))
        .with_columns(before=pl.col("share").shift(1).over("command"))
        .filter(pl.col("before").is_not_null())
    )
    return results.height, results.filter(pl.col("share") >= pl.col("before")).height


def span(events: list[Event]) -> tuple[int, int]:
    """Start and end of the run (µs)."""
    rows = []
    for one in events:
        start = one.started_at if isinstance(one, ToolCall) and one.started_at else one.at
        end = (one.started_at if one.phase == "start" else one.ended_at) if isinstance(one, ToolCall) else one.at
        own = isinstance(one, ToolCall | Plan) or (isinstance(one, Message) and one.role == "assistant")
        rows.append({"kind": type(one).__name__, "start": start, "end": end or one.at, "own": own})
    table = pl.DataFrame(rows, schema={"kind": pl.String, "start": pl.Int64, "end": pl.Int64, "own": pl.Boolean})
    frame = table.filter(pl.col("kind").is_in([one.__name__ for one in (RunStarted, Submission, RunEnded)]))
    body = table.filter(~pl.col("kind").is_in([one.__name__ for one in (RunStarted, Submission, RunEnded)]))

    def of(kind: type, pick: str) -> Any:
        return getattr(frame.filter(pl.col("kind") == kind.__name__)["start"], pick)()

    first = of(RunStarted, "min")
    start = first if first is not None else body["start"].min()
    last = of(Submission, "max")
    if last is None:
        last = body.filter("own")["end"].max()
    start = -1 if start is None else int(start)
    return start, start if last is None else int(last)


def dwell(events: list[Event]) -> float | None:
    """Share of the total time before the first work change; None where it is not measured."""
    first = steps(calls(events)).filter(pl.col("changes") & pl.col("work"))
    start, end = span(events)
    if not first.height or end <= start:
        return None
    return round(min(max(0, int(first["start"][0]) - start), end - start) / (end - start), 6)


def checkpoints(events: list[Event]) -> int:
    """How many checkpoints carry a result."""
    return sum(isinstance(one, Checkpoint) and one.tests is not None for one in events)
