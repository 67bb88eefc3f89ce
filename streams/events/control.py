"""Events of the `control` topic: the frame of a match. Without a contestant they speak of all contestants."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from streams.events.base import EventBase, Id
from streams.events.times import Micros


class Rules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the match allows and expects."""

    allowed_hosts: tuple[str, ...] = ()
    protected_paths: tuple[str, ...] = ()
    workspace: Annotated[str, Meta(description="root folder of the work")] = ""
    base_commit: str = ""
    expected_paths: Annotated[
        tuple[str, ...], Meta(description="what the task is expected to change; scope is judged against it")
    ] = ()
    deceptions: tuple[str, ...] = ()
    unsafe_requirements: tuple[str, ...] = ()
    no_change_needed: bool = False
    canary_tokens: tuple[str, ...] = ()
    rubric_profile: str = ""
    reference_time_s: Annotated[float, Meta(gt=0)] | None = None


class MatchStarted(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="match_started"):
    """A match begins."""

    challenge_id: str = ""
    contestants: tuple[Id, ...] = ()
    time_limit_s: Annotated[float, Meta(gt=0)] | None = None
    rules: Rules = Rules()


class RunStarted(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="run_started"):
    """A contestant begins."""

    cwd: str = ""
    harness: str = ""


class Submission(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="submission"):
    """A contestant hands its work in; with several, the last counts."""

    commit: str = ""
    text: str = ""


class RunEnded(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="run_ended"):
    """A contestant stops, for whatever reason."""

    reason: str = ""


class MatchEnded(EventBase, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind", tag="match_ended"):
    """The match is over."""

    contestants: tuple[Id, ...] = ()
    reason: str = ""
    ended_at: Micros | None = None
