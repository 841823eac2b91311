"""Comparisons, matrices and axioms as plain data and back."""

from __future__ import annotations

import json

import numpy as np
import pytest

from mensura.errors import RankingError
from mensura.rankings import AXIOMS, RBO, Axioms, RankingComparison, compare, matrix
from mensura.rankings.matrices import Matrix


@pytest.mark.parametrize("h", [1, "1/i", 0.8, np.array([3.0, 2.0, 1.0, 1.0, 0.5])])
def test_a_comparison(h):
    comparison = compare(["a", {"c", "b"}, "d"], {"b": 3, "a": 2, "e": 2}, h=h, k=2, penalty=0.25)
    again = RankingComparison.from_json(comparison.to_json())
    assert again.to_dict() == comparison.to_dict()
    assert again.numbers() == comparison.numbers()
    assert [row["measure"] for row in again.rows()] == list(comparison.numbers())
    assert RBO.from_dict(comparison.rbo.to_dict()) == comparison.rbo


def test_a_matrix():
    table = matrix({"x": ["a", "b", "c"], "y": ["b", "a"], "z": [{"a", "b"}, "c"]})
    again = Matrix.from_dict(json.loads(table.to_json()))
    assert again.names == table.names
    assert all(np.array_equal(again[name], table[name], equal_nan=True) for name in table.measures)
    rows = list(table.rows())
    assert len(rows) == 9
    assert rows[1]["area"] == table["area"][0, 1]


def test_axioms_are_those_of_their_measure():
    for each in AXIOMS:
        assert Axioms.from_json(each.to_json()) is each
    with pytest.raises(RankingError, match="saved Axioms"):
        Axioms.from_dict({"result": "Axioms", "version": 1, "name": "x"})
    with pytest.raises(RankingError, match="saved RankingComparison"):
        RankingComparison.from_dict({"result": "Matrix"})
