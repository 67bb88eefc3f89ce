"""Tidiness as a test: sizes, docstrings, clean text, and which way the imports point."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("streams", "metrics", "judges")
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 70
TEXT = {".py", ".md", ".toml", ".yaml", ".yml", ".json", ".sh", ".cfg", ".ini", ""}

# Spelled in parts, so that this file does not hold what it forbids.
FORBIDDEN = {
    "a path of one machine": re.compile(r"/wor" r"k/(?:main|shared|\.)|/tmp/ve" r"nv|/ro" r"ot/"),
    "an unfinished part": re.compile(r"^[^\"'\n]*#\s*(?:TO" r"DO|FIX" r"ME|XX" r"X)\b", re.MULTILINE),
    "a merge left open": re.compile(r"^(?:<<<" r"<<<<|>>>" r">>>>) ", re.MULTILINE),
}


def sources(*folders: str) -> list[Path]:
    """Python files in these folders of the repository, caches left out."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def relative(path: Path) -> str:
    """A file's name as people say it."""
    return path.relative_to(ROOT).as_posix()


EVERY = sources(*PACKAGES, "tests", "benchmarks", "docs")
OWN = sources(*PACKAGES)


def definitions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """All functions and classes of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def undocumented(node: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[str]:
    """Public classes, functions and methods without a docstring; nested functions are their function's own affair."""
    for inner in node.body:
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or inner.name.startswith("_"):
            continue
        overrides = any("override" in ast.unparse(decorator) for decorator in inner.decorator_list)
        if not ast.get_docstring(inner) and not overrides:
            yield prefix + inner.name
        if isinstance(inner, ast.ClassDef):
            yield from undocumented(inner, f"{prefix}{inner.name}.")


def inherited(name: str) -> bool:
    """Methods whose meaning their base class's docstring gives."""
    return name.rpartition(".")[2] in {"measure", "opine", "matches", "read"} and "." in name


def test_the_packages_are_found() -> None:
    """The other tests of this file look at something."""
    assert len(OWN) > 40


def test_no_file_is_too_long() -> None:
    """A file is about one thing."""
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in EVERY}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE_LINES} == {}


def test_no_function_is_too_long() -> None:
    """A function fits on a screen."""
    long = {
        f"{relative(path)}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path in EVERY
        for node in definitions(ast.parse(path.read_text("utf-8")))
        if not isinstance(node, ast.ClassDef) and node.end_lineno and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES
    }
    assert long == {}


def test_everything_public_has_a_docstring() -> None:
    """Modules, classes, functions and methods say what they mean."""
    silent = []
    for path in OWN:
        tree = ast.parse(path.read_text("utf-8"))
        if tree.body and not ast.get_docstring(tree):
            silent.append(relative(path))
        silent += [f"{relative(path)} {name}" for name in undocumented(tree) if not inherited(name)]
    assert silent == []


def test_every_test_says_the_behaviour_in_a_sentence() -> None:
    """A test's docstring is what its failure means."""
    silent = [
        f"{relative(path)} {node.name}"
        for path in sources("tests")
        for node in definitions(ast.parse(path.read_text("utf-8")))
        if node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert silent == []


def test_no_init_file_under_tests() -> None:
    """A `tests/metrics/__init__.py` would shadow the real package."""
    assert [relative(path) for path in sources("tests") if path.name == "__init__.py"] == []


@pytest.mark.parametrize(("what", "pattern"), FORBIDDEN.items(), ids=FORBIDDEN)
def test_no_text_holds(what: str, pattern: re.Pattern[str]) -> None:
    """Nothing that belongs to one machine or to an unfinished day is in the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    ).stdout.split("\0")
    if listed == [""]:
        pytest.skip("not a git work tree: the files of the repository are not known")
    paths = [ROOT / name for name in listed if Path(name).suffix in TEXT and not name.startswith("tests/bouts/")]
    found = [
        f"{relative(path)}: {match[0]!r} is {what}"
        for path in paths
        if path.is_file()
        for match in pattern.finditer(path.read_text("utf-8", errors="replace"))
    ]
    assert found == []


@pytest.mark.parametrize("module", ["streams.pipeline", "streams.sources", "streams.events.models", "judges", "metrics"])
def test_the_floor_loads_no_broker_client(module: str) -> None:
    """Importing the pure floor loads neither Faust nor aiokafka nor an event loop."""
    code = f"import sys, {module}; print(sorted({{'faust', 'aiokafka', 'mode'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_the_imports_keep_their_contracts() -> None:
    """Data flows one way; sources know events only; the floor is pure."""
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stdout + done.stderr
