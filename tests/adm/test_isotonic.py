"""The best monotone map against all of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.adm.isotonic import apply_steps, steps

URS = np.array([0.125, 0.375, 0.625, 0.875])
documents = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.sampled_from([0.0, 0.25, 1.0, 3.0])), min_size=1, max_size=7
)


def cost(made, level, weight):
    return math.fsum(w * abs(URS[a] - URS[b]) for a, b, w in zip(made, level, weight, strict=True))


def all_monotone(x):
    """All maps from different numbers to levels that never fall."""
    different = sorted(set(x))
    for chosen in itertools.combinations_with_replacement(range(4), len(different)):
        yield [chosen[different.index(each)] for each in x]


@settings(deadline=None)
@given(documents=documents)
def test_no_monotone_map_is_better(documents):
    """Values between the levels need not be tried: the cost is linear between them."""
    x, level, weight = (np.array(column) for column in zip(*sorted(documents), strict=True))
    made = apply_steps(steps(x.astype(float), level, weight, 4), np.arange(len(x)))
    assert made.tolist() == sorted(made.tolist())
    assert all(made[i] == made[j] for i, j in itertools.combinations(range(len(x)), 2) if x[i] == x[j])
    assert cost(made, level, weight) == pytest.approx(min(cost(each, level, weight) for each in all_monotone(x)), abs=1e-12)


@given(documents=documents, other=st.lists(st.sampled_from([0.0, 1.0, 2.0]), min_size=7, max_size=7))
def test_several_sets_of_weights_at_once(documents, other):
    x, level, weight = (np.array(column) for column in zip(*sorted(documents), strict=True))
    both = np.vstack([weight, other[: len(x)]])
    together = steps(x.astype(float), level, both, 4)
    assert together.tolist() == [steps(x.astype(float), level, row, 4).tolist() for row in both]
