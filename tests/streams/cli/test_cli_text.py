"""Text for people is short, on one line, and cannot steer their terminal."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from streams.cli._text import cited, clean, figure, quantity, short


@given(st.text())
def test_cleaned_text_is_one_line_with_nothing_that_a_terminal_obeys(text: str) -> None:
    """Control, format and surrogate characters are all made visible, and the text can be encoded."""
    cleaned = clean(text)
    assert not [one for one in cleaned if unicodedata.category(one) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    cleaned.encode()


def test_an_escape_sequence_is_shown_and_not_obeyed() -> None:
    """A contestant that prints colour codes gets them printed as text."""
    assert clean("a\x1b[31mred\nb") == r"a\x1b[31mred b"


def test_ordinary_words_of_any_language_stay_as_they_are() -> None:
    """Letters with accents and of other scripts are text."""
    assert clean("größer 測試 ✓") == "größer 測試 ✓"


def test_a_figure_has_no_needless_zeros_and_none_is_a_dash() -> None:
    """47.0 is 47; a missing figure is never 0."""
    assert [figure(47.0), figure(0.10170), figure(0.0), figure(None)] == ["47", "0.102", "0", "–"]


def test_a_value_has_its_unit_except_where_it_has_none() -> None:
    """Seconds are said, a ratio is a bare number."""
    assert [quantity(47.0, "s"), quantity(1.5, "ratio"), quantity(None, "s")] == ["47 s", "1.5", "–"]
    assert quantity(0.25, "1/min") == "0.25/min"


def test_a_long_id_keeps_its_end() -> None:
    """Ids of one producer begin alike, so the end tells them apart."""
    first, second = short("toolu_01ABCDEFGHIJKLMNOPQRSTU1"), short("toolu_01ABCDEFGHIJKLMNOPQRSTU2")
    assert first != second
    assert len(first) == 18


def test_what_is_cited_is_counted_in_full() -> None:
    """The count is of all events, also where only some ids are carried."""
    assert cited(("a", "b", "c"), 70) == "70: a, b …"
    assert cited(("a",)) == "1: a"
    assert cited(()) == ""
