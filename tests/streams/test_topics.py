"""The table of topics keeps what the rest rests on: one count, keys, names, what is kept; differences are told."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from msgspec import structs

from streams import topics as table
from streams.events import FAMILIES
from streams.topicdiff import Difference, Found, differences, untold
from streams.topics import Topic, declared, topics

ALL = declared("p", 6, "app")
TOPIC = ALL[0]


def _as_declared(*wanted: Topic) -> dict[str, Found]:
    return {one.name: Found(partitions=one.partitions, config=one.config) for one in wanted}


def test_names_are_unique_and_legal() -> None:
    """Kafka takes letters, digits, '.', '_' and '-', up to 249 of them."""
    names = [topic.name for topic in ALL]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,249}", name) for name in names)


def test_the_longest_prefix_still_makes_legal_names() -> None:
    """What the check of the prefix lets through fits into Kafka's limit with every suffix."""
    assert max(len(topic.name) for topic in declared("p" * 200, 1, "a" * 200)) <= 249


def test_all_topics_have_the_one_partition_count() -> None:
    """State, input and dead letters of a run share a partition number; Faust refuses anything else."""
    assert {topic.partitions for topic in ALL} == {6}


def test_every_kind_of_event_has_a_stream_and_the_stream_a_topic() -> None:
    """No event is without a topic to come in by."""
    inputs = {topic.stream for topic in topics() if topic.direction == "in"}
    for stream, family in FAMILIES.items():
        assert {table.stream_of(str(kind.__struct_config__.tag)) for kind in family} == {stream}
    assert set(FAMILIES) <= inputs


def test_an_unknown_kind_has_no_stream() -> None:
    """It is an error, never a guess."""
    with pytest.raises(KeyError, match="tea_break"):
        table.stream_of("tea_break")


def test_every_input_has_dead_letters_that_take_its_largest_message_and_the_reason() -> None:
    """What cannot be read must fit, headers included."""
    by_name = {topic.name: topic for topic in ALL}
    for topic in [one for one in ALL if one.direction == "in"]:
        letters = by_name[table.dlq_name(topic.name)]
        assert letters.direction == "dlq"
        assert int(letters.config["max.message.bytes"]) > int(topic.config["max.message.bytes"])


def test_results_and_state_are_kept_by_key_and_input_by_age() -> None:
    """A compacted topic keeps the newest of a key for ever; input goes by when it arrived, not by its event time."""
    for topic in ALL:
        assert topic.config["cleanup.policy"] == ("compact" if topic.compact else "delete")
        assert (topic.config.get("message.timestamp.type") == "LogAppendTime") == (topic.direction in {"in", "dlq"})
        if topic.compact:
            assert topic.config["retention.ms"] == "-1"
    assert {topic.stream for topic in ALL if topic.direction == "table"} == set(table.TABLES)


def test_retention_is_in_milliseconds() -> None:
    """A day is 86,400,000 of them."""
    otlp = next(topic for topic in ALL if topic.stream == "otlp")
    assert (otlp.retention, otlp.config["retention.ms"]) == (timedelta(days=1), "86400000")


@pytest.mark.parametrize(("prefix", "partitions"), [("", 1), ("a b", 1), ("ä", 1), ("p" * 201, 1), ("p", 0), ("p", -1)])
def test_what_makes_no_topic_is_refused(prefix: str, partitions: int) -> None:
    """Before a broker sees it."""
    with pytest.raises(ValueError, match="topic"):
        declared(prefix, partitions)


def test_no_difference_from_itself() -> None:
    """As declared is as declared; topics that nobody declared are no matter."""
    there = _as_declared(*ALL) | {"other": Found(partitions=1, config={})}
    assert differences(ALL, there) == ()
    assert untold(ALL, there) == ()


def test_a_missing_topic_is_one_difference() -> None:
    """Nothing else is said about it."""
    assert differences([TOPIC], {}) == (Difference(TOPIC.name, "missing", "6", ""),)
    assert str(differences([TOPIC], {})[0]) == f"{TOPIC.name}: missing"


def test_another_partition_count_is_told_and_cannot_be_mended() -> None:
    """Keys would move."""
    (one,) = differences([TOPIC], _as_declared(structs.replace(TOPIC, partitions=2)))
    assert (str(one), one.mendable) == (f"{TOPIC.name}: partitions is 2, declared 6", False)


def test_other_retention_and_cleanup_are_told() -> None:
    """Each under Kafka's own name."""
    other = structs.replace(TOPIC, retention=timedelta(days=3), compact=True)
    found = differences([TOPIC], _as_declared(other))
    assert {(one.what, one.declared, one.found) for one in found} == {
        ("cleanup.policy", "delete", "compact"),
        ("retention.ms", "2592000000", "259200000"),
    }
    assert all(one.mendable for one in found)


def test_a_value_that_is_not_there_is_a_difference() -> None:
    """Not set is not the declared value."""
    config = {name: value for name, value in TOPIC.config.items() if name != "retention.ms"}
    (one,) = differences([TOPIC], {TOPIC.name: Found(partitions=6, config=config)})
    assert str(one).startswith(f"{TOPIC.name}: retention.ms is not set, declared 2592000000; to set it deletes ")


def test_without_its_configuration_a_topic_is_compared_by_partitions_and_named() -> None:
    """A broker that does not tell is no fault of the topic, and no proof either."""
    there = {TOPIC.name: Found(partitions=6, config=None)}
    assert differences([TOPIC], there) == ()
    assert untold([TOPIC], there) == (TOPIC.name,)


DAY = timedelta(days=1)
KEPT = TOPIC.retention or DAY


@pytest.mark.parametrize(
    ("declared_", "found", "loses"),
    [
        ({"retention": KEPT}, {"retention": KEPT + DAY}, "what is older than 30 d"),
        ({"retention": KEPT}, {"retention": None}, "what is older than 30 d"),
        ({"retention": KEPT}, {"retention": KEPT - DAY}, ""),
        ({"retention": None}, {"retention": KEPT}, ""),
        ({"compact": True}, {"compact": False}, "all but the newest of each key"),
        ({"compact": False}, {"compact": True}, "what is older than 30 d"),
        ({"compact": False, "retention": None}, {"compact": True, "retention": None}, ""),
    ],
    ids=["shorter", "no longer for ever", "longer", "for ever", "compacted", "by age", "everything"],
)
def test_what_mending_would_delete_is_told(declared_: dict[str, Any], found: dict[str, Any], loses: str) -> None:
    """A shorter retention and a cleanup that was not there delete; what keeps more deletes nothing."""
    wanted, there = structs.replace(TOPIC, **declared_), structs.replace(TOPIC, **found)
    (one,) = differences([wanted], _as_declared(there))
    assert one.loses == loses
    assert str(one).endswith(f"; to set it deletes {loses}" if loses else one.declared)


def test_a_topic_that_is_cleaned_up_in_both_ways_loses_nothing_by_one_of_them() -> None:
    """`compact,delete` deletes by age already."""
    there = Found(partitions=6, config={**TOPIC.config, "cleanup.policy": "compact,delete"})
    assert [one.loses for one in differences([TOPIC], {TOPIC.name: there})] == [""]


def test_another_limit_of_size_deletes_nothing() -> None:
    """It holds for what comes, not for what is there."""
    there = Found(partitions=6, config={**TOPIC.config, "max.message.bytes": "9999999"})
    assert [one.loses for one in differences([TOPIC], {TOPIC.name: there})] == [""]
