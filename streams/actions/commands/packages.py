"""Package managers and environments: setting up, and the hosts that are reached for it."""

from __future__ import annotations

from typing import Final

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, check, explore, is_informative, simple
from streams.actions.shell.command import Command, options

_FETCH: Final = frozenset(
    {
        "install",
        "add",
        "sync",
        "update",
        "upgrade",
        "ci",
        "i",
        "download",
        "fetch",
        "create",
        "dist-upgrade",
        "get",
        "restore",
        "require",
        "build-dep",
        "tap",
        "reinstall",
        "lock",
        "tool",
    }
)
_LOOK: Final = frozenset(
    {
        "list",
        "show",
        "freeze",
        "search",
        "info",
        "check",
        "policy",
        "outdated",
        "tree",
        "config",
        "which",
        "env",
        "view",
        "why",
        "ls",
        "explain",
    }
)
_OFFLINE: Final = frozenset({"--no-index", "--offline", "--frozen-lockfile-offline", "--dry-run", "-n"})


def fetches(command: Command, host: str = "") -> list[Action]:
    """Setting up with packages from another host."""
    return [*simple("setup", command), Action("network", host=host, command=" ".join(command.words[:2])[:80])]


def manager(command: Command, line: Line) -> list[Action]:
    """`pip install`, `apt-get update` and the like."""
    name = command.name.removesuffix(":manage")
    operands = options(command.args, frozenset({"-p", "--python", "-n", "--name", "-c", "-r"} - {"-c", "-r"}))[1]
    if name == "uv" and operands[:1] == ["pip"]:
        operands = operands[1:]
    sub = operands[0] if operands else ""
    if is_informative(command.args) or sub in _LOOK:
        return explore(command, line)
    if name in {"uv", "poetry", "hatch", "pdm", "pip"} and sub in {"build", "wheel"}:
        return check(command, line, "build", f"{name} build")
    if sub in _FETCH or (not sub and "install" in command.args) or (name in {"bundle", "yarn", "pnpm", "poetry"} and not sub):
        local = any(word in _OFFLINE for word in command.args) and name != "apt-get"
        return simple("setup", command) if local else fetches(command, _index(command.args))
    return simple("setup", command)


def _index(args: tuple[str, ...]) -> str:
    """The host of an index named on the line; empty where the default is used."""
    for index, word in enumerate(args):
        value = ""
        if word in {"-i", "--index-url", "--extra-index-url", "--registry"} and index + 1 < len(args):
            value = args[index + 1]
        elif word.startswith(("--index-url=", "--registry=")):
            value = word.split("=", 1)[1]
        if "://" in value:
            return value.split("://", 1)[1].split("/", 1)[0].rsplit("@", 1)[-1]
    return ""


def _environment(command: Command, line: Line) -> list[Action]:
    del line
    return simple("setup", command)


_MANAGERS: Final = [
    "pip",
    "pipx",
    "apt",
    "apt-get",
    "aptitude",
    "yum",
    "dnf",
    "apk",
    "pacman",
    "brew",
    "port",
    "snap",
    "zypper",
    "gem",
    "composer",
    "cpan",
    "cpanm",
    "luarocks",
    "nvm",
    "fnm",
    "asdf",
    "pyenv",
    "rustup",
    "sdk",
    "choco",
    "winget",
    "scoop",
    "easy_install",
    "corepack",
    "volta",
    "opam",
    "cabal",
    "stack",
    "ghcup",
    "mise",
]
_RUNNERS: Final = ["uv", "poetry", "pipenv", "pdm", "hatch", "rye", "bundle", "conda", "mamba", "micromamba", "pixi", "direnv"]

HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_MANAGERS, manager),
    **dict.fromkeys([f"{name}:manage" for name in _RUNNERS], manager),
    **dict.fromkeys(
        (
            "virtualenv",
            "activate",
            "deactivate",
            "nvm-exec",
            "locale-gen",
            "update-alternatives",
            "ldconfig",
            "dpkg",
            "useradd",
            "ssh-keygen",
        ),
        _environment,
    ),
}
