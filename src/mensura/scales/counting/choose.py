"""Choice of the way of counting that fits a measure, a length and a set of grades."""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

from mensura.errors import ScaleError
from mensura.measures.decomposition import (
    Additive,
    Area,
    AveragePrecision,
    ByRank,
    Cascade,
    Counted,
    Interpolated,
    LogDiscount,
    Preferences,
    TopicDecomposition,
)
from mensura.scales.counting.additive import IndependentParts
from mensura.scales.counting.closed_form import CountedValues, LexicographicValues, is_lexicographic
from mensura.scales.counting.enumeration import EnumeratedValues, Function, refuse_too_many
from mensura.scales.counting.factors import factors
from mensura.scales.counting.listed import listed
from mensura.scales.counting.machines import LARGEST, CascadeMachine, Needs, PrecisionMachine, SumMachine
from mensura.scales.counting.protocol import Counting
from mensura.scales.counting.streams import Progress
from mensura.scales.counting.sweep import SweptValues
from mensura.scales.counting.topical import AreaMachine, interpolated_values, preference_values
from mensura.scales.counting.uncounted import Uncounted
from mensura.scales.counting.weights import exact_weights

MOST_LISTED = 2**16
MOST_LISTED_BIG = 2**16
"""Values that are listed where numerators do not fit 64 bits."""
MOST_SWEPT, MOST_SPREAD = 2**36, 2**40
"""Heads × tails that a sweep meets: a few minutes on two cores, and an hour or two where an engine was asked for."""


@dataclass(frozen=True)
class Spreading:
    """Spreading of a long sweep: a function that is told its progress, and an engine, if one was asked for."""

    progress: Progress | None = None
    engine: Any = None

    @property
    def most(self) -> int:
        """Number of runs that may be swept."""
        return MOST_SWEPT if self.engine is None else MOST_SPREAD


def choose(
    measure: TopicDecomposition | Function, length: int, grades: tuple[int, ...], needs: Needs, how: Spreading = Spreading()
) -> Counting:
    """The fastest exact way of counting, or one that only brackets; refuses where there is none."""
    match measure:
        case Counted():
            return _counted(measure, length, grades, needs)
        case Additive():
            return _additive(measure, length, grades, needs, how)
        case ByRank(terms):
            _need_one_each(terms[0], grades)
            return _sum(SumMachine.of_terms(terms, needs), needs, how)
        case AveragePrecision():
            return _machine(PrecisionMachine.of(measure, length, grades, needs), None, needs, how)
        case Interpolated():
            values = interpolated_values(measure, length, grades, needs)
            if values is None:
                raise ScaleError(_too_many(length, len(grades)))
            return values
        case Preferences():
            return preference_values(measure, length)
        case Area():
            machine = AreaMachine.of(measure, needs)
            return _machine(machine, machine.denominator + 1, needs, how)
        case Cascade():
            _need_one_each(measure.stops, grades)
            return _machine(CascadeMachine.of(measure, length, needs), None, needs, how)
    refuse_too_many(length, len(grades))
    return EnumeratedValues(measure, length, grades, needs, how.progress)


def _too_many(length: int, levels: int) -> str:
    return f"{levels}^{length} runs have too many values to count; give a smaller cut-off"


def _need_one_each(numbers: tuple[object, ...], grades: tuple[int, ...]) -> None:
    if len(numbers) != len(grades):
        msg = f"there are {len(numbers)} gains or stop probabilities for the {len(grades)} grades {grades}"
        raise ScaleError(msg)


def _counted(measure: Counted, length: int, grades: tuple[int, ...], needs: Needs) -> Counting:
    expected = {"relevant": measure.depth + 1, "first": measure.depth + 1, "any": 2}[measure.statistic]
    if measure.depth > length or len(measure.values) != expected:
        msg = f"a closed form over {measure.depth} of {length} ranks needs {expected} values, not {len(measure.values)}"
        raise ScaleError(msg)
    return CountedValues(measure, length, tuple(grade >= measure.rel for grade in grades), needs)


def _additive(measure: Additive, length: int, grades: tuple[int, ...], needs: Needs, how: Spreading) -> Counting:
    _need_one_each(measure.gains, grades)
    weights = exact_weights(measure.discount, length)
    shares = tuple(weight.share for weight in weights)
    rational = not isinstance(measure.discount, LogDiscount)
    if needs is None and rational and is_lexicographic(shares, measure.gains):
        return LexicographicValues(shares, measure.gains)
    parts = factors(measure, length, needs)
    if parts is not None:
        base = measure.discount.base if isinstance(measure.discount, LogDiscount) else Fraction(2)
        return IndependentParts(tuple(parts), base, needs)
    return _sum(SumMachine.of(shares, measure.gains, needs), needs, how)


def _sum(machine: SumMachine, needs: Needs, how: Spreading) -> Counting:
    finest = gcd(*(term - row[0] for row in machine.added for term in row)) or 1
    spread = sum(max(row) - min(row) for row in machine.added)
    return _machine(machine, spread // finest + 1, needs, how)


def _machine(
    machine: PrecisionMachine | CascadeMachine | SumMachine | AreaMachine,
    distinct: int | None,
    needs: Needs,
    how: Spreading,
) -> Counting:
    """Written down if there are few values (`distinct` bounds them), swept if there are not too many, else only bracketed."""
    runs = machine.levels**machine.length
    few = min(runs, distinct or runs)
    fits = machine.largest < LARGEST
    if few <= (MOST_LISTED if fits else MOST_LISTED_BIG):
        return listed(machine, "listed")
    if runs <= how.most and fits:
        return SweptValues(machine, how.progress, how.engine)
    longest = max(n for n in range(1, machine.length) if machine.levels**n <= how.most)
    why = (
        f"{machine.levels}^{machine.length} runs are too many to count their distinct values"
        if runs > how.most
        else f"the values of runs of length {machine.length} do not fit the 64-bit integers of a sweep"
    )
    instead = "" if needs is not None else "; .bracket(runs, width) bounds the rank among all runs, ties counted"
    return Uncounted(machine, f"{why}; with {machine.levels} grades, lengths up to {longest} may be counted exactly{instead}")
