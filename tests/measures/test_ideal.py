"""A-corr against the ideal ranking."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura import ACorr, JudgedRuns, MeasureError, evaluate, parse_measure
from mensura.rankings import compare

runs = st.lists(st.integers(-2, 3), min_size=8, max_size=8)
unseen = st.lists(st.integers(0, 3), min_size=4, max_size=4)
NAMES = ("Acorr@8", "Acorr@5", "Acorr(h='1/i')@8", "Acorr(h=0.7)@8")


def value(measure, grades, base):
    return float(parse_measure(measure).score(JudgedRuns.from_grades([[grades]], [base]))[0, 0])


def base_of(grades, more):
    return [grades.count(grade) + extra for grade, extra in enumerate(more)]


def test_by_hand():
    """One document of grade 2, one of grade 1. The run 0 1 2 has F = 3, 2, 1, so P = 2, 2, 0 and A = 1 + 2 + 1 = 4.

    The worst run has no relevant document: F = 3, 4, 5, P = 2, 4, 6, A = 1 + 3 + 5 = 9.
    """
    assert value("Acorr@3", [0, 1, 2], [1, 1, 1]) == pytest.approx(1 - 4 / 9)
    assert value("Acorr@3", [2, 1, 0], [1, 1, 1]) == 1
    assert value("Acorr@3", [0, 0, 0], [9, 1, 1]) == 0
    assert value("Acorr(h='1/i')@3", [0, 1, 2], [1, 1, 1]) == pytest.approx(1 - (1 + 2 / 2 + 1 / 3) / (1 + 3 / 2 + 5 / 3))
    assert value("Acorr(h=0.5)@3", [0, 1, 2], [1, 1, 1]) == pytest.approx(1 - (1 + 2 / 2 + 1 / 4) / (1 + 3 / 2 + 5 / 4))


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)
@given(grades=runs, more=unseen)
def test_range(name, grades, more):
    base = base_of(grades, more)
    depth = parse_measure(name).cutoff
    found = value(name, grades, base)
    assert -1e-12 <= found <= 1 + 1e-12
    if sum(base[1:]):
        pool = sorted((grade for grade in range(1, 4) for _ in range(base[grade])), reverse=True) + [0] * depth
        ideal = [max(grade, 0) for grade in grades[:depth]] == pool[:depth]
        assert (found > 1 - 1e-12) == ideal
        assert (found < 1e-12) == (max(grades[:depth]) < 1)
    else:
        assert found == 0


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)
@given(grades=runs, at=st.integers(0, 7))
def test_a_more_relevant_document_helps(name, grades, at):
    assume(0 <= grades[at] < 3)
    better = [*grades]
    better[at] += 1
    change = value(name, better, [9] * 4) - value(name, grades, [9] * 4)
    assert change > 0 if at < parse_measure(name).cutoff else change == 0


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)
@given(better=runs, at=st.integers(0, 6), two=st.lists(st.integers(0, 3), min_size=2, max_size=2, unique=True))
def test_moving_a_more_relevant_document_up_helps(name, better, at, two):
    better[at : at + 2] = sorted(two, reverse=True)
    grades = [*better]
    grades[at : at + 2] = sorted(two)
    change = value(name, better, [9] * 4) - value(name, grades, [9] * 4)
    assert change > 0 if at < parse_measure(name).cutoff else change == 0


@pytest.mark.parametrize("grades", sorted(set(itertools.permutations([0, 0, 1, 1, 2]))))
def test_it_is_the_area_from_the_run_to_the_nearest_ideal_ranking(grades):
    """The same as comparing rankings of documents: the run, and the ideal ranking with ties in the order of the run."""
    run = list(range(5))
    ideal = sorted(run, key=lambda document: (-grades[document], document))
    area = compare(run, ideal).area[-1]
    worst = 3 * sum((2 * rank - 1) / 2 for rank in range(1, 6))
    assert value("Acorr@5", list(grades), [2, 2, 1]) == pytest.approx(1 - area / worst)


def test_without_a_cutoff_each_list_counts_to_its_end_or_to_the_recall_base():
    qrels = {"q": {"a": 1, "b": 2, "c": 1, "x": 0}}
    alone = evaluate(qrels, {"short": {"q": {"b": 2.0}}}, "Acorr").means()["short"]["Acorr"]
    both = evaluate(qrels, {"short": {"q": {"b": 2.0}}, "long": {"q": {f"d{i}": float(i) for i in range(50)}}}, "Acorr").means()
    assert both["short"]["Acorr"] == alone
    assert alone == evaluate(qrels, {"short": {"q": {"b": 2.0}}}, "Acorr@3").means()["short"]["Acorr@3"]
    assert both["long"]["Acorr"] == 0


def test_names():
    assert str(ACorr() @ 100) == "Acorr@100"
    assert str(parse_measure("acorr(h='1/i')@20")) == "Acorr(h='1/i')@20"
    assert ACorr(h=0.8) @ 5 == parse_measure("Acorr(h=0.8)@5")
    for wrong in (0, 2, "i", True):
        with pytest.raises(MeasureError, match="must be 1, '1/i', or a number"):
            ACorr(h=wrong)


def test_on_trec_8_it_goes_with_the_other_measures(data):
    found = evaluate(data / "trec8" / "qrels.txt", data / "trec8" / "runs" / "*.gz", ["Acorr@100", "AP@100", "P@100"])
    a_corr, ap, precision = (scores.mean() for scores in found)
    assert ((a_corr >= 0) & (a_corr <= 1)).all()
    systems = found.judged.systems
    boards = [dict(zip(systems, means.tolist(), strict=True)) for means in (a_corr, ap, precision)]
    assert compare(boards[0], boards[1]).tau_b > 0.7
    assert compare(boards[0], boards[2]).tau_b > 0.7
    assert np.isfinite(a_corr).all()
