"""Many rankings at once: the same numbers as one pair at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import RankingError, evaluate
from mensura.rankings import compare, leaderboard, matrix, over_topics, run_rankings
from tests.rankings.strategies import rankings


def check(made, given_, h=1, p=0.9):
    for i, first in enumerate(given_):
        for j, second in enumerate(given_):
            found = compare(first, second, h=h, p=p)
            numbers = found.numbers() | {"shared": found.pair.shared}
            for measure in made.measures:
                assert made[measure][i, j] == pytest.approx(numbers[measure], abs=1e-10, nan_ok=True), (measure, first, second)


@settings(max_examples=40, deadline=None)
@given(st.lists(rankings(), min_size=1, max_size=4), st.sampled_from([1, "1/i", 0.7]), st.sampled_from([0.5, 0.9]))
def test_any_rankings(given_, h, p):
    check(matrix(given_, h=h, p=p, threads=2), given_, h, p)


def test_names_and_threads():
    made = matrix({"x": ["a", "b"], "y": ["b", "a"]}, threads=1)
    assert made.names == ("x", "y")
    assert made["a_corr"].tolist() == [[1, 0], [0, 1]]
    assert "2 rankings" in repr(made)
    with pytest.raises(RankingError, match="unknown measure 'x'"):
        made["x"]
    many = [np.random.default_rng(seed).permutation(30) for seed in range(40)]
    assert matrix(many, threads=1)["kendall"].tolist() == matrix(many, threads=3)["kendall"].tolist()


@pytest.mark.parametrize(
    ("options", "says"),
    [({"h": lambda ranks: -ranks}, "negative"), ({"p": 1.5}, "between 0 and 1")],
)
def test_what_makes_no_sense(options, says):
    with pytest.raises(RankingError, match=says):
        matrix([["a", "b"]], **options)


def test_nothing_to_compare():
    with pytest.raises(RankingError, match="at least 1 ranking, got 0"):
        matrix([])
    with pytest.raises(RankingError, match="no topic that all"):
        over_topics({"x": {"1": ["a"]}, "y": {"2": ["a"]}})
    assert math.isnan(matrix([["a"]])["spearman"][0, 0])


def test_means_over_topics():
    runs = {"x": {"1": ["a", "b"], "2": ["a", "b"], "3": ["z"]}, "y": {"1": ["a", "b"], "2": ["b", "a"]}}
    told = []
    made = over_topics(runs, progress=lambda done, total: told.append((done, total)))
    assert made["tau_b"].tolist() == [[1, 0], [0, 1]]
    assert told == [(1, 2), (2, 2)]


def test_runs_of_trec_8(data):
    """Two topics of four systems, documents and ties as they are."""
    paths = sorted((data / "trec8" / "runs").glob("*.gz"))[:4]
    runs = {path.name: run_rankings(path, depth=30, topics=["401", "402"]) for path in paths}
    made = over_topics(runs)
    for i, first in enumerate(runs.values()):
        for j, second in enumerate(runs.values()):
            found = [compare(first[topic], second[topic]).numbers() for topic in ("401", "402")]
            for measure in ("area", "a_corr", "tau_b", "tau_ap", "rbo", "kendall"):
                assert made[measure][i, j] == pytest.approx(sum(each[measure] for each in found) / 2, abs=1e-9)


def test_leaderboards():
    runs = {"good": {"q": {"a": 2.0, "b": 1.0}}, "bad": {"q": {"b": 2.0, "a": 1.0}}, "same": {"q": {"b": 9.0, "a": 3.0}}}
    found = evaluate({"q": {"a": 1}}, runs, ["RR", "MFR", "P@2"])
    boards = [leaderboard(scores) for scores in found]
    assert list(map(repr, boards[:2])) == ["Ranking('good', {'bad', 'same'})"] * 2
    assert boards[2].last.tolist() == [2, 2, 2]


def test_runs_that_are_not_there():
    with pytest.raises(RankingError, match="has no topic '9'; its first topics are q"):
        run_rankings({"q": {"a": 1.0}}, topics=["9"])
    with pytest.raises(RankingError, match="at least 1"):
        run_rankings({"q": {"a": 1.0}}, depth=0)
    with pytest.raises(RankingError, match="'kept' or 'broken'"):
        run_rankings({"q": {"a": 1.0}}, ties="x")
