"""Shell lines into simple commands: pipes, lists, here-documents, folders, variables, and whose exit code is seen."""

from __future__ import annotations

import pytest

from streams.actions.shell.command import program
from streams.actions.shell.lines import MAX_COMMANDS, commands


def words(line: str) -> list[tuple[str, ...]]:
    """The words of each command of a line."""
    return [command.words for command in commands(line)]


def test_lists_pipes_and_sequences_give_their_commands_in_order() -> None:
    """`&&`, `||`, `;` and `|` part a line."""
    assert words("a 1 && b | c || d; e") == [("a", "1"), ("b",), ("c",), ("d",), ("e",)]


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("pytest", [False]),
        ("pytest | tail", [True, False]),
        ("pytest || true", [True, False]),
        ("pytest; echo x", [True, False]),
        ("a && pytest", [False, False]),
        ("! pytest", [True]),
        ("set -o pipefail; pytest | tail", [True, False, False]),
        ("set -e\npytest\necho x", [True, False, False]),
        ("pytest &", [True]),
    ],
)
def test_masked_says_whose_exit_code_the_line_does_not_show(line: str, masked: list[bool]) -> None:
    """A pipe, an alternative or a later command hides an exit code."""
    assert [command.masked for command in commands(line)] == masked


def test_quotes_and_escapes_are_removed() -> None:
    """Words are what the program gets."""
    assert words(r"""sed -i "s/\"a b\"/x/" 'f g.py' h\ i""") == [("sed", "-i", 's/"a b"/x/', "f g.py", "h i")]


def test_here_documents_feed_their_command_and_keep_what_follows() -> None:
    """The text, the redirect and the rest of the first line are all there."""
    cat, pytest_ = commands("cat <<'EOF' > f.py && pytest -q\nx = 1\nEOF")
    assert (cat.stdin, cat.outputs, pytest_.words) == ("x = 1\n", (("f.py", False),), ("pytest", "-q"))


def test_a_here_document_piped_into_a_program_feeds_that_program() -> None:
    """`cat <<EOF | python -` runs the text."""
    assert commands("cat <<EOF | python -\nprint(1)\nEOF")[1].stdin == "print(1)\n"


def test_cd_moves_what_follows_and_a_subshell_moves_back() -> None:
    """Folders are followed in order."""
    found = {command.words: command.cwd for command in commands("cd a && x; (cd b && y); z", "/r")}
    assert (found[("x",)], found[("y",)], found[("z",)]) == ("/r/a", "/r/a/b", "/r/a")


def test_variables_and_loops_are_put_in() -> None:
    """A loop's variable stands for all its values."""
    assert words('F=a.py; sed -i s/x/y/ "$F"')[-1] == ("sed", "-i", "s/x/y/", "a.py")
    assert words("for f in a.py b.py; do sed -i s/x/y/ $f; done") == [("sed", "-i", "s/x/y/", "a.py", "b.py")]


def test_an_unknown_expansion_stays_as_written() -> None:
    """Nothing is guessed."""
    assert words("cat $X") == [("cat", "$X")]


def test_a_substitution_is_run_too() -> None:
    """What `$(…)` runs counts, with its exit code hidden."""
    assert ("git", "status") in words("X=$(git status)")


def test_unclosed_quotes_and_nonsense_do_not_raise() -> None:
    """What cannot be parsed is left out."""
    for line in ("ls 'x", "((((", "|||", "<<EOF", "", "\0", "a" * 300_000, "(" * 5000):
        commands(line)


def test_the_number_of_commands_is_bounded() -> None:
    """A line of a thousand commands costs no more than the bound."""
    assert len(commands("a;" * 3000)) <= MAX_COMMANDS


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("/usr/bin/python3.11", "python"),
        ("python3", "python"),
        ("pip3", "pip"),
        ("g++-12", "g++"),
        ("py.test", "py.test"),
        ("foo.exe", "foo"),
    ],
)
def test_programs_are_known_by_their_plain_name(word: str, name: str) -> None:
    """Folder, version and `.exe` are dropped."""
    assert program(word) == name


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('a "$x" | b | c && d', [(1, True), (1, True), (1, False), (0, False)]),
        ('a "$x" && b > f | c', [(0, False), (1, True), (1, False)]),
        ('a "$x" | b | c || d', [(1, True), (1, True), (1, True), (0, False)]),
        ('a "$x" | b > f | c && d | e', [(1, True), (1, True), (1, False), (2, True), (2, False)]),
        ('a "$x" && b || c && d', [(0, True), (0, True), (0, False), (0, False)]),
    ],
)
def test_a_pipe_binds_closer_than_a_list(line: str, wanted: list[tuple[int, bool]]) -> None:
    """Which pipeline each command is in, and whether its exit code is hidden."""
    assert [(command.pipeline, command.masked) for command in commands(line)] == wanted


def test_a_redirect_behind_a_list_is_its_last_command_s() -> None:
    """`a && b > f`: the output of `b`."""
    assert [command.outputs for command in commands('a "$x" && b > f | c')] == [(), (("f", False),), ()]
