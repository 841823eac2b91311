"""Measures that add up something at each rank: their properties and their scale against all runs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import Measure, interval_scale, parse_measure
from mensura.measures.decomposition import ByRank
from mensura.scales.order.equispaced import equispaced
from mensura.scales.order.monotone import monotone
from mensura.scales.order.values import Subject
from mensura.scales.order.verdicts import NotEquispaced, NotMonotone, Proven, Refuted
from mensura.scales.proofs import properties


@dataclass(frozen=True, kw_only=True, repr=False)
class Table(Measure):
    """Σ terms[rank][grade]."""

    terms: tuple = ()
    name: ClassVar[str] = "Table"

    def score(self, judged):
        raise NotImplementedError

    def decompose(self, length, grades):
        return ByRank(self.terms)


@st.composite
def tables(draw):
    ranks, grades = draw(st.sampled_from([(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (2, 3), (3, 3), (2, 4)]))
    number = st.integers(-4, 4).map(lambda n: Fraction(n, 3))
    return tuple(tuple(draw(number) for _ in range(grades)) for _ in range(ranks))


def values(terms):
    """The value of every run."""
    runs = itertools.product(range(len(terms[0])), repeat=len(terms))
    return {run: sum(row[grade] for row, grade in zip(terms, run, strict=True)) for run in runs}


@settings(deadline=None)
@given(terms=tables())
def test_ranks_against_all_runs(terms):
    every = values(terms)
    different = sorted(set(every.values()))
    scale = interval_scale(ByRank(terms), len(terms), tuple(range(len(terms[0]))))
    assert scale.exact
    assert scale.rank(np.array(list(every))).tolist() == [different.index(each) + 1 for each in every.values()]


@settings(deadline=None)
@given(terms=tables())
def test_monotonicity_against_all_changes(terms):
    every = values(terms)
    found = properties(Table(terms=terms), len(terms), tuple(range(len(terms[0]))))
    places = range(len(terms))
    replaced = all(
        every[run] <= every[(*run[:i], run[i] + 1, *run[i + 1 :])] for run in every for i in places if run[i] + 1 < len(terms[0])
    )
    swapped = True
    for run, (i, j) in itertools.product(every, itertools.combinations(places, 2)):
        if run[i] < run[j]:
            better = list(run)
            better[i], better[j] = run[j], run[i]
            swapped &= every[run] <= every[tuple(better)]
    for answer, truth in ((found.replacement, replaced), (found.swap, swapped)):
        assert isinstance(answer, Proven if truth else Refuted)
        if isinstance(answer, Refuted):
            witness = answer.counterexample
            assert isinstance(witness, NotMonotone)
            assert (witness.value_before, witness.value_after) == (every[witness.before], every[witness.after])
            assert witness.value_after < witness.value_before


@settings(deadline=None)
@given(terms=tables())
def test_equal_spacing_against_all_values(terms):
    every = values(terms)
    different = sorted(set(every.values()))
    gaps = {high - low for low, high in itertools.pairwise(different)}
    answer = properties(Table(terms=terms), len(terms), tuple(range(len(terms[0])))).equispaced
    assert isinstance(answer, Proven) == (len(gaps) == 1)
    if isinstance(answer, Refuted):
        witness = answer.counterexample
        assert isinstance(witness, NotEquispaced)
        assert list(witness.values) == [every[run] for run in witness.runs]
        low, middle, high = (different.index(each) for each in witness.values)
        assert middle == low + 1
        step = witness.values[1] - witness.values[0]
        if witness.neighbours:
            assert high == middle + 1
            assert witness.values[2] - witness.values[1] != step
        else:
            assert ((witness.values[2] - witness.values[0]) / step).denominator > 1


@pytest.mark.parametrize(("retrieved", "length"), [(30, 30), (100, 40)])
def test_adm_from_ranks(retrieved, length):
    """Swaps never hurt, for |SRS − URS| is smallest if both fall together; a replacement hurts if SRS is nearer to the lower."""
    subject = Subject(parse_measure(f"ADM(srs='rank', retrieved={retrieved})@{length}"), length)
    assert isinstance(monotone(subject, "swap"), Proven)
    assert isinstance(monotone(subject, "replacement"), Refuted) == (length > retrieved / 2)
    assert isinstance(equispaced(subject), Proven) == interval_scale(subject.measure).is_equispaced
