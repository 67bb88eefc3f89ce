"""git: looks, reverts, checkpoints, and what reaches another host."""

from __future__ import annotations

from typing import Final, Literal

from streams.actions.base import Action
from streams.actions.commands.base import Handler, Line, edit, explore, simple
from streams.actions.paths import looks_like_path, scope_of, widest
from streams.actions.shell.command import Command, options

_LOOK: Final = frozenset(
    {
        "log",
        "diff",
        "show",
        "status",
        "blame",
        "grep",
        "ls-files",
        "ls-tree",
        "rev-parse",
        "describe",
        "cat-file",
        "shortlog",
        "reflog",
        "rev-list",
        "merge-base",
        "whatchanged",
        "annotate",
        "var",
        "check-ignore",
        "name-rev",
        "for-each-ref",
        "show-ref",
        "diff-tree",
        "help",
        "version",
        "range-diff",
        "cherry",
        "count-objects",
        "symbolic-ref",
        "diff-index",
    }
)
_REMOTE: Final = frozenset({"push", "fetch", "pull", "ls-remote"})
_GLOBAL_VALUED: Final = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
Takes = Literal["", "last", "all", "push", "pop"]


def git(command: Command, line: Line) -> list[Action]:
    """One git command."""
    args = list(command.args)
    while args and args[0].startswith("-"):
        if args.pop(0) in _GLOBAL_VALUED and args:
            args.pop(0)
    if not args:
        return explore(command, line)
    sub, rest = args[0], tuple(args[1:])
    if sub in _LOOK:
        return explore(command, line, _paths_only(rest))
    reader = _SUBS.get(sub)
    if reader is not None:
        return reader(command.with_words(("git", sub, *rest)), line)
    if sub in _REMOTE:
        return [*simple("other", command), Action("network", host=_host(rest), method=sub, command=f"git {sub}")]
    return simple("other", command)


def _paths_only(args: tuple[str, ...]) -> list[str]:
    """Operands that are paths, not revisions."""
    if "--" in args:
        return list(args[args.index("--") + 1 :])
    operands = options(args, frozenset({"-n", "-L", "-S", "-G", "--format", "--author", "--since", "-e"}))[1]
    return [
        word
        for word in operands
        if looks_like_path(word) and ".." not in word and not word.startswith(("HEAD", "origin/", "refs/"))
    ]


def _revert(command: Command, line: Line, words: list[str], takes: Takes) -> list[Action]:
    paths = tuple(dict.fromkeys(line.path(command, word) for word in words if word not in {".", ":/", "*"}))[:50]
    scope = widest([scope_of(path) for path in paths])
    return [Action("revert", paths, scope=scope, takes=takes, command=" ".join(command.words[:2]), masked=command.masked)]


def _checkout(command: Command, line: Line) -> list[Action]:
    """With paths a revert; to another branch or commit neither."""
    args = command.args[1:]
    if "--" in args:
        paths = list(args[args.index("--") + 1 :])
        return _revert(command, line, paths, "all") if paths else simple("other", command)
    if any(flag in {"-b", "-B", "--orphan", "--track", "-t", "--detach"} for flag in args):
        return simple("other", command)
    _, operands = options(args)
    if not operands:
        return _revert(command, line, [], "all") if "-f" in args else simple("other", command)
    names = operands[1:] if len(operands) > 1 and not looks_like_path(operands[0]) else operands
    if operands[0].startswith(("HEAD", "origin/", "stash@")) or ".." in operands[0].split("/")[0]:
        names = operands[1:]
    paths = [word for word in names if looks_like_path(word) or (len(operands) > 1 and word in names)]
    if not paths or (len(operands) == 1 and _like_branch(operands[0])):
        return simple("other", command)
    return _revert(command, line, paths, "all")


def _like_branch(word: str) -> bool:
    """`feature/login` is a branch: a slash, but no suffix and no folder that sources lie in."""
    last = word.rsplit("/", 1)[-1]
    prefix = word.split("/", 1)[0]
    return (
        "/" in word
        and prefix in {"feature", "fix", "bugfix", "hotfix", "release", "origin", "chore", "remotes", "upstream"}
        and "." not in last
    )


def _restore(command: Command, line: Line) -> list[Action]:
    flags, operands = options(command.args[1:], frozenset({"-s", "--source"}))
    if any(flag in {"--staged", "-S"} for flag in flags) and not any(flag in {"--worktree", "-W"} for flag in flags):
        return simple("other", command)
    return _revert(command, line, operands, "all")


def _reset(command: Command, line: Line) -> list[Action]:
    if any(word in {"--hard", "--merge", "--keep"} for word in command.args):
        return _revert(command, line, [], "all")
    return simple("other", command)


def _stash(command: Command, line: Line) -> list[Action]:
    operands = options(command.args[1:], frozenset({"-m", "--message"}))[1]
    sub = operands[0] if operands else "push"
    if sub in {"push", "save"}:
        return _revert(command, line, operands[1:] if sub == "push" else [], "push")
    if sub in {"pop", "apply"}:
        return _revert(command, line, [], "pop")
    return explore(command, line) if sub in {"list", "show"} else simple("other", command)


def _apply(command: Command, line: Line) -> list[Action]:
    args = command.args[1:]
    if any(word in {"--check", "--stat", "--numstat"} for word in args):
        return explore(command, line)
    return line.again(command, ["patch", *(["-R"] if "-R" in args or "--reverse" in args else []), *options(args)[1]])


def _clean(command: Command, line: Line) -> list[Action]:
    flags, operands = options(command.args[1:], frozenset({"-e"}))
    if any("n" in flag for flag in flags) or not any("f" in flag for flag in flags):
        return explore(command, line)
    return _revert(command, line, operands, "all")


def _commit(command: Command, line: Line) -> list[Action]:
    del line
    return simple("checkpoint", command)


def _undo(command: Command, line: Line) -> list[Action]:
    if any(word in {"--abort", "--quit"} for word in command.args):
        return simple("other", command)
    return _revert(command, line, [], "last")


def _files(command: Command, line: Line) -> list[Action]:
    operands = options(command.args[1:])[1]
    if "--cached" in command.args:
        return simple("other", command)
    return edit(command, line, operands) or simple("other", command)


def _clone(command: Command, line: Line) -> list[Action]:
    del line
    host = _host(command.args[1:])
    local = not host
    return (
        simple("setup", command)
        if local
        else [*simple("setup", command), Action("network", host=host, method="clone", command="git clone")]
    )


def _switch(command: Command, line: Line) -> list[Action]:
    """Branches, tags, remotes, configuration: looks where nothing is given to change."""
    changing = options(command.args[1:], frozenset())[1] and command.args[1:2] not in {("list",), ("show",), ("-v",)}
    looking = any(
        word in {"--get", "-l", "--list", "-a", "-r", "-v", "--show-current", "--get-all", "-vv", "--contains"}
        for word in command.args
    )
    return simple("other", command) if changing and not looking else explore(command, line)


def _tag(command: Command, line: Line) -> list[Action]:
    return (
        simple("checkpoint", command) if options(command.args[1:])[1] and "-l" not in command.args else explore(command, line)
    )


def _host(args: tuple[str, ...]) -> str:
    for word in args:
        if "://" in word:
            return word.split("://", 1)[1].split("/", 1)[0].rsplit("@", 1)[-1].split(":", 1)[0]
        if "@" in word and ":" in word:
            return word.split("@", 1)[1].split(":", 1)[0]
    return ""


_SUBS: Final[dict[str, Handler]] = {
    "checkout": _checkout,
    "restore": _restore,
    "reset": _reset,
    "stash": _stash,
    "revert": _undo,
    "apply": _apply,
    "am": _apply,
    "clean": _clean,
    "commit": _commit,
    "tag": _tag,
    "rm": _files,
    "mv": _files,
    "clone": _clone,
    "branch": _switch,
    "config": _switch,
    "remote": _switch,
    "worktree": _switch,
    "submodule": _switch,
    "notes": _switch,
}


def _hub(command: Command, line: Line) -> list[Action]:
    """`gh`, `glab`: the forge's own client."""
    looks = {"view", "list", "status", "diff", "checks", "search", "api", "show", "browse"}
    found = explore(command, line) if set(command.args[:2]) & looks else simple("other", command)
    host = "github.com" if command.name == "gh" else ""
    return [*found, Action("network", host=host, command=" ".join(command.words[:3])[:80])]


def _other_vcs(command: Command, line: Line) -> list[Action]:
    """Mercurial, Subversion, Jujutsu: the sub-commands they share with git."""
    return git(command.with_words(("git", *command.args)), line)


HANDLERS: dict[str, Handler] = {"git": git, "gh": _hub, "glab": _hub, "hg": _other_vcs, "svn": _other_vcs, "jj": _other_vcs}
