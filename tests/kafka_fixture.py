"""Apache Kafka as a fixture. It is started when the first test asks for it: only those marked `kafka` may."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from streams.broker import jars, kafka


@pytest.fixture(scope="session")
def kafka_broker() -> Iterator[kafka.Kafka]:
    """A running node, one for all tests: each uses topics of its own prefix, and leaves the node running.

    Without Java or Maven its tests are skipped; not so where `CI` is set: there nobody would see that they never ran.
    """
    try:
        kafka.java()
        jars.fetched()
    except jars.ToolMissingError as error:
        if os.environ.get("CI", "").lower() in {"true", "1"}:
            pytest.fail(f"CI is set, so Apache Kafka must be here: {error}", pytrace=False)
        pytest.skip(f"no Apache Kafka on this machine: {error}")
    with kafka.start() as node:
        yield node
