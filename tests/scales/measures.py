"""Decompositions that the tests of scales share."""

from fractions import Fraction

from mensura.measures.decomposition import (
    Additive,
    AveragePrecision,
    Cascade,
    Counted,
    Decomposition,
    GeometricDiscount,
    LogDiscount,
    Weights,
)

BINARY = (0, 1)
GRADED = (0, 1, 2, 3)


def fractions(*numbers: int | str) -> tuple[Fraction, ...]:
    return tuple(Fraction(number) for number in numbers)


LINEAR = fractions(0, 1, 2, 3)
EXPONENTIAL = fractions(0, 1, 3, 7)
UNEQUAL = fractions(0, "1/3", "1/2", 5)


def dcg(base: int | str = 2, offset: int = 0, gains: tuple[Fraction, ...] = fractions(0, 1)) -> Additive:
    return Additive(LogDiscount(Fraction(base), 1 if offset else 0), gains)


def rbp(p: str, gains: tuple[Fraction, ...] = fractions(0, 1)) -> Additive:
    return Additive(GeometricDiscount(Fraction(p)), gains)


def precision(length: int, rel: int = 1) -> Counted:
    return Counted("relevant", tuple(Fraction(n, length) for n in range(length + 1)), length, rel)


def reciprocal_rank(length: int, rel: int = 1) -> Counted:
    return Counted("first", (*(Fraction(1, n) for n in range(1, length + 1)), Fraction(0)), length, rel)


def first_rank(length: int) -> Counted:
    return Counted("first", tuple(Fraction(n) for n in range(1, length + 2)), length)


def success(length: int) -> Counted:
    return Counted("any", fractions(0, 1), length)


def f1(length: int, recall_base: int) -> Counted:
    return Counted("relevant", tuple(Fraction(2 * n, length + recall_base) for n in range(length + 1)), length)


ERR = Cascade(fractions(0, "1/2"))
EFR = Cascade(fractions(0, "1/2"), "i", Fraction(20))
GRADED_ERR = Cascade(fractions(0, "1/8", "3/8", "7/8"))
GRADED_EFR = Cascade(fractions(0, "1/5", "1/2", 1), "i")


def binary_measures(length: int) -> dict[str, Decomposition]:
    return {
        "P": precision(length),
        "R-precision at 3": Counted("relevant", fractions(0, "1/3", "2/3", 1), 3),
        "F1": f1(length, 7),
        "Success": success(length),
        "RR": reciprocal_rank(length),
        "MFR": first_rank(length),
        "AP": AveragePrecision(),
        "DCG base 2": dcg(),
        "DCG base 10": dcg(10),
        "DCG base 3/2": dcg("3/2"),
        "DCG base 4": dcg(4),
        "DCG log2(i+1)": dcg(2, 1),
        "RBP .3": rbp("0.3"),
        "RBP .5": rbp("0.5"),
        "RBP .8": rbp("0.8"),
        "ERR": ERR,
        "EFR": EFR,
        "harmonic": Additive(Weights(tuple(Fraction(1, i) for i in range(1, length + 1))), fractions(0, 1)),
    }


def graded_measures(length: int) -> dict[str, Decomposition]:
    return {
        "P rel 2": precision(length, 2),
        "RR rel 3": reciprocal_rank(length, 3),
        "AP rel 2": AveragePrecision(2),
        "DCG base 2": dcg(2, 0, LINEAR),
        "DCG base 3, unequal": dcg(3, 0, UNEQUAL),
        "DCG log2(i+1) exponential": dcg(2, 1, EXPONENTIAL),
        "gRBP .5": rbp("0.5", LINEAR),
        "gRBP .5 exponential": rbp("0.5", EXPONENTIAL),
        "gRBP .8 unequal": rbp("0.8", UNEQUAL),
        "gRBP .1": rbp("0.1", LINEAR),
        "gP": Additive(Weights((Fraction(1, length),) * length), UNEQUAL),
        "ERR": GRADED_ERR,
        "EFR": GRADED_EFR,
    }
