"""Hosts, services, containers and databases."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, check, edit, explore, is_informative, simple
from streams.actions.paths import scope_of
from streams.actions.shell.command import Command, options

_LOCAL: Final = re.compile(r"^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal)$")
_URL: Final = re.compile(
    r"^(?:(https?|ftp|wss?)://)?([^/:?#@\s]+@)?(\[[0-9a-f:]+\]|[\w.-]+)(:\d+)?(?:[/?#].*)?$", re.IGNORECASE
)
_CURL_VALUED: Final = frozenset(
    {
        "-X",
        "--request",
        "-H",
        "--header",
        "-d",
        "--data",
        "--data-raw",
        "-o",
        "--output",
        "-u",
        "--user",
        "-F",
        "--form",
        "-A",
        "-b",
        "-c",
        "--max-time",
        "-m",
        "--connect-timeout",
        "-w",
        "--write-out",
        "-e",
        "-T",
        "-O",
        "--retry",
        "--data-binary",
        "-x",
        "--resolve",
        "-D",
    }
    - {"-O"}
)


def _curl(command: Command, line: Line) -> list[Action]:
    """The work's own server is probed; another host is a look over the network; a download writes a file."""
    flags, operands = options(
        command.args, _CURL_VALUED if command.name == "curl" else frozenset({"-O", "-P", "-o", "--header"})
    )
    url = next((word for word in operands if _URL.match(word)), "")
    match = _URL.match(url)
    host = match[3] if match else ""
    method = _method(flags)
    if host and _LOCAL.match(host):
        return check(command, line, "probe", "curl", kept=[method, url] if method != "GET" else [url])
    saved = _saved(flags)
    found = (
        edit(command, line, [saved], created=True)
        if saved and scope_of(line.path(command, saved)) != "scratch"
        else explore(command, line)
    )
    return [*found, Action("network", host=host, method=method, command=command.name)]


def _method(flags: list[str]) -> str:
    for index, flag in enumerate(flags[:-1]):
        if flag in {"-X", "--request"}:
            return flags[index + 1].upper()
    posts = any(flag in {"-d", "--data", "--data-raw", "-F", "--form", "--data-binary"} for flag in flags)
    return "POST" if posts else "HEAD" if "-I" in flags or "--head" in flags else "GET"


def _saved(flags: list[str]) -> str:
    for index, flag in enumerate(flags[:-1]):
        if flag in {"-o", "--output", "-O"} and flags[index + 1] not in {"/dev/null", "-"}:
            return flags[index + 1]
    return ""


def _reach(command: Command, line: Line) -> list[Action]:
    """Another host is reached: `ping`, `dig`, `ssh`, `scp`."""
    _, operands = options(command.args, frozenset({"-c", "-p", "-i", "-P", "-o", "-W", "-w", "-t"}))
    host = operands[0].rsplit("@", 1)[-1].split(":", 1)[0] if operands else ""
    if _LOCAL.match(host):
        return explore(command, line)
    return [*explore(command, line), Action("network", host=host, method=command.name, command=command.name)]


def _docker(command: Command, line: Line) -> list[Action]:
    """Containers: building is a check, `exec` and `run` with a command count as that command."""
    args = list(command.args)
    if args[:1] == ["compose"] or command.name == "docker-compose":
        args = args[1:] if args[:1] == ["compose"] else args
    sub = args[0] if args else ""
    if sub in {"build", "buildx"}:
        return check(command, line, "build", f"{command.name} build")
    if sub in {"ps", "logs", "inspect", "images", "stats", "top", "port", "version", "info", "config", "ls", "events", "diff"}:
        return explore(command, line)
    if sub == "exec":
        rest = args[1:]
        while rest and rest[0].startswith("-"):
            if rest.pop(0) in {"-e", "-w", "-u", "--env", "--workdir", "--user"} and rest:
                rest.pop(0)
        return line.again(command, rest[1:]) if len(rest) > 1 else simple("other", command)
    if sub in {"pull", "push", "login"}:
        return [*simple("setup", command), Action("network", method=sub, command=f"{command.name} {sub}")]
    return simple("setup", command)


def _database(command: Command, line: Line) -> list[Action]:
    return explore(command, line)


def _server(command: Command, line: Line) -> list[Action]:
    if is_informative(command.args):
        return explore(command, line)
    return simple("setup", command)


def _flask(command: Command, line: Line) -> list[Action]:
    if "run" in command.args or "serve" in command.args:
        return simple("setup", command)
    if command.args[:1] == ("test",):
        return check(command, line, "test", f"{command.name} test", kept=options(command.args[1:])[1], framework="unittest")
    return check(command, line, "probe", command.name, kept=command.args[:5])


def _service(command: Command, line: Line) -> list[Action]:
    looking = any(
        word in {"status", "is-active", "list-units", "get", "describe", "logs", "top", "show", "plan", "output"}
        for word in command.args
    )
    return explore(command, line) if looking else simple("setup", command)


HANDLERS: dict[str, Handler] = {
    "curl": _curl,
    "wget": _curl,
    "http": _curl,
    "https": _curl,
    "httpie": _curl,
    "xh": _curl,
    **dict.fromkeys(
        ("ping", "dig", "nslookup", "host", "traceroute", "ssh", "scp", "sftp", "nc", "telnet", "ftp", "whois", "nmap"), _reach
    ),
    "docker": _docker,
    "podman": _docker,
    "docker-compose": _docker,
    **dict.fromkeys(("psql", "mysql", "sqlite3", "redis-cli", "mongo", "mongosh", "duckdb"), _database),
    **dict.fromkeys(
        (
            "uvicorn",
            "gunicorn",
            "hypercorn",
            "daphne",
            "http.server",
            "nginx",
            "redis-server",
            "http-server",
            "live-server",
            "nodemon",
            "pm2",
            "serve",
            "celery",
            "jupyter",
            "postgres",
            "mongod",
            "mysqld",
            "tmux",
            "screen",
            "supervisord",
        ),
        _server,
    ),
    "flask": _flask,
    "django-admin": _flask,
    "streamlit": _flask,
    **dict.fromkeys(
        ("systemctl", "service", "kubectl", "helm", "terraform", "aws", "gcloud", "az", "crontab", "launchctl"), _service
    ),
}
