"""Where scales change: P4 §IV-C (Examples 11 and 12) and §IV-D."""

from fractions import Fraction

import numpy as np
import pytest

from mensura.errors import ScaleError
from mensura.measures import R
from mensura.scales.interval import interval_scale
from mensura.scales.order.verdicts import Proven, Refuted
from mensura.scales.universes import Triple, f1, fixed, interval_on, mixed, precision, recall, same_order

MEASURES = {"P": precision, "R": recall, "F1": f1}
SIZES = range(1, 6)


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_on_one_length_and_one_recall_base_all_are_interval_scales(measure):
    """P4 §IV-D: on S_{n,RB} they are interval scales and affine transformations of each other."""
    for length in SIZES:
        for base in SIZES:
            universe = fixed(length, base)
            assert isinstance(interval_on(measure, universe), Proven)
            assert isinstance(same_order(measure, precision, universe), Proven)


@pytest.mark.parametrize(
    ("measure", "holds"),
    [
        (precision, lambda n, k: n <= 2),  # P4 §IV-D1
        (recall, lambda n, k: k <= 2),  # §IV-D2
        (f1, lambda n, k: n == k == 1),  # §IV-D3
    ],
    ids=MEASURES,
)
def test_on_mixed_lengths_and_recall_bases_they_are_not(measure, holds):
    for n in SIZES:
        for k in SIZES:
            answer = interval_on(measure, mixed(n, k))
            assert isinstance(answer, Proven if holds(n, k) else Refuted), (n, k)
            if isinstance(answer, Refuted):
                low, middle, high = answer.counterexample.values
                assert middle - low != high - middle
                assert [measure(run) for run in answer.counterexample.runs] == [low, middle, high]


def test_p4_values_on_small_universes():
    """P4 §IV-D: images of precision on S[3, 1] and S[3, 2], of F1 on S[2, 1], S[1, 2] and S[2, 2]."""

    def image(measure, universe):
        return sorted({measure(run) for run in universe.runs()})

    third, half = Fraction(1, 3), Fraction(1, 2)
    assert image(precision, mixed(3, 1)) == [0, third, half, 1]
    assert image(precision, mixed(3, 2)) == [0, third, half, 2 * third, 1]
    assert image(f1, mixed(2, 1)) == image(f1, mixed(1, 2)) == [0, 2 * third, 1]
    assert image(f1, mixed(2, 2)) == [0, half, 2 * third, 1]
    assert len(list(mixed(2, 2).runs())) == 9


def test_p4_the_three_smallest_values():
    """P4 §IV-D1 and §IV-D3: 0, 1/N, 1/(N−1), and 0, 2/(N+K), 2/(N+K−1)."""
    for n in range(3, 9):
        assert interval_on(precision, mixed(n, 3)).counterexample.values == (0, Fraction(1, n), Fraction(1, n - 1))
        assert interval_on(f1, mixed(n, 3)).counterexample.values == (0, Fraction(2, n + 3), Fraction(2, n + 2))


def test_p4_three_orders_on_s22():
    """P4 §IV-D: [1, 2, 1] and [1, 1, 2] are ordered differently by precision, recall and F1."""
    one, other = Triple(1, 2, 1), Triple(1, 1, 2)
    assert (precision(one), precision(other)) == (Fraction(1, 2), 1)
    assert (recall(one), recall(other)) == (1, Fraction(1, 2))
    assert f1(one) == f1(other) == Fraction(2, 3)
    for first in MEASURES.values():
        for second in MEASURES.values():
            assert isinstance(same_order(first, second, mixed(2, 2)), Proven if first is second else Refuted)
    shown = same_order(precision, recall, mixed(2, 2)).counterexample
    assert set(shown.runs) == {one, other}
    assert str(shown) == "[1, 2, 1] and [1, 1, 2]: 1/2 and 1 by the first measure, 1 and 1/2 by the second"


def test_example_11_recall_on_three_topics():
    """P4, Example 11: the union {0, 1/3, 1/2, 2/3, 1} is not equidistant; with sixths it would be."""
    scales = [sorted({recall(Triple(r, 3, base)) for r in range(base + 1)}) for base in (1, 2, 3)]
    assert scales == [[0, 1], [0, Fraction(1, 2), 1], [0, Fraction(1, 3), Fraction(2, 3), 1]]
    union = sorted(set().union(*scales))
    assert union == [0, Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), 1]
    assert isinstance(interval_on(recall, mixed(3, 3)), Refuted)
    assert interval_on(recall, mixed(3, 3)).counterexample.values == (0, Fraction(1, 3), Fraction(1, 2))
    sixths = [Fraction(n, 6) for n in range(7)]
    assert set(union) < set(sixths)


def test_example_12_surrogating_recall():
    """P4, Example 12: runs [0 0], [0 1], [1 0], [1 1] are mapped to {1, 2, 2, 3} for both recall bases, 2 and 3."""
    runs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    values = {base: [recall(Triple(sum(run), 2, base)) for run in runs.tolist()] for base in (2, 3)}
    assert values == {2: [0, Fraction(1, 2), Fraction(1, 2), 1], 3: [0, Fraction(1, 3), Fraction(1, 3), Fraction(2, 3)]}
    assert interval_scale(R().decompose(2, (0, 1)), 2).rank(runs).tolist() == [1, 2, 2, 3]


def test_universes_are_not_empty():
    with pytest.raises(ScaleError, match=r"S\[0, 3\]: lengths and recall bases are at least 1"):
        mixed(0, 3)
    assert str(fixed(4, 2)) == "S_{4,2}"
