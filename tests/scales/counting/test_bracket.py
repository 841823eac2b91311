"""Certified brackets: they hold the exact rank, and are as narrow as asked."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from mensura.errors import ScaleError
from mensura.measures.decomposition import Additive, AveragePrecision, Cascade, Decomposition, Weights
from mensura.scales.counting.additive import IndependentParts
from mensura.scales.counting.bracket import Part, bracket, convolve, tail
from mensura.scales.counting.brackets import parts_bracket
from mensura.scales.counting.choose import choose
from mensura.scales.counting.machines import CascadeMachine, PrecisionMachine, SumMachine
from mensura.scales.counting.run_bracket import run_bracket
from mensura.scales.interval import IntervalScale, interval_scale
from tests.scales import oracle
from tests.scales.measures import BINARY, EFR, ERR, EXPONENTIAL, GRADED, GRADED_ERR, LINEAR, dcg, fractions, rbp


def sample(length: int, levels: int, many: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(20)
    chance = rng.random((many, 1))
    return ((rng.random((many, length)) < chance) * rng.integers(1, levels, (many, length))).astype(np.uint8)


@pytest.mark.parametrize("measure", [dcg(), dcg(10), dcg(2, 1), rbp("0.8"), rbp("0.95")])
@pytest.mark.parametrize("width", [0.1, 1e-3])
def test_bracket_of_values_holds_the_exact_rank(measure: Additive, width: float) -> None:
    counting = choose(measure, 24, BINARY, None)
    assert isinstance(counting, IndependentParts)
    runs = sample(24, 2, 300)
    found = parts_bracket(counting, runs, width)
    shares = [Fraction(rank, counting.steps) for rank in counting.rank(runs)]
    assert found.of == "values"
    assert found.width <= width
    assert all(Fraction(low) <= share <= Fraction(high) for low, share, high in zip(found.low, shares, found.high, strict=True))


@pytest.mark.parametrize("gains", [LINEAR, EXPONENTIAL])
def test_bracket_of_graded_values_holds_the_exact_rank(gains: tuple[Fraction, ...]) -> None:
    counting = choose(dcg(2, 1, gains), 12, GRADED, None)
    assert isinstance(counting, IndependentParts)
    runs = sample(12, 4, 300)
    found = parts_bracket(counting, runs, 1e-3)
    shares = [Fraction(rank, counting.steps) for rank in counting.rank(runs)]
    assert all(Fraction(low) <= share <= Fraction(high) for low, share, high in zip(found.low, shares, found.high, strict=True))


def test_brackets_beyond_exact_ranks_are_as_narrow_as_asked() -> None:
    runs = sample(100, 2, 50)
    scale = interval_scale(dcg(), 100)
    wide, narrow = scale.bracket(runs, 1e-2), scale.bracket(runs, 1e-4)
    assert wide.width <= 1e-2
    assert narrow.width <= 1e-4
    assert not narrow.exact
    assert (np.maximum(wide.low, narrow.low) <= np.minimum(wide.high, narrow.high)).all()
    assert narrow.seconds_to_halve > 0


HARMONIC = Additive(Weights(tuple(Fraction(1, i) for i in range(1, 11))), fractions(0, 1))


@pytest.mark.parametrize(
    ("measure", "machine", "width"),
    [
        (AveragePrecision(), PrecisionMachine.of(AveragePrecision(), 10, BINARY, None), 0.05),
        (ERR, CascadeMachine.of(ERR, 10, None), 0.05),
        (EFR, CascadeMachine.of(EFR, 10, None), 0.05),
        (HARMONIC, SumMachine.of(tuple(Fraction(1, i) for i in range(1, 11)), fractions(0, 1), None), 0.05),
    ],
)
def test_bracket_among_runs_holds_the_exact_share(
    measure: Decomposition, machine: PrecisionMachine | CascadeMachine | SumMachine, width: float
) -> None:
    everything = oracle.all_runs(10, BINARY)
    exact = oracle.ranks(oracle.values(measure, everything, BINARY))["max"]
    found = run_bracket(machine, np.array(everything, dtype=np.uint8), width)
    assert found.of == "runs"
    assert found.width <= width
    for low, rank, high in zip(found.low, exact, found.high, strict=True):
        assert Fraction(low) <= rank / 2**10 <= Fraction(high)


def test_bracket_of_a_graded_cascade_holds_the_exact_share() -> None:
    everything = oracle.all_runs(5, GRADED)
    exact = oracle.ranks(oracle.values(GRADED_ERR, everything, GRADED))["max"]
    found = run_bracket(CascadeMachine.of(GRADED_ERR, 5, None), np.array(everything, dtype=np.uint8), 0.05)
    for low, rank, high in zip(found.low, exact, found.high, strict=True):
        assert Fraction(low) <= rank / 4**5 <= Fraction(high)


def test_ties_that_no_grid_resolves_are_named() -> None:
    """Half of all runs stop at rank 1 for sure and tie."""
    certain = CascadeMachine.of(Cascade(fractions(0, 1)), 10, None)
    with pytest.raises(ScaleError, match="too near one value"):
        run_bracket(certain, np.eye(1, 10, dtype=np.uint8), 0.01)


def test_convolution_of_coins_is_binomial() -> None:
    coins = [(np.array([0, 1]), np.array([0.5, 0.5]))] * 30
    assert (convolve(coins) == np.array([comb(30, k) for k in range(31)]) / 2**30).all()


def test_tail_of_coins_is_above_the_binomial_tail() -> None:
    """P(K − 20 ≥ t) for 40 fair coins must not exceed what `tail` allows to be missed."""
    coins = [np.array([-0.5, 0.5])] * 40
    even = [np.array([0.5, 0.5])] * 40
    for miss in (0.1, 1e-3, 1e-6):
        t = tail(coins, even, miss)
        assert sum(comb(40, k) for k in range(41) if k - 20 > t) <= miss * 2**40
        assert t < 20


def advised(scale: IntervalScale, runs: NDArray[np.uint8], width: float) -> float:
    """The width that a refusal of another one asks for."""
    with pytest.raises(ScaleError, match=r"ask for \S+ or more") as refusal:
        scale.bracket(runs, width)
    return float(str(refusal.value).split("ask for ")[1].split()[0])


def test_a_bracket_too_narrow_is_refused() -> None:
    with pytest.raises(ScaleError, match="takes too much work"):
        interval_scale(AveragePrecision(), 200).bracket([1, 0] * 100, 1e-9)
    with pytest.raises(ScaleError, match=r"ask for .* or more"):
        interval_scale(dcg(), 200).bracket([1, 0, 1], 1e-13)
    with pytest.raises(ScaleError, match="between 0 and 1"):
        interval_scale(dcg(), 200).bracket([1], 0)


@pytest.mark.parametrize(("name", "grades"), [("AP@60", BINARY), ("ERR@20", GRADED), ("ERR@60", GRADED)])
def test_advice_can_be_followed(name: str, grades: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A width that is asked for is granted, and so is every wider one: nothing depends on how busy the machine is."""
    monkeypatch.setattr("mensura.scales.counting.run_bracket.MOST_WORK", 2**26)
    scale = interval_scale(name, grades=grades)
    runs = sample(scale.length, len(grades), 30)
    least = advised(scale, runs, 1e-7)
    assert least == advised(scale, runs, 1e-7)
    for factor in (1, 1.3, 2, 5):
        assert scale.bracket(runs, least * factor).width <= least * factor


def test_advice_for_sums_can_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mensura.scales.counting.bracket.MOST_BINS", 2**16)
    scale = interval_scale(dcg(), 300)
    runs = sample(300, 2, 30)
    least = advised(scale, runs, 1e-7)
    assert scale.bracket(runs, least).width <= least


def test_a_constant_has_a_sharp_distribution() -> None:
    found = bracket([Part(np.array([2.0]), np.array([1.0]))], np.array([1.0, 2.0]), 0.1, 1e-12, "values")
    assert found.low.tolist() == [0, 1]
    assert found.high.tolist() == [0, 1]
