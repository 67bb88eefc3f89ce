"""The parts of a statement and what joins them, as a shell reads them: a pipe binds closer than `&&` and `||`.

The grammar's tree has them in the right order, but nests them wrongly: it reads `a | b | c && d` as if `b | c && d` were one
stage, and `a && b > f | c` as if both were piped into `c`. So the nesting is taken down and the parts are joined anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node

_PIPES: Final = frozenset({"|", "|&"})
_JOINED: Final = frozenset({"list", "pipeline"})


class Part(Struct):
    """One part of a statement: a command, a group, a loop."""

    node: Node
    redirects: list[Node]
    """Redirects that the grammar hangs on a nest of parts: they are its last part's."""


class Pipeline(Struct):
    """Parts that are piped into each other, mostly one."""

    parts: list[Part]
    hidden: bool = False
    """An alternative (`||`) follows: its exit code need not be the line's."""


def pipelines(node: Node) -> list[Pipeline]:
    """What `&&` and `||` join in a statement, in order."""
    found: list[Pipeline] = []
    waiting = [node]
    joint = ""
    while waiting:
        each = waiting.pop()
        if each.type in _JOINED or is_nest(each):
            waiting.extend(reversed(each.children))
        elif each.type == "file_redirect" and found and each.parent is not None and is_nest(each.parent):
            found[-1].parts[-1].redirects.append(each)
        elif not each.is_named:
            joint = each.type
            if joint == "||":
                for earlier in found:
                    earlier.hidden = True
        elif each.type != "comment":
            _join(found, Part(each, []), joint)
    return found


def _join(found: list[Pipeline], part: Part, joint: str) -> None:
    if joint in _PIPES and found:
        found[-1].parts.append(part)
    else:
        found.append(Pipeline([part]))


def is_nest(node: Node) -> bool:
    """A redirect around joined parts. With a here-document it is left alone: its node also holds what follows."""
    if node.type != "redirected_statement":
        return False
    body = node.child_by_field_name("body")
    return (
        body is not None
        and body.type in _JOINED
        and all(redirect.type == "file_redirect" for redirect in node.children_by_field_name("redirect"))
    )
