"""Outputs that say nothing of how a call went: most of them, and known as such by one pass."""

from __future__ import annotations

from typing import Final

import ahocorasick

MAX_QUIET: Final = 32 * 1024
"""Longer outputs are read at their head and tail, by the long way."""

LOUD: Final = (
    *("not ", "repla", "ailed", "FAILED", "the same", "already exists", "Invalid `", "o match found", "no changes"),
    *("since read", "ccurrences", "idationError", "syntax error", "o module named", "ModuleNotF", "NoSuchM"),
    *("recognized", "can't open", "issing script", "No rule to", "imed out", "TIMED OUT", "took more", "No such "),
    *("unknown ", "such command", "usage: pytest", "MODULE_NOT", "Traceback (", "panic", "Exception in th"),
    *("Segmentation", "Uncaught ", "Unhandled", "core dumped", "\n    at ", "AddressSan", "fatal runtime", "denied"),
    *("xit code", "returncode", "exited with"),
)
"""Of these texts one is in every output that tells a failure, a refusal, a trace or an exit code (`reply` asks for more)."""

_automaton = ahocorasick.Automaton()
for _text in LOUD:
    _automaton.add_word(_text, _text)
_automaton.make_automaton()
_walk = _automaton.iter


def is_quiet(output: str) -> bool:
    """Whether the output can be told to say nothing of failures: only its length and what it prints of itself may matter."""
    if len(output) > MAX_QUIET:
        return False
    for _ in _walk(output):
        return False
    return True
