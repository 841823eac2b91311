"""Places of relevant documents: as NumPy finds them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mensura._core.hits import count_hits, find_hits


def naive(grades: np.ndarray, rel: int) -> tuple[list[int], list[int], list[int]]:
    """Row, rank and number within the row of each relevant document, one by one."""
    found = [(row, rank + 1) for row, ranks in enumerate(grades.tolist()) for rank, grade in enumerate(ranks) if grade >= rel]
    nth = [sum(other == row for other, _ in found[: at + 1]) for at, (row, _) in enumerate(found)]
    return [row for row, _ in found], [rank for _, rank in found], nth


LISTS = st.integers(1, 20).flatmap(lambda length: arrays(np.int8, st.tuples(st.integers(0, 5), st.just(length))))


@given(LISTS, st.integers(-2, 127))
def test_all_hits(grades, rel):
    expected = naive(grades, rel)
    count = count_hits(grades.reshape(-1), rel)
    places = [np.empty(count, dtype=np.int64) for _ in range(3)]
    find_hits(grades.reshape(-1), grades.shape[1], rel, *places)
    assert tuple(place.tolist() for place in places) == expected


def test_arrays_of_another_length():
    grades = np.ones(4, dtype=np.int8)
    with pytest.raises(ValueError, match="differ"):
        find_hits(grades, 2, 1, np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64), np.empty(4, dtype=np.int64))
    with pytest.raises(ValueError, match="not so many"):
        find_hits(grades, 2, 1, *(np.empty(5, dtype=np.int64) for _ in range(3)))
