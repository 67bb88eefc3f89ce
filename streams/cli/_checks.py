"""What `boutwatch doctor` looks at: each check gives findings, and none raises for what it finds."""

from __future__ import annotations

import platform
import secrets
import time
from importlib import metadata
from typing import Final, Literal

from aiokafka import AIOKafkaProducer
from aiokafka.admin import NewTopic
from aiokafka.errors import GroupCoordinatorNotAvailableError, KafkaError
from msgspec import Struct
from packaging.requirements import Requirement

from streams.cli._kafka import REQUEST_MS
from streams.cli._topicstate import admin, found
from streams.topicdiff import differences, untold
from streams.topics import Topic

State = Literal["ok", "warn", "fail"]

PACKAGES: Final = ("faust-streaming", "aiokafka")
"""Whose versions matter: the worker rests on internals of one minor version."""

_BY_BROKER: Final = 1
"""Kafka's mark on a record whose time the broker set as it came in."""


class Finding(Struct, frozen=True):
    """What one check found."""

    check: str
    state: State
    says: str


def versions() -> list[Finding]:
    """Python, Boutwatch, and the packages whose version it limits: as installed against as required."""
    own = metadata.version("boutwatch")
    limits = {one.name: one for one in map(Requirement, metadata.requires("boutwatch") or ()) if one.marker is None}
    first = [Finding("boutwatch", "ok", own), Finding("python", "ok", platform.python_version())]
    return first + [_version(name, limits[name]) for name in PACKAGES]


def _version(name: str, limit: Requirement) -> Finding:
    try:
        there = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "fail", f"not installed; pip install '{limit}'")
    if there in limit.specifier:
        return Finding(name, "ok", there)
    return Finding(name, "fail", f"{there} is not {limit.specifier}; pip install '{limit}'")


async def reachable(address: str) -> Finding:
    """Whether the broker answers."""
    try:
        async with admin(address) as client:
            cluster = await client.describe_cluster()
    except KafkaError as error:
        return Finding("broker", "fail", f"{address}: {_why(error)}; is it up? --broker names another")
    brokers = len(cluster["brokers"])
    return Finding("broker", "ok", f"{address}: cluster {cluster['cluster_id']}, {brokers} broker{'s' * (brokers != 1)}")


async def as_declared(address: str, wanted: tuple[Topic, ...]) -> Finding:
    """Whether the topics are there as declared."""
    try:
        there = await found(address, {topic.name for topic in wanted})
    except KafkaError as error:
        return Finding("topics", "fail", _why(error))
    ill = differences(wanted, there)
    if ill:
        more = f" and {len(ill) - 1} more" if len(ill) > 1 else ""
        return Finding("topics", "fail", f"{ill[0]}{more}; 'boutwatch topics diff' shows all, 'topics apply' mends")
    if hidden := untold(wanted, there):
        return Finding(
            "topics", "warn", f"{len(hidden)} of {len(wanted)} compared by partitions alone: the broker tells no more"
        )
    return Finding("topics", "ok", f"{len(wanted)} as declared")


async def workers(address: str, group: str) -> Finding:
    """How many workers share the partitions of this application."""
    try:
        async with admin(address) as client:
            ((description,),) = [answer.groups for answer in await client.describe_consumer_groups([group])]
    except GroupCoordinatorNotAvailableError:
        # A broker that never had a group has nobody yet who would know of one.
        return none_runs(group)
    except KafkaError as error:
        return Finding("workers", "warn", f"not seen: {_why(error)}")
    _, _, state, _, _, members, *_ = description
    if not members:
        return none_runs(group)
    count = f"{len(members)} worker{'s' * (len(members) != 1)} in group {group}"
    if state == "Stable":
        return Finding("workers", "ok", count)
    return Finding("workers", "warn", f"{count}, sharing out partitions just now ({state}); look again in a moment")


def none_runs(group: str) -> Finding:
    """The finding where the group has no member."""
    return Finding("workers", "warn", f"none in group {group}: nothing is judged; start one with 'boutwatch worker'")


async def clock(address: str, prefix: str, *, warn_s: float, fail_s: float) -> Finding:
    """How far the broker's clock is from this machine's, by the time that the broker gives a record as it comes in.

    The record goes to a topic of the check's own, which is removed. A warning from `warn_s` on, a failure from `fail_s`.
    """
    topic = f"{prefix}.doctor.{secrets.token_hex(4)}"
    try:
        async with admin(address) as client:
            await client.create_topics([NewTopic(topic, 1, 1, topic_configs={"message.timestamp.type": "LogAppendTime"})])
            try:
                skew = await _skew(address, topic)
            finally:
                await client.delete_topics([topic])
    except KafkaError as error:
        return Finding("clock", "warn", f"not measured: {_why(error)}")
    if skew is None:
        return Finding("clock", "warn", "not measured: this broker puts no time of its own on records")
    return judged(*skew, warn_s=warn_s, fail_s=fail_s)


def judged(ahead_s: float, give_s: float, *, warn_s: float, fail_s: float) -> Finding:
    """The finding for a broker whose clock is `ahead_s` seconds ahead (negative: behind), give or take `give_s`."""
    way = "ahead of" if ahead_s >= 0 else "behind"
    says = f"the broker is {abs(ahead_s):.3f} s {way} this machine (± {give_s:.3f} s)"
    sure = abs(ahead_s) - give_s
    if sure >= fail_s:
        return Finding("clock", "fail", f"{says}: more than lateness_s ({fail_s:g} s); set the clocks by one time server")
    if sure >= warn_s:
        return Finding("clock", "warn", f"{says}: set the clocks by one time server")
    return Finding("clock", "ok", says)


async def _skew(address: str, topic: str) -> tuple[float, float] | None:
    """Seconds that the broker is ahead, and how exact that is; None when the broker stamps no records."""
    producer = AIOKafkaProducer(bootstrap_servers=address, request_timeout_ms=REQUEST_MS, acks="all")
    try:
        await producer.start()
        # The first record also finds the way to a partition just made: only the second is timed.
        await producer.send_and_wait(topic, b"")
        sent = time.time()
        stamped = await producer.send_and_wait(topic, b"")
        back = time.time()
    finally:
        await producer.stop()
    if stamped.timestamp_type != _BY_BROKER:
        return None
    # The broker took it somewhere between; its stamp is in whole milliseconds.
    return stamped.timestamp / 1000 - (sent + back) / 2, (back - sent) / 2 + 0.001


def _why(error: KafkaError) -> str:
    return " ".join(str(error).split("{", 1)[0].split()) or type(error).__name__
