"""The kernels of rank statistics and weighted sums, by themselves: edges of their arrays, and stretches of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mensura._core.paired import rank_sums, signed_ranks, weighted_sums


def ranked(difference, exact=0, start=0, stop=None):
    size, sign = np.abs(difference).astype(float), np.sign(difference).astype(np.int8)
    pairs = len(difference)
    made = np.full(pairs, np.nan), np.full(pairs, -1, dtype=np.int64), np.full(pairs, np.nan), np.full(pairs, np.nan)
    signed_ranks(size, np.zeros_like(size), sign, exact, start, pairs if stop is None else stop, *made)
    return made


@pytest.mark.parametrize("topics", [1, 2, 3, 15, 16, 17, 64, 200])
def test_signed_ranks(topics):
    difference = np.random.default_rng(topics).integers(-9, 10, (7, topics))
    positive, counted, ties, chance = ranked(difference)
    for pair, row in enumerate(difference):
        row = row[row != 0]
        ranks = stats.rankdata(np.abs(row))
        _, groups = np.unique(np.abs(row), return_counts=True)
        assert positive[pair] == ranks[row > 0].sum()
        assert counted[pair] == len(row)
        assert ties[pair] == (groups**3 - groups).sum()
    assert np.isnan(chance[counted > 0]).all()


def test_a_stretch_of_pairs_leaves_the_others_alone():
    positive, counted, _, _ = ranked(np.ones((5, 3), dtype=int), start=1, stop=3)
    assert counted.tolist() == [-1, 3, 3, -1, -1]
    assert positive[1:3].tolist() == [6, 6]
    assert ranked(np.zeros((2, 4), dtype=int), exact=4)[3].tolist() == [1.0, 1.0]


def test_rounding_joins_neighbours():
    size, slack, sign = np.array([[1.0, 1.1, 1.2, 2.0]]), np.full((1, 4), 0.06), np.ones((1, 4), dtype=np.int8)
    positive, counted, ties, chance = np.empty(1), np.empty(1, dtype=np.int64), np.empty(1), np.empty(1)
    signed_ranks(size, slack, sign, 0, 0, 1, positive, counted, ties, chance)
    assert ties.tolist() == [24.0]  # three are tied: 3³ − 3


@pytest.mark.parametrize("topics", [1, 2, 9, 10, 33])
def test_rank_sums(topics):
    values = np.sort(np.random.default_rng(topics).integers(0, 6, (4, topics)), axis=1)
    first, second = (index.astype(np.int64) for index in np.triu_indices(4, 1))
    above, ties, chance = np.empty(6), np.empty(6), np.empty(6)
    rank_sums(values, first, second, 19, 0, 6, above, ties, chance)
    for pair, (a, b) in enumerate(zip(values[first], values[second], strict=True)):
        assert above[pair] == stats.mannwhitneyu(a, b, method="asymptotic").statistic
        _, groups = np.unique(np.concatenate((a, b)), return_counts=True)
        assert ties[pair] == (groups**3 - groups).sum()
    assert np.isnan(chance).all() == (topics > 9)
    assert topics > 9 or ((chance > 0) & (chance <= 1)).all()


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 7), (2, 4, 300), (2, 3, 0)])
def test_weighted_sums(shape):
    rows, topics, draws = shape
    rng = np.random.default_rng(1)
    values, weights = rng.integers(-5, 6, (rows, topics)).astype(float), rng.integers(0, 4, (topics, draws)).astype(float)
    sums = np.full((rows, draws), np.nan)
    weighted_sums(values, weights, 0, rows, sums)
    assert sums.tolist() == (values @ weights).tolist()
