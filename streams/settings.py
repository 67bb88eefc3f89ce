"""Settings: from the environment (`BOUTWATCH_…`), else from a TOML file, else the default.

The file is `boutwatch.toml` in the current folder, or the one that `BOUTWATCH_CONFIG` names; its keys are the fields' names.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from streams.topics import APP_ID, PARTITIONS, PREFIX

EMBEDDED = "embedded"


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
        env_prefix="BOUTWATCH_", extra="forbid", frozen=True, arbitrary_types_allowed=True, validate_default=True
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
    log_format: Literal["text", "json"] = Field("text", description="How it is logged, on standard error.")

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
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, config_file())

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ConfigError(_explained(error)) from None


def config_file() -> Path:
    """The settings file. Raises ConfigError if `BOUTWATCH_CONFIG` names one that is not there."""
    named = os.environ.get("BOUTWATCH_CONFIG", "")
    if named and not Path(named).is_file():
        raise ConfigError(f"BOUTWATCH_CONFIG names {named}, and there is no such file")
    return Path(named or "boutwatch.toml")


def _explained(error: ValidationError) -> str:
    lines = []
    for fault in error.errors():
        name = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            near = difflib.get_close_matches(name, Settings.model_fields, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            lines.append(f"there is no setting {name}{hint}")
        else:
            lines.append(f"setting {name}: {fault['msg'].removeprefix('Value error, ')}")
    return "; ".join(lines)
