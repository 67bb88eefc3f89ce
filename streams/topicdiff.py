"""Topics as declared against topics as found. Pure: asking the broker is the rim's work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import inf
from typing import Final

from msgspec import Struct

from streams.topics import Topic

MISSING: Final = "missing"
PARTITIONS: Final = "partitions"
RETENTION: Final = "retention.ms"
CLEANUP: Final = "cleanup.policy"


class Found(Struct, frozen=True, kw_only=True):
    """A topic as the broker describes it."""

    partitions: int
    config: Mapping[str, str] | None
    """Its configuration under Kafka's names; None: the broker does not tell."""
    own: Mapping[str, str] = {}
    """The part of the configuration that was set for this topic rather than inherited."""


class Difference(Struct, frozen=True):
    """One thing about a topic that is not as declared."""

    topic: str
    what: str
    """`missing`, `partitions`, or a configuration name such as `retention.ms`."""
    declared: str
    found: str
    """Empty where there is nothing to show: the topic or the value is missing."""
    loses: str = ""
    """What the broker would delete if this were mended, in words; empty: nothing."""

    @property
    def mendable(self) -> bool:
        """Whether it can be mended in place. A partition count cannot: keys would move to other partitions."""
        return self.what != PARTITIONS

    def __str__(self) -> str:
        """One line for people."""
        if self.what == MISSING:
            return f"{self.topic}: missing"
        cost = f"; to set it deletes {self.loses}" if self.loses else ""
        return f"{self.topic}: {self.what} is {self.found or 'not set'}, declared {self.declared}{cost}"


def differences(declared: Iterable[Topic], found: Mapping[str, Found]) -> tuple[Difference, ...]:
    """Everything that is not as declared, in the order of the declared topics. Topics that none declared are no matter.

    A topic whose configuration the broker does not tell is compared by its partitions alone.
    """
    return tuple(one for topic in declared for one in _of(topic, found.get(topic.name)))


def untold(declared: Iterable[Topic], found: Mapping[str, Found]) -> tuple[str, ...]:
    """Names of the topics whose configuration could not be compared."""
    return tuple(one.name for one in declared if one.name in found and found[one.name].config is None)


def _of(topic: Topic, found: Found | None) -> Iterable[Difference]:
    if found is None:
        yield Difference(topic.name, MISSING, str(topic.partitions), "")
        return
    if found.partitions != topic.partitions:
        yield Difference(topic.name, PARTITIONS, str(topic.partitions), str(found.partitions))
    if found.config is not None:
        for name, value in topic.config.items():
            if (there := found.config.get(name, "")) != value:
                yield Difference(topic.name, name, value, there, _loses(topic, name, there))


def _loses(topic: Topic, name: str, there: str) -> str:
    """What is deleted when a value becomes the declared one. A value that is not told may be the one that keeps most."""
    if name == RETENTION and _kept_ms(topic.retention) < _told_ms(there):
        return _older(topic)
    if name == CLEANUP and topic.config[CLEANUP] not in (one.strip() for one in there.split(",")):
        return "all but the newest of each key" if topic.compact else _older(topic)
    return ""


def _older(topic: Topic) -> str:
    return "" if topic.retention is None else f"what is older than {topic.retention / timedelta(days=1):g} d"


def _kept_ms(retention: timedelta | None) -> float:
    return inf if retention is None else retention / timedelta(milliseconds=1)


def _told_ms(value: str) -> float:
    return float(value) if value.isdecimal() else inf
