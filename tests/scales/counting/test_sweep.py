"""The compiled loops on lists drawn at random, against np.unique and plain counting."""

import numpy as np
import pytest

from mensura._core.distinct import merge, sweep
from mensura._core.pairs import count_pairs, make_grid
from mensura.scales.counting.streams import Streams


def drawn(seed: int, spread: int) -> Streams:
    """Three sorted lists with a few offsets each."""
    rng = np.random.default_rng(seed)
    lists = [np.unique(rng.integers(-spread, spread, size)) for size in (1, 700, 4000)]
    ends = np.cumsum([len(values) for values in lists])
    first = np.repeat(ends - [len(values) for values in lists], 5)
    return Streams(np.concatenate(lists), first, np.repeat(ends, 5), rng.integers(-spread, spread, 15))


@pytest.mark.parametrize(
    ("spread", "pairs"),
    [(50, 0), (50, 2**50), (10**5, 0), (10**5, 23_505), (10**10, 0), (10**10, 2**30), (10**17, 0), (10**17, 2**20)],
)
def test_distinct_sums_of_near_and_far_values(spread: int, pairs: int) -> None:
    """Whatever guess of their density decides between keys of 32 and 64 bits, the sums are the same."""
    s = drawn(7, spread)
    everything = [s.values[a:b] + offset for a, b, offset in zip(s.first, s.last, s.offset, strict=True)]
    expected = np.unique(np.concatenate(everything))
    queries = np.unique(np.random.default_rng(1).choice(expected, 50))
    ranks = np.zeros(len(queries), dtype=np.int64)
    segments, total = sweep(s.values, s.first, s.last, s.offset, s.least, s.greatest + 1, queries, ranks, pairs)
    assert total == len(expected)
    assert (ranks == np.searchsorted(expected, queries) + 1).all()
    starts = segments[:, 0].tolist()
    assert segments[:, 1].tolist() == np.diff([*np.searchsorted(expected, starts), len(expected)]).tolist()
    assert (s.between(s.least, s.greatest + 1) == expected).all()


def test_merge() -> None:
    left, right = np.array([1, 4, 9]), np.array([0, 3, 8, 20])
    room = np.empty(7, dtype=np.int64)
    assert room[: merge(left, right, 1, room)].tolist() == [1, 4, 9, 21]
    assert room[: merge(left, right, 0, room)].tolist() == [0, 1, 3, 4, 8, 9, 20]


@pytest.mark.parametrize("spread", [3, 10**6, 10**17])
def test_pairs_up_to(spread: int) -> None:
    rng = np.random.default_rng(3)
    values, offsets = np.sort(rng.integers(-spread, spread, 500)), rng.integers(-spread, spread, 40)
    weights, times = rng.integers(1, 9, 500), rng.integers(1, 9, 40)
    queries = np.sort(rng.integers(-3 * spread, 3 * spread, 60))
    counts = np.zeros(60, dtype=np.int64)
    grid, shift = make_grid(values)
    count_pairs(values, np.concatenate([[0], np.cumsum(weights)]), grid, shift, offsets, times, queries, counts)
    sums, both = np.add.outer(values, offsets), np.multiply.outer(weights, times)
    assert counts.tolist() == [int(both[sums <= query].sum()) for query in queries]
