"""The text of a word: quotes and escapes removed, known variables put in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

Env = dict[str, tuple[str, ...]]
"""Variables set earlier in the line; a loop's variable holds all its values."""

_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_DQUOTE_ESCAPE = re.compile(r'\\([$`"\\])|\\\n')
_ANSI = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\", "0": "\0", "a": "\a", "e": "\x1b"}


def text_of(node: Node, source: bytes) -> str:
    """The node's own text."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def values(node: Node, source: bytes, env: Env) -> tuple[str, ...]:
    """What a word stands for: mostly one value, several for a loop's variable."""
    expansion = _sole_expansion(node)
    if expansion is not None:
        known = env.get(text_of(expansion, source).strip("${}"))
        if known is not None:
            return known
    return (value(node, source, env),)


def value(node: Node, source: bytes, env: Env) -> str:
    """The word as one text."""
    match node.type:
        case "raw_string":
            return text_of(node, source)[1:-1]
        case "ansi_c_string":
            raw = text_of(node, source)[2:-1]
            return _ESCAPE.sub(lambda match: _ANSI.get(match[1], match[1]), raw)
        case "string":
            return _double_quoted(node, source, env)
        case "concatenation" | "command_name":
            return "".join(value(child, source, env) for child in node.children)
        case "simple_expansion" | "expansion":
            raw = text_of(node, source)
            known = env.get(raw.strip("${}"))
            return known[0] if known else raw
        case "word":
            raw = text_of(node, source)
            return _ESCAPE.sub(r"\1", raw.replace("\\\n", "")) if "\\" in raw else raw
        case _:
            return text_of(node, source)


def tested(node: Node, source: bytes, env: Env) -> tuple[str, ...]:
    """The words of `[ … ]` and `[[ … ]]`, brackets and operators among them."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each is node or each.type.endswith("_expression"):
            waiting.extend(reversed(each.children))
        else:
            found.append(value(each, source, env) if each.is_named else each.type)
    return tuple(found)


def _double_quoted(node: Node, source: bytes, env: Env) -> str:
    """Between double quotes; the grammar's children leave white space out, so the gaps are copied."""
    parts: list[str] = []
    position = node.start_byte + 1
    end = max(position, node.end_byte - 1)
    for child in node.named_children:
        if child.type in {"simple_expansion", "expansion"} and child.start_byte >= position:
            parts.append(_plain(source[position : child.start_byte]))
            parts.append(value(child, source, env))
            position = child.end_byte
    parts.append(_plain(source[position:end]))
    return "".join(parts)


def _plain(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    return _DQUOTE_ESCAPE.sub(lambda match: match[1] or "", text) if "\\" in text else text


def _sole_expansion(node: Node) -> Node | None:
    """The expansion that is all of a word: `$x`, `${x}`, `"$x"`."""
    if node.type in {"simple_expansion", "expansion"}:
        return node
    if node.type == "string" and node.named_child_count == 1:
        inner = node.named_children[0]
        if (
            inner.type in {"simple_expansion", "expansion"}
            and inner.end_byte - inner.start_byte == node.end_byte - node.start_byte - 2
        ):
            return inner
    return None
