"""Laws that hold for every measure."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mensura import DepthError, JudgedRuns, parse_measure
from mensura.measures import REGISTRY

EFFECTIVENESS = [
    *(
        "P@8",
        "R@8",
        "F@8",
        "Success@3",
        "Rprec",
        "AP@8",
        "AP",
        "bpref",
        "infAP",
        "RR@8",
        "MFR@8",
        "ERR@8",
        "EFR@8",
        "EFR(stop={1: 1/3, 2: 1/2, 3: 1})@8",
    ),
    *(
        "DCG@8",
        "DCG(base=2)@8",
        "DCG(base=10)@8",
        "nDCG@8",
        "nDCG(dcg='exp-log2')@8",
        "nDCG(base=2)@8",
        "RBP(p=0.3)@8",
        "RBP(p=0.8)@8",
    ),
    *("NumRelRet@8", "IPrec@0.5", "IPrec11", "R(capped=True)@8", "AP(capped=True)@8", "Rprec(multiple=0.4)", "SetAP@8", "NCG@8"),
    *("gAP@8", "Q@8", "G@8", "binG@8", "nDCGrel@8", "RnDCG@8", "SDCG@8", "INSQ@8", "Compat@8", "RBP(p=0.9, gains='grade')@8"),
]
RANKED = ["RR@8", "MFR@8", "AP@8", "ERR@8", "EFR@8", "DCG@8", "DCG(base=2)@8", "nDCG@8", "RBP(p=0.8)@8"]
RANKED += ["gAP@8", "Q@8", "binG@8", "nDCGrel@8", "SDCG@8", "INSQ@8", "Compat@8", "AP(capped=True)@8"]

runs = st.lists(st.integers(0, 3), min_size=8, max_size=8)


def value(measure, grades, base):
    return float(measure.score(JudgedRuns.from_grades([[grades]], [base]))[0, 0])


@pytest.mark.parametrize("name", EFFECTIVENESS)
@given(grades=runs, unseen=st.lists(st.integers(0, 4), min_size=4, max_size=4))
def test_stays_in_its_range(name, grades, unseen):
    measure = parse_measure(name)
    base = [grades.count(grade) + more for grade, more in enumerate(unseen)]
    low, high = measure.range
    assert low <= value(measure, grades, base) <= high + 1e-12


@pytest.mark.parametrize("name", EFFECTIVENESS)
@given(grades=runs, at=st.integers(0, 7))
def test_a_more_relevant_document_never_hurts(name, grades, at):
    """Replacement (P0, P4 section IV): the recall base stays the same."""
    assume(grades[at] < 3)
    better = [*grades]
    better[at] += 1
    base = [8, 8, 8, 8]
    measure = parse_measure(name)
    if name == "bpref":
        assume(grades[at] == 0 or better[at] > 0)
    change = value(measure, better, base) - value(measure, grades, base)
    assert (change if measure.direction == "higher" else -change) >= -1e-12


@pytest.mark.parametrize("name", RANKED)
@given(grades=runs, at=st.integers(0, 6))
def test_moving_a_better_document_up_never_hurts(name, grades, at):
    """Swap of neighbours (P0, P4 section IV)."""
    assume(grades[at] < grades[at + 1])
    better = [*grades]
    better[at], better[at + 1] = grades[at + 1], grades[at]
    measure = parse_measure(name)
    change = value(measure, better, [8] * 4) - value(measure, grades, [8] * 4)
    assert (change if measure.direction == "higher" else -change) >= -1e-12


@pytest.mark.parametrize("name", EFFECTIVENESS)
@settings(max_examples=25)
@given(grades=st.lists(runs, min_size=6, max_size=6), order=st.permutations(range(6)))
def test_each_row_is_scored_by_itself(name, grades, order):
    """Six systems on one topic give the same values in any order, and as one system each."""
    measure = parse_measure(name)
    together = measure.score(JudgedRuns.from_grades([[row] for row in grades], [[9] * 4]))[:, 0]
    shuffled = measure.score(JudgedRuns.from_grades([[grades[i]] for i in order], [[9] * 4]))[:, 0]
    assert shuffled.tolist() == together[list(order)].tolist()


@pytest.mark.parametrize("name", ["P@3", "AP@3", "nDCG@3", "RR@3", "RBP(p=0.8)@3", "ERR@3", "R@3", "Success@3", "MFR@3"])
@given(grades=runs, tail=runs)
def test_nothing_behind_the_cutoff_counts(name, grades, tail):
    measure = parse_measure(name)
    assert value(measure, grades[:3] + tail[3:], [9] * 4) == value(measure, grades, [9] * 4)


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_no_relevant_documents_and_no_documents(name):
    """A topic without relevant documents and an empty list are numbers, not NaN."""
    measure = parse_measure(getattr(REGISTRY[name], "example", name))
    if measure.from_documents:
        pytest.skip("it is computed from documents, which these runs do not have")
    judged = JudgedRuns.from_grades(np.full((1, 1, 5), -1, dtype=np.int8), [[3, 0]])
    empty = JudgedRuns.from_grades(np.empty((1, 1, 0), dtype=np.int8), [[3, 2]])
    for runs_ in (judged, empty):
        runs_ = dataclasses.replace(runs_, scores=np.zeros(runs_.grades.shape))
        assert np.isfinite(measure.score(runs_)).all()


@pytest.mark.parametrize("name", ["AP", "AP@11", "nDCG", "P@11", "Judged@11", "RBPResidual@11", "bpref", "DCG(gains={0: 1})@11"])
def test_ranks_that_were_not_kept_are_missed(name):
    from dataclasses import replace

    judged = replace(JudgedRuns.from_grades([[[1] * 10]], [[0, 10]]), depth=10)
    with pytest.raises(DepthError, match="only 10 were kept"):
        parse_measure(name).score(judged)
