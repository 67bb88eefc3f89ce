"""JavaScript and TypeScript: npm and its kin, test runners, compilers, linters, scripts."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Action, CheckKind
from streams.actions.commands.base import Handler, Line, check, explore, is_informative, loud, simple
from streams.actions.commands.packages import fetches
from streams.actions.commands.scripts import run_script, run_snippet
from streams.actions.paths import looks_like_path
from streams.actions.shell.command import Command, options
from streams.actions.snippets import script_snippet

_TEST: Final = re.compile(
    r"(?i)^(?:unit|integration|e2e|ci)?[:_-]?(?:tests?|spec|e2e|jest|vitest|mocha|cypress|playwright|coverage)(?:$|[:_.-])|[:_-]test$"
)
_BUILD: Final = re.compile(r"(?i)^(?:build|compile|bundle|prepack|pack|prepublish|dist|generate|codegen)(?:$|[:_.-])|^tsc$")
_LINT: Final = re.compile(
    r"(?i)^(?:lint|format|fmt|prettier|eslint|type-?check|types?|check|tsc|stylelint|validate|verify)(?:$|[:_.-])"
)
_SERVE: Final = re.compile(r"(?i)^(?:dev|start|serve|preview|watch|storybook)(?:$|[:_.-])")
_BUILTIN: Final = frozenset(
    {"install", "i", "ci", "add", "remove", "uninstall", "update", "upgrade", "link", "dedupe", "create", "up", "rm"}
)
_LOOK: Final = frozenset(
    {
        "ls",
        "list",
        "view",
        "info",
        "outdated",
        "why",
        "config",
        "root",
        "bin",
        "explain",
        "search",
        "doctor",
        "help",
        "pkg",
        "get",
    }
)
_SETTING_UP: Final = frozenset({"start", "init", "cache", "set", "login", "rebuild", "prune", "audit", "publish", "use"})
_JEST_VALUED: Final = frozenset(
    {
        "-t",
        "--testNamePattern",
        "-c",
        "--config",
        "--reporter",
        "--reporters",
        "--testPathPattern",
        "-w",
        "--maxWorkers",
        "--project",
        "--grep",
        "-g",
        "--timeout",
        "--testTimeout",
        "--pool",
        "--require",
        "-r",
        "--spec",
        "--coverageReporters",
        "--selectProjects",
    }
)
_KEPT: Final = frozenset({"-t", "--testNamePattern", "--testPathPattern", "--grep", "-g", "--project", "--spec"})


def _npm(command: Command, line: Line) -> list[Action]:
    """`npm`, `yarn`, `pnpm`, `bun`."""
    args = list(command.args)
    while args and args[0].startswith("-") and args[0] not in {"-v", "--version"}:
        if args.pop(0) in {"--prefix", "-w", "--workspace", "-C", "--filter", "-F", "--dir"} and args:
            args.pop(0)
    sub = args[0] if args else ("install" if command.name == "yarn" else "help")
    if sub in _BUILTIN:
        return fetches(command)
    if sub in _LOOK or sub.startswith("-"):
        return explore(command, line)
    if sub in _SETTING_UP:
        return simple("setup", command)
    return _runs(command, line, sub, args[1:])


def _runs(command: Command, line: Line, sub: str, rest: list[str]) -> list[Action]:
    """The sub-commands that run something of the project."""
    if sub in {"run", "run-script"}:
        return _script(command, line, rest)
    if sub in {"exec", "dlx", "x"}:
        return _npx(command.with_words(("npx", *[word for word in rest if word != "--"])), line)
    if sub in {"test", "t", "tst"}:
        return _script(command, line, ["test", *rest])
    if command.name in {"yarn", "pnpm", "bun"}:
        if looks_like_path(sub):
            return run_script(command, line, command.name, sub, tuple(rest))
        known = line.again(command, [sub, *rest]) if sub in HANDLERS else []
        return known or _script(command, line, [sub, *rest])
    if sub in {"pack", "build"}:
        return check(command, line, "build", f"npm {sub}")
    return simple("other", command)


def _script(command: Command, line: Line, args: list[str]) -> list[Action]:
    """A script of package.json: what it does is told by its name."""
    while args and args[0].startswith("-"):
        args = args[1:]
    if not args:
        return explore(command, line)
    name, rest = args[0], tuple(word for word in args[1:] if word != "--")
    kept, targets = _selection(rest)
    if _TEST.search(name):
        return check(command, line, "test", f"npm {name}", kept=kept, targets=targets)
    if _BUILD.search(name):
        return check(command, line, "build", f"npm {name}", kept=kept, targets=targets)
    if _LINT.search(name):
        return check(command, line, "lint", f"npm {name}", kept=kept, targets=targets)
    if _SERVE.search(name):
        return simple("setup", command)
    return check(command, line, "probe", f"npm {name}", kept=kept, targets=targets)


def _selection(args: tuple[str, ...]) -> tuple[list[str], list[str]]:
    flags, operands = options(args, _JEST_VALUED)
    kept: list[str] = []
    for index, word in enumerate(flags):
        if word in _KEPT and index + 1 < len(flags):
            kept += [word, flags[index + 1]]
        elif word.split("=", 1)[0] in _KEPT and "=" in word:
            kept.append(word)
    return kept, [word for word in operands if word != "run"]


def _npx(command: Command, line: Line) -> list[Action]:
    args = list(command.args)
    while args and args[0].startswith("-"):
        if args.pop(0) in {"-p", "--package", "-c"} and args:
            args.pop(0)
    if not args:
        return simple("other", command)
    tool = args[0].split("@", 1)[0] or args[0]
    if tool.startswith(("create-", "degit", "sv", "shadcn")):
        return fetches(command)
    found = line.again(command, [tool, *args[1:]])
    return found if found and found[0].cls != "other" else check(command, line, "probe", f"npx {tool}", kept=args[1:5])


def _runner(kind: CheckKind, framework: str = "") -> Handler:
    def read(command: Command, line: Line) -> list[Action]:
        if is_informative(command.args):
            return explore(command, line)
        kept, targets = _selection(command.args)
        return check(command, line, kind, command.name, kept=kept, targets=targets, framework=framework)

    return read


def _playwright(command: Command, line: Line) -> list[Action]:
    if command.args[:1] == ("install",):
        return fetches(command)
    kept, targets = _selection(command.args)
    return check(
        command,
        line,
        "test",
        command.name,
        kept=kept,
        targets=[word for word in targets if word not in {"test", "run"}],
        framework=command.name,
    )


def _tsc(command: Command, line: Line) -> list[Action]:
    kind: CheckKind = "lint" if "--noEmit" in command.args or "-noEmit" in command.args else "build"
    flags, targets = options(command.args, frozenset({"-p", "--project", "--target", "--module"}))
    kept = [word for word in loud(flags) if word not in {"--noEmit", "--pretty", "--skipLibCheck"}]
    return check(command, line, kind, "tsc", kept=kept, targets=targets, framework="tsc")


def _node(command: Command, line: Line) -> list[Action]:
    """`node script.js`, `node -e`, `node --test`."""
    args = command.args
    for index, word in enumerate(args):
        if word in {"-e", "--eval", "-p", "--print", "-pe"} and index + 1 < len(args):
            return run_snippet(command, line, script_snippet(args[index + 1]), "node -e", args[index + 1])
        if word == "--test":
            return check(command, line, "test", "node --test", targets=options(args)[1], framework="node")
        if word in {"--check", "-c"}:
            return check(command, line, "lint", "node --check", targets=options(args)[1])
        if word in {"-v", "--version", "--help"}:
            return explore(command, line)
        if not word.startswith("-"):
            return run_script(command, line, command.name, word, args[index + 1 :])
    if command.stdin:
        return run_snippet(command, line, script_snippet(command.stdin), "node -e", command.stdin)
    return simple("other", command)


def _deno(command: Command, line: Line) -> list[Action]:
    sub, rest = (command.args[0], command.args[1:]) if command.args else ("", ())
    _, operands = options(rest)
    if sub == "test":
        return check(command, line, "test", "deno test", targets=operands, framework="deno")
    if sub in {"lint", "fmt", "check"}:
        return check(command, line, "lint", f"deno {sub}", targets=operands)
    if sub == "run" and operands:
        return run_script(command, line, "deno", operands[0], tuple(operands[1:]))
    return simple("setup", command) if sub in {"install", "cache", "add"} else explore(command, line)


def _bun(command: Command, line: Line) -> list[Action]:
    if command.args[:1] == ("test",):
        kept, targets = _selection(command.args[1:])
        return check(command, line, "test", "bun test", kept=kept, targets=targets, framework="bun")
    return _npm(command, line)


HANDLERS: dict[str, Handler] = {
    "npm": _npm,
    "yarn": _npm,
    "pnpm": _npm,
    "bun": _bun,
    "cnpm": _npm,
    "npx": _npx,
    "pnpx": _npx,
    "bunx": _npx,
    "jest": _runner("test", "jest"),
    "vitest": _runner("test", "vitest"),
    "mocha": _runner("test", "mocha"),
    "ava": _runner("test"),
    "karma": _runner("test"),
    "jasmine": _runner("test"),
    "tap": _runner("test", "tap"),
    "cypress": _playwright,
    "playwright": _playwright,
    "react-scripts": _runner("test", "jest"),
    "c8": _runner("test"),
    "nyc": _runner("test"),
    "eslint": _runner("lint", "eslint"),
    "prettier": _runner("lint"),
    "biome": _runner("lint"),
    "stylelint": _runner("lint"),
    "standard": _runner("lint"),
    "xo": _runner("lint"),
    "oxlint": _runner("lint"),
    "vue-tsc": _tsc,
    "svelte-check": _runner("lint"),
    "tsc": _tsc,
    "vite": _runner("build"),
    "webpack": _runner("build"),
    "rollup": _runner("build"),
    "esbuild": _runner("build"),
    "swc": _runner("build"),
    "babel": _runner("build"),
    "next": _runner("build"),
    "nx": _runner("build"),
    "turbo": _runner("build"),
    "tsup": _runner("build"),
    "ng": _runner("build"),
    "node": _node,
    "nodejs": _node,
    "tsx": _node,
    "ts-node": _node,
    "deno": _deno,
}
