"""Decimals of means against hand computation, brute force, and the expansion of Student's quantile as printed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import stats

from mensura import JudgedRuns, parse_measure, score
from mensura.errors import StatisticsError
from mensura.measures.base import Measure
from mensura.stats import digits

X = 1.959963984540054  # the normal quantile of .975


def runs(systems: int, topics: int, ranks: int, highest: int = 1, seed: int = 1) -> JudgedRuns:
    """Random judged runs whose names are not in the order of the rows."""
    rng = np.random.default_rng(seed)
    grades = rng.integers(-1, highest + 1, (systems, topics, ranks)).astype(np.int8)
    judged = JudgedRuns.from_grades(grades, [[30] * (highest + 1)] * topics)
    return replace(judged, systems=tuple(f"s{(7 * at) % systems:02}" for at in range(systems)))


@pytest.mark.parametrize(
    ("change", "decimals"),
    [(0.1, 1), (0.11, 1), (0.09, 2), (0.001, 3), (1 / 500, 3), (1.0, 0), (20.0, 0), (math.inf, 0), (1e-9, 6)],
)
def test_decimals_of_a_change(change, decimals):
    assert digits.decimals_for_change(change) == decimals


@pytest.mark.parametrize("change", [0.0, -1.0, math.nan])
def test_a_change_is_positive(change):
    with pytest.raises(StatisticsError, match="expected a positive change"):
        digits.decimals_for_change(change)


@pytest.mark.parametrize(
    ("half_width", "decimals"),
    [
        (0.04, 2),
        (0.02, 3),
        (0.0354, 3),
        (0.0356, 2),
        (0.1, 2),
        (0.9, 1),
        (2.0, 1),
        (3.55, 0),
        (5.0, 0),
        (20.0, 0),
        (1e-9, 6),
        (0.0, 6),
    ],
)
def test_decimals_of_an_interval(half_width, decimals):
    """Two digits of a half-width that begins with less than 3.55, else one (Particle Data Group)."""
    assert digits.decimals_for_interval(half_width) == decimals


@pytest.mark.parametrize("number", [2, 3, 7, 50])
def test_half_widths_have_students_quantile(number):
    """Abramowitz and Stegun 26.7.5, in nested form; and SciPy's quantile, as near as the terms after the fourth allow."""
    values = np.random.default_rng(number).random((4, number + 2))
    counted = np.arange(number + 2) < number
    v, square = number - 1, X**2
    terms = (
        X,
        X * (square + 1) / 4,
        X * ((5 * square + 16) * square + 3) / 96,
        X * (((3 * square + 19) * square + 17) * square - 15),
    )
    quantile = terms[0] + terms[1] / v + terms[2] / v**2 + terms[3] / 384 / v**3
    error = values[:, :number].std(axis=1, ddof=1) / math.sqrt(number)
    half = digits.half_widths(values, np.broadcast_to(counted, values.shape))
    assert half == pytest.approx(quantile * error, rel=1e-12)
    assert half == pytest.approx(stats.t.ppf(0.975, v) * error, rel=2 / v**4)


def test_median_half_width():
    values = np.array([[0.0, 1.0], [0.0, 2.0], [0.0, 4.0], [0.0, 9.0]])
    whole, none = np.ones((4, 2), dtype=np.bool_), np.zeros((4, 2), dtype=np.bool_)
    one = digits.half_widths(values, whole)
    assert digits.middle_half_width(values, whole) == pytest.approx((one[1] + one[2]) / 2, rel=1e-15)
    assert digits.middle_half_width(values[:3], whole[:3]) == one[1]
    five = np.array([[0.0, width] for width in (1.0, 9.0, 4.0, 2.0, 30.0)])
    assert digits.middle_half_width(five, np.ones((5, 2), dtype=np.bool_)) == one[2]
    some = whole.copy()
    some[3, 0] = False  # a system with one value has no interval
    assert np.isnan(digits.half_widths(values, some)[3])
    assert digits.middle_half_width(values, some) == one[1]
    assert digits.middle_half_width(values, none) == 0.0


def largest_change(measure: Measure, judged: JudgedRuns) -> float:
    """Change of a mean by one document of the first ten ranks of the first eight systems by name, tried one after the other."""
    chosen = judged.only(sorted(judged.systems)[:8])
    before = measure.mean(measure.score(chosen))
    rel = getattr(measure, "rel", 1)
    largest = 0.0
    for topic in range(judged.shape[1]):
        for rank in range(min(10, measure.depth or 10, judged.length)):
            grades = chosen.grades.copy()
            column = grades[:, topic, rank]
            grades[:, topic, rank] = np.where(column >= rel, 0, rel)
            largest = max(largest, np.abs(measure.mean(measure.score(chosen.regraded(grades))) - before).max())
    return largest


@pytest.mark.parametrize("name", ["P@10", "AP", "AP(rel=2)@5", "RR@4", "nDCG", "GM(AP)", "ERR@3", "MFR@3", "RBP(p=0.8, rel=2)"])
@pytest.mark.parametrize("size", [(3, 4, 12), (12, 3, 12), (2, 5, 3)])
def test_one_document(name, size, monkeypatch):
    systems, topics, ranks = size
    measure, judged = parse_measure(name), runs(systems, topics, ranks, highest=2)
    expected = largest_change(measure, judged)
    assert digits.one_document(measure, judged) == pytest.approx(expected, rel=1e-9)
    monkeypatch.setattr(digits, "LARGEST", 1)  # one rank at a time
    assert digits.one_document(measure, judged) == pytest.approx(expected, rel=1e-9)


def test_one_document_fewer():
    judged = JudgedRuns.from_grades(np.ones((2, 2, 3), dtype=np.int8), [[9, 9]] * 2)
    assert digits.one_document(parse_measure("P@3"), judged) == pytest.approx(1 / 6)


@dataclass(frozen=True, repr=False, kw_only=True)
class At(Measure):
    """Grade of the document at a rank, of one system only."""

    rank: int
    system: str = ""
    name = "At"

    def score(self, judged):
        chosen = [not self.system or system == self.system for system in judged.systems]
        return np.maximum(judged.grades[:, :, self.rank - 1], 0) * np.array(chosen, dtype=np.float64)[:, None]


def test_ten_ranks_of_eight_systems_are_tried():
    judged = runs(12, 4, 14)
    tried = {rank: digits.one_document(At(rank=rank), judged) for rank in (1, 10, 11)}
    assert tried == {1: 0.25, 10: 0.25, 11: 0.0}
    systems = {name: digits.one_document(At(rank=1, system=name), judged) for name in ("s00", "s07", "s08")}
    assert systems == {"s00": 0.25, "s07": 0.25, "s08": 0.0}


def test_decimals_are_those_of_the_coarser():
    judged = runs(4, 50, 12)
    p10 = parse_measure("P@10")  # one document is 1 / 500
    assert digits.decimals(p10, judged) == digits.decimals(p10, judged, 0.004) == 3
    assert digits.decimals(p10, judged, 0.02) == 3
    assert digits.decimals(p10, judged, 0.04) == 2
    assert digits.decimals(parse_measure("Hole@10"), judged, 0.004) == 3  # computed from documents: the interval alone
    assert digits.decimals(At(rank=11), judged, 1e-5) == 6  # no document counts: the interval alone
    merged = JudgedRuns.without_ranks(judged.systems, judged.topics)
    assert digits.decimals(p10, merged, 1e-5) == 6  # there is no document to try
    shallow = judged.cut(1)
    assert digits.decimals(parse_measure("P@1"), shallow, 1e-5) == 2  # one document of 50 topics


@pytest.mark.parametrize("name", ["P@10", "AP", "GM(AP)", "RR"])
def test_a_mean_keeps_a_decimal_however_wide_its_interval(name):
    """On two topics Student's t is 12.7: .1 and .8 have a mean of .45 ± 4.4, which is not 0."""
    judged = runs(3, 2, 12)
    assert digits.decimals(parse_measure(name), judged, 4.4) == 1
    assert digits.decimals(parse_measure("MFR"), judged, 44.0) == 0  # ranks have no upper end
    assert digits.decimals_for_mean(parse_measure("MFR@7"), 44.0) == digits.decimals_for_interval(3.5) == 1  # from 1 to 8


@pytest.mark.parametrize(("name", "topics"), [("P@10", 4), ("GM(P@10)", 4), ("MFR@3", 4)])
def test_documents_are_not_tried_where_a_whole_topic_is_finer(name, topics, monkeypatch):
    """A mean over 4 topics changes by a quarter of the range at most, which an interval of 0.5 does not show."""
    monkeypatch.setattr(digits, "one_document", lambda *_: pytest.fail("documents were tried"))
    measure = parse_measure(name)
    low, high = measure.range
    assert digits.decimals(measure, runs(3, topics, 12), (high - low) * 0.5) == digits.decimals_for_interval((high - low) * 0.5)


@pytest.mark.parametrize("name", ["P@10", "DCG@10"])
def test_documents_are_tried_where_the_interval_is_finer(name, monkeypatch):
    changes = iter([0.3])
    monkeypatch.setattr(digits, "one_document", lambda *_: next(changes))
    assert digits.decimals(parse_measure(name), runs(3, 4, 12), 0.02) == 1
    assert not list(changes)


@pytest.mark.parametrize(
    ("name", "into", "back"), [("GM(P@10)", lambda x: np.log(np.maximum(x, 1e-5)), np.exp), ("P@10", float, float)]
)
def test_half_width_on_the_scale_of_the_values(name, into, back, monkeypatch):
    """The interval of a geometric mean is that of the mean of logarithms, restored; the quantile is SciPy's, of 23 degrees."""
    rows = [[1] * 10, [1] + [0] * 9, [0] * 10, [0] * 10] * 6
    scores = score(JudgedRuns.from_grades([rows], [[20, 10]] * 24), name).scores[0]
    values = np.array([into(value) for value in [1.0, 0.1, 0.0, 0.0] * 6])
    centre, half = values.mean(), stats.t.ppf(0.975, 23) * values.std(ddof=1) / 24**0.5
    monkeypatch.setattr(digits, "decimals", lambda measure, judged, half_width: half_width)
    assert digits.decimals_of_means(scores) == pytest.approx((back(centre + half) - back(centre - half)) / 2, rel=1e-4)


def test_decimals_of_means():
    judged = runs(5, 50, 12)
    scores = score(judged, ["P@10", "NumRelRet@10", "GM(AP)"]).scores
    widths = digits.half_widths(scores[0].values, scores[0].counted)
    assert digits.decimals_of_means(scores[0]) == digits.decimals(scores[0].measure, judged, float(np.median(widths)))
    assert digits.decimals_of_means(scores[1]) == 0
    assert digits.decimals_of_means(replace(scores[0], judged=None)) == 4
    single = scores[0].counted & (np.arange(50) == 0)
    assert digits.decimals_of_means(replace(scores[0], counted=single)) == 4
    pair = score(runs(3, 2, 12), "P@10").scores[0]
    assert digits.decimals_of_means(pair) == digits.decimals_for_interval(digits.middle_half_width(pair.values, pair.counted)) < 4
    logs = scores[2].measure.transformed(scores[2].values)
    centre, half = logs.mean(axis=1), digits.half_widths(logs, scores[2].counted)
    spread = float(np.median((np.exp(centre + half) - np.exp(centre - half)) / 2))
    assert digits.decimals_of_means(scores[2]) == digits.decimals(scores[2].measure, judged, spread)
