"""The best monotone map against all of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.adm.isotonic import fit, steps

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
    (where,) = steps(x.astype(float), level, weight, 4)
    made = np.sum(np.arange(len(x))[:, None] >= where, axis=1)
    assert made.tolist() == sorted(made.tolist())
    assert all(made[i] == made[j] for i, j in itertools.combinations(range(len(x)), 2) if x[i] == x[j])
    assert cost(made, level, weight) == pytest.approx(min(cost(each, level, weight) for each in all_monotone(x)), abs=1e-12)


@given(documents=documents, folds=st.lists(st.integers(0, 2), min_size=7, max_size=7))
def test_all_folds_at_once(documents, folds):
    x, level, weight = (np.array(column) for column in zip(*sorted(documents), strict=True))
    fold = np.array(folds[: len(x)])
    together = steps(x.astype(float), level, weight, 4, fold=fold, folds=3)
    alone = [steps(x.astype(float), level, np.where(fold != left_out, weight, 0.0), 4)[0].tolist() for left_out in range(4)]
    assert together.tolist() == alone


@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 4).map(float) | st.floats(allow_nan=False, allow_infinity=False),
            st.integers(0, 3),
            st.sampled_from([0.0, 1.0]),
        ),
        min_size=6,
        max_size=6,
    )
)
def test_documents_get_the_level_of_the_other_folds(rows):
    """Two ranks of three topics; a document without weight has level 0."""
    x, level, weight = (np.array(column).reshape(3, 2) for column in zip(*rows, strict=True))
    fold = np.arange(3)
    fitted = fit(x.astype(float), level.astype(np.int8), weight, fold, 4)
    order = np.argsort(x.reshape(-1), kind="stable")
    order = order[weight.reshape(-1)[order] > 0]
    own = fold[order // 2]
    where = steps(x.reshape(-1)[order].astype(float), level.reshape(-1)[order], weight.reshape(-1)[order], 4, fold=own, folds=3)
    expected = np.zeros((2, 6), dtype=np.int64)
    for place, at in enumerate(order.tolist()):
        expected[0, at] = sum(place >= step for step in where[own[place]])
        expected[1, at] = sum(place >= step for step in where[3])
    assert fitted.reshape(2, 6).tolist() == expected.tolist()
