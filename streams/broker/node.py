"""What our single Kafka node is set to, in one table: the lane of the tests and docker-compose.yml both run on it.

Only addresses and the data folder differ between the two; a test holds the compose file against `SETTINGS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from streams.topics import MAX_MESSAGE_BYTES

CLUSTER_ID: Final = "Ym91dHdhdGNoLW5vZGUtMQ"
"""Base64 of 16 bytes, as Kafka wants it. Fixed: a node keeps its data over restarts."""

SETTINGS: Final[Mapping[str, str]] = {
    "node.id": "1",
    # KRaft: the one node is broker and controller.
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    # HOST is the compose file's listener for clients outside its network.
    "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,HOST:PLAINTEXT",
    # One node holds one copy of everything; the defaults ask for three.
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "offsets.topic.num.partitions": "4",
    # A topic that nobody declared has the wrong partition count: workers would refuse it again and again.
    "auto.create.topics.enable": "false",
    # The delay is for many members that start together; a group of one worker would only wait.
    "group.initial.rebalance.delay.ms": "0",
    "message.max.bytes": str(MAX_MESSAGE_BYTES),
}


def server_properties(client: str, controller: str, data: Path) -> str:
    """The text of `server.properties` for a node with these addresses (`HOST:PORT`) and this data folder."""
    addresses = {
        "listeners": f"PLAINTEXT://{client},CONTROLLER://{controller}",
        "advertised.listeners": f"PLAINTEXT://{client}",
        "controller.quorum.voters": f"{SETTINGS['node.id']}@{controller}",
        "log.dirs": data.as_posix(),
    }
    return "".join(f"{name}={value}\n" for name, value in {**SETTINGS, **addresses}.items())


def environment(settings: Mapping[str, str] = SETTINGS) -> dict[str, str]:
    """The same settings as the environment variables that Kafka's container image reads."""
    return {"KAFKA_" + name.upper().replace(".", "_"): value for name, value in settings.items()}
