"""Settings come from arguments, the environment and a file, in this order, and faults are told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from streams.settings import ConfigError, Settings, bootstrap


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder without a settings file and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(f"BOUTWATCH_{name.upper()}", raising=False)
    monkeypatch.delenv("BOUTWATCH_CONFIG", raising=False)
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
    with pytest.raises(ConfigError, match="no setting latenes_s; did you mean lateness_s"):
        Settings()


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
