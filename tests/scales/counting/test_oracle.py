"""Every way of counting against enumeration in exact arithmetic, on all runs."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mensura.measures.decomposition import AveragePrecision, Cascade, Decomposition
from mensura.scales.counting.machines import CascadeMachine, Machine, Needs, PrecisionMachine, SumMachine
from mensura.scales.counting.sweep import SweptValues
from mensura.scales.interval import IntervalScale, interval_scale
from tests.scales import oracle
from tests.scales.measures import (
    BINARY,
    EFR,
    ERR,
    GRADED,
    GRADED_EFR,
    GRADED_ERR,
    LINEAR,
    binary_measures,
    fractions,
    graded_measures,
)


def agrees(scale: IntervalScale, measure: Decomposition, runs: list[oracle.Run]) -> None:
    exact = oracle.values(measure, runs, scale.grades)
    expected = oracle.ranks(exact)
    listed = sorted(set(exact))
    assert scale.steps == len(listed)
    assert scale.runs == len(runs)
    for ties in ("unq", "min", "max", "mid"):
        assert scale.rank(np.array(runs, dtype=np.int8), ties).tolist() == expected[ties], ties
    gaps = {high - low for low, high in pairwise(listed)}
    if all(isinstance(value, Fraction) for value in exact):
        assert scale.is_equispaced == (len(gaps) <= 1)
        assert [scale.inverse(rank) for rank in range(1, scale.steps + 1, 37)] == listed[::37]
        assert scale.rank_values(listed[::11]).tolist() == list(range(1, scale.steps + 1, 11))
    assert (np.diff(scale.spacing()) >= 0).all()
    assert len(scale.spacing()) == scale.steps


@pytest.mark.parametrize("length", [3, 4, 7, 12])
@pytest.mark.parametrize("name", binary_measures(3))
def test_binary(name: str, length: int) -> None:
    measure = binary_measures(length)[name]
    agrees(interval_scale(measure, length), measure, oracle.all_runs(length, BINARY))


@pytest.mark.parametrize("length", [1, 2, 4, 6])
@pytest.mark.parametrize("name", graded_measures(1))
def test_graded(name: str, length: int) -> None:
    measure = graded_measures(length)[name]
    agrees(interval_scale(measure, length, GRADED), measure, oracle.all_runs(length, GRADED))


def fits(run: oracle.Run, base: dict[int, int]) -> bool:
    return all(run.count(grade) <= most for grade, most in base.items())


@pytest.mark.parametrize("recall_base", [0, 1, 4])
@pytest.mark.parametrize("name", binary_measures(8))
def test_binary_attainable(name: str, recall_base: int) -> None:
    measure = binary_measures(8)[name]
    runs = [run for run in oracle.all_runs(8, BINARY) if fits(run, {1: recall_base})]
    agrees(interval_scale(measure, 8, recall_base=recall_base), measure, runs)


@pytest.mark.parametrize("recall_base", [{1: 2, 2: 1, 3: 1}, {1: 0, 2: 3, 3: 0}, {1: 5, 2: 1, 3: 2}])
@pytest.mark.parametrize("name", graded_measures(5))
def test_graded_attainable(name: str, recall_base: dict[int, int]) -> None:
    measure = graded_measures(5)[name]
    runs = [run for run in oracle.all_runs(5, GRADED) if fits(run, recall_base)]
    agrees(interval_scale(measure, 5, GRADED, recall_base=recall_base), measure, runs)


def swept(machine: Machine[Any], grades: tuple[int, ...], needs: Needs = None) -> IntervalScale:
    return IntervalScale(machine.length, grades, needs, SweptValues(machine))


@pytest.mark.parametrize("length", [1, 5, 9, 12])
def test_sweep_of_ap(length: int) -> None:
    agrees(
        swept(PrecisionMachine.of(AveragePrecision(), length, BINARY, None), BINARY),
        AveragePrecision(),
        oracle.all_runs(length, BINARY),
    )


@pytest.mark.parametrize("measure", [ERR, EFR])
def test_sweep_of_a_cascade(measure: Cascade) -> None:
    agrees(swept(CascadeMachine.of(measure, 10, None), BINARY), measure, oracle.all_runs(10, BINARY))


@pytest.mark.parametrize("measure", [GRADED_ERR, GRADED_EFR])
@pytest.mark.parametrize("needs", [None, (2, 1, 3)])
def test_sweep_of_a_graded_cascade(measure: Cascade, needs: Needs) -> None:
    runs = [run for run in oracle.all_runs(6, GRADED) if needs is None or fits(run, dict(zip((1, 2, 3), needs, strict=True)))]
    agrees(swept(CascadeMachine.of(measure, 6, needs), GRADED, needs), measure, runs)


def test_sweep_of_a_sum_with_ties() -> None:
    measure = graded_measures(6)["gRBP .5"]
    weights = tuple(Fraction(1, 2**i) for i in range(1, 7))
    agrees(swept(SumMachine.of(weights, LINEAR, None), GRADED), measure, oracle.all_runs(6, GRADED))


def test_sweep_of_equally_spaced_values() -> None:
    machine = SumMachine.of(fractions(32, 16, 8, 4, 2, 1), fractions(0, 1), None)
    assert swept(machine, BINARY).is_equispaced
