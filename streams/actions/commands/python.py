"""Python: scripts, modules, snippets, its test runners, linters and type checkers."""

from __future__ import annotations

from typing import Final

from streams.actions.base import Action, CheckKind
from streams.actions.commands.base import Handler, Line, check, explore, is_informative, loud, simple
from streams.actions.commands.scripts import run_script, run_snippet
from streams.actions.shell.command import Command, options
from streams.actions.snippets import python_snippet

_VALUED: Final = frozenset({"-W", "-X", "-Q"})
_PYTEST_VALUED: Final = frozenset(
    {
        "-k",
        "-m",
        "-n",
        "-p",
        "-c",
        "-o",
        "-W",
        "-r",
        "--tb",
        "--maxfail",
        "--durations",
        "--deselect",
        "--ignore",
        "--rootdir",
        "--timeout",
        "--cov",
        "--junitxml",
        "--junit-xml",
        "--color",
        "--confcutdir",
        "--log-cli-level",
        "--cov-report",
        "--dist",
        "--ignore-glob",
        "--settings",
        "--ds",
        "--basetemp",
        "--capture",
        "--import-mode",
        "--override-ini",
    }
)
_PYTEST_KEPT: Final = frozenset({"-k", "-m", "--deselect", "--ignore", "--ignore-glob"})


def python(command: Command, line: Line) -> list[Action]:
    """`python …`: a snippet, a module or a script."""
    args = command.args
    index = 0
    while index < len(args):
        word = args[index]
        if word == "-c":
            return _snippet(command, line, args[index + 1] if index + 1 < len(args) else "")
        if word == "-m" and index + 1 < len(args):
            return module(command, line, args[index + 1], args[index + 2 :])
        if word == "-" or not word.startswith("-"):
            break
        if word in {"-V", "--version", "-VV", "-h", "--help"}:
            return explore(command, line)
        if not word.startswith("--") and word.endswith("c") and len(word) <= 4 and index + 1 < len(args):
            return _snippet(command, line, args[index + 1])
        index += 2 if word in _VALUED else 1
    rest = args[index:]
    if not rest or rest[0] == "-" or rest[0] == "/dev/stdin":
        if command.stdin is not None:
            return _snippet(command, line, command.stdin)
        if command.inputs:
            return _file(command, line, command.inputs[0], ())
        return simple("other", command)
    return _file(command, line, rest[0], rest[1:])


def _snippet(command: Command, line: Line, text: str) -> list[Action]:
    return run_snippet(command, line, python_snippet(text), "python -c", text)


def module(command: Command, line: Line, name: str, args: tuple[str, ...]) -> list[Action]:
    """`python -m name`: the tool of that name where it is known, else a probe of the work."""
    top = name.split(".", 1)[0]
    known = {
        "pip": "pip",
        "http": "http.server",
        "venv": "virtualenv",
        "virtualenv": "virtualenv",
        "compileall": "py_compile",
        "py_compile": "py_compile",
        "json": "jq",
        "timeit": "timeit",
        "ensurepip": "virtualenv",
        "site": "which",
    }
    if top == "coverage":
        return _coverage(command, line, args)
    if top in known:
        return line.again(command, [known[top], *args])
    if top in {
        "pytest",
        "py",
        "unittest",
        "doctest",
        "nose",
        "nose2",
        "tox",
        "nox",
        "mypy",
        "ruff",
        "black",
        "flake8",
        "pylint",
        "isort",
        "pyright",
        "build",
        "trial",
        "pycodestyle",
        "pyflakes",
        "autopep8",
        "bandit",
        "pre_commit",
        "poetry",
        "uv",
        "pipenv",
        "sphinx",
        "mkdocs",
        "twine",
        "django",
        "flask",
        "uvicorn",
        "gunicorn",
        "xdist",
    }:
        words = {
            "py": "pytest",
            "django": "django-admin",
            "pre_commit": "pre-commit",
            "build": "pyproject-build",
            "sphinx": "sphinx-build",
        }
        return line.again(command, [words.get(top, top), *args])
    return check(command, line, "probe", f"python -m {name}", kept=args[:6])


def _coverage_program(command: Command, line: Line) -> list[Action]:
    return _coverage(command, line, command.args)


def _coverage(command: Command, line: Line, args: tuple[str, ...]) -> list[Action]:
    if args[:1] != ("run",):
        return explore(command, line)
    rest = args[1:]
    while rest and rest[0].startswith("-") and rest[0] != "-m":
        rest = rest[1:]
    return line.again(command, ["python", *rest])


def _file(command: Command, line: Line, script: str, args: tuple[str, ...]) -> list[Action]:
    name = script.rsplit("/", 1)[-1]
    if name == "manage.py":
        return _django(command, line, args, f"python {line.path(command, script)}")
    if name == "setup.py":
        return _setup(command, line, args)
    return run_script(command, line, "python", script, args)


def _django(command: Command, line: Line, args: tuple[str, ...], runner: str) -> list[Action]:
    sub = args[0] if args else ""
    if sub == "test":
        return check(command, line, "test", f"{runner} test", kept=options(args[1:])[1], framework="unittest")
    if sub == "check":
        return check(command, line, "lint", f"{runner} check")
    if sub in {
        "runserver",
        "migrate",
        "loaddata",
        "collectstatic",
        "createsuperuser",
        "startapp",
        "startproject",
        "makemigrations",
    }:
        return simple("setup", command)
    if sub in {"showmigrations", "sqlmigrate", "help", "dbshell", "diffsettings"}:
        return explore(command, line)
    return check(command, line, "probe", runner, kept=args[:4])


def _setup(command: Command, line: Line, args: tuple[str, ...]) -> list[Action]:
    if "test" in args:
        return check(command, line, "test", "python setup.py test", framework="unittest")
    if any(word.startswith(("build", "sdist", "bdist")) for word in args) and "--inplace" not in args:
        return check(command, line, "build", "python setup.py build")
    return simple("setup", command) if args and not args[0].startswith("--") else explore(command, line)


def pytest(command: Command, line: Line) -> list[Action]:
    """`pytest`: targets and selections are kept, all else is output."""
    args = command.args
    if is_informative(args) or "--fixtures" in args or "--markers" in args:
        return explore(command, line)
    kept: list[str] = []
    targets: list[str] = []
    index = 0
    while index < len(args):
        word = args[index]
        index += 1
        if word in _PYTEST_VALUED:
            following = args[index] if index < len(args) else ""
            if word in _PYTEST_KEPT:
                kept += [word, following]
            index += 1
        elif word.startswith("-"):
            if word.split("=", 1)[0] in _PYTEST_KEPT or word in {
                "--lf",
                "--ff",
                "--last-failed",
                "--doctest-modules",
                "--collect-only",
                "--co",
            }:
                kept.append(word)
        else:
            targets.append(word)
    if "--collect-only" in kept or "--co" in kept:
        return explore(command, line, targets)
    return check(command, line, "test", "pytest", kept=kept, targets=targets, framework="pytest")


def _unittest(command: Command, line: Line) -> list[Action]:
    flags, operands = options(command.args, frozenset({"-k", "-s", "-p", "-t", "--pattern", "--start-directory"}))
    kept = [word for word in loud(flags) if word not in {"-f", "-b", "-c", "--failfast", "--buffer"}]
    dotted = [word for word in operands if "/" not in word and word != "discover"]
    files = [word for word in operands if "/" in word]
    return check(command, line, "test", "unittest", kept=kept + dotted, targets=files, framework="unittest")


def _suite(kind: CheckKind, framework: str = "", skip: frozenset[str] = frozenset()) -> Handler:
    """A tool whose operands are targets; the words in `skip` are its sub-commands that only look."""

    def read(command: Command, line: Line) -> list[Action]:
        args = command.args
        if is_informative(args) or (args and args[0] in skip):
            return explore(command, line)
        flags, operands = options(
            args,
            frozenset(
                {
                    "-e",
                    "-c",
                    "--config",
                    "--config-file",
                    "-p",
                    "--settings",
                    "--select",
                    "--ignore",
                    "--line-length",
                    "-l",
                    "-j",
                    "--python-version",
                    "--rcfile",
                    "-k",
                    "--env",
                    "-s",
                }
            ),
        )
        sub = (
            [operands.pop(0)]
            if operands and command.name in {"ruff", "pre-commit", "poetry"} and "/" not in operands[0]
            else []
        )
        kept = [*sub, *[word for word in flags if command.name in {"tox", "nox"}]]
        return check(command, line, kind, command.name, kept=kept, targets=operands, framework=framework)

    return read


def _doctest(command: Command, line: Line) -> list[Action]:
    return check(command, line, "test", "doctest", targets=options(command.args)[1], framework="doctest")


def _compile(command: Command, line: Line) -> list[Action]:
    return check(command, line, "build", "py_compile", targets=options(command.args)[1])


def _timeit(command: Command, line: Line) -> list[Action]:
    return run_snippet(
        command, line, python_snippet("\n".join(options(command.args, frozenset({"-n", "-r"}))[1])), "python -m timeit", ""
    )


HANDLERS: dict[str, Handler] = {
    "coverage": _coverage_program,
    "python": python,
    "ipython": python,
    "py": python,
    "pythonw": python,
    "bpython": python,
    "pytest": pytest,
    "py.test": pytest,
    "unittest": _unittest,
    "nose": _suite("test", "unittest"),
    "nosetests": _suite("test", "unittest"),
    "nose2": _suite("test", "unittest"),
    "trial": _suite("test", "unittest"),
    "tox": _suite("test"),
    "nox": _suite("test"),
    "doctest": _doctest,
    "green": _suite("test"),
    "behave": _suite("test", "behave"),
    "mypy": _suite("lint", "mypy"),
    "pyright": _suite("lint", "tsc"),
    "basedpyright": _suite("lint"),
    "ruff": _suite("lint", "ruff", frozenset({"rule"})),
    "black": _suite("lint"),
    "flake8": _suite("lint", "ruff"),
    "pylint": _suite("lint", "pylint"),
    "isort": _suite("lint"),
    "pycodestyle": _suite("lint", "ruff"),
    "pyflakes": _suite("lint", "ruff"),
    "autopep8": _suite("lint"),
    "yapf": _suite("lint"),
    "bandit": _suite("lint"),
    "pre-commit": _suite("lint"),
    "lint-imports": _suite("lint"),
    "ty": _suite("lint"),
    "pyre": _suite("lint"),
    "sphinx-build": _suite("build"),
    "mkdocs": _suite("build"),
    "pyproject-build": _suite("build"),
    "cython": _suite("build"),
    "py_compile": _compile,
    "timeit": _timeit,
    "twine": _suite("lint"),
}
