"""Settings: from the environment (`BOUTWATCH_…`), else from a TOML file, else the default.

The file is `boutwatch.toml` in the current folder, or the one that `BOUTWATCH_CONFIG` names; its keys are the fields' names.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from streams.topics import APP_ID, PARTITIONS, PREFIX

EMBEDDED = "embedded"

ENV: Final = "BOUTWATCH_"
"""What a setting's environment variable begins with."""

OTHERS: Final = ("BOUTWATCH_CONFIG", "BOUTWATCH_DEBUG", "BOUTWATCH_KAFKA_HOME")
"""Variables that begin so and are no settings."""

_OF_A_SERVICE: Final = re.compile(r"BOUTWATCH_(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)")
"""Kubernetes gives each container such variables for a service that is named `boutwatch` or `boutwatch-…`."""


class ConfigError(ValueError):
    """A setting that cannot be used; the message names it and says what it takes."""


def bootstrap(value: str) -> str:
    """A broker's bootstrap address from `kafka://HOST:PORT[,…]` or `HOST:PORT[,…]`; `embedded` stays as it is.

    Raises ValueError for anything else.
    """
    text = value.strip().removeprefix("kafka://").rstrip("/")
    if text == EMBEDDED:
        return text
    for part in text.split(","):
        host, _, port = part.strip().rpartition(":")
        if not host or not port.isdecimal() or not 0 < int(port) < 65536 or "/" in host:
            raise ValueError(f"{value!r} names no broker: use embedded, or kafka://HOST:PORT")
    return text


def _zone(value: object) -> object:
    if not isinstance(value, str) or not value:
        return value or None
    try:
        return ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"{value!r} is no time zone; use a name such as Europe/Berlin or UTC") from None


class Settings(BaseSettings):
    """What a worker and the commands run with."""

    model_config = SettingsConfigDict(
        env_prefix=ENV, extra="forbid", frozen=True, arbitrary_types_allowed=True, validate_default=True
    )

    broker: Annotated[str, BeforeValidator(bootstrap)] = Field(
        "127.0.0.1:9092", description="The broker: `kafka://HOST:PORT`, several with commas between."
    )
    topic_prefix: str = Field(PREFIX, min_length=1, description="First part of every topic's name: `<prefix>.<stream>.v1`.")
    partitions: int = Field(PARTITIONS, ge=1, description="Partitions of every topic. Fixed once the topics exist.")
    app_id: str = Field(
        APP_ID, min_length=1, description="Consumer group of the workers, and first part of their changelogs' names."
    )
    worker_id: str = Field(
        "", description="Static membership: a name of this worker's own, so that its partitions wait for it over a restart."
    )
    publish_interval_s: float = Field(
        1.0, gt=0, le=3600, description="Readings of one run are published at most this often (s)."
    )
    lateness_s: float = Field(20.0, ge=0, description="How late an event may come and still be in time (s of event time).")
    idle_s: float = Field(900.0, gt=0, description="A run without an end is given up after this long without an event (s).")
    zone: Annotated[ZoneInfo | None, BeforeValidator(_zone)] = Field(
        None, description="Time zone of times that name none, such as `Europe/Berlin`. Without it such events are rejected."
    )
    rubric: Path | None = Field(None, description="Rubric file; else the one that comes with Boutwatch.")
    rebalance_timeout_s: float = Field(
        60.0, gt=0, description="How long a group waits for its members at a rebalance (s); the embedded broker waits it out."
    )
    session_timeout_s: float = Field(
        30.0, gt=0, description="After this long without a heartbeat (s) a worker's partitions go to the others."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="What is logged.")
    log_format: Literal["text", "json"] = Field(
        "text", description="How it is logged, on standard error: text for people, or JSON lines."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments before the environment before the file."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, _from_file(settings_cls, config_file())

    def __init__(self, **values: Any) -> None:
        unknown = _unknown_variables()
        if unknown:
            raise ConfigError("; ".join(unknown))
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ConfigError(_explained(error, values)) from None


def config_file() -> Path:
    """The settings file. Raises ConfigError if `BOUTWATCH_CONFIG` names one that is not there."""
    named = os.environ.get("BOUTWATCH_CONFIG", "")
    if named and not Path(named).is_file():
        raise ConfigError(f"BOUTWATCH_CONFIG names {named}, and there is no such file")
    return Path(named or "boutwatch.toml")


def _from_file(settings_cls: type[BaseSettings], path: Path) -> TomlConfigSettingsSource:
    """What the file says. Raises ConfigError for a file that cannot be read, and for keys that are no setting."""
    try:
        source = TomlConfigSettingsSource(settings_cls, path)
    except (OSError, ValueError) as error:  # ValueError: no TOML, or no UTF-8
        raise ConfigError(f"{path}: {getattr(error, 'strerror', None) or f'no TOML: {error}'}") from None
    known = set(Settings.model_fields)
    unknown = [f"{path}: there is no setting {key}{_nearest(key, known)}" for key in source.toml_data if key not in known]
    if unknown:
        raise ConfigError("; ".join(unknown))
    return source


def _unknown_variables() -> list[str]:
    """A message for each variable that looks like a setting and is none: it would be without effect."""
    known = {f"{ENV}{name.upper()}" for name in Settings.model_fields} | set(OTHERS)
    names = sorted(name for name in os.environ if name.upper().startswith(ENV))
    return [
        f"environment variable {name}: there is no such setting{_nearest(name.upper(), known)}"
        for name in names
        if name.upper() not in known and not _OF_A_SERVICE.fullmatch(name)
    ]


def _nearest(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else "; the reference lists all of them"


def _explained(error: ValidationError, given: Mapping[str, Any]) -> str:
    lines = []
    for fault in error.errors():
        name = ".".join(str(part) for part in fault["loc"])
        lines.append(f"setting {name}{_source(name, given)}: {fault['msg'].removeprefix('Value error, ')}")
    return "; ".join(lines)


def _source(name: str, given: Mapping[str, Any]) -> str:
    """Where a setting's value comes from, in brackets."""
    if name in given:
        return ""
    variable = f"{ENV}{name.upper()}"
    if variable in map(str.upper, os.environ):
        return f" ({variable})"
    return f" ({config_file()})"
