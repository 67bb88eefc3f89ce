"""Which broker and which topics a command means: its option, else the settings."""

from __future__ import annotations

from typing import Annotated

import typer

Broker = Annotated[
    str | None, typer.Option("--broker", metavar="embedded|kafka://HOST:PORT", help="The broker; else as configured.")
]
Prefix = Annotated[
    str | None, typer.Option("--topic-prefix", metavar="NAME", help="First part of the topics' names; else as configured.")
]
