"""Patches: files, line counts, white space, symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from streams.actions.patches import _SYMBOL, change, patch_files, symbols_in

APPLY = """*** Begin Patch
*** Update File: src/a.py
@@ def f(x):
-    return x
+    return x + 1
+
*** Add File: src/b.py
+class B:
+    pass
*** Delete File: old.py
*** End Patch
"""
UNIFIED = """diff --git a/src/a.py b/src/a.py
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,4 @@ def g():
 x
-y
+z
+--- no header
 w
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
"""


def test_an_apply_patch_text_gives_each_file_with_its_lines() -> None:
    """Added, removed, created, deleted, and the symbols that it shows."""
    a, b, old = patch_files(APPLY)
    assert (a.path, a.added, a.removed, a.symbols) == ("src/a.py", 2, 1, ("f",))
    assert (b.path, b.added, b.created, b.symbols) == ("src/b.py", 2, True, ("B",))
    assert (old.path, old.deleted) == ("old.py", True)


def test_a_unified_diff_is_counted_by_its_hunks() -> None:
    """A line of the text that looks like a header is text."""
    a, new = patch_files(UNIFIED)
    assert (a.path, a.added, a.removed, a.symbols) == ("src/a.py", 2, 1, ("g",))
    assert (new.path, new.added, new.created) == ("new.txt", 1, True)


def test_white_space_alone_is_blank() -> None:
    """A hunk of empty lines changes nothing."""
    assert patch_files("*** Begin Patch\n*** Update File: a\n@@\n+\n+   \n*** End Patch")[0].blank


@pytest.mark.parametrize(
    "text", ["", "hello", "--- \n+++ \n@@ -1 +1 @@", "*** Update File: ", "@@ -1,9999999 +1,9 @@\n+x", "\0"]
)
def test_what_is_no_patch_gives_nothing_or_little_and_never_raises(text: str) -> None:
    """Broken patches do not stop the reading."""
    assert len(patch_files(text)) <= 1


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("a\n", "a\n", (0, 0, True)),
        ("a", "a\nb", (1, 0, False)),
        ("a\nb\nc", "a\nc", (0, 1, False)),
        ("a\nb\nc", "a\nx\nc", (1, 1, False)),
        ("a b", "a  b", (1, 1, True)),
        ("", "x\ny\n", (2, 0, False)),
    ],
)
def test_the_difference_of_two_texts_in_lines(old: str, new: str, wanted: tuple[int, int, bool]) -> None:
    """Added, removed, and whether only white space differs."""
    assert change(old, new)[:3] == wanted


def test_a_huge_difference_costs_little() -> None:
    """Thousands of equal lines do not make it quadratic."""
    added, removed, *_ = change("x\na\n" * 20_000, "y\na\n" * 20_000)
    assert added > 0
    assert removed > 0


def test_symbols_are_functions_and_classes_of_several_languages() -> None:
    """The names that a text defines."""
    text = "def a():\nclass B:\nexport function c() {\nfunc (s *S) d() {\npub fn e() {\n"
    assert symbols_in(text) == ("a", "B", "c", "d", "e")


_PIECES = ("def", "class", "function", "function*", "fn", "func", "type", "impl", "export", "pub", "pub(crate)", "(r *T)")


@given(st.lists(st.sampled_from([*_PIECES, "a", "B(", " ", "\n", "\t", "\u2003", "\x1c", "\r\n", "x = 1"])).map("".join))
def test_texts_without_a_defining_word_define_nothing(text: str) -> None:
    """The look at the words leaves no definition out, whatever kind of white space is around it."""
    assert symbols_in(text) == tuple(dict.fromkeys(_SYMBOL.findall(text)))[:10]


@given(st.lists(st.sampled_from([*_PIECES, " ", "\n", "name"])).map("".join), st.sampled_from(["name()", "f", " x"]))
def test_a_replacement_touches_what_either_text_defines(old: str, new: str) -> None:
    """The names of an edit are those of its two texts one after the other."""
    assert change(old, new)[3] == symbols_in(f"{old}\n{new}")
