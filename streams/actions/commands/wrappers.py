"""Commands that run another command: they are dropped, what they run counts."""

from __future__ import annotations

from typing import Final

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, explore, simple
from streams.actions.shell.command import Command

_VALUED: Final[dict[str, frozenset[str]]] = {
    "timeout": frozenset({"-s", "--signal", "-k", "--kill-after"}),
    "gtimeout": frozenset({"-s", "--signal", "-k", "--kill-after"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p"}),
    "env": frozenset({"-u", "-C", "--unset"}),
    "time": frozenset({"-f", "-o"}),
    "strace": frozenset({"-e", "-o", "-p", "-s"}),
    "watch": frozenset({"-n"}),
    "xvfb-run": frozenset({"-s", "-n"}),
    "taskset": frozenset({"-c"}),
    "stdbuf": frozenset({"-o", "-e", "-i"}),
    "flock": frozenset({"-w"}),
    "su": frozenset({"-s"}),
    "doas": frozenset({"-u"}),
    "script": frozenset(),
}
_ONE_OPERAND: Final = frozenset({"timeout", "gtimeout", "taskset", "flock"})


def _wrapper(command: Command, line: Line) -> list[Action]:
    valued = _VALUED.get(command.name, frozenset())
    args = list(command.args)
    while args and (args[0].startswith("-") or ("=" in args[0] and command.name in {"env", "sudo"})):
        word = args.pop(0)
        if word == "-c" and command.name == "su" and args:
            return line.inner(command, args[0])
        if word in valued and args:
            args.pop(0)
    if command.name in _ONE_OPERAND and args:
        args.pop(0)
    if not args:
        return explore(command, line) if command.name == "env" else simple("other", command)
    return line.again(command, args)


def _run_in(command: Command, line: Line) -> list[Action]:
    """`uv run x`, `poetry run x`, `bundle exec x`, `docker exec c x`: the tool's other sub-commands are its own."""
    args = list(command.args)
    while args and args[0].startswith("-"):
        args.pop(0)
    if args and args[0] in {"run", "exec"}:
        args.pop(0)
        while args and args[0].startswith("-"):
            flag = args.pop(0)
            if (
                flag
                in {
                    "--with",
                    "-p",
                    "--python",
                    "--extra",
                    "--group",
                    "--env",
                    "-e",
                    "-n",
                    "--project",
                    "--directory",
                    "--package",
                }
                and args
            ):
                args.pop(0)
            if flag == "-m" and args:
                return line.again(command, ["python", "-m", *args])
        if args:
            words = ["python", *args] if args[0].endswith(".py") else args
            return line.again(command, words)
    return line.again(command, [f"{command.name}:manage", *command.args])


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(
        (*_VALUED, "nohup", "command", "exec", "builtin", "setsid", "unbuffer", "rtk", "faketime", "caffeinate", "dotenv", "!"),
        _wrapper,
    ),
    **dict.fromkeys(
        ("uv", "poetry", "pipenv", "pdm", "hatch", "rye", "bundle", "conda", "mamba", "micromamba", "pixi", "direnv"), _run_in
    ),
}
