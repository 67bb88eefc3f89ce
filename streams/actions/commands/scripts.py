"""Running a script or a snippet: what it is by its name and, where its text is known, by what the text does."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Action, CheckKind
from streams.actions.commands.base import Handler, Line, check, edit, explore, is_informative, simple
from streams.actions.paths import is_test_name, scope_of
from streams.actions.shell.command import Command, options
from streams.actions.snippets import Snippet, snippet_of

_TESTING: Final = re.compile(
    r"(?i)^(?:run[-_]?)?(?:all[-_]?)?(?:unit[-_]?|integration[-_]?)?tests?(?:[-_.]?(?:all|run|runner|suite))?(?:\.\w+)?$|^runtests?(?:\.\w+)?$"
)
_BUILDING: Final = re.compile(r"(?i)^(?:re)?(?:build|compile|make)(?:[-_.]\w+)*(?:\.\w+)?$")
_LINTING: Final = re.compile(r"(?i)^(?:lint|format|check[-_]style|typecheck|fmt)(?:[-_.]\w+)*$")
_SETTING_UP: Final = re.compile(
    r"(?i)^(?:install|setup|bootstrap|configure|init|autogen|start|serve|activate)(?:[-_.]\w+)*(?:\.sh)?$"
)


def run_snippet(command: Command, line: Line, snippet: Snippet, runner: str, text: str) -> list[Action]:
    """`python -c`, `node -e`: an edit where it writes files, a look where it touches no work, else a probe."""
    if snippet.changes:
        found = edit(command, line, snippet.writes)
        return found or [Action("edit", (), scope="work", command=runner, masked=command.masked)]
    if snippet.tests:
        return check(command, line, "test", runner, framework=snippet.tests)
    if snippet.compiles:
        return check(command, line, "build", runner, kept=[" ".join(text.split())[:200]])
    if not snippet.reaches or snippet.asks_version or not text.strip():
        return explore(command, line)
    return check(command, line, "probe", runner, kept=[" ".join(text.split())[:200]], asserts=snippet.asserts)


def run_script(command: Command, line: Line, runner: str, script: str, args: tuple[str, ...] = ()) -> list[Action]:
    """A script file is run: a test runner, a test file, a build script by name; a writer by its text; else a probe."""
    path = line.path(command, script)
    name = path.rsplit("/", 1)[-1]
    text = line.written.get(path)
    snippet = snippet_of(path, text) if text else Snippet()
    if snippet.rewrites and not is_test_name(path):
        return edit(command, line, snippet.rewrites)
    if _TESTING.match(name) and not is_test_file(path):
        operands = options(args, frozenset({"-k", "--settings", "-t"}))[1]
        return check(
            command, line, "test", f"{runner} {path}".strip(), targets=[word for word in operands if not word.isdigit()]
        )
    if is_informative(args):
        return explore(command, line)
    kind: CheckKind = "test" if is_test_file(path) else "probe"
    framework = snippet.tests
    if runner in {"bash", "sh", "zsh", ""} and kind == "probe":
        if _SETTING_UP.match(name) and scope_of(path) != "scratch":
            return simple("setup", command)
        kind = "build" if _BUILDING.match(name) else "lint" if _LINTING.match(name) else "probe"
    return check(
        command,
        line,
        kind,
        runner,
        targets=[script],
        kept=[word for word in args[:6] if len(word) < 80],
        framework=framework,
        asserts=snippet.asserts,
    )


def is_test_file(path: str) -> bool:
    """Named as a runner collects it, in a folder of tests or named so that no other role is likely."""
    return is_test_name(path) and scope_of(path) == "test"


def _shell(command: Command, line: Line) -> list[Action]:
    """`bash -c 'line'`, `bash script.sh`, `bash <<EOF`."""
    args = command.args
    index = 0
    while index < len(args) and args[index].startswith("-"):
        word = args[index]
        if not word.startswith("--") and "c" in word[1:] and index + 1 < len(args):
            return line.inner(command, args[index + 1])
        if word == "-n":
            return check(command, line, "lint", "bash -n", targets=args[index + 1 :])
        index += 2 if word in {"-o", "--rcfile"} else 1
    rest = args[index:]
    if not rest:
        if command.stdin:
            return line.inner(command, command.stdin)
        return simple("setup" if command.piped_in else "other", command)  # a downloaded script piped into a shell
    return run_script(command, line, "bash", rest[0], rest[1:])


def _eval(command: Command, line: Line) -> list[Action]:
    return line.inner(command, " ".join(command.args))


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(("bash", "sh", "zsh", "dash", "ksh", "fish"), _shell),
    "eval": _eval,
}
