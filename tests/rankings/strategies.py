"""Rankings of all kinds for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

ITEMS = [f"d{number}" for number in range(12)]


@st.composite
def orders(draw, least=2, most=10):
    """Two rankings of the same items, without ties."""
    size = draw(st.integers(least, most))
    return draw(st.permutations(ITEMS[:size])), draw(st.permutations(ITEMS[:size]))


@st.composite
def rankings(draw, items=None, ties=True):
    """A ranking of some items, perhaps with ties."""
    chosen = draw(st.lists(st.sampled_from(ITEMS), min_size=1, unique=True)) if items is None else draw(st.permutations(items))
    if not ties:
        return chosen
    made = []
    for item in chosen:
        if made and draw(st.booleans()):
            made[-1].add(item)
        else:
            made.append({item})
    return made
