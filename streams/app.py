"""The Faust app of a worker: its settings, its transport, its two tables. The agents are in `streams.agents`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import faust

from streams.events import FAMILIES
from streams.tables import DurableTable
from streams.topics import MAX_MESSAGE_BYTES, topic_name
from streams.transport import Transport

if TYPE_CHECKING:
    from streams.settings import Settings

RECORDS: Final = 4_000
"""Records fetched at once, at most: the fewer chunks, the fewer table writes."""

CHUNKS: Final = 8
"""Chunks that wait for the agent, at most."""


class App(faust.App):
    """A Faust app with the tables `runs` (state of runs, in blocks) and `matches` (what is known on the match level)."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        super().__init__(settings.app_id, broker=f"kafka://{settings.broker}", **options)
        self.sources: tuple[str, ...] = tuple(topic_name(stream, settings.topic_prefix) for stream in FAMILIES)
        self.transport = Transport(self.conf.broker_consumer, self, chunked=self.sources)
        self.runs = self._durable("runs", settings.partitions)
        self.matches = self._durable("matches", settings.partitions)

    def _durable(self, name: str, partitions: int) -> DurableTable:
        table = DurableTable(self, name=name, partitions=partitions)
        self.tables.add(table)
        return table

    def _create_directories(self) -> None:
        """Create none: the tables are in memory and come back from their changelogs. Faust would leave a folder behind."""


def create_app(settings: Settings) -> App:
    """The app as a worker runs it, without agents. Nothing is connected yet."""
    return App(
        settings,
        topic_partitions=settings.partitions,
        topic_disable_leader=True,
        web_enabled=False,
        # A standby would hold state that is rebuilt in seconds, and cost every worker the changelogs of all others.
        table_standby_replicas=0,
        # A chunk in work is finished before its partition is given up, so no two workers write one run's state.
        stream_wait_empty=True,
        broker_commit_interval=1.0,
        broker_rebalance_timeout=settings.rebalance_timeout_s,
        broker_session_timeout=settings.session_timeout_s,
        broker_heartbeat_interval=settings.session_timeout_s / 6,
        broker_max_poll_records=RECORDS,
        consumer_max_fetch_size=MAX_MESSAGE_BYTES,
        consumer_group_instance_id=settings.worker_id or None,
        producer_max_request_size=2 * MAX_MESSAGE_BYTES,
    )
