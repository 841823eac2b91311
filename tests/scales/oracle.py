"""The definition of φ, word for word: all runs, their exact values, sorted (P4 §VI, Figure 4).

Values are exact: Fractions, or for logarithmic discounts integers that hold 400 binary digits after the point, far more than
any two different values of these short runs have in common. The formulas are those of FACTS, written down a second time and not
shared with the package.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import mpmath

from mensura.measures.decomposition import (
    Additive,
    AveragePrecision,
    Cascade,
    Counted,
    Decomposition,
    GeometricDiscount,
    LogDiscount,
)

Exact = Fraction | int
Run = tuple[int, ...]


def all_runs(length: int, grades: Sequence[int]) -> list[Run]:
    return list(product(grades, repeat=length))


def log_weights(discount: LogDiscount, length: int) -> list[int]:
    """1 / max(1, log_b(i + offset)) in units of 2^-400."""
    with mpmath.workprec(500):
        base = mpmath.log(mpmath.mpf(discount.base.numerator) / discount.base.denominator)
        logs = [mpmath.log(rank + discount.offset) / base for rank in range(1, length + 1)]
        return [int(mpmath.nint(mpmath.ldexp(1 / max(mpmath.mpf(1), log), 400))) for log in logs]


def snap(value: Exact) -> Exact:
    """Integers in units of 2^-400, without the last 100 digits, which rounding may have touched."""
    return (value + 2**99) >> 100 if isinstance(value, int) else value


def additive(measure: Additive, length: int, grades: Sequence[int]) -> Callable[[Run], Exact]:
    gain = dict(zip(grades, measure.gains, strict=True))
    if isinstance(measure.discount, LogDiscount):
        weights = log_weights(measure.discount, length)
        scale = 1
        for number in measure.gains:
            scale *= number.denominator
        return lambda run: snap(sum(int(gain[grade] * scale) * weight for grade, weight in zip(run, weights, strict=True)))
    shares: Sequence[Fraction]
    if isinstance(measure.discount, GeometricDiscount):
        shares = [(1 - measure.discount.p) * measure.discount.p**i for i in range(length)]
    else:
        shares = measure.discount.weights
    return lambda run: sum(
        (share * gain[grade] for share, grade in zip(shares, run, strict=True) if gain[grade]), start=Fraction(0)
    )


def average_precision(measure: AveragePrecision) -> Callable[[Run], Exact]:
    def value(run: Run) -> Fraction:
        hits = [rank for rank, grade in enumerate(run, start=1) if grade >= measure.rel]
        return sum((Fraction(seen, rank) for seen, rank in enumerate(hits, start=1)), start=Fraction(0))

    return value


def cascade(measure: Cascade, grades: Sequence[int]) -> Callable[[Run], Exact]:
    stop = dict(zip(grades, measure.stops, strict=True))

    def value(run: Run) -> Fraction:
        there, total = Fraction(1), Fraction(0)
        for rank, grade in enumerate(run, start=1):
            total += there * stop[grade] * (Fraction(1, rank) if measure.payoff == "1/i" else rank)
            there *= 1 - stop[grade]
        return total + there * measure.never

    return value


def counted(measure: Counted) -> Callable[[Run], Exact]:
    def value(run: Run) -> Fraction:
        hits = [rank for rank, grade in enumerate(run[: measure.depth], start=1) if grade >= measure.rel]
        if measure.statistic == "relevant":
            return measure.values[len(hits)]
        if measure.statistic == "any":
            return measure.values[bool(hits)]
        return measure.values[min(hits, default=measure.depth + 1) - 1]

    return value


def values(measure: Decomposition, runs: Sequence[Run], grades: Sequence[int]) -> list[Exact]:
    match measure:
        case Additive():
            value = additive(measure, len(runs[0]), grades)
        case AveragePrecision():
            value = average_precision(measure)
        case Cascade():
            value = cascade(measure, grades)
        case Counted():
            value = counted(measure)
    return [value(run) for run in runs]


def ranks(exact: Sequence[Exact]) -> dict[str, list[Fraction]]:
    """The four tie strategies, as P4 §VI explains them."""
    distinct: dict[Exact, int] = {}
    least: dict[Exact, int] = {}
    greatest: dict[Exact, int] = {}
    runs_of, place = Counter(exact), 0
    for rank, value in enumerate(sorted(runs_of), start=1):
        distinct[value], least[value] = rank, place + 1
        place += runs_of[value]
        greatest[value] = place
    return {
        "unq": [Fraction(distinct[value]) for value in exact],
        "min": [Fraction(least[value]) for value in exact],
        "max": [Fraction(greatest[value]) for value in exact],
        "mid": [Fraction(least[value] + greatest[value], 2) for value in exact],
    }
