"""Numbers of steps and ranks that are known from elsewhere: FACTS.md §3 (verified in exact arithmetic) and P4 §VI."""

from fractions import Fraction

import numpy as np
import pytest

from mensura.measures.decomposition import AveragePrecision
from mensura.scales.interval import interval_scale
from tests.scales.measures import ERR, dcg, precision, rbp, reciprocal_rank


@pytest.mark.parametrize(
    ("base", "length", "steps"),
    [
        (2, 4, 12),
        (2, 5, 24),
        (2, 10, 768),
        (2, 15, 24_576),
        (2, 20, 786_432),
        (2, 30, 805_306_368),
        (2, 50, 844_424_930_131_968),
        (2, 100, 752_667_543_885_511_207_138_667_528_192),
        (10, 10, 11),
        (10, 15, 352),
        (10, 20, 11_264),
        (10, 30, 11_534_336),
        (10, 50, 12_094_627_905_536),
    ],
)
def test_steps_of_dcg(base: int, length: int, steps: int) -> None:
    assert interval_scale(dcg(base), length).steps == steps


@pytest.mark.parametrize(
    ("length", "steps"),
    [(2, 4), (3, 8), (4, 15), (5, 31), (8, 225), (10, 810), (15, 22_646), (20, 644_203), (22, 2_282_412), (24, 8_482_100)],
)
def test_steps_of_ap(length: int, steps: int) -> None:
    assert interval_scale(AveragePrecision(), length).steps == steps


@pytest.mark.slow
@pytest.mark.parametrize(("length", "steps"), [(28, 118_379_279), (30, 426_591_837)])
def test_steps_of_long_ap(length: int, steps: int) -> None:
    assert interval_scale(AveragePrecision(), length).steps == steps


@pytest.mark.parametrize(("length", "steps"), [(4, 16), (5, 32), (8, 250), (10, 1010), (12, 4026)])
def test_steps_of_err(length: int, steps: int) -> None:
    assert interval_scale(ERR, length).steps == steps


@pytest.mark.parametrize("p", ["0.3", "0.5", "0.8"])
@pytest.mark.parametrize("length", [5, 30, 100])
def test_rbp_has_no_ties(p: str, length: int) -> None:
    assert interval_scale(rbp(p), length).steps == 2**length


@pytest.mark.parametrize("length", [5, 1000])
def test_steps_of_p_and_rr(length: int) -> None:
    assert interval_scale(precision(length), length).steps == length + 1
    assert interval_scale(reciprocal_rank(length), length).steps == length + 1


def test_dcg_at_4() -> None:
    """P4 §VI-A and Figure 4."""
    scale = interval_scale(dcg(), 4)
    runs = ["1111", "1110", "1101", "1011", "0111", "1001", "0011", "0001", "0000"]
    assert scale.rank([[int(grade) for grade in run] for run in runs]).tolist() == [12, 11, 10, 9, 9, 6, 5, 2, 1]
    published = [0, 0.5, 1.131, 1.5, 2.131, 2.5, 2.631, 3.131]
    assert [round(float(scale.inverse(rank)), 3) for rank in (1, 2, 5, 6, 9, 10, 11, 12)] == published


def test_reciprocal_rank_follows_equation_2() -> None:
    """N + 2 − rank with a hit, else 1: one more than the closed form that P4 prints (FACTS.md §3, erratum)."""
    runs = np.eye(5, dtype=np.int8)
    assert interval_scale(reciprocal_rank(5), 5).rank(runs).tolist() == [6, 5, 4, 3, 2]
    assert interval_scale(reciprocal_rank(5), 5).rank(np.zeros(5, dtype=np.int8)) == 1


def test_rbp_half_reads_the_run_as_a_binary_number() -> None:
    run = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
    assert interval_scale(rbp("0.5"), 10).rank(run) == 1 + 0b1011010010
    assert interval_scale(rbp("0.3"), 10).rank(run) == 1 + 0b1011010010
    long = np.zeros(200, dtype=np.int8)
    long[0] = 1
    assert interval_scale(rbp("0.5"), 200).rank(long) == 1 + 2**199


def test_mid_rank_example() -> None:
    """P4 §VI: values 0, .25, .4, .4, .7 have mid-ranks 1, 2, 3.5, 3.5, 5; here the runs 01 and 10 tie."""
    scale = interval_scale(precision(2), 2)
    runs = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert scale.rank(runs, "mid").tolist() == [1, 2.5, 2.5, 4]
    assert scale.rank(runs, "min").tolist() == [1, 2, 2, 4]
    assert scale.rank(runs, "max").tolist() == [1, 3, 3, 4]


def test_recall_shares_its_numerators_scale() -> None:
    """P4 Example 12: 00, 01, 10, 11 go to 1, 2, 2, 3 whatever the recall base; with one relevant document only 1, 2, 2 occur."""
    runs = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert interval_scale(precision(2), 2).rank(runs).tolist() == [1, 2, 2, 3]
    attainable = interval_scale(precision(2), 2, recall_base=1)
    assert attainable.steps == 2
    assert attainable.rank(runs[:3]).tolist() == [1, 2, 2]


def test_equally_spaced_measures() -> None:
    """P4 §IV: only P (and R) and RBP with p = 1/2 are interval scales already."""
    assert interval_scale(precision(12), 12).is_equispaced
    assert interval_scale(rbp("0.5"), 40).is_equispaced
    for measure in (rbp("0.3"), rbp("0.8"), dcg(), dcg(2, 1), AveragePrecision(), ERR, reciprocal_rank(12)):
        assert not interval_scale(measure, 12).is_equispaced


def test_graded_rbp_with_three_grades_is_equally_spaced_for_a_third() -> None:
    """Gains 0, 1/2, 1 and p = 1/3 are the digits of a number in base 3."""
    assert interval_scale(rbp("1/3", (Fraction(0), Fraction(1, 2), Fraction(1))), 9, (0, 1, 2)).is_equispaced
