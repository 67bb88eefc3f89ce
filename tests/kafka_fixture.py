"""Apache Kafka as a fixture. It is started when the first test asks for it: only those marked `kafka` may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from streams.broker import kafka


@pytest.fixture(scope="session")
def kafka_broker() -> Iterator[kafka.Kafka]:
    """A running node, one for all tests: each uses topics of its own prefix, and leaves the node running."""
    with kafka.start() as node:
        yield node
