"""A Faust table whose writes can be waited for.

An assignment to a Faust table leaves its changelog record in the producer's buffer: after a crash the offset can be
committed and the state lost. Here a write gives the futures of its changelog records, to be awaited before the chunk that
caused it is acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, cast

import faust


class DurableTable(faust.Table[bytes, bytes]):
    """A table of bytes by bytes in memory, backed by its changelog topic. Written with `write` alone."""

    def __init__(self, app: faust.App, *, name: str, partitions: int, **kwargs: Any) -> None:
        kwargs.update(key_type=bytes, value_type=bytes, store="memory://")
        super().__init__(app, name=name, partitions=partitions, **kwargs)

    async def write(self, partition: int, items: Mapping[bytes, bytes]) -> list[asyncio.Future[Any]]:
        """Write items of a partition; an empty value deletes. The futures are done when the broker has the records.

        It goes past Faust's buffer of pending messages, so that records of one partition keep the order of the calls.
        """
        topic, store, send = self.changelog_topic_name, cast("Any", self.data), self.app.producer.send
        futures: list[asyncio.Future[Any]] = []
        for key, value in items.items():
            if value:
                store.data[key] = value
            else:
                store.data.pop(key, None)
            store._key_partition[key] = partition  # noqa: SLF001 # Faust forgets keys of other partitions by it
            futures.append(asyncio.ensure_future(await send(topic, key, value or None, partition, None, None)))
        return futures

    def of_partitions(self, partitions: Iterable[int]) -> dict[int, dict[bytes, bytes]]:
        """What the table holds for each of these partitions."""
        store = cast("Any", self.data)
        found: dict[int, dict[bytes, bytes]] = {partition: {} for partition in partitions}
        for key, value in store.data.items():
            if (mine := found.get(store._key_partition.get(key, -1))) is not None:  # noqa: SLF001
                mine[key] = value
        return found
