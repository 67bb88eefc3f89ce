"""Paths: how they are written down, and what a file is by its place (its scope)."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import normpath
from typing import Final

from streams.actions.base import Scope

_DOCS_SUFFIX: Final = frozenset({"md", "rst", "adoc", "txt", "markdown", "mdx", "pod", "org"})
_DOCS_NAME: Final = frozenset(
    {
        "readme",
        "changelog",
        "changes",
        "news",
        "license",
        "licence",
        "contributing",
        "authors",
        "history",
        "notice",
        "todo",
    }
)
_NO_DOCS: Final = frozenset({"requirements.txt", "cmakelists.txt", "constraints.txt", "robots.txt", "requirements-dev.txt"})
_DOCS_FOLDER: Final = frozenset({"doc", "docs", "documentation"})
_TEST_FOLDER: Final = frozenset(
    {
        "test",
        "tests",
        "testing",
        "__tests__",
        "spec",
        "specs",
        "e2e",
        "test_data",
        "testdata",
        "__mocks__",
        "__snapshots__",
        "fixtures",
        "cypress",
    }
)
_TEST_NAME: Final = re.compile(
    r"""(?x) ^(?: test_.+\.\w+ | .+_tests?\.\w+ | .+[.-](?:test|spec|tests|e2e)\.\w+ | conftest\.py | .+_spec\.\w+
    | tests?\.py | (?:Test[A-Z]\w*|\w+(?:Test|Tests|TestCase|IT|Spec))\.(?:java|kt|kts|scala|groovy|cs|swift|php|cpp)
    )$"""
)
_SCRATCH_FOLDER: Final = frozenset({"tmp", "temp", "scratch", "scratchpad", ".scratch", "sandbox_tmp", "playground"})
_SCRATCH_NAME: Final = re.compile(
    r"""(?xi) ^(?: (?:repro|reproduce|reproduction|reproducer|debug|scratch|tmp|temp|demo_fix|verify|try|play|poc|mwe)
    (?:[_\-.0-9].*)? | (?:repro|reproduce|debug|verify|scratch)\w*\.\w+
    | .*[_\-](?:repro|reproduction|reproducer|debug|scratch|tmp|temp|bak)\.\w+
    | .+\.(?:bak|orig|rej|tmp|log|out|old|swp|backup)\d* | .+~ | (?:test_)?(?:patch|fix|diff)\.(?:txt|patch|diff)
    | .+\.(?:patch|diff)
    | a\.out | nohup\.out | test_(?:issue|bug|repro|reproduce|reproduction|fix|debug|tmp|temp|edge_cases?)\w*\.\w+ )$"""
)
_GENERATED_FOLDER: Final = frozenset(
    {
        "build",
        "dist",
        "target",
        "out",
        "node_modules",
        "__pycache__",
        ".cache",
        ".pytest_cache",
        ".mypy_cache",
        ".tox",
        ".next",
        ".venv",
        "venv",
        "coverage",
        ".ruff_cache",
        "htmlcov",
        "obj",
        ".git",
        ".eggs",
        "site-packages",
        "vendor",
    }
)
_GENERATED_NAME: Final = re.compile(
    r"""(?xi) ^(?: package-lock\.json | yarn\.lock | pnpm-lock\.yaml | bun\.lockb? | cargo\.lock | poetry\.lock | uv\.lock
    | pdm\.lock | pipfile\.lock | gemfile\.lock | composer\.lock | go\.sum | flake\.lock | mix\.lock
    | .+\.(?:pyc|pyo|class|o|obj|so|dylib|dll|exe|min\.js|map|egg-info|jar|whl|snap) | .+_pb2(?:_grpc)?\.py | .+\.pb\.go
    | coverage\.xml | \.coverage )$"""
)
_TEMPORARY: Final = ("/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "$TMPDIR", "${TMPDIR")  # noqa: S108 - as above
SOURCE_FOLDER: Final = frozenset({"src", "lib", "pkg", "app", "cmd", "internal", "source", "include", "packages", "core"})


def joined(base: str, path: str) -> str:
    """`path` seen from the folder `base`."""
    if not path or path.startswith(("/", "~", "$")) or not base:
        return path
    return normpath(f"{base}/{path}")


def shown(path: str, root: str = "") -> str:
    """A path as it is kept: no `./`, relative to the workspace where it lies in it."""
    path = path.strip()
    if root and path.rstrip("/") == root.rstrip("/"):
        return "."
    if root and path.startswith(root.rstrip("/") + "/"):
        path = path[len(root.rstrip("/")) + 1 :]
    if path.startswith("./") and len(path) > 2:
        path = path[2:]
    if "//" in path or "/../" in path or path.startswith("../"):
        path = normpath(path)
    return path[:400]


@lru_cache(maxsize=16384)
def scope_of(path: str) -> Scope:
    """What a file is by its place and name alone. Roles that only the run shows are told by `workspace`."""
    parts = path.replace("\\", "/").split("/")
    name = parts[-1] or (parts[-2] if len(parts) > 1 else "")
    folders = {part.lower() for part in parts[:-1]}
    if is_temporary(path) or _SCRATCH_NAME.match(name) or folders & _SCRATCH_FOLDER:
        return "scratch"
    if _GENERATED_NAME.match(name) or _generated_folder(parts, folders):
        return "generated"
    if _TEST_NAME.match(name) or folders & _TEST_FOLDER:
        return "test"
    return "docs" if is_docs(name, folders) else "work"


def is_temporary(path: str) -> bool:
    """In a folder that the system empties."""
    return path.startswith(_TEMPORARY) or path in {"/tmp", "-"}  # noqa: S108 - a place to recognise, not to use


def _generated_folder(parts: list[str], folders: set[str]) -> bool:
    """Build output; a source folder above says that a folder named `build` is source."""
    if parts[-1].lower() in _GENERATED_FOLDER:
        return len(parts) == 1 or not any(part in SOURCE_FOLDER for part in parts[:-1])
    hits = folders & _GENERATED_FOLDER
    if not hits:
        return False
    if hits <= {"build", "out", "target", "vendor", "coverage"}:
        return not any(part in SOURCE_FOLDER for part in parts[: parts.index(next(p for p in parts if p.lower() in hits))])
    return True


def is_docs(name: str, folders: set[str]) -> bool:
    """Prose only."""
    stem, _, suffix = name.rpartition(".")
    if name.lower() in _NO_DOCS or name.lower().startswith("requirements"):
        return False
    if suffix.lower() in _DOCS_SUFFIX or (stem or name).lower() in _DOCS_NAME:
        return True
    return bool(folders & _DOCS_FOLDER) and suffix.lower() not in {"py", "js", "ts", "tsx", "css"}


def is_test_name(path: str) -> bool:
    """Named as a runner collects it."""
    return bool(_TEST_NAME.match(path.rsplit("/", 1)[-1]))


def is_scratch_name(path: str) -> bool:
    """Named like a reproduction or debug script, or lying in a temp folder."""
    return is_temporary(path) or bool(_SCRATCH_NAME.match(path.rsplit("/", 1)[-1]))


def looks_like_path(word: str) -> bool:
    """Whether a bare word is rather a path than a name: a slash, or a known kind of suffix."""
    if "/" in word or word in {".", ".."}:
        return "://" not in word
    return bool(re.match(r"^[\w@.*{},\[\]-]*\.[A-Za-z]\w{0,9}$", word))


_RANK: Final[dict[Scope, int]] = {"work": 5, "test": 4, "docs": 3, "scratch": 2, "generated": 1, "": 0}


def widest(scopes: list[Scope]) -> Scope:
    """The scope of an edit of several files: the one that counts most."""
    return max(scopes, key=_RANK.__getitem__, default="")
