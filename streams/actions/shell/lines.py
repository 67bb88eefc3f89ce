"""A shell line into its simple commands, in the order in which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import tree_sitter_bash
from msgspec.structs import replace
from tree_sitter import Language, Parser

from streams.actions.paths import joined
from streams.actions.shell.command import Command
from streams.actions.shell.joints import Part, is_nest, pipelines
from streams.actions.shell.plain import Simple, simple_commands
from streams.actions.shell.words import Env, tested, text_of, value, values

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_LINE_BYTES: Final = 128 * 1024
MAX_COMMANDS: Final = 200
MAX_DEPTH: Final = 60
MAX_PIPES: Final = 2000
_WORDS: Final = frozenset({"word", "string", "raw_string", "concatenation", "number", "simple_expansion"})

_PRINTING: Final = ("echo", "printf", "cat")

_parser = Parser(Language(tree_sitter_bash.language()))
_BODY: Final = frozenset(
    {
        "program",
        "do_group",
        "compound_statement",
        "else_clause",
        "elif_clause",
        "case_item",
        "case_statement",
        "ERROR",
    }
)


def commands(line: str, cwd: str = "") -> list[Command]:
    """The simple commands of a line. Never raises: what cannot be parsed is left out."""
    plain = simple_commands(line)
    return _parsed(line, cwd) if plain is None else _placed(plain, cwd)


def _placed(plain: list[Simple], cwd: str) -> list[Command]:
    """The commands of a plain line with what surrounds each; only the last statement's last exit code is the line's."""
    if len(plain) == 1:
        words, outputs, _ = plain[0]
        return [Command(words, outputs=outputs, cwd=cwd)]
    walk = _Walk(b"", cwd)
    last_end = max((index for index, one in enumerate(plain) if one.operator == ";"), default=-1)
    index = 0
    while index < len(plain):
        end = index
        while plain[end].operator == "|":
            end += 1
        walk.plain(plain[index : end + 1], masked=index <= last_end)
        index = end + 1
    return walk.found


def _parsed(line: str, cwd: str) -> list[Command]:
    source = _bounded(line.encode("utf-8", "replace")[:MAX_LINE_BYTES])
    walk = _Walk(source, cwd)
    walk.node(_parser.parse(source).root_node, masked=False, depth=0)
    return walk.found


def _bounded(source: bytes) -> bytes:
    """The line up to its last pipe that is read: a broken pipeline costs the parser the square of its length."""
    if source.count(b"|") <= MAX_PIPES:
        return source
    return b"|".join(source.split(b"|", MAX_PIPES)[:MAX_PIPES])


class _Walk:
    """One pass over the syntax tree, with the folder and the variables that earlier commands set."""

    def __init__(self, source: bytes, cwd: str) -> None:
        self.source = source
        self.cwd = cwd
        self.env: Env = {}
        self.found: list[Command] = []
        self.pipes = 0
        self.errexit = False
        self.pipefail = False

    def plain(self, part: list[Simple], *, masked: bool) -> None:
        """A pipeline of a plain line, or a lone command."""
        if len(part) == 1:
            words, outputs, _ = part[0]
            self.add(Command(words, outputs=outputs, cwd=self.cwd, masked=masked))
            return
        self.pipes += 1
        fed = _printed(Command(part[0].words)) if part[0].words[0].endswith(_PRINTING) else None
        for index, (words, outputs, operator) in enumerate(part):
            piped = operator == "|"
            stdin = fed if index == 1 else None
            self.add(Command(words, stdin, outputs, (), self.cwd, index > 0, piped, False, masked or piped, False, self.pipes))

    def node(self, node: Node, *, masked: bool, depth: int, condition: bool = False) -> None:
        """Any statement."""
        if depth > MAX_DEPTH or len(self.found) >= MAX_COMMANDS:
            return
        kind = node.type
        if kind in _BODY:
            self.sequence(node.named_children, masked=masked, depth=depth)
        elif kind == "command":
            self.command(node, masked=masked, condition=condition)
        elif kind in {"list", "pipeline"} or (kind == "redirected_statement" and is_nest(node)):
            self.statement(node, masked=masked, depth=depth, condition=condition)
        elif kind == "redirected_statement":
            self.redirected(node, masked=masked, depth=depth, condition=condition)
        elif kind == "negated_command":
            for child in node.named_children:
                self.node(child, masked=True, depth=depth + 1, condition=condition)
        elif kind == "test_command":
            words = tested(node, self.source, self.env)
            self.add(Command(words, cwd=self.cwd, masked=masked, condition=condition))
        elif kind in {"variable_assignment", "variable_assignments", "declaration_command"}:
            self.assignments(node)
        else:
            self.compound(node, masked=masked, depth=depth)

    def compound(self, node: Node, *, masked: bool, depth: int) -> None:
        """Subshells, loops, conditions; a function's body counts where it is written."""
        if node.type == "subshell":
            outer = self.cwd
            self.sequence(node.named_children, masked=masked, depth=depth)
            self.cwd = outer
        elif node.type == "for_statement":
            self.loop(node, masked=masked, depth=depth)
        elif node.type in {"if_statement", "while_statement"}:
            self.branches(node, masked=masked, depth=depth)
        elif node.type == "function_definition":
            body = node.child_by_field_name("body")
            if body is not None:
                self.node(body, masked=masked, depth=depth + 1)

    def branches(self, node: Node, *, masked: bool, depth: int) -> None:
        conditions = {child.id for child in node.children_by_field_name("condition")}
        for child in node.named_children:
            if child.id in conditions:
                self.node(child, masked=True, depth=depth + 1, condition=True)
            else:
                self.node(child, masked=masked, depth=depth + 1)

    def sequence(self, nodes: list[Node], *, masked: bool, depth: int) -> None:
        """Statements one after the other: only the last one's exit code is the line's."""
        real = [node for node in nodes if node.type != "comment"]
        for index, node in enumerate(real):
            last = index == len(real) - 1
            before = len(self.found)
            self.node(node, masked=masked or not (last or self.errexit), depth=depth + 1)
            following = node.next_sibling
            if following is not None and following.type == "&":
                self.found[before:] = [replace(one, background=True, masked=True) for one in self.found[before:]]

    def statement(self, node: Node, *, masked: bool, depth: int, condition: bool) -> None:
        """`a && b`, `a || b`, `a | b`, and redirects around them."""
        for one in pipelines(node):
            hidden = masked or one.hidden
            if len(one.parts) > 1:
                self.pipeline(one.parts, masked=hidden, depth=depth)
            else:
                self.part(one.parts[0], masked=hidden, depth=depth, condition=condition)

    def pipeline(self, parts: list[Part], *, masked: bool, depth: int) -> None:
        """`a | b`: only the last one's exit code is seen, unless pipefail is set."""
        self.pipes += 1
        first = len(self.found)
        for part in parts:
            hidden = masked or not (part is parts[-1] or self.pipefail)
            self.part(part, masked=hidden, depth=depth)
        self.join_pipe(first)

    def part(self, part: Part, *, masked: bool, depth: int, condition: bool = False) -> None:
        """One part with the redirects that are its own."""
        first = len(self.found)
        self.node(part.node, masked=masked, depth=depth + 1, condition=condition)
        if part.redirects:
            redirects = _Redirects(self.source, self.env)
            for redirect in part.redirects:
                redirects.take(redirect)
            self.attach(first, redirects)

    def join_pipe(self, first: int) -> None:
        """Mark the commands from `first` on as one pipeline, and hand literal text on."""
        part = self.found[first:]
        fed = _printed(part[0]) if len(part) > 1 else None
        for index, one in enumerate(part):
            stdin = fed if index == 1 and one.stdin is None else one.stdin
            out = one.piped_out or index < len(part) - 1
            self.found[first + index] = replace(
                one, piped_in=one.piped_in or index > 0, piped_out=out, pipeline=self.pipes, stdin=stdin
            )

    def loop(self, node: Node, *, masked: bool, depth: int) -> None:
        """`for x in …`: the body once, its variable standing for all values."""
        variable = node.child_by_field_name("variable")
        if variable is not None:
            found = [each for item in node.children_by_field_name("value") for each in values(item, self.source, self.env)]
            if found and not any("$" in each or "`" in each for each in found):
                self.env[text_of(variable, self.source)] = tuple(found[:50])
        body = node.child_by_field_name("body")
        if body is not None:
            self.node(body, masked=masked, depth=depth + 1)

    def assignments(self, node: Node) -> None:
        for child in [node, *node.named_children]:
            if child.type != "variable_assignment":
                continue
            name = child.child_by_field_name("name")
            content = child.child_by_field_name("value")
            if name is not None and content is not None:
                if content.type == "command_substitution":
                    self.node_children(content)
                else:
                    self.env[text_of(name, self.source)] = (value(content, self.source, self.env),)

    def node_children(self, node: Node) -> None:
        """What a command substitution runs: its exit code is hidden, its output is taken."""
        first = len(self.found)
        for child in node.named_children:
            self.node(child, masked=True, depth=MAX_DEPTH // 2)
        self.found[first:] = [replace(one, piped_out=True) for one in self.found[first:]]

    def command(self, node: Node, *, masked: bool, condition: bool) -> None:
        words: list[str] = []
        stdin = None
        for child in node.named_children:
            if child.type == "variable_assignment":
                continue
            if child.type == "herestring_redirect":
                stdin = value(child.named_children[-1], self.source, self.env) if child.named_child_count else None
            elif child.type == "command_substitution":
                self.node_children(child)
                words.append(text_of(child, self.source))
            else:
                words.extend(values(child, self.source, self.env))
        if words:
            self.add(Command(tuple(words), stdin=stdin, cwd=self.cwd, masked=masked, condition=condition))

    def add(self, command: Command) -> None:
        """Keep a command; `cd` and `set` change what follows instead."""
        name = command.words[0]
        if name in {"cd", "pushd"}:
            target = next((word for word in command.args if not word.startswith("-")), "~")
            if "$" not in target and "`" not in target:
                self.cwd = joined(self.cwd, target)
        elif name == "set":
            flags = " ".join(command.args)
            self.pipefail = self.pipefail or "pipefail" in flags
            self.errexit = self.errexit or any(one.startswith("-") and "e" in one[1:] for one in command.args)
        self.found.append(command)

    def redirected(self, node: Node, *, masked: bool, depth: int, condition: bool) -> None:
        """A statement with redirects. A here-document's node also holds what follows on its first line."""
        first = len(self.found)
        body = node.child_by_field_name("body")
        if body is not None:
            self.node(body, masked=masked, depth=depth + 1, condition=condition)
        redirects = _Redirects(self.source, self.env)
        for redirect in node.children_by_field_name("redirect"):
            redirects.take(redirect)
        if len(self.found) == first and (redirects.outputs or redirects.stdin):
            self.found.append(Command((":",), cwd=self.cwd, masked=masked))
        self.attach(first, redirects)
        self.follow(first, redirects, masked=masked, depth=depth)

    def attach(self, first: int, redirects: _Redirects) -> None:
        """Redirects of a group hold for its last command; a here-document feeds its first."""
        if len(self.found) <= first:
            return
        if redirects.stdin is not None:
            self.found[first] = replace(self.found[first], stdin=redirects.stdin)
        if redirects.outputs or redirects.inputs:
            last = self.found[-1]
            outputs, inputs = (*last.outputs, *redirects.outputs), (*last.inputs, *redirects.inputs)
            self.found[-1] = replace(last, outputs=outputs, inputs=inputs)

    def follow(self, first: int, redirects: _Redirects, *, masked: bool, depth: int) -> None:
        """`cat <<EOF | python`, `python <<EOF && pytest`: what stands behind the here-document's name."""
        listed = "&&" in redirects.operators or "||" in redirects.operators
        for node in redirects.following:
            piped = "|" in redirects.operators or (node.type == "pipeline" and not listed)
            if node.type in _WORDS:
                if len(self.found) > first:
                    last = self.found[-1]
                    self.found[-1] = last.with_words((*last.words, *values(node, self.source, self.env)))
                continue
            self.node(node, masked=masked, depth=depth + 1)
            if piped and len(self.found) > first:
                self.pipes += 1
                self.found[first] = replace(self.found[first], masked=self.found[first].masked or not self.pipefail)
                self.join_pipe(first)


class _Redirects:
    """The redirects of one statement, and what the grammar hides in a here-document's node."""

    def __init__(self, source: bytes, env: Env) -> None:
        self.source = source
        self.env = env
        self.outputs: list[tuple[str, bool]] = []
        self.inputs: list[str] = []
        self.stdin: str | None = None
        self.following: list[Node] = []
        self.operators: list[str] = []

    def take(self, node: Node) -> None:
        """One redirect."""
        if node.type == "file_redirect":
            self.file(node)
        elif node.type == "herestring_redirect" and node.named_child_count:
            self.feed(value(node.named_children[-1], self.source, self.env))
        elif node.type == "heredoc_redirect":
            for child in node.children:
                self.part(child)

    def file(self, node: Node) -> None:
        """`> file`, `>> file`, `< file`; descriptors that are joined are no files."""
        operator = next((child.type for child in node.children if not child.is_named), ">")
        destination = node.child_by_field_name("destination")
        if destination is None or operator in {">&", "<&", ">&-", "<&-"}:
            return
        target = value(destination, self.source, self.env)
        if operator == "<":
            self.inputs.append(target)
        else:
            self.outputs.append((target, operator in {">>", "&>>"}))

    def part(self, child: Node) -> None:
        """One part of a here-document's node."""
        if child.type == "heredoc_body":
            self.feed(text_of(child, self.source))
        elif child.type in {"file_redirect", "herestring_redirect"}:
            self.take(child)
        elif child.is_named and child.type not in {"heredoc_start", "heredoc_end"}:
            self.following.append(child)
        elif child.type in {"&&", "||", "|", "|&"}:
            self.operators.append(child.type)

    def feed(self, text: str) -> None:
        """The first text fed is the one that counts."""
        if self.stdin is None:
            self.stdin = text


def _printed(command: Command) -> str | None:
    """The text that a command prints, where it is plain: `echo …`, `printf …`, `cat <<EOF`."""
    if command.name == "cat" and len(command.words) == 1:
        return command.stdin
    if command.name in {"echo", "printf"}:
        return " ".join(word for word in command.args if word not in {"-e", "-n", "-en", "-ne"})
    return None
