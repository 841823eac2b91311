"""Runs against their ideal rankings: brute force over an explicit ideal ranking, the measure Acorr@k, and P1's own words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import ACorr, InputError, JudgedRuns, RankingError, judge, read_run
from mensura.rankings import against_ideal


@st.composite
def runs(draw):
    """A judged run with unjudged documents, and a recall base that holds at least what it found."""
    grades = draw(st.lists(st.integers(-1, 3), min_size=1, max_size=9))
    base = [20, *(draw(st.integers(0, 3)) + grades.count(grade) for grade in (1, 2, 3))]
    return grades, base


def ideal_ranks(grades, base):
    """The rank of each document of the run in the ideal ranking that keeps the order of the run within a grade."""
    judged = [max(grade, 0) for grade in grades]
    ideal = [(grade, number) for grade in (3, 2, 1) for number in range(base[grade])]
    ideal += [(0, number) for number in range(len(grades) + base[0])]
    return [1 + ideal.index((grade, judged[:rank].count(grade))) for rank, grade in enumerate(judged)]


@settings(max_examples=150, deadline=None)
@given(runs())
def test_curves_are_those_of_an_explicit_ideal_ranking(case):
    grades, base = case
    judged = JudgedRuns.from_grades([[grades]], [base])
    curves = against_ideal(judged)
    misplaced = [place - rank for rank, place in enumerate(ideal_ranks(grades, base), start=1)]
    point = np.cumsum(misplaced)
    assert curves.misplacements[0, 0].tolist() == misplaced
    assert curves.point[0, 0].tolist() == point.tolist()
    assert curves.area[0, 0] == pytest.approx(np.cumsum((np.concatenate(([0], point[:-1])) + point) / 2))


@settings(max_examples=80, deadline=None)
@given(runs(), st.sampled_from([1, "1/i"]))
def test_the_curve_of_a_corr_is_the_measure_at_every_cutoff(case, h):
    judged = JudgedRuns.from_grades([[case[0]]], [case[1]])
    curve = against_ideal(judged, h=h).a_corr[0, 0]
    if sum(case[1][1:]):
        assert curve == pytest.approx([ACorr(h=h, cutoff=k).score(judged)[0, 0] for k in range(1, len(case[0]) + 1)])


def test_point_is_zero_where_the_prefix_is_ideal():
    """P1 section 3: P(i) = 0 means that both rankings have retrieved the same elements down to rank i."""
    curves = against_ideal(JudgedRuns.from_grades([[[2, 0, 1, 1, 0, 2]]], [[9, 2, 2]]))
    assert curves.point[0, 0, 0] == 0  # 2 is where the ideal begins
    assert (curves.point[0, 0, 1:5] > 0).all()
    assert curves.misplacements[0, 0, 5] < 0  # the second best document comes late: the run recovers


def test_cumulated_relative_position_by_hand():
    """Angelini et al. 2014: grade 2 belongs to rank 1, grade 1 to ranks 2 and 3, grade 0 to ranks from 4 on."""
    curves = against_ideal(JudgedRuns.from_grades([[[0, 1, 2, 0, 1]]], [[9, 2, 1]]))
    assert curves.relative_position[0, 0].tolist() == [-3, -3, -1, -1, 1]


def test_mean_rows_and_reading_back():
    judged = JudgedRuns.from_grades([[[1, 0], [0, 1]], [[0, 0], [1, 1]]], [[5, 1], [5, 2]])
    curves = against_ideal(judged)
    assert curves.mean().point[:, 0].tolist() == curves.point.mean(axis=1).tolist()
    assert len(list(curves.rows())) == 2 * 2 * 2
    assert type(curves).from_json(curves.to_json()).area.tolist() == curves.area.tolist()


def test_positions_losses_and_recoveries():
    """Judgments a 2, b 1 and the run c a d b: F = 3 1 4 2."""
    curves = against_ideal(JudgedRuns.from_grades([[[-1, 2, -1, 1], [2, 1, 0, 0]]], [[0, 1, 1], [2, 1, 1]]))
    assert curves.positions[0, 0].tolist() == [3, 1, 4, 2]
    assert curves.point[0, 0].tolist() == [2, 1, 2, 0]
    assert curves.area[0, 0].tolist() == [1, 2.5, 4, 5]
    assert curves.normalized_area[0, 0] == pytest.approx([1, 5 / 8, 4 / 9, 5 / 16])
    assert curves.a_corr[0, 0, -1] == pytest.approx(0.6875)
    assert (curves.losses("1", "1"), curves.recoveries("1", "1")) == ((1, 3), (2, 4))
    assert (curves.losses("1", "2"), curves.recoveries("1", "2")) == ((), ())
    assert curves.only("2").point.tolist() == [[[0, 0, 0, 0]]]
    assert next(curves.rows())["position"] == 3
    for wrong in (("9", "1"), ("1", "9")):
        with pytest.raises(RankingError, match="unknown"):
            curves.losses(*wrong)


def test_runs_of_other_topics_are_refused():
    """It said "depth=None is too small"."""
    with pytest.raises(InputError, match="use the judgments that belong to the run"):
        against_ideal(judge({"a": {"d": 1}}, [read_run({"z": {"d": 1.0}}, name="other")]))
