"""A simple command and what surrounds it, as plain data."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace


class Command(Struct, frozen=True):
    """One simple command of a shell line."""

    words: tuple[str, ...]
    """Name and arguments, quotes removed; expansions that are not known stay as written."""

    stdin: str | None = None
    """Text fed to it: a here-document, a here-string, or what an `echo` or `cat <<EOF` pipes into it."""

    outputs: tuple[tuple[str, bool], ...] = ()
    """Files that its output is redirected to, each with whether it is appended."""

    inputs: tuple[str, ...] = ()
    cwd: str = ""
    piped_in: bool = False
    piped_out: bool = False
    background: bool = False
    masked: bool = False
    """The line's exit code is not this command's."""

    condition: bool = False
    """It stands in the condition of an `if` or a loop."""

    pipeline: int = 0
    """Number of its pipeline within the line."""

    @property
    def name(self) -> str:
        """The program's name without its folder and version: `/usr/bin/python3.11` is `python`."""
        return program(self.words[0]) if self.words else ""

    @property
    def args(self) -> tuple[str, ...]:
        """The words after the name."""
        return self.words[1:]

    def with_words(self, words: tuple[str, ...] | list[str]) -> Command:
        """The same surroundings with other words."""
        return replace(self, words=tuple(words))


_VERSIONED = ("python", "pip", "node", "ruby", "perl", "php", "gcc", "g++", "clang", "clang++", "pypy")


def program(word: str) -> str:
    """A program's plain name: folder, `.exe` and version digits dropped."""
    name = (word.rsplit("/", 1)[-1] if "/" in word else word).removesuffix(".exe")
    if name[-1:].isdigit():
        plain = name.rstrip("0123456789.-")
        if plain in _VERSIONED:
            return "python" if plain == "pypy" else plain
    return name


def options(args: tuple[str, ...], takes_value: frozenset[str] = frozenset()) -> tuple[list[str], list[str]]:
    """Options and operands of an argument list; `takes_value` names the options whose next word is their value."""
    flags: list[str] = []
    operands: list[str] = []
    index = 0
    while index < len(args):
        word = args[index]
        index += 1
        if word == "--":
            operands.extend(args[index:])
            break
        if len(word) > 1 and word[0] == "-":
            flags.append(word)
            if word in takes_value and index < len(args):
                flags.append(args[index])
                index += 1
        else:
            operands.append(word)
    return flags, operands
