"""Numbers that the papers print."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mensura import EFR, ERR, MFR, RR, JudgedRuns, interval_scale, parse_measure


def first_at(*ranks):
    """Topics whose first relevant document stands at the given ranks."""
    grades = np.zeros((1, len(ranks), max(ranks)), dtype=np.int8)
    for topic, rank in enumerate(ranks):
        grades[0, topic, rank - 1] = 1
    return JudgedRuns.from_grades(grades, [[9, 1]] * len(ranks))


def test_reciprocal_rank_against_mean_rank():
    """P3 section 2.1: A = 1, 2, 4 beats B = 2, 2, 2 on MRR (.583 to .5), but not on the mean rank (2.33 to 2)."""
    a, b = first_at(1, 2, 4), first_at(2, 2, 2)
    assert RR().score(a).mean() == pytest.approx(7 / 12)
    assert RR().score(b).mean() == 0.5
    assert MFR().score(a).mean() == pytest.approx(7 / 3)
    assert MFR().score(b).mean() == 2


def test_expected_reciprocal_rank_against_expected_rank():
    """P3 section 2.1: stop probabilities .5 at rank 1 and 1 at 5 give ERR .6 and EFR 3; .5 at 2 and 1 at 3 give .417 and 2.5."""
    judged = JudgedRuns.from_grades([[[1, 0, 0, 0, 2]], [[0, 1, 2, 0, 0]]], [[9, 1, 1]])
    stop = "stop={1: 1/2, 2: 1}"  # grade 1 satisfies half of the users, grade 2 all
    assert parse_measure(f"ERR({stop})@5").score(judged)[:, 0] == pytest.approx([0.6, 5 / 12])
    assert parse_measure(f"EFR({stop})@5").score(judged)[:, 0].tolist() == [3, 2.5]
    assert parse_measure("EFR@5").score(judged)[:, 0].tolist() == [3, 2.5]  # linear in the grade by default


def test_expected_rank_generalises_the_first_rank():
    """P3 section 2.1: in the binary case a relevant document stops the user, so that EFR is MFR; here for all runs of length 5."""
    runs = np.array(list(itertools.product((0, 1), repeat=5)))[:, None, :]
    judged = JudgedRuns.from_grades(runs, [[9, 5]])
    for cutoff in (None, 1, 3, 5, 9):
        assert (EFR(cutoff=cutoff).score(judged) == MFR(cutoff=cutoff).score(judged)).all()
    assert interval_scale(EFR() @ 5).steps == interval_scale(MFR() @ 5).steps == 6


def test_binary_err_stops_half_of_the_users():
    """FACTS section 2: in the binary case R = 1/2."""
    assert ERR().score(JudgedRuns.from_grades([[[1, 1, 0]]], [[9, 2]]))[0, 0] == 0.5 + 0.25 / 2


def test_average_precision_of_example_10():
    """P4, example 10 (RB = 4): MAP .5625, .5521, .1667, .1771."""
    systems = [
        [[1, 1, 1, 0], [1, 0, 0, 1]],
        [[1, 1, 0, 1], [1, 0, 1, 0]],
        [[0, 0, 1, 0], [0, 1, 0, 1]],
        [[0, 0, 0, 1], [0, 1, 1, 0]],
    ]
    means = parse_measure("AP").score(JudgedRuns.from_grades(systems, [[9, 4]] * 2)).mean(axis=1)
    assert means.round(4).tolist() == [0.5625, 0.5521, 0.1667, 0.1771]


def test_discounted_gain_of_figure_4():
    """P4, figure 4: DCG with base 2 of runs of length 4 takes the values 3.131, 2.631, 2.5, …, .5, 0."""
    runs = [
        [1, 1, 1, 1],
        [1, 1, 1, 0],
        [1, 1, 0, 1],
        [1, 0, 1, 1],
        [1, 0, 0, 1],
        [1, 1, 0, 0],
        [0, 0, 1, 1],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
    ]
    values = parse_measure("DCG(base=2)@4").score(JudgedRuns.from_grades([[run] for run in runs], [[9, 4]]))[:, 0]
    assert values.round(3).tolist() == [3.131, 2.631, 2.5, 2.131, 1.5, 2.0, 1.131, 0.5, 0.0]
