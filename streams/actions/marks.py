"""Fixed texts sought in an output, all of them in one pass over it.

Most outputs hold none or few of the some two hundred texts that tell anything, and asking for each in turn would read the
output as often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import ahocorasick


def seeker(marks: Iterable[str]) -> Callable[[str], set[str]]:
    """A function that says which of these texts are in a text. Case counts; an empty mark is left out."""
    automaton = ahocorasick.Automaton()
    for mark in marks:
        if mark:
            automaton.add_word(mark, mark)
    automaton.make_automaton()
    walk = automaton.iter

    def found(text: str) -> set[str]:
        return {mark for _, mark in walk(text)}

    return found
