"""The interval scale as an object: shapes, grades, values, inverse, refusals."""

from fractions import Fraction

import numpy as np
import pytest

from mensura import DCG
from mensura.errors import MeasureError, MensuraError, ScaleError
from mensura.measures.decomposition import Additive, AveragePrecision, Cascade, Counted, Decomposition, LogDiscount, Weights
from mensura.scales.interval import interval_scale
from tests.scales.measures import ERR, GRADED, GRADED_ERR, LINEAR, dcg, fractions, precision, rbp


def test_shape_of_ranks() -> None:
    runs = np.zeros((3, 4, 6), dtype=np.int8)
    ranks = interval_scale(dcg(), 6).rank(runs)
    assert ranks.shape == (3, 4)
    assert ranks.dtype == np.int64
    assert interval_scale(dcg(), 6).bracket(runs).low.shape == (3, 4)


def test_no_runs() -> None:
    nothing = np.zeros((0, 6), dtype=np.int8)
    for measure in (dcg(), AveragePrecision(), rbp("0.5"), precision(6), ERR):
        for ties in ("unq", "mid"):
            assert interval_scale(measure, 6).rank(nothing, ties).shape == (0,)


def test_short_runs_are_padded_and_unjudged_documents_are_not_relevant() -> None:
    scale = interval_scale(dcg(), 6)
    assert scale.rank([1, -1, 1, -2]) == scale.rank([1, 0, 1, 0, 0, 0])


@pytest.mark.parametrize(
    ("run", "message"), [([1, 2], "grade 2 is not one of"), ([0] * 7, "at most 6 ranks"), ([0.5], "whole grades")]
)
def test_strange_runs(run: list[float], message: str) -> None:
    with pytest.raises(ScaleError, match=message):
        interval_scale(dcg(), 6).rank(run)


@pytest.mark.parametrize(("length", "grades"), [(0, (0, 1)), (5, (0,)), (5, (1, 2)), (5, (0, 1, 1)), (5, ())])
def test_strange_scales(length: int, grades: tuple[int, ...]) -> None:
    with pytest.raises(ScaleError, match="a scale needs"):
        interval_scale(dcg(), length, grades)


@pytest.mark.parametrize(
    "measure",
    [
        dcg(2, 0, LINEAR),
        Cascade(fractions(0, "1/2", 1)),
        Additive(Weights(fractions(1, 2)), fractions(0, 1)),
        Additive(LogDiscount(Fraction(1)), fractions(0, 1)),
        Counted("relevant", fractions(0, 1), 5),
        Counted("any", fractions(0, 1), 6),
    ],
)
def test_decompositions_that_do_not_fit(measure: Additive | Cascade | Counted) -> None:
    with pytest.raises(ScaleError):
        interval_scale(measure, 5)


def test_ranks_beyond_64_bits_are_python_integers() -> None:
    ranks = interval_scale(rbp("0.5"), 80).rank(np.ones((2, 80), dtype=np.int8))
    assert ranks.tolist() == [2**80, 2**80]
    assert interval_scale(rbp("0.5"), 80).rank(np.ones(80, dtype=np.int8), "mid").tolist() == 2**80


def test_values_as_floats_find_their_step() -> None:
    for measure in (dcg(), dcg(10), dcg(2, 1), AveragePrecision(), ERR, precision(9)):
        scale = interval_scale(measure, 9)
        assert scale.rank_values(scale.spacing()).tolist() == list(range(1, scale.steps + 1))


def test_values_between_steps_count_those_below() -> None:
    scale = interval_scale(precision(4), 4)
    assert scale.rank_values([0.3, Fraction(1, 4), -1.0, 7, 0.25 + 1e-12]).tolist() == [2, 2, 0, 5, 2]
    dcg_scale = interval_scale(dcg(), 4)
    assert dcg_scale.rank_values([-0.5, 0.49, 0.5, 10**30, Fraction(5, 2)]).tolist() == [0, 1, 2, 12, 10]
    ap = interval_scale(AveragePrecision(), 18)
    assert ap.rank_values([-1, 0, 10**9]).tolist() == [0, 1, ap.steps]
    assert interval_scale(rbp("0.3"), 6).rank_values([-1, 0, Fraction(7, 10), 0.71, 2]).tolist() == [0, 1, 33, 36, 64]


def test_a_double_that_may_be_several_values_is_refused() -> None:
    """The last of 60 ranks adds 0.7 · 0.3^59 to RBP .3, nothing that a double near 0.7 could show."""
    with pytest.raises(ScaleError, match="doubles do not tell apart"):
        interval_scale(rbp("0.3"), 60).rank_values([0.7])
    with pytest.raises(ScaleError, match="no place"):
        interval_scale(rbp("0.8"), 4).rank_values([float("nan")])


def test_inverse_undoes_rank() -> None:
    for measure in (dcg(), rbp("0.8"), AveragePrecision(), ERR):
        scale = interval_scale(measure, 20)
        for rank in (1, 2, 77, scale.steps // 3, scale.steps):
            value = scale.inverse(rank)
            assert not isinstance(value, Fraction) or scale.rank_values(value) == rank
        with pytest.raises(ScaleError, match="no step"):
            scale.inverse(scale.steps + 1)
        with pytest.raises(ScaleError, match="no step"):
            scale.inverse(0)


def test_what_cannot_be_counted_is_refused_with_what_can() -> None:
    scale = interval_scale(AveragePrecision(), 200)
    assert not scale.exact
    assert scale.bracket(np.eye(1, 200, dtype=np.int8), 0.5).of == "runs"
    for ask in (lambda: scale.steps, lambda: scale.rank([1]), lambda: scale.inverse(1), scale.spacing, lambda: scale.is_equispaced):
        with pytest.raises(MensuraError, match=r"lengths up to 36 may be counted.*bracket"):
            ask()
    long = interval_scale(dcg(), 100)
    assert not long.exact
    with pytest.raises(ScaleError, match=r"the number of steps is exact, and \.bracket"):
        long.rank([1])
    with pytest.raises(ScaleError, match="up to length 24 fit"):
        interval_scale(lambda runs: runs.sum(axis=1), 60)
    assert not interval_scale(GRADED_ERR, 30, GRADED).exact
    with pytest.raises(ScaleError, match="too many to list"):
        interval_scale(dcg(), 30).spacing()
    with pytest.raises(ScaleError, match="too many to list"):
        interval_scale(rbp("0.5"), 30).spacing()


def test_recall_base_is_checked() -> None:
    with pytest.raises(ScaleError, match="a number for each"):
        interval_scale(dcg(2, 0, LINEAR), 5, GRADED, recall_base=3)
    with pytest.raises(ScaleError, match="does not fit"):
        interval_scale(dcg(), 5, recall_base={2: 1})
    with pytest.raises(ScaleError, match="does not fit"):
        interval_scale(dcg(), 5, recall_base=-1)
    with pytest.raises(ScaleError, match="more documents"):
        interval_scale(dcg(), 5, recall_base=2).rank([1, 1, 1])


def test_unknown_tie_strategy() -> None:
    with pytest.raises(ScaleError, match="ties must be"):
        interval_scale(precision(3), 3).rank([1], "average")


def test_methods_are_named() -> None:
    measures: list[Decomposition] = [precision(20), rbp("0.5"), rbp("0.8"), dcg(), AveragePrecision(), ERR]
    names = [interval_scale(measure, 20).method for measure in measures]
    assert names == ["closed form", "closed form", "meet in the middle", "meet in the middle", "sweep", "sweep"]
    assert interval_scale(AveragePrecision(), 10).method == "listed"


@pytest.mark.parametrize("factor", [2**100, 2**127 - 1, 10**99, Fraction(1, 10**300)])
def test_the_unit_of_gains_does_not_matter(factor):
    """A common factor of all gains moves no run: ranks, ties, values by rank and ranks by value are those of gains 1 and 3."""
    runs = np.array(list(np.ndindex(3, 3, 3)))
    scales = [interval_scale(DCG(gains={1: f, 2: 3 * f}) @ 3, grades=(0, 1, 2)) for f in (1, factor)]
    assert scales[0].steps == scales[1].steps
    assert scales[0].rank(runs).tolist() == scales[1].rank(runs).tolist()
    assert scales[0].rank(runs, "mid").tolist() == scales[1].rank(runs, "mid").tolist()
    for rank in range(1, scales[0].steps + 1):
        assert float(scales[1].inverse(rank)) == pytest.approx(float(scales[0].inverse(rank)) * float(factor), rel=1e-12)
    assert scales[1].spacing() == pytest.approx(scales[0].spacing() * float(factor), rel=1e-12)
    ones = [Fraction(3), Fraction(4)]
    assert scales[1].rank_values([one * factor for one in ones]).tolist() == scales[0].rank_values(ones).tolist()


def test_the_highest_grade_of_judgments_has_a_scale():
    """2^127 − 1 is a gain like any other: with one grade above 0 the ranks are those of binary runs."""
    runs = np.array(list(np.ndindex(2, 2, 2)))
    exponential = interval_scale("nDCG(dcg='exp-log2')@3", grades=(0, 127))
    assert exponential.rank(runs * 127).tolist() == interval_scale("nDCG@3").rank(runs).tolist()


def test_gains_whose_squares_are_not_numbers_are_refused():
    with pytest.raises(MeasureError, match=r"has a gain above 1e\+100, whose squares are too large"):
        interval_scale("nDCG(gains={1: 1e308})@1")
