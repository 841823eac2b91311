"""A user's own function, enumerated."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.scales.interval import interval_scale
from tests.scales.measures import dcg, precision


def relevant(runs: NDArray[np.int8]) -> NDArray[np.float64]:
    return np.asarray((runs > 0).mean(axis=1))


def first_and_last(runs: NDArray[np.int8]) -> list[Fraction]:
    return [Fraction(int(run[0]), 3) + Fraction(int(run[-1]), 7) for run in runs]


def test_a_function_of_floats() -> None:
    scale = interval_scale(relevant, 8)
    assert scale.method == "enumeration"
    assert scale.steps == 9
    runs = np.random.default_rng(1).integers(0, 2, (50, 8))
    assert (scale.rank(runs) == interval_scale(precision(8), 8).rank(runs)).all()
    assert (scale.rank(runs, "mid") == interval_scale(precision(8), 8).rank(runs, "mid")).all()
    assert scale.is_equispaced
    assert scale.inverse(2) == 0.125
    assert scale.rank_values([0.125, 0.2, Fraction(1, 4)]).tolist() == [2, 2, 3]
    assert (scale.spacing() == np.arange(9) / 8).all()


def test_a_function_of_fractions_over_grades() -> None:
    scale = interval_scale(first_and_last, 4, (0, 1, 3))
    assert scale.steps == 9
    assert scale.inverse(9) == Fraction(10, 7)
    assert scale.rank([3, 0, 0, 1]) == 8
    assert not scale.is_equispaced


def test_attainable_runs_only() -> None:
    assert interval_scale(relevant, 8, recall_base=3).steps == 4
    assert interval_scale(first_and_last, 4, (0, 1, 3), recall_base={1: 4, 3: 1}).steps == 8


def test_a_function_that_rounds_ties_as_it_rounds() -> None:
    """P4's noise: sums of doubles in two orders; whoever enumerates floats gets their ties."""
    weights = [1.0, 1.0, 1 / np.log2(3), 0.5]
    scale = interval_scale(lambda runs: runs @ np.array(weights), 4)
    assert scale.steps == interval_scale(dcg(), 4).steps


def test_progress_and_budget() -> None:
    told: list[float] = []
    assert interval_scale(relevant, 17, progress=told.append).steps == 18
    assert told == sorted(told)
    assert told[-1] == 1
    with pytest.raises(ScaleError, match=r"4\^13 runs.*up to length 12 fit"):
        interval_scale(relevant, 13, (0, 1, 2, 3))
