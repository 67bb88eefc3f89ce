"""Compiled languages and their tools: make, cmake, C and C++, Rust, Go, the JVM, .NET, Swift, Zig."""

from __future__ import annotations

import re
from typing import Final

from streams.actions.base import Action, CheckKind
from streams.actions.commands.base import Handler, Line, check, explore, is_informative, loud, simple
from streams.actions.commands.packages import fetches
from streams.actions.shell.command import Command, options

_TEST_TARGET: Final = re.compile(r"(?i)(?:^|[:_-])(?:tests?|check|verify|spec)(?:$|[:_-])|test$")
_LINT_TARGET: Final = re.compile(r"(?i)^(?:lint|fmt|format|vet|typecheck|style|clippy)")
_SETUP_TARGET: Final = re.compile(
    r"(?i)^(?:install|deps|setup|bootstrap|clean|distclean|init|run|start|serve|dev|up|down|help)"
)


def _make(command: Command, line: Line) -> list[Action]:
    """`make target`: what it does is told by the target's name."""
    if "-n" in command.args or "--dry-run" in command.args or is_informative(command.args):
        return explore(command, line)
    _, operands = options(command.args, frozenset({"-C", "-f", "-j", "-l", "-d", "-p"} - {"-d", "-p", "-j"}))
    targets = [word for word in operands if "=" not in word and not word.isdigit()]
    runner = f"{command.name} {' '.join(targets)}".strip()
    if any(_TEST_TARGET.search(word) for word in targets):
        return check(command, line, "test", runner)
    if any(_LINT_TARGET.match(word) for word in targets):
        return check(command, line, "lint", runner)
    if targets and all(_SETUP_TARGET.match(word) for word in targets):
        return simple("setup" if targets[0] != "clean" else "other", command)
    return check(command, line, "build", runner)


def _cmake(command: Command, line: Line) -> list[Action]:
    if "--build" in command.args:
        return check(command, line, "build", "cmake --build", kept=list(options(command.args, frozenset({"-j"}))[1]))
    return explore(command, line) if is_informative(command.args) else simple("setup", command)


def _compiler(command: Command, line: Line) -> list[Action]:
    if is_informative(command.args):
        return explore(command, line)
    _, operands = options(command.args, frozenset({"-o", "-I", "-L", "-D", "-d", "-cp", "-classpath", "--edition", "-std"}))
    return check(command, line, "build", command.name, targets=operands, framework="gcc")


def _ctest(command: Command, line: Line) -> list[Action]:
    flags, _ = options(command.args, frozenset({"-R", "-E", "-L", "-j", "--test-dir", "-C"}))
    kept = [
        word
        for index, word in enumerate(flags)
        if word in {"-R", "-E", "-L"} or (index and flags[index - 1] in {"-R", "-E", "-L"})
    ]
    if "-N" in flags or "--show-only" in flags:
        return explore(command, line)
    return check(command, line, "test", "ctest", kept=kept, framework="ctest")


_CARGO_VALUED: Final = frozenset(
    {
        "-p",
        "--package",
        "--test",
        "--bin",
        "--example",
        "--features",
        "-F",
        "--manifest-path",
        "-j",
        "--jobs",
        "--target",
        "--profile",
        "--color",
        "--message-format",
        "--bench",
        "-E",
    }
)


def _cargo(command: Command, line: Line) -> list[Action]:
    args = tuple(word for word in command.args if not word.startswith("+"))
    sub = args[0] if args else ""
    rest = args[1:]
    flags, operands = options(tuple(word for word in rest if word != "--"), _CARGO_VALUED)
    kept = [
        word
        for word in loud(flags)
        if not word.startswith(("--color", "--message-format", "--test-threads", "--show-output", "--no-fail-fast", "-j"))
    ]
    if sub in {"test", "t", "nextest"}:
        names = [word for word in operands if word != "run"]
        return check(command, line, "test", "cargo test", kept=kept + names, framework="cargo")
    if sub in {"build", "b", "check", "c", "rustc", "doc", "package"}:
        return check(command, line, "build", f"cargo {sub}", kept=kept, framework="gcc")
    if sub in {"clippy", "fmt", "deny", "audit"}:
        return check(command, line, "lint", f"cargo {sub}", framework="gcc")
    if sub in {"run", "r", "bench", "miri"}:
        return check(command, line, "probe", f"cargo {sub}", kept=kept + operands)
    if sub in {"add", "install", "fetch", "update"}:
        return fetches(command)
    return (
        explore(command, line)
        if sub in {"tree", "metadata", "search", "--version", "expand", "info", ""}
        else simple("setup", command)
    )


def _go(command: Command, line: Line) -> list[Action]:
    sub = command.args[0] if command.args else ""
    flags, operands = options(
        command.args[1:],
        frozenset({"-run", "-count", "-timeout", "-tags", "-o", "-bench", "-C", "-p", "-parallel", "-coverprofile"}),
    )
    kept = [
        word
        for index, word in enumerate(flags)
        if word in {"-run", "-tags", "-bench", "-race"}
        or word.startswith(("-run=", "-tags="))
        or (index and flags[index - 1] in {"-run", "-tags", "-bench"})
    ]
    if sub == "test":
        return check(command, line, "test", "go test", kept=kept, targets=operands, framework="go")
    if sub in {"build", "generate"} or (sub == "install" and not any("@" in word for word in operands)):
        return check(command, line, "build", f"go {sub}", targets=operands, framework="gcc")
    if sub in {"vet", "fmt", "fix"}:
        return check(command, line, "lint", f"go {sub}", targets=operands, framework="gcc")
    if sub == "run":
        return check(command, line, "probe", "go run", targets=operands[:1], kept=operands[1:5])
    if sub in {"get", "install"} or (
        sub == "mod" and operands[:1] != ["init"] and operands[:1] not in (["graph"], ["why"], ["verify"])
    ):
        return fetches(command)
    return simple("setup", command) if sub in {"mod", "work", "clean"} else explore(command, line)


def _jvm(command: Command, line: Line) -> list[Action]:
    """Maven and Gradle: the goal tells the kind; `-Dtest=` and `--tests` select."""
    flags, goals = options(command.args, frozenset({"-f", "-pl", "--tests", "-p", "-P", "-x", "-T"}))
    selected = [
        word
        for index, word in enumerate(flags)
        if word.startswith(("-Dtest=", "-Dit.test="))
        or word in {"--tests", "-pl"}
        or (index and flags[index - 1] in {"--tests", "-pl"})
    ]
    runner = "mvn" if command.name.startswith("mvn") else "gradle" if command.name.startswith("gradle") else command.name
    if not goals or is_informative(command.args):
        return explore(command, line)
    last = " ".join(goals)
    if any(_TEST_TARGET.search(goal) or goal in {"verify", "check", "integrationTest"} for goal in goals) or "--tests" in flags:
        return check(
            command, line, "test", f"{runner} {last}", kept=selected, framework="surefire" if runner == "mvn" else "gradle"
        )
    if any("dependency" in goal or goal in {"dependencies", "tasks", "projects", "properties"} for goal in goals):
        return explore(command, line)
    if any(word in goal.lower() for goal in goals for word in ("spotless", "checkstyle", "ktlint", "detekt", "pmd", "lint")):
        return check(command, line, "lint", f"{runner} {last}")
    if any(goal.endswith(("run", "bootRun", "exec:java")) for goal in goals):
        return check(command, line, "probe", f"{runner} {last}")
    return check(
        command, line, "build", f"{runner} {last}", kept=selected, framework="surefire" if runner == "mvn" else "gradle"
    )


def _dotnet(command: Command, line: Line) -> list[Action]:
    sub = command.args[0] if command.args else ""
    _, operands = options(
        command.args[1:], frozenset({"--filter", "-c", "--configuration", "-f", "-v", "--logger", "--framework"})
    )
    if sub in {"test", "vstest"}:
        kept = [command.args[command.args.index("--filter") + 1]] if "--filter" in command.args[:-1] else []
        return check(command, line, "test", "dotnet test", kept=kept, targets=operands, framework="dotnet")
    if sub in {"build", "publish", "pack", "msbuild"}:
        return check(command, line, "build", f"dotnet {sub}", targets=operands)
    if sub == "format":
        return check(command, line, "lint", "dotnet format")
    if sub == "run":
        return check(command, line, "probe", "dotnet run", kept=operands[:4])
    return fetches(command) if sub in {"restore", "add", "tool"} else simple("setup", command)


def _package_tool(tests: str) -> Handler:
    """`swift`, `zig`, `mix`, `dart`, `flutter`, `sbt`, `lein`, `stack`, `rake`: test, build, run by sub-command."""

    def read(command: Command, line: Line) -> list[Action]:
        _, operands = options(command.args)
        sub = operands[0] if operands else ""
        runner = f"{command.name} {sub}".strip()
        if sub.startswith(("test", "spec")) or sub in {"check", "cucumber"} or (not sub and command.name == "rake"):
            return check(command, line, "test", runner, targets=operands[1:], framework=tests)
        if sub.startswith(("build", "compile", "package", "uberjar", "assemble")):
            return check(command, line, "build", runner)
        if sub in {"format", "analyze", "credo", "dialyzer", "lint", "scalafmt", "fmt"}:
            return check(command, line, "lint", runner)
        if sub.startswith(("run", "exec")):
            return check(command, line, "probe", runner, kept=operands[1:5])
        if sub.startswith(("deps", "pub", "package", "ecto", "db:", "new", "hex", "local")):
            return fetches(command) if sub.startswith(("deps.get", "pub", "hex", "local")) else simple("setup", command)
        return check(command, line, "probe", runner, kept=operands[1:5]) if sub else explore(command, line)

    return read


def _suite(kind: CheckKind, framework: str = "") -> Handler:
    def read(command: Command, line: Line) -> list[Action]:
        if is_informative(command.args):
            return explore(command, line)
        flags, operands = options(
            command.args, frozenset({"-e", "--example", "--filter", "-c", "--format", "-f", "--config", "-r", "-t"} - {"-f"})
        )
        kept = [
            word
            for index, word in enumerate(flags)
            if word in {"-e", "--example", "--filter"} or (index and flags[index - 1] in {"-e", "--example", "--filter"})
        ]
        return check(command, line, kind, command.name, kept=kept, targets=operands, framework=framework)

    return read


def _java(command: Command, line: Line) -> list[Action]:
    if is_informative(command.args):
        return explore(command, line)
    _, operands = options(command.args, frozenset({"-cp", "-classpath", "--class-path", "-p", "-m"}))
    testing = any("junit" in word.lower() or word.endswith(("Test", "Tests")) for word in [*operands, *command.args])
    return check(command, line, "test" if testing else "probe", command.name, kept=operands[:5])


HANDLERS: dict[str, Handler] = {
    "make": _make,
    "gmake": _make,
    "just": _make,
    "task": _make,
    "mage": _make,
    "invoke": _make,
    "inv": _make,
    "ninja": _make,
    "scons": _make,
    "bazel": _package_tool(""),
    "buck": _package_tool(""),
    "meson": _package_tool("ctest"),
    "cmake": _cmake,
    "ctest": _ctest,
    **dict.fromkeys(
        (
            "gcc",
            "g++",
            "cc",
            "c++",
            "clang",
            "clang++",
            "javac",
            "kotlinc",
            "scalac",
            "rustc",
            "ghc",
            "gfortran",
            "nvcc",
            "tcc",
            "ocamlc",
            "as",
            "ld",
            "emcc",
            "protoc",
            "fpc",
            "nasm",
            "crystal",
            "nim",
            "valac",
            "csc",
            "mcs",
        ),
        _compiler,
    ),
    "cargo": _cargo,
    "cross": _cargo,
    "go": _go,
    "mvn": _jvm,
    "mvnw": _jvm,
    "gradle": _jvm,
    "gradlew": _jvm,
    "sbt": _package_tool("sbt"),
    "ant": _jvm,
    "lein": _package_tool(""),
    "java": _java,
    "kotlin": _java,
    "scala": _java,
    "dotnet": _dotnet,
    "swift": _package_tool("xctest"),
    "zig": _package_tool(""),
    "mix": _package_tool("exunit"),
    "dart": _package_tool(""),
    "flutter": _package_tool(""),
    "rake": _package_tool("minitest"),
    "rails": _package_tool("minitest"),
    "gotestsum": _suite("test", "go"),
    "rspec": _suite("test", "rspec"),
    "minitest": _suite("test", "minitest"),
    "cucumber": _suite("test"),
    "phpunit": _suite("test", "phpunit"),
    "pest": _suite("test", "phpunit"),
    "bats": _suite("test", "tap"),
    "prove": _suite("test", "tap"),
    "busted": _suite("test"),
    "xcodebuild": _suite("build"),
    "rubocop": _suite("lint"),
    "phpstan": _suite("lint"),
    "phpcs": _suite("lint"),
    "shellcheck": _suite("lint"),
    "golangci-lint": _suite("lint"),
    "gofmt": _suite("lint"),
    "goimports": _suite("lint"),
    "staticcheck": _suite("lint"),
    "rustfmt": _suite("lint"),
    "clang-format": _suite("lint"),
    "clang-tidy": _suite("lint"),
    "cppcheck": _suite("lint"),
    "hadolint": _suite("lint"),
    "yamllint": _suite("lint"),
    "markdownlint": _suite("lint"),
    "actionlint": _suite("lint"),
    "ktlint": _suite("lint"),
    "swiftlint": _suite("lint"),
    "tflint": _suite("lint"),
    "sqlfluff": _suite("lint"),
    "htmlhint": _suite("lint"),
    "xmllint": _suite("lint"),
    "valgrind": _suite("probe"),
    "gdb": _suite("probe"),
}
