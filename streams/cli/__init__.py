"""The command `boutwatch`: one module a verb, found by discovery.

A verb is a module of this package, its name without a leading underscore, with `register(app: typer.Typer) -> None`.
Where the command line names a module, that one alone is imported: `score` starts fast and never meets Faust.
"""

from __future__ import annotations

import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from streams.cli._errors import INTERRUPTED, PIPE_CLOSED, message_and_code

DEBUG = "BOUTWATCH_DEBUG"
"""Set in the environment, an error shows its traceback too."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 done, 1 a result below a bar, 2 wrong usage or bad input.

    Every error is one line on stderr that says what to do. Ctrl-C gives 130, a closed pipe 141, both without a word.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that knows no ✓ still gets its table
    try:
        code = _run(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _close_quietly()
    except Exception as error:  # noqa: BLE001 - the last place where an error can become a message
        return _tell(error)
    return code


def build(only: str = "") -> typer.Typer:
    """The application with every verb, or with the one that `only` names (where a module has that name)."""
    app = typer.Typer(
        name="boutwatch",
        help="Watch matches between AI coding agents and judge how each contestant worked.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    names = verbs()
    for name in [only] if only in names else names:
        import_module(f"{__name__}.{name}").register(app)
    return app


def verbs() -> tuple[str, ...]:
    """The verb modules by name, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")))


def _version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # noqa: PLC0415 - it costs a tenth of the start-up

        typer.echo(f"boutwatch {metadata.version('boutwatch')}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Hold what belongs to every verb."""


def _run(given: list[str]) -> int:
    command = typer.main.get_command(build(given[0] if given else ""))
    # Not command.main(): it catches a closed pipe by itself and exits 1, which here means a result below a bar.
    try:
        with command.make_context("boutwatch", given) as context:
            command.invoke(context)
    except typer.Exit as left:
        return int(left.exit_code)
    return 0


def _tell(error: Exception) -> int:
    message, code = message_and_code(error)
    if os.environ.get(DEBUG, "") not in {"", "0"}:
        import traceback  # noqa: PLC0415 - only a debugger pays for it

        traceback.print_exception(error)
    if message:
        print(f"boutwatch: {message}", file=sys.stderr)
    return code


def _close_quietly() -> int:
    # The interpreter flushes stdout once more as it leaves; into the closed pipe, that would be heard.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PIPE_CLOSED
