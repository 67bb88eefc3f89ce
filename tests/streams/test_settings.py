"""Settings come from arguments, the environment and a file, in this order, and faults are told by name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from streams.settings import ENV, OTHERS, ConfigError, Settings, bootstrap

CODE = Path(__file__).parents[2] / "streams"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder without a settings file and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper().startswith(ENV)]:
        monkeypatch.delenv(name)
    return tmp_path


def test_the_environment_wins_over_the_file_and_arguments_over_both(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is read, the nearer one first."""
    (bare / "boutwatch.toml").write_text('topic_prefix = "file"\nlateness_s = 5\n')
    assert (Settings().topic_prefix, Settings().lateness_s) == ("file", 5)
    monkeypatch.setenv("BOUTWATCH_TOPIC_PREFIX", "env")
    assert (Settings().topic_prefix, Settings().lateness_s) == ("env", 5)
    assert Settings(topic_prefix="argument").topic_prefix == "argument"


def test_an_unknown_key_of_the_file_is_an_error_that_names_the_nearest(bare: Path) -> None:
    """A misspelt setting is never silently without effect."""
    (bare / "boutwatch.toml").write_text("latenes_s = 5\n")
    with pytest.raises(ConfigError, match=r"^boutwatch\.toml: there is no setting latenes_s; did you mean lateness_s\?$"):
        Settings()


@pytest.mark.parametrize("name", ["BOUTWATCH_LATENES_S", "Boutwatch_Lateness"])
def test_an_unknown_variable_is_an_error_that_names_the_nearest(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the file."""
    monkeypatch.setenv(name, "5")
    with pytest.raises(ConfigError, match=f"^environment variable {name}: .*did you mean BOUTWATCH_LATENESS_S"):
        Settings()


def test_all_unknown_variables_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One without any likeness, too."""
    monkeypatch.setenv("BOUTWATCH_XYZZY", "")
    monkeypatch.setenv("BOUTWATCH_BROKERS", "a:1")
    with pytest.raises(ConfigError, match=r"BOUTWATCH_BROKERS.* BOUTWATCH_BROKER\?; .*BOUTWATCH_XYZZY: there is no such"):
        Settings()


@pytest.mark.parametrize(
    "name",
    [
        *OTHERS,
        "BOUTWATCH_SERVICE_HOST",
        "BOUTWATCH_SERVICE_PORT_HTTP",
        "BOUTWATCH_PORT",
        "BOUTWATCH_PORT_9092_TCP_ADDR",
        "BOUTWATCH_WORKER_PORT_9092_TCP",
        "boutwatch_broker",
    ],
)
def test_other_variables_of_this_beginning_are_let_be(name: str, bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are no settings, those that Kubernetes sets for services of the name, and settings in small letters."""
    (bare / "a").touch()
    monkeypatch.setenv(name, "a:1" if name == "boutwatch_broker" else "a")
    assert Settings().broker == ("a:1" if name == "boutwatch_broker" else "127.0.0.1:9092")


def test_every_variable_that_the_code_reads_is_known() -> None:
    """None is read that would be refused."""
    read = set(re.findall(r"\bBOUTWATCH_[A-Z_]+\b", "".join(path.read_text() for path in CODE.rglob("*.py"))))
    assert read <= {*OTHERS, *(f"{ENV}{name.upper()}" for name in Settings.model_fields)}
    assert set(OTHERS) <= read


@pytest.mark.parametrize("content", [b"lateness_s = ", b"\xff\xfe", b"just words"])
def test_a_file_that_is_no_toml_is_named(content: bytes, bare: Path) -> None:
    """With what the parser says."""
    (bare / "boutwatch.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=r"^boutwatch\.toml: no TOML: "):
        Settings()


def test_a_wrong_value_is_told_with_where_it_stands(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file or the variable; an argument is named by the command line itself."""
    (bare / "boutwatch.toml").write_text('lateness_s = "soon"\n')
    monkeypatch.setenv("BOUTWATCH_PARTITIONS", "many")
    with pytest.raises(ConfigError) as told:
        Settings(app_id="")
    assert "setting lateness_s (boutwatch.toml): " in str(told.value)
    assert "setting partitions (BOUTWATCH_PARTITIONS): " in str(told.value)
    assert "setting app_id: " in str(told.value)


def test_a_named_file_that_is_not_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """BOUTWATCH_CONFIG is meant."""
    monkeypatch.setenv("BOUTWATCH_CONFIG", "gone.toml")
    with pytest.raises(ConfigError, match=r"gone\.toml"):
        Settings()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("BROKER", "http://x", "names no broker"),
        ("ZONE", "Mars/Base", "no time zone"),
        ("PARTITIONS", "0", "partitions"),
        ("PUBLISH_INTERVAL_S", "-1", "publish_interval_s"),
        ("LOG_LEVEL", "loud", "log_level"),
    ],
)
def test_a_value_that_cannot_be_used_is_named(name: str, value: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which setting and what it takes."""
    monkeypatch.setenv(f"BOUTWATCH_{name}", value)
    with pytest.raises(ConfigError, match=says):
        Settings()


@pytest.mark.parametrize("text", ["kafka://a:9092", "a:9092", "kafka://a:9092,b:9093", "embedded"])
def test_brokers_are_read_from_either_notation(text: str) -> None:
    """With and without the scheme, one or several."""
    assert bootstrap(text) == text.removeprefix("kafka://")


def test_every_field_is_described() -> None:
    """The description is the help."""
    assert all(field.description for field in Settings.model_fields.values())
