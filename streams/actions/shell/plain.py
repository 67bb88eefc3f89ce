"""Shell lines without any grammar to speak of: plain words, quotes that hold nothing special, `&&`, `|`, `;`, output redirects.

Most lines are of this kind, and are read here at a fraction of the parser's cost. What is not is left to the parser: both
give the same commands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

MAX_CHARS: Final = 2000
MAX_OPERATORS: Final = 20

_BARE: Final = r"[A-Za-z0-9_./:,@%+=*?~^-]"
_QUOTED: Final = r"""'[ -&(-~]*+'|"[ !#%-\[\]-_a-~]*+\""""
_WORD: Final = rf"(?:{_BARE}++|{_QUOTED})++"
_REDIRECT: Final = rf"2>&1|[12&]?>>? *+{_BARE}++"
_NAME: Final = r"[A-Za-z0-9_./:][A-Za-z0-9_./:-]*+\+*+(?![^ ;|&])"
"""A command's name. The grammar cuts names with other signs in two, and takes a quote behind a keyword for its own."""

_COMMAND: Final = rf"{_NAME}(?: ++{_WORD}(?!>))*+(?: ++(?:{_REDIRECT}))*+"
_OPERATOR: Final = r" *+(?:&&|\||;) *+"
_BARE_LINE: Final = re.compile(rf" *+{_NAME}(?: ++{_BARE}++)*+ *+")
_LINE: Final = re.compile(rf" *+{_COMMAND}(?:{_OPERATOR}{_COMMAND})*+ *+")
_TOKEN: Final = re.compile(rf"(?<= )(?:{_REDIRECT})|{_WORD}|&&|\||;")
_PIECE: Final = re.compile(rf"{_BARE}++|{_QUOTED}")

_OWN_WAY: Final = re.compile(r" (?:==|=~|- +[12]>)")
"""Words that the grammar takes for signs of a comparison, or leaves out."""

_REDIRECTED: Final = re.compile(r"[12&]?>")

_OPERATORS: Final = frozenset({"&&", "|", ";"})
_GRAMMAR: Final = frozenset(
    {"if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "function", "select", "time"}
    | {"in", "coproc", "declare", "typeset", "export", "readonly", "local", "unset", "unsetenv", "set"}
)
"""Words that may be more than words; `set` changes what later exit codes say."""


class Simple(NamedTuple):
    """A simple command: its words, the files its output goes to (with whether it is appended), and the operator behind it."""

    words: tuple[str, ...]
    outputs: tuple[tuple[str, bool], ...]
    operator: str


def simple_commands(line: str) -> list[Simple] | None:
    """The commands of a plain line in order; None where the line is not plain."""
    if len(line) > MAX_CHARS or _OWN_WAY.search(line):
        return None
    if _BARE_LINE.fullmatch(line):
        words = line.split()
        return None if _special(words) else [Simple(tuple(words), (), "")]
    if not _LINE.fullmatch(line):
        return None
    found: list[Simple] = []
    words = []
    outputs: list[tuple[str, bool]] = []
    for piece in [*_TOKEN.findall(line), ""]:
        if piece in _OPERATORS or not piece:
            if _special(words):
                return None
            found.append(Simple(tuple(words), tuple(outputs), piece))
            words, outputs = [], []
        elif ">" in piece and _REDIRECTED.match(piece):
            if piece != "2>&1":
                operator, _, target = piece.rpartition(">")
                outputs.append((target.strip(), operator.endswith(">")))
        else:
            words.append(_unquoted(piece) if '"' in piece or "'" in piece else piece)
    return found if len(found) <= MAX_OPERATORS else None


def _special(words: Sequence[str]) -> bool:
    """Whether the words may be grammar, or begin with an assignment."""
    return "=" in words[0] or not _GRAMMAR.isdisjoint(words)


def _unquoted(word: str) -> str:
    return "".join(piece[1:-1] if piece[0] in "'\"" else piece for piece in _PIECE.findall(word))
