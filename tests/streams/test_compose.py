"""docker-compose.yml is a valid compose file, keeps to this machine, and runs the Kafka that the tests run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from streams.broker import embedded, jars, kafka, node
from streams.cli import build, verbs
from streams.settings import Settings, bootstrap
from streams.topicadmin import existing
from streams.topics import PARTITIONS

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docker-compose.yml"
COMPOSE: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
ADDRESSES = {"KAFKA_LISTENERS", "KAFKA_ADVERTISED_LISTENERS", "KAFKA_CONTROLLER_QUORUM_VOTERS", "KAFKA_LOG_DIRS"}
OURS = ("topics", "worker")


def test_it_is_what_the_compose_specification_takes() -> None:
    """By the specification's own JSON Schema."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_is_the_version_of_the_jars() -> None:
    """What the tests run on Apache Kafka says something about what runs here."""
    assert SERVICES["kafka"]["image"] == f"apache/kafka:{jars.version()}"
    assert jars.version().startswith("4.")


def test_kafka_is_set_as_in_the_tests() -> None:
    """Beside the addresses, no setting more and none less."""
    given = {name: value for name, value in SERVICES["kafka"]["environment"].items() if name not in ADDRESSES}
    assert given == node.environment() | {"CLUSTER_ID": node.CLUSTER_ID}
    assert set(SERVICES["kafka"]["environment"]) >= ADDRESSES


def test_the_lane_has_the_same_settings_in_its_file() -> None:
    """The table reaches `server.properties` whole."""
    text = node.server_properties("127.0.0.1:1", "127.0.0.1:2", Path("/data"))
    written = dict(row.split("=", 1) for row in text.splitlines())
    assert written.items() >= node.SETTINGS.items()
    assert {"KAFKA_" + name.upper().replace(".", "_") for name in set(written) - set(node.SETTINGS)} == ADDRESSES


@pytest.mark.kafka
async def test_apache_kafka_runs_with_what_compose_gives_it(tmp_path: Path) -> None:
    """The file's own environment, its addresses moved to this machine: the node starts and answers on both listeners."""
    ports = {name: str(embedded.free_port()) for name in ("19092", "9093", "9092")}
    given = SERVICES["kafka"]["environment"] | {"KAFKA_LOG_DIRS": str(tmp_path / "data")}
    rows = [f"{name.removeprefix('KAFKA_').lower().replace('_', '.')}={_here(value, ports)}" for name, value in given.items()]
    one = kafka.Kafka(tmp_path, jars.fetched())
    (tmp_path / "server.properties").write_text("\n".join(rows))
    one.format()
    one.start()
    try:
        for port in ("19092", "9092"):
            assert await existing(f"127.0.0.1:{ports[port]}") == {}
    finally:
        one.stop()


def test_each_listener_is_mapped_and_advertised() -> None:
    """A listener that is not mapped stops the node; one not advertised cannot be used."""
    given = SERVICES["kafka"]["environment"]
    mapped = {pair.split(":")[0] for pair in given["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"].split(",")}
    listening, advertised = (_listeners(given[name]) for name in ("KAFKA_LISTENERS", "KAFKA_ADVERTISED_LISTENERS"))
    assert set(listening) == mapped
    assert set(advertised) == mapped - {given["KAFKA_CONTROLLER_LISTENER_NAMES"]}
    assert all(listening[name].rpartition(":")[2] == address.rpartition(":")[2] for name, address in advertised.items())
    voter = f"{given['KAFKA_NODE_ID']}@kafka{listening['CONTROLLER']}"
    assert given["KAFKA_CONTROLLER_QUORUM_VOTERS"] == voter


def test_data_outlives_the_container() -> None:
    """The log folder is a named volume."""
    (mount,) = SERVICES["kafka"]["volumes"]
    volume, _, folder = mount.partition(":")
    assert volume in COMPOSE["volumes"]
    assert folder == SERVICES["kafka"]["environment"]["KAFKA_LOG_DIRS"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_ports_are_open_to_this_machine_alone(name: str) -> None:
    """Nothing here asks for a password."""
    assert all(re.fullmatch(r"127\.0\.0\.1:\d+:\d+", port) for port in SERVICES[name].get("ports", []))
    assert "network_mode" not in SERVICES[name]


def test_what_goes_on_running_has_a_health_check_and_what_ends_is_awaited() -> None:
    """So `up --wait` returns when all is well, the one-shot service included."""
    awaited = {
        other
        for service in SERVICES.values()
        for other, how in service.get("depends_on", {}).items()
        if how["condition"] == "service_completed_successfully"
    }
    assert awaited == {"topics"}
    assert {name for name, service in SERVICES.items() if "healthcheck" not in service} == awaited
    assert all((service["restart"] == "no") == (name in awaited) for name, service in SERVICES.items())
    assert SERVICES["topics"]["depends_on"] == {"kafka": {"condition": "service_healthy"}}


def test_only_debug_shows_a_page() -> None:
    """Without the profile there is Kafka, its topics and a worker."""
    assert {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service} == {"ui": ["debug"]}


@pytest.mark.parametrize("name", OURS)
def test_our_services_use_settings_and_commands_that_exist(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A misspelt variable would be without effect, a misspelt command would not start."""
    given = SERVICES[name]["environment"]
    assert {one.removeprefix("BOUTWATCH_").lower() for one in given} <= set(Settings.model_fields)
    for variable, value in given.items():
        monkeypatch.setenv(variable, _default(value))
    assert Settings().broker == bootstrap(_address_inside())
    assert Settings().partitions == PARTITIONS
    for words in [SERVICES[name]["command"], *_health(name)]:
        assert words[0] in verbs()
        assert CliRunner().invoke(build(words[0]), [*words, "--help"]).exit_code == 0


def test_the_image_is_built_from_what_is_copied() -> None:
    """Every package and every file that the build names is let through to it, and it does not run as root."""
    text = (ROOT / "Dockerfile").read_text("utf-8")
    let = {row[1:] for row in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if row.startswith("!")}
    copied = {part for row in re.findall(r"^COPY (.+) \S+$", text, re.MULTILINE) for part in row.split()}
    assert copied == let
    assert all((ROOT / part).exists() for part in copied)
    assert copied >= {"streams", "metrics", "judges", "pyproject.toml"}
    assert re.search(r"^USER (?!root)", text, re.MULTILINE)
    assert re.search(r'^ENTRYPOINT \["boutwatch"\]$', text, re.MULTILINE)


def _here(value: str, ports: dict[str, str]) -> str:
    """Every address as one of this machine's, on a free port."""
    return re.sub(r"(?<=[/@])[\w.]*:(\d+)", lambda found: f"127.0.0.1:{ports[found[1]]}", value)


def _listeners(text: str) -> dict[str, str]:
    return dict(one.split("://") for one in text.split(","))


def _address_inside() -> str:
    return _listeners(SERVICES["kafka"]["environment"]["KAFKA_ADVERTISED_LISTENERS"])["PLAINTEXT"]


def _default(value: str) -> str:
    """What compose puts in where the environment names nothing."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value)


def _health(name: str) -> list[list[str]]:
    test = SERVICES[name].get("healthcheck", {}).get("test", [])
    return [test[2:]] if test[:2] == ["CMD", "boutwatch"] else []
