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
    assert scale.method == "enumeration, to rounding"
    assert (scale.exact, scale.counted) == (False, True)
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


def test_a_function_that_rounds_ties_to_rounding() -> None:
    """P4's noise: sums of doubles in two orders; what differs by rounding alone is one value."""
    weights = [1.0, 1.0, 1 / np.log2(3), 0.5]
    scale = interval_scale(lambda runs: runs @ np.array(weights), 4)
    assert scale.steps == interval_scale(dcg(), 4).steps


def test_doubles_that_differ_by_rounding_are_one_value() -> None:
    """0.1 · 3 and 0.1 + 0.1 + 0.1 differ by 2^-54; AP@10 in doubles has 857 to 866 values instead of 810 (P4's own noise)."""

    def noisy(runs: NDArray[np.int8]) -> NDArray[np.float64]:
        sums = np.zeros(len(runs))
        for rank in range(10):  # one addition after the other, as a loop does
            sums += runs[:, rank] * runs[:, : rank + 1].sum(axis=1) / (rank + 1)
        return sums

    scale = interval_scale(noisy, 10)
    assert scale.steps == 810
    assert scale.exact is False
    runs = np.random.default_rng(3).integers(0, 2, (60, 10))
    assert (scale.rank(runs) == interval_scale("AP@10").rank(runs)).all()
    assert (scale.rank(runs, "min") == interval_scale("AP@10").rank(runs, "min")).all()


def test_progress_and_budget() -> None:
    told: list[float] = []
    assert interval_scale(relevant, 17, progress=told.append).steps == 18
    assert told == sorted(told)
    assert told[-1] == 1
    with pytest.raises(ScaleError, match=r"4\^13 runs.*up to length 12 fit"):
        interval_scale(relevant, 13, (0, 1, 2, 3))
