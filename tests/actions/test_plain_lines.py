"""Plain shell lines are read without the parser: what comes out is what the parser's tree gives."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from streams.actions.shell.command import Command
from streams.actions.shell.lines import _parsed, commands
from streams.actions.shell.plain import simple_commands

_NAMES = st.sampled_from(
    [
        "ls",
        "cat",
        "./run.sh",
        "/usr/bin/env",
        "g++",
        "python3.11",
        "a:b",
        ":",
        "cd",
        "test",
        "[",
        "echo",
        "2",
        "-x",
        "done",
        "x+",
    ]
)
_PLAIN_WORDS = st.sampled_from(
    [
        "-n",
        "--x=1",
        "src/a.py",
        "*.py",
        "a?b",
        "~/x",
        "^a",
        "%1",
        "1,2p",
        "A=b",
        "a==b",
        "=",
        "-",
        "--",
        "1-f",
        "a@b",
        "e+",
        "12",
    ]
)
_QUOTED = st.sampled_from(
    ["'a b'", '"c d"', "'it'\"x\"", "a'b'c", "''", '""', "'#'", "'\\'", "'$x|y'", '"a>b"', "1'>'x", '2">,"', "'&&'", "'é'"]
)
_ODD_WORDS = st.sampled_from(
    (
        *(
            "==",
            "=~",
            "=~'x'",
            "a%",
            "é",
            "日本",
            "#",
            "a#b",
            "\\ ",
            "a\\ b",
            "$x",
            "${x}",
            "$(ls)",
            "`x`",
            "[ab]",
            "{a,b}",
            "]",
            "!",
        ),
        *(
            "if",
            "for",
            "in",
            "time",
            "set",
            "export",
            "function",
            "@(a)",
            "x[1]",
            "<f",
            "<<<x",
            "(",
            ")",
            "'a\nb'",
            "&",
            "||",
            "\n",
        ),
    )
)
_REDIRECTS = st.sampled_from(["2>&1", "> f", ">f", ">> f", "2>/dev/null", "&> all", "1>a", "2> e", "&>>f", "3>x", ">&2"])
_WORDS = st.one_of(_PLAIN_WORDS, _PLAIN_WORDS, _PLAIN_WORDS, _QUOTED)
_OPERATORS = st.sampled_from([" && ", " | ", " ; ", "; ", "|", "&&", " |  "])


@st.composite
def _simple(draw: st.DrawFn) -> str:
    words = [draw(_NAMES), *draw(st.lists(_WORDS, max_size=4)), *draw(st.lists(_REDIRECTS, max_size=2))]
    if draw(st.integers(0, 9)) == 0:
        words.insert(draw(st.integers(0, len(words))), draw(_ODD_WORDS))
    return draw(st.sampled_from([" ", " ", "  "])).join(words)


@st.composite
def _lines(draw: st.DrawFn) -> str:
    line = draw(_simple())
    for _ in range(draw(st.integers(0, 4))):
        line += draw(_OPERATORS) + draw(_simple())
    return draw(st.sampled_from(["", "", " "])) + line + draw(st.sampled_from(["", "", " ", ";", " # note"]))


def _both(line: str) -> tuple[list[Command], list[Command]]:
    assume(simple_commands(line) is not None)
    return commands(line, "/w"), _parsed(line, "/w")


@settings(max_examples=400, suppress_health_check=[HealthCheck.filter_too_much])
@given(_lines())
@example("cd x && pytest > log | tail -5")
@example("cat a | grep b | head -20 && pytest -q")
@example("a | b > f | c && d > g | e > h | i")
@example("a; b && c > f | d; e")
@example('grep 1"?,>+" a')
@example("x | head >2u | head")
def test_a_plain_line_has_the_commands_that_the_parser_finds(line: str) -> None:
    """Words, redirects, folders, pipelines and whose exit code is seen: all the same."""
    plain, parsed = _both(line)
    assert plain == parsed


@settings(max_examples=400, suppress_health_check=[HealthCheck.filter_too_much])
@given(st.text("ab1/.-=+:~^%@?*,_ '\"|;&><", max_size=14))
def test_any_accepted_text_has_the_commands_that_the_parser_finds(text: str) -> None:
    """Signs in any order, behind a command's name."""
    plain, parsed = _both(f"ls {text}")
    assert plain == parsed


@pytest.mark.parametrize(
    "line",
    ["ls", "cd /w && python -m pytest -q 2>&1 | tail -5", "sed -n 1,20p 'a b.py'", 'grep -rn "x|y" src | head; git status -s'],
)
def test_common_lines_are_plain(line: str) -> None:
    """They cost no parser."""
    assert simple_commands(line) is not None


@pytest.mark.parametrize(
    "line", ["a@b", "until'!'", "x ==", "x =~'a'", "A=b ls", "for x", "a\\ b", "é", "echo $x", "a || b", "a &"]
)
def test_what_the_grammar_reads_in_a_way_of_its_own_is_left_to_it(line: str) -> None:
    """Names with other signs, comparisons, keywords, expansions."""
    assert simple_commands(line) is None
