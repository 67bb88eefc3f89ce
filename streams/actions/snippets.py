"""What a script's text does when it is run: which files it writes, whether it asserts, whether it can reach the work."""

from __future__ import annotations

import ast
import re
import sys
from functools import lru_cache
from typing import Final

from msgspec import Struct

from streams.actions.paths import is_temporary

MAX_SNIPPET: Final = 64 * 1024


class Snippet(Struct, frozen=True):
    """The reading of a script's text."""

    writes: tuple[str, ...] = ()
    """Files that it writes, removes or moves, where their names can be seen."""

    changes: bool = False
    """It writes files, whether or not their names can be seen."""

    asserts: bool = False
    reaches: bool = True
    """It imports or starts something that is not the language's own: the work, as far as can be seen."""

    asks_version: bool = False
    """It only prints a version or a place."""

    compiles: bool = False
    """It only parses or compiles a source file, to see whether that can be done."""

    tests: str = ""
    """The test framework that it runs by itself."""

    @property
    def rewrites(self) -> tuple[str, ...]:
        """Source files among those it writes: who writes sources is an editing script, who writes data is a program."""
        return tuple(path for path in self.writes if path.rsplit(".", 1)[-1].lower() in _SOURCES and not is_temporary(path))


_SOURCES: Final = frozenset(
    [
        "py",
        "pyi",
        "pyx",
        "js",
        "jsx",
        "ts",
        "tsx",
        "mjs",
        "cjs",
        "go",
        "rs",
        "java",
        "kt",
        "c",
        "h",
        "cc",
        "cpp",
        "hpp",
        "cs",
        "rb",
        "php",
        "swift",
        "scala",
        "sh",
        "toml",
        "cfg",
        "ini",
        "yml",
        "yaml",
        "md",
        "rst",
        "css",
        "scss",
        "vue",
        "svelte",
        "sql",
        "ex",
        "exs",
    ]
)
_ASSERTS: Final = re.compile(
    r"(?m)(?:^|[;:])\s*assert[\s(!.]|\bassert(?:_\w+|[A-Z]\w*)?[!.(]|\braise\s+\w|\bsys\.exit\(|\bprocess\.exit\(|\bos\._exit\(|\bexit\(\s*[1n(]"
    r"|\bthrow new\b|\bexpect\(|\bpanic!|\bexit 1\b"
)
_REACH_OUT: Final = frozenset({"subprocess", "os", "runpy", "importlib", "ctypes", "socket", "urllib", "http", "exec"})
_VERSIONS: Final = re.compile(
    r"__version__|__file__|sys\.version|sys\.path|sys\.executable|site\.|platform\.|sysconfig|find_spec|\bversion\("
)
_COMPILES: Final = re.compile(r"\bast\.parse\(|(?<![\w.])compile\(|py_compile")
_STDLIB: Final = sys.stdlib_module_names
_WRITE_METHODS: Final = frozenset({"write_text", "write_bytes", "unlink", "rename", "replace", "touch"})
_MOVERS: Final = frozenset({"remove", "unlink", "rename", "replace", "copy", "copyfile", "copy2", "move", "rmtree"})


@lru_cache(maxsize=1024)
def python_snippet(text: str) -> Snippet:
    """A Python script's reading; text that is no Python is read by its surface."""
    text = text[:MAX_SNIPPET]
    try:
        tree = ast.parse(text)
        reader = _Reader()
        reader.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _surface(text)
    outside = reader.imports - _STDLIB
    return Snippet(
        writes=tuple(dict.fromkeys(reader.writes))[:20],
        changes=reader.changes,
        asserts=bool(_ASSERTS.search(text)),
        reaches=bool(outside) or bool(reader.imports & _REACH_OUT and reader.starts),
        compiles=bool(_COMPILES.search(text)) and "open(" in text and not outside,
        asks_version=bool(_VERSIONS.search(text)) and reader.statements <= 4 and not reader.changes,
        tests="pytest"
        if "pytest.main(" in text
        else "unittest"
        if "unittest.main(" in text or "TextTestRunner" in text
        else "",
    )


def _surface(text: str) -> Snippet:
    writes = tuple(re.findall(r"open\(\s*['\"]([^'\"]+)['\"]\s*,\s*['\"][wax]", text))
    imports = set(re.findall(r"(?m)^[ \t]*(?:from|import)\s+([A-Za-z_]\w*)", text))
    return Snippet(
        writes, bool(writes) or ".write_text(" in text, bool(_ASSERTS.search(text)), bool(imports - _STDLIB) or not imports
    )


class _Reader(ast.NodeVisitor):
    """Collects what a script imports, starts and writes; names are followed as far as plain assignments go."""

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self.names: dict[str, list[str]] = {}
        self.writes: list[str] = []
        self.changes = False
        self.starts = False
        self.statements = 0

    def visit_Module(self, node: ast.Module) -> None:  # noqa: N802
        self.statements = len(node.body)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:  # noqa: N802
        self.imports.update(alias.name.split(".", 1)[0] for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:  # noqa: N802
        self.imports.add((node.module or ".").split(".", 1)[0] if not node.level else ".")

    def visit_Assign(self, node: ast.Assign) -> None:  # noqa: N802
        found = self.texts(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name) and found:
                self.names[target.id] = found
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:  # noqa: N802
        if isinstance(node.target, ast.Name) and isinstance(node.iter, ast.List | ast.Tuple):
            self.names[node.target.id] = [text for item in node.iter.elts for text in self.texts(item)]
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:  # noqa: N802
        function = node.func
        if isinstance(function, ast.Name):
            self.plain_call(function.id, node)
        elif isinstance(function, ast.Attribute):
            self.method_call(function, node)
        self.generic_visit(node)

    def plain_call(self, name: str, node: ast.Call) -> None:
        if name == "open" and node.args and _is_writing(node, 1):
            self.wrote(self.texts(node.args[0]))
        elif name in {"exec", "eval", "__import__", "system", "run"}:
            self.starts = True
            self.imports.add("exec")

    def method_call(self, function: ast.Attribute, node: ast.Call) -> None:
        owner = function.value.id if isinstance(function.value, ast.Name) else ""
        if owner in {"os", "shutil"} and function.attr in _MOVERS and node.args:
            self.wrote([text for each in node.args for text in self.texts(each)])
        elif function.attr in {"write_text", "write_bytes"} or (
            function.attr in _WRITE_METHODS and self.is_path(function.value)
        ):
            self.wrote(self.texts(function.value))
        elif (
            function.attr == "open"
            and owner not in {"os", "webbrowser"}
            and _is_writing(node, 0 if owner not in {"io", "codecs"} else 1)
        ):
            self.wrote(self.texts(node.args[0]) if owner in {"io", "codecs"} else self.texts(function.value))
        elif owner == "fileinput" and any(word.arg == "inplace" for word in node.keywords):
            self.wrote(self.texts(node.args[0]) if node.args else [])
        elif owner in {"subprocess", "os", "runpy", "importlib", "socket", "urllib"} or function.attr in {
            "urlopen",
            "import_module",
        }:
            self.starts = True

    def is_path(self, node: ast.expr) -> bool:
        """Surely a path: `Path(…)`; other objects have a `replace` too."""
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"Path", "PosixPath"}

    def wrote(self, paths: list[str]) -> None:
        self.changes = True
        self.writes.extend(path for path in paths if path and "\n" not in path and len(path) < 300)

    def texts(self, node: ast.expr) -> list[str]:
        """The literal texts an expression stands for, as far as can be seen."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else []
        if isinstance(node, ast.Name):
            return self.names.get(node.id, [])
        if isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in {"Path", "PosixPath", "str", "abspath", "expanduser"}:
                return self.texts(node.args[0])
            if name == "join":
                parts = [self.texts(each) for each in node.args]
                return ["/".join(part[0] for part in parts)] if all(parts) else []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            left, right = self.texts(node.left), self.texts(node.right)
            return [f"{left[0]}/{right[0]}"] if left and right else right
        if isinstance(node, ast.List | ast.Tuple):
            return [text for each in node.elts for text in self.texts(each)]
        return []


def _is_writing(node: ast.Call, position: int) -> bool:
    mode: ast.expr | None = node.args[position] if len(node.args) > position else None
    for word in node.keywords:
        if word.arg == "mode":
            mode = word.value
    return (
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and bool(set(mode.value) & set("wax+"))
        and len(mode.value) <= 4
    )


_JS_WRITE: Final = re.compile(
    r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|unlinkSync|renameSync|copyFileSync)\(\s*['\"`]([^'\"`]+)['\"`]"
)
_JS_IMPORT: Final = re.compile(r"(?:require\(|from\s+|import\(|import\s+)['\"]([^'\"]+)['\"]")
_JS_OWN: Final = frozenset(
    [
        "fs",
        "path",
        "os",
        "util",
        "url",
        "http",
        "https",
        "crypto",
        "events",
        "stream",
        "child_process",
        "assert",
        "buffer",
        "zlib",
        "readline",
        "process",
        "module",
        "perf_hooks",
        "vm",
    ]
)


@lru_cache(maxsize=512)
def script_snippet(text: str) -> Snippet:
    """The reading of a script in JavaScript or another language, by its surface."""
    text = text[:MAX_SNIPPET]
    writes = tuple(dict.fromkeys(_JS_WRITE.findall(text)))
    imports = {name.removeprefix("node:") for name in _JS_IMPORT.findall(text)}
    reaches = bool(imports - _JS_OWN) or "child_process" in imports or "require_relative" in text or "use " in text
    changes = bool(writes) or "writeFile" in text or "File.write(" in text
    return Snippet(writes[:20], changes, bool(_ASSERTS.search(text)), reaches, "version" in text and len(text) < 120)


def snippet_of(path: str, text: str) -> Snippet:
    """The reading of a script file by its suffix."""
    suffix = path.rsplit(".", 1)[-1].lower()
    if suffix in {"py", "pyw"}:
        return python_snippet(text)
    return (
        script_snippet(text) if suffix in {"js", "mjs", "cjs", "ts", "rb", "php", "pl", "sh", "go", "rs", "java"} else Snippet()
    )
