"""Laws that hold for every measure."""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import DepthError, JudgedRuns, parse_measure
from mensura.measures import REGISTRY
from tests.strategies import choices

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

RUNS = np.indices((4,) * 8).reshape(8, -1).T.astype(np.int8)  # every run of eight documents with grades 0 to 3
STEP = 4 ** np.arange(7, -1, -1)  # from one run to that with the next grade at a rank
BASE = [8] * 4  # so many documents of each grade


@cache
def values(name):
    """Values of all RUNS on one topic."""
    return parse_measure(name).score(JudgedRuns.from_grades(RUNS[:, None], [BASE]))[:, 0]


def never_hurts(name, worse, better):
    """From each run to the other one of its pair."""
    change = values(name)[better] - values(name)[worse]
    lost = (change if parse_measure(name).direction == "higher" else -change) < -1e-12
    assert not lost.any(), [(RUNS[worse[at]].tolist(), RUNS[better[at]].tolist()) for at in np.flatnonzero(lost)[:3]]


@pytest.mark.parametrize("name", EFFECTIVENESS)
def test_stays_in_its_range(name):
    """Eight thousand topics with a run each, and with up to four documents of each grade that it has not found."""
    chance = np.random.default_rng(8)
    grades = RUNS[chance.permutation(len(RUNS))[:8192]]
    base = np.stack([(grades == grade).sum(axis=1) for grade in range(4)], axis=1) + chance.integers(0, 5, (len(grades), 4))
    measure = parse_measure(name)
    low, high = measure.range
    shown = measure.score(JudgedRuns.from_grades(grades[None], base))[0]
    wrong = ~((shown >= low) & (shown <= high + 1e-12))
    assert not wrong.any(), [(grades[at].tolist(), base[at].tolist(), shown[at]) for at in np.flatnonzero(wrong)[:3]]


@pytest.mark.parametrize("name", EFFECTIVENESS)
def test_a_more_relevant_document_never_hurts(name):
    """Replacement (P0, P4 section IV), at every rank of every run: the recall base stays the same."""
    for at in range(8):
        worse = np.flatnonzero(RUNS[:, at] < 3)
        never_hurts(name, worse, worse + STEP[at])


@pytest.mark.parametrize("name", RANKED)
def test_moving_a_better_document_up_never_hurts(name):
    """Swap of neighbours (P0, P4 section IV), at every rank of every run."""
    for at in range(7):
        gain = (RUNS[:, at + 1] - RUNS[:, at]).astype(int)
        worse = np.flatnonzero(gain > 0)
        never_hurts(name, worse, worse + gain[worse] * (STEP[at] - STEP[at + 1]))


@pytest.mark.parametrize("name", EFFECTIVENESS)
@settings(max_examples=25)
@given(grades=choices(range(4), (6, 8)), order=st.permutations(range(6)))
def test_each_row_is_scored_by_itself(name, grades, order):
    """Six systems on one topic give the same values in any order, and as one system each."""
    measure = parse_measure(name)
    together = measure.score(JudgedRuns.from_grades([[row] for row in grades], [[9] * 4]))[:, 0]
    shuffled = measure.score(JudgedRuns.from_grades([[grades[i]] for i in order], [[9] * 4]))[:, 0]
    assert shuffled.tolist() == together[list(order)].tolist()
    alone = [measure.score(JudgedRuns.from_grades([[row]], [[9] * 4])).item() for row in grades]
    assert alone == together.tolist()


@pytest.mark.parametrize("name", ["P@3", "AP@3", "nDCG@3", "RR@3", "RBP(p=0.8)@3", "ERR@3", "R@3", "Success@3", "MFR@3"])
def test_nothing_behind_the_cutoff_counts(name):
    by_head = values(name).reshape(4**3, 4**5)  # a row has the runs that begin with the same three grades
    assert (by_head == by_head[:, :1]).all()


OF_DOCUMENTS = sorted(name for name, each in REGISTRY.items() if each.from_documents is True)


def test_only_holes_are_computed_from_documents():
    """The law below is for all other measures: these runs have no documents."""
    assert OF_DOCUMENTS == ["Hole"]


@pytest.mark.parametrize("name", sorted(REGISTRY.keys() - OF_DOCUMENTS))
def test_no_relevant_documents_and_no_documents(name):
    """A topic without relevant documents and an empty list are numbers, not NaN."""
    measure = parse_measure(getattr(REGISTRY[name], "example", name))
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
