"""Interpreters other than Python and Node: a script, a snippet, or a syntax check."""

from __future__ import annotations

from typing import Final

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, check, edit, explore, is_informative, simple
from streams.actions.commands.scripts import run_script, run_snippet
from streams.actions.shell.command import Command, options
from streams.actions.snippets import script_snippet

_SYNTAX: Final[dict[str, str]] = {"ruby": "-c", "php": "-l"}


def _interpreter(command: Command, line: Line) -> list[Action]:
    args = command.args
    if is_informative(args):
        return explore(command, line)
    for index, word in enumerate(args):
        if word == _SYNTAX.get(command.name):
            return check(command, line, "lint", f"{command.name} {word}", targets=options(args)[1])
        if word in {"-e", "-r", "--eval", "-E"} and index + 1 < len(args):
            return run_snippet(command, line, script_snippet(args[index + 1]), f"{command.name} {word}", args[index + 1])
        if word.startswith("-i") and command.name == "ruby":
            return edit(command, line, options(args, frozenset({"-e"}))[1])
        if word == "-S" and command.name == "php":
            return simple("setup", command)
        if not word.startswith("-"):
            return _script(command, line, word, args[index + 1 :])
    if command.stdin:
        return run_snippet(command, line, script_snippet(command.stdin), f"{command.name} -", command.stdin)
    return simple("other", command)


def _script(command: Command, line: Line, script: str, rest: tuple[str, ...]) -> list[Action]:
    """`php vendor/bin/phpunit`, `php artisan test`, `ruby test/x_test.rb`."""
    name = script.rsplit("/", 1)[-1]
    if name in {"phpunit", "pest", "rspec", "rake", "rails"}:
        return line.again(command, [name, *rest])
    if name == "artisan":
        if rest[:1] == ("test",):
            return check(command, line, "test", "php artisan test", targets=options(rest[1:])[1], framework="phpunit")
        return simple("setup", command)
    return run_script(command, line, command.name, script, rest)


HANDLERS: dict[str, Handler] = dict.fromkeys(
    ("ruby", "php", "lua", "luajit", "julia", "Rscript", "elixir", "groovy", "racket", "guile", "tclsh", "irb"), _interpreter
)
