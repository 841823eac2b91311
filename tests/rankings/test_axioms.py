"""The table of axioms: what is said to be broken is broken, and nothing else is found to be."""

from __future__ import annotations

import pytest

from mensura.rankings import AXIOMS, find_counterexamples
from mensura.rankings.axioms import NAMES, strict_rankings
from tests.rankings.every import weak_rankings


def broken(distance, rankings):
    found = find_counterexamples(distance, rankings)
    assert tuple(found) == NAMES
    return {name for name, example in found.items() if example is not None}


@pytest.mark.parametrize("axioms", AXIOMS, ids=lambda axioms: axioms.name)
def test_axioms(axioms):
    assert broken(axioms.distance, strict_rankings("abcd")) == axioms.broken
    assert broken(axioms.distance, weak_rankings("abc")) == axioms.broken_by_ties
    assert axioms.proof


def test_the_counterexample_of_the_area():
    area = next(axioms for axioms in AXIOMS if axioms.name == "area")
    found = find_counterexamples(area.distance, strict_rankings("abc"))
    assert [list(ranking.items) for ranking in found["triangle"]] == [["a", "b", "c"], ["a", "c", "b"], ["c", "a", "b"]]


def test_all_rankings_are_there():
    assert [len(weak_rankings("abcde"[:size])) for size in range(1, 6)] == [1, 3, 13, 75, 541]
