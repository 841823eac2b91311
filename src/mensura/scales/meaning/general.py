"""Meaningfulness of a statement on a type of scale, whatever the data (P4 §III-D).

Every expression is followed through a permissible transformation. Under x ↦ αx + β an expression becomes
α^degree · value + shift · β, or it does not keep such a form at all. A comparison keeps its truth if both sides change alike.
"""

from __future__ import annotations

from mensura.scales.meaning.expressions import Constant, Expression, Inequality, Quotient, Scaled, ScaleValue, Sum, written
from mensura.scales.meaning.statements import (
    CoefficientOfVariation,
    GeometricMean,
    HarmonicMean,
    Mode,
    Position,
    SampleCorrelation,
    Significant,
    StandardDeviation,
    Statement,
    TopicCount,
    Value,
)
from mensura.scales.types import INTERVAL, NOMINAL, ORDINAL, TESTS, ScaleType

Behaviour = tuple[int, object]
"""Degree and shift."""

ANY_DEGREE = None  # 0 stays 0 in every degree


def reason_against(statement: Statement, scale: ScaleType) -> str | None:
    """Reason why the statement is not meaningful on the scale; None if it is."""
    if isinstance(statement, Significant):
        needs = TESTS[statement.test]
        return None if scale >= needs else f"the test ({statement.test}) assumes {needs} values, and these are {scale}"
    if scale == NOMINAL:
        return _against_nominal(statement)
    if scale == ORDINAL:
        return _against_ordinal(statement)
    return _against_metric(statement, scale)


def _against_nominal(statement: Inequality) -> str | None:
    sides = (statement.left, statement.right)
    if all(_counted(side) for side in sides):
        return None
    if statement.relation != "=":
        return "names have no order: they are equal or not"
    strange = next((side for side in sides if not isinstance(side, Mode | ScaleValue | Value)), None)
    return f"{strange} is not found by counting alone" if strange is not None else None


def _counted(of: Expression) -> bool:
    """Whether an expression counts topics on which names are equal, so that new names do not change it."""
    match of:
        case TopicCount(_, relation, _):
            return relation == "="
        case Constant():
            return True
        case Scaled(_, inner):
            return _counted(inner)
        case Sum(left, right) | Quotient(left, right):
            return _counted(left) and _counted(right)
    return False


def by_order(of: Expression) -> bool:
    """Whether the value of an expression depends on the order of values only, so that no increasing function changes it."""
    match of:
        case SampleCorrelation(_, _, kind):
            return kind != "pearson"
        case TopicCount() | Constant():
            return True
        case Scaled(_, inner):
            return by_order(inner)
        case Sum(left, right) | Quotient(left, right):
            return by_order(left) and by_order(right)
    return False


def _against_ordinal(statement: Inequality) -> str | None:
    if by_order(statement.left) and by_order(statement.right):
        return None
    sides = _pulled_apart(statement)
    strange = next((side for side in sides if not isinstance(side, Position | ScaleValue | Value | Mode)), None)
    return f"{strange} is not one of the values, so increasing functions do not preserve it" if strange is not None else None


def _pulled_apart(statement: Inequality) -> tuple[Expression, Expression]:
    """A − B > 0 says A > B."""
    left, right = statement.left, statement.right
    zero = isinstance(right, Constant) and right.number == 0
    if zero and isinstance(left, Sum) and isinstance(left.right, Scaled) and left.right.factor == -1:
        return left.left, left.right.of
    return left, right


def _against_metric(statement: Inequality, scale: ScaleType) -> str | None:
    changes = []
    for side in (statement.left, statement.right):
        try:
            changes.append(_behaviour(side, interval=scale == INTERVAL))
        except _ChangedError as changed:
            return str(changed)
    (degree, shift), (other_degree, other_shift) = changes
    if ANY_DEGREE not in {degree, other_degree} and degree != other_degree:
        return f"α changes {statement.left} and {statement.right} differently"
    if shift != other_shift:
        return f"β changes {statement.left} and {statement.right} differently"
    return None


class _ChangedError(Exception):
    """An expression that a transformation does not just stretch and shift."""


def _behaviour(of: Expression, *, interval: bool) -> tuple[int | None, object]:
    match of:
        case Constant(number):
            return (0 if number else ANY_DEGREE), 0
        case Scaled(factor, inner):
            degree, shift = _behaviour(inner, interval=interval)
            return degree, written(factor) * shift
        case Sum(left, right):
            (one, first), (two, second) = _behaviour(left, interval=interval), _behaviour(right, interval=interval)
            if ANY_DEGREE not in {one, two} and one != two:
                raise _ChangedError(f"{left} and {right} cannot be added: α changes them differently")
            return (two if one is ANY_DEGREE else one), first + second  # type: ignore[operator]
        case Quotient(top, bottom):
            (one, first), (two, second) = _behaviour(top, interval=interval), _behaviour(bottom, interval=interval)
            if first or second:
                raise _ChangedError(f"β changes the ratio {of}: the zero of the scale is arbitrary")
            return (one or 0) - (two or 0), 0
        case StandardDeviation() | TopicCount() | SampleCorrelation():
            return int(isinstance(of, StandardDeviation)), 0
        case GeometricMean() | HarmonicMean() | CoefficientOfVariation():
            if interval:
                raise _ChangedError(
                    f"β changes the {of.what}, which multiplies or divides values: the zero of the scale is arbitrary"
                )
            return (0 if isinstance(of, CoefficientOfVariation) else 1), 0
    return 1, int(interval)
