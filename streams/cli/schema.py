"""`boutwatch schema export`: JSON Schemas and the AsyncAPI document, as files."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from streams.asyncapi import OUTPUTS, document, output_schema
from streams.cli._console import note
from streams.cli._errors import BELOW_BAR, Failure
from streams.events.models import MODELS
from streams.events.schema import event_schema

DEFAULT = Path("docs/schema")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    verb = typer.Typer(help="JSON Schema of every event and output, and the AsyncAPI 3 document.", no_args_is_help=True)
    verb.callback()(_root)
    verb.command("export")(export)
    app.add_typer(verb, name="schema")


def _root() -> None:
    """Keep `export` a word of its own, though it is the only one."""


def export(
    folder: Annotated[Path, typer.Option("--dir", help="Where the files go.")] = DEFAULT,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 where a file differs from the code.")
    ] = False,
) -> None:
    """Write the schemas to a folder: `events/<kind>.json`, `outputs/<stream>.json` and `asyncapi.json`.

    Exit codes: 0 written, or all as the code says; 1 with --check, where they differ; 2 wrong usage.
    """
    files = documents()
    stale = differing(folder, files)
    if check and stale:
        named = ", ".join(stale)
        raise Failure(f"{folder}: not as the code says: {named}; run 'boutwatch schema export'", BELOW_BAR)
    if not check:
        write(folder, files)
    note(f"{folder}: {len(files)} files {'as the code says' if check else 'written'}")


def documents() -> dict[str, str]:
    """Every file's text, by its path inside the folder."""
    values: dict[str, Any] = {f"events/{kind}.json": event_schema(kind) for kind in MODELS}
    values |= {f"outputs/{stream}.json": output_schema(stream) for stream in OUTPUTS}
    values["asyncapi.json"] = document(version("boutwatch"))
    return {name: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for name, value in values.items()}


def differing(folder: Path, files: dict[str, str]) -> list[str]:
    """Names of files that are missing, stale or left over in the folder."""
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.json")}
    stale = [name for name, text in files.items() if name not in there or there[name].read_text("utf-8") != text]
    return sorted(stale + [name for name in there if name not in files])


def write(folder: Path, files: dict[str, str]) -> None:
    """Write the files; one that is no longer made is removed from the folders they are in."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    for part in ("events", "outputs"):
        for path in (folder / part).glob("*.json"):
            if f"{part}/{path.name}" not in files:
                path.unlink()
