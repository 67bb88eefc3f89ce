"""The compact set of identities holds exactly what a set would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metrics.idtable import TAG_MASK, IdTable

SIXTY_FOUR = st.integers(0, 2**64 - 1)


@given(st.lists(st.tuples(SIXTY_FOUR, SIXTY_FOUR), max_size=400))
def test_it_tells_new_known_and_conflicting_apart(pairs: list[tuple[int, int]]) -> None:
    """A new identity is new once; after that its first content's tag is what others are held against."""
    table, model = IdTable(), {}
    for identity, content in pairs:
        high, tag = (identity >> 16) or 1, content & TAG_MASK
        got = table.add(identity, content)
        if high not in model:
            assert got == -1
            model[high] = tag
        else:
            assert got == (0 if model[high] == tag else 1 + model[high])
    assert table.count == len(model)


def test_growing_loses_nothing() -> None:
    """Ten thousand identities are all still there, in at most 20 bytes each."""
    table = IdTable()
    for number in range(10_000):
        assert table.add(number * 0x9E3779B97F4A7C15 % 2**64, number) == -1
    for number in range(10_000):
        assert table.add(number * 0x9E3779B97F4A7C15 % 2**64, number) == 0
    assert len(table._slots) * 8 <= 20 * 10_000
