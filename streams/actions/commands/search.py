"""Commands that look: at files, folders and the machine."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, edit, explore, simple
from streams.actions.shell.command import Command, options

_OWN_STATUS: Final = re.compile(r"\$\?|\$\{PIPESTATUS[^}]*\}")
"""The exit code of what ran before: showing it looks at nothing."""

_VALUED: Final = frozenset(
    {
        "-A",
        "-B",
        "-C",
        "-m",
        "-e",
        "-f",
        "-g",
        "-t",
        "-T",
        "--glob",
        "--type",
        "--include",
        "--exclude",
        "--exclude-dir",
        "-n",
        "-c",
        "-L",
        "-I",
        "-d",
        "-D",
        "--max-depth",
        "-E",
        "--color",
        "-k",
        "-F",
        "-s",
        "-maxdepth",
        "--context",
        "-r",
        "-j",
        "-M",
        "-P",
    }
)
_GREP_VALUED: Final = _VALUED - {"-r", "-n", "-c", "-s", "-L", "-I", "-E", "-F", "-P"}
_SEARCH_VALUED: Final = _VALUED - {"-n", "-c"}
_JSON_VALUED: Final = frozenset({"--arg", "--argjson"})
_SED_VALUED: Final = frozenset({"-e", "-f", "--expression"})
_PATTERN_FIRST: Final = frozenset({"grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "awk", "gawk", "mawk", "jq", "yq"})
_FIND_ACTS: Final = frozenset({"-exec", "-execdir", "-ok"})


def _looks(command: Command, line: Line) -> list[Action]:
    """`cat`, `ls`, `head`, …: operands are paths."""
    _, operands = options(command.args, _PLAIN_VALUED.get(command.name, frozenset()))
    return explore(command, line, [*(word for word in operands if not word.startswith("+")), *command.inputs])


_PLAIN_VALUED: Final[dict[str, frozenset[str]]] = {
    "head": frozenset({"-n", "-c"}),
    "tail": frozenset({"-n", "-c"}),
    "cut": frozenset({"-d", "-f", "-c"}),
    "tree": frozenset({"-I", "-L", "-P"}),
    "sort": frozenset({"-k", "-t"}),
    "strings": frozenset({"-n"}),
    "bat": frozenset({"-r", "--line-range"}),
    "xxd": frozenset({"-l", "-s"}),
    "nl": frozenset({"-w", "-s"}),
}


def _searches(command: Command, line: Line) -> list[Action]:
    """`grep`, `rg`, `jq`, `awk`: the first operand is what is looked for."""
    args = command.args
    if command.name in {"awk", "gawk"} and "inplace" in args:
        return edit(command, line, options(args, frozenset({"-i", "-v", "-F"}))[1][1:])
    if command.name == "yq" and ("-i" in args or "--inplace" in args):
        return edit(command, line, options(args)[1][1:])
    valued = _JSON_VALUED if command.name in {"jq", "yq"} else _GREP_VALUED if command.name.endswith("grep") else _SEARCH_VALUED
    flags, operands = options(args, valued)
    given = any(flag in {"-e", "-f", "--files"} or flag.startswith(("-e", "--regexp")) for flag in flags)
    return explore(command, line, operands if given else operands[1:])


def _find(command: Command, line: Line) -> list[Action]:
    """`find`: a look, unless it deletes or runs something that changes files."""
    args = command.args
    folders = []
    for word in args:
        if word.startswith(("-", "(", "!", "\\(")):
            break
        folders.append(word)
    for index, word in enumerate(args):
        if word in _FIND_ACTS:
            run = [item for item in args[index + 1 :] if item not in {"{}", ";", "+", "\\;"}]
            inner = line.again(command, [*run, *folders]) if run else []
            changed = [action for action in inner if action.cls not in {"explore", "other"}]
            return changed or explore(command, line, folders)
    if "-delete" in args:
        return edit(command, line, folders)
    return explore(command, line, folders)


def _sed(command: Command, line: Line) -> list[Action]:
    """`sed`: an edit with `-i`, else a look."""
    flags, operands = options(_without_backup(command.args), _SED_VALUED)
    in_place = scripted = False
    for flag in flags:
        bundle = _bundle(flag)
        in_place = in_place or flag.startswith(("-i", "--in-place")) or (bundle and "i" in flag)
        scripted = scripted or flag in _SED_VALUED or flag.startswith("--expression=") or (bundle and flag.endswith("e"))
    files = operands if scripted else operands[1:]
    if not in_place:
        return explore(command, line, files)
    return edit(command, line, files, **_sed_lines(command.args))  # type: ignore[arg-type]


def _bundle(flag: str) -> bool:
    return len(flag) > 2 and flag[0] == "-" and flag[1] != "-" and flag[1:].isalpha() and len(flag) <= 5


def _without_backup(args: tuple[str, ...]) -> tuple[str, ...]:
    """BSD's `-i ''` has an empty suffix as its own word."""
    if "" not in args:
        return args
    return tuple(word for index, word in enumerate(args) if word or index == 0 or args[index - 1] != "-i")


def _sed_lines(args: tuple[str, ...]) -> dict[str, int]:
    """Lines that one substitution changes on a numbered line: the only case in which the text alone tells it."""
    scripts = [word for word in args if not word.startswith("-")][:1]
    script = scripts[0] if scripts else ""
    if script[:1].isdigit() and script.rstrip("d").replace(",", "").isdigit() and script.endswith("d"):
        first, _, last = script[:-1].partition(",")
        return {"added": 0, "removed": max(1, int(last or first) - int(first) + 1)} if len(script) < 20 else {}
    return {}


def _echo(command: Command, line: Line) -> list[Action]:
    """A marker or a note, or the look at a variable; with a redirect the line makes it an edit."""
    text = " ".join(command.args)
    if "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" in text or "MINI_SWE_AGENT_FINAL_OUTPUT" in text:
        return simple("submit", command)
    if "$" in _OWN_STATUS.sub("", text) and not command.outputs:
        return explore(command, line)
    return simple("other", command)


def _xargs(command: Command, line: Line) -> list[Action]:
    """What it runs, on paths that are not known."""
    args = list(command.args)
    while args and args[0].startswith("-"):
        if args.pop(0) in {"-n", "-I", "-P", "-L", "-d", "-i"} and args:
            args.pop(0)
    if not args:
        return explore(command, line)
    inner = line.again(command, [word for word in args if word not in {"{}", "%"}])
    return inner or line.again(command, [*args, "."])


_LOOK: Final = [
    "cat",
    "tac",
    "ls",
    "ll",
    "la",
    "dir",
    "head",
    "tail",
    "less",
    "more",
    "bat",
    "batcat",
    "nl",
    "wc",
    "file",
    "stat",
    "tree",
    "strings",
    "xxd",
    "hexdump",
    "od",
    "cut",
    "sort",
    "uniq",
    "diff",
    "cmp",
    "comm",
    "column",
    "fold",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "cksum",
    "realpath",
    "readlink",
    "basename",
    "dirname",
    "fd",
    "fdfind",
    "exa",
    "eza",
    "lsd",
    "zcat",
    "view",
    "glow",
    "md5",
    "difft",
    "tokei",
    "cloc",
    "rev",
    "paste",
    "join",
    "tr",
    "pygmentize",
    "objdump",
    "nm",
    "ldd",
    "readelf",
]
_MACHINE: Final = [
    "pwd",
    "whoami",
    "id",
    "printenv",
    "uname",
    "hostname",
    "date",
    "df",
    "du",
    "free",
    "ps",
    "top",
    "htop",
    "uptime",
    "which",
    "whereis",
    "type",
    "nproc",
    "lscpu",
    "lsof",
    "locale",
    "history",
    "jobs",
    "man",
    "info",
    "apropos",
    "arch",
    "groups",
    "tty",
    "getent",
    "pgrep",
    "lsb_release",
    "sw_vers",
    "nvidia-smi",
    "netstat",
    "ss",
    "declare",
    "alias",
    "ulimit",
]
_NOTHING: Final = [
    "true",
    "false",
    ":",
    "cd",
    "pushd",
    "popd",
    "sleep",
    "wait",
    "kill",
    "pkill",
    "killall",
    "mkdir",
    "chmod",
    "chown",
    "chgrp",
    "ln",
    "set",
    "unset",
    "export",
    "source",
    ".",
    "read",
    "shift",
    "trap",
    "exit",
    "return",
    "break",
    "continue",
    "umask",
    "clear",
    "reset_terminal",
    "seq",
    "yes",
    "local",
    "exec_marker",
    "tput",
    "stty",
    "bg",
    "fg",
    "disown",
    "sync",
    "mktemp",
]


def _machine(command: Command, line: Line) -> list[Action]:
    return explore(command, line)


_OF_FILES: Final = frozenset(f"-{letter}" for letter in "abcdefghkprsuwxGLNOS")
"""Operators of `test` that ask about the file behind them."""

_OF_TEXTS: Final = frozenset(
    {"-n", "-z", "-v", "=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt"}
)


def _asks(command: Command, line: Line) -> list[Action]:
    """`test`, `[`: a look at the files that it asks about; where its answer only steers what follows it is no look."""
    words = command.args
    asking = not _OF_FILES.isdisjoint(words) or not _OF_TEXTS.isdisjoint(words)
    if command.masked or command.condition or not asking:
        return simple("other", command)
    return explore(command, line, [path for sign, path in pairwise(words) if sign in _OF_FILES])


def _nothing(command: Command, line: Line) -> list[Action]:
    del line
    return simple("other", command)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_LOOK, _looks),
    **dict.fromkeys(_PATTERN_FIRST, _searches),
    **dict.fromkeys(_MACHINE, _machine),
    **dict.fromkeys(_NOTHING, _nothing),
    **dict.fromkeys(("test", "[", "[["), _asks),
    "find": _find,
    "sed": _sed,
    "gsed": _sed,
    "echo": _echo,
    "printf": _echo,
    "xargs": _xargs,
    "parallel": _xargs,
}
