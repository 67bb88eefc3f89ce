"""Topics on a real broker: how they are set up, and setting them up as declared."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from typing import Final

from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import IncompatibleBrokerVersion, KafkaError, UnsupportedVersionError, for_code

from streams.cli._kafka import REQUEST_MS
from streams.topicdiff import Difference, Found

_SET_FOR_TOPIC: Final = 1
"""Kafka's mark on a value that was set for the topic itself."""


_NO_SUCH_REQUEST: Final = (UnsupportedVersionError, IncompatibleBrokerVersion)


@contextlib.asynccontextmanager
async def admin(address: str) -> AsyncIterator[AIOKafkaAdminClient]:
    """An admin client. Raises KafkaError."""
    client = AIOKafkaAdminClient(bootstrap_servers=address, request_timeout_ms=REQUEST_MS)
    try:
        await client.start()
        yield client
    finally:
        await client.close()


async def found(address: str, names: Collection[str]) -> dict[str, Found]:
    """Those of these topics that are there, by name. Raises KafkaError."""
    async with admin(address) as client:
        there = {one["topic"]: len(one["partitions"]) for one in await client.describe_topics() if one["topic"] in names}
        told = await _configs(client, there)
    return {name: _found(count, told.get(name)) for name, count in there.items()}


_Values = dict[str, tuple[str, int]]
"""A topic's configuration: value and where it comes from, by name."""


def _found(partitions: int, told: _Values | None) -> Found:
    if told is None:
        return Found(partitions=partitions, config=None)
    own = {name: value for name, (value, source) in told.items() if source == _SET_FOR_TOPIC}
    return Found(partitions=partitions, config={name: value for name, (value, _) in told.items()}, own=own)


async def _configs(client: AIOKafkaAdminClient, names: Iterable[str]) -> dict[str, _Values]:
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    if not resources:
        return {}
    try:
        answers = await client.describe_configs(resources)
    except _NO_SUCH_REQUEST:
        return {}
    told = (resource for answer in answers for resource in answer.resources)
    # A broker that keeps no configuration answers without an error and without a value.
    return {
        name: {key: (value or "", source) for key, value, _, source, *_ in entries}
        for code, _, _, name, entries in told
        if not code and entries
    }


async def configure(address: str, values: Iterable[Difference], there: Mapping[str, Found]) -> bool:
    """Give these values what is declared; what else was set for their topics stays.

    False: the broker has no request for it, and nothing was changed. Raises KafkaError where it refuses.
    """
    # Kafka takes the whole of a topic's own configuration: what is not named goes back to the default.
    wanted: dict[str, dict[str, str]] = {}
    for one in values:
        wanted.setdefault(one.topic, dict(there[one.topic].own))[one.what] = one.declared
    resources = [ConfigResource(ConfigResourceType.TOPIC, name, config) for name, config in wanted.items()]
    async with admin(address) as client:
        try:
            answers = await client.alter_configs(resources)
        except _NO_SUCH_REQUEST:
            return False
    for code, why, _, name, *_ in (resource for answer in answers for resource in answer.resources):
        if code:
            raise KafkaError(f"the broker does not configure {name}: {for_code(code).__name__} {why or ''}".rstrip())
    return True
