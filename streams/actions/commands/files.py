"""Commands that change files and folders."""

from __future__ import annotations

from typing import Final

from streams.actions.base import UNKNOWN, Action
from streams.actions.commands.base import Handler, Line, edit, simple
from streams.actions.patches import patch_files
from streams.actions.paths import is_temporary, scope_of, widest
from streams.actions.shell.command import Command, options

_BACKUP: Final = (".bak", ".orig", ".backup", ".old", ".save", "~")


def _rm(command: Command, line: Line) -> list[Action]:
    """Removing files takes their lines away; how many is not known."""
    return edit(command, line, options(command.args)[1]) or simple("other", command)


def _cp_mv(command: Command, line: Line) -> list[Action]:
    """Copies and moves; bringing a file's own backup back is a revert."""
    _, operands = options(command.args, frozenset({"-t"}))
    if len(operands) < 2:
        return simple("other", command)
    source, target = operands[0], operands[-1]
    if _restores(source, target):
        return [
            Action(
                "revert",
                (line.path(command, target),),
                scope=scope_of(line.path(command, target)),
                takes="all",
                command=command.name,
                masked=command.masked,
            )
        ]
    if command.name == "mv":
        return edit(command, line, operands)
    name = target if len(operands) == 2 and not target.endswith("/") and target != "." else ""
    copies = [name] if name else [f"{target.rstrip('/')}/{one.rsplit('/', 1)[-1]}" for one in operands[:-1]]
    return edit(command, line, copies, created=True)


def _restores(source: str, target: str) -> bool:
    return any(source == target + suffix for suffix in _BACKUP) or (
        is_temporary(source) and source.rsplit("/", 1)[-1] in {target.rsplit("/", 1)[-1] + suffix for suffix in _BACKUP}
    )


def _touch(command: Command, line: Line) -> list[Action]:
    """An empty file: made, but no change of lines."""
    return edit(
        command, line, options(command.args, frozenset({"-d", "-t", "-r"}))[1], added=0, removed=0, created=True, blank=True
    )


def _tee(command: Command, line: Line) -> list[Action]:
    """Writes what is piped into it; its text is known where an echo or a here-document feeds it."""
    flags, operands = options(command.args)
    targets = [word for word in operands if word != "/dev/null"]
    text = command.stdin
    if text is None and command.piped_in and all(scope_of(line.path(command, word)) == "scratch" for word in targets):
        return []  # a copy of some command's output into a log: the command is what counts
    for word in targets:
        line.written[line.path(command, word)] = text or ""
    added = len(text.splitlines()) if text is not None else UNKNOWN
    return edit(command, line, targets, added=added, removed=0 if "-a" in flags else UNKNOWN, created="-a" not in flags)


def _patch(command: Command, line: Line) -> list[Action]:
    """`patch`: its diff is fed in, or lies in a file that the line may have written; `-R` takes it back."""
    if "--dry-run" in command.args:
        return simple("explore", command)
    _, operands = options(command.args, frozenset({"-i", "-d"}))
    texts = [line.written.get(line.path(command, word), "") for word in (*operands, *command.inputs, *_input(command.args))]
    files = patch_files(command.stdin or next((text for text in texts if text), ""))
    paths = tuple(line.path(command, file.path) for file in files)
    if not paths and operands and not operands[0].endswith((".patch", ".diff")):
        paths = (line.path(command, operands[0]),)
    scope = widest([scope_of(path) for path in paths]) or "work"
    if "-R" in command.args or "--reverse" in command.args:
        return [Action("revert", paths, scope=scope, takes="last", command="patch -R", masked=command.masked)]
    added = sum(file.added for file in files) if files else UNKNOWN
    removed = sum(file.removed for file in files) if files else UNKNOWN
    return [Action("edit", paths, scope=scope, added=added, removed=removed, command="patch", masked=command.masked)]


def _input(args: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(args[index + 1] for index, word in enumerate(args[:-1]) if word == "-i")


def _script_edit(command: Command, line: Line) -> list[Action]:
    """`perl -pi -e`, `ruby -i`: an edit in place; else a snippet that only looks."""
    flags, operands = options(command.args, frozenset({"-e", "-E"}))
    in_place = any(
        flag.startswith("-") and not flag.startswith("--") and "i" in flag.split("e")[0] for flag in flags if flag != "-E"
    )
    inline = any(
        flag in {"-e", "-E"} or (flag.startswith("-") and flag.rstrip("'").endswith("e") and len(flag) < 7) for flag in flags
    )
    if in_place:
        files = operands if "-e" in flags or "-E" in flags else operands[1:]
        return edit(command, line, files)
    return simple("explore", command) if inline else line.again(command, [operands[0], *operands[1:]] if operands else [":"])


def _unpack(command: Command, line: Line) -> list[Action]:
    """Archives: listing is a look, unpacking is setting up."""
    listing = any((word.startswith("-") and "t" in word) or word in {"tf", "tvf", "tzf"} for word in command.args[:1])
    del line
    return simple("explore" if listing or "-l" in command.args else "setup", command)


def _editor(command: Command, line: Line) -> list[Action]:
    """`ed`, `ex`, `vim -c wq`: an edit of the files they are given."""
    return edit(command, line, options(command.args, frozenset({"-c", "-s"}))[1]) or simple("other", command)


HANDLERS: dict[str, Handler] = {
    "rm": _rm,
    "unlink": _rm,
    "rmdir": _rm,
    "shred": _rm,
    "truncate": _rm,
    "trash": _rm,
    "cp": _cp_mv,
    "mv": _cp_mv,
    "install": _cp_mv,
    "rsync": _cp_mv,
    "touch": _touch,
    "tee": _tee,
    "sponge": _tee,
    "patch": _patch,
    "perl": _script_edit,
    "tar": _unpack,
    "unzip": _unpack,
    "gunzip": _unpack,
    "zip": _unpack,
    "gzip": _unpack,
    "ed": _editor,
    "ex": _editor,
    "vim": _editor,
    "vi": _editor,
    "nano": _editor,
    "dos2unix": _editor,
}
