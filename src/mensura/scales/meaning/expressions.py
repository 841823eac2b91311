"""Expressions about named samples, and comparisons of them: the algebra of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from mensura.errors import ScaleError

Number = Any
Data = Mapping[str, Sequence[Number]]
Relation = Literal[">", ">=", "<", "<=", "="]


class Expression:
    """Something that has a value once data are given."""

    def value(self, data: Data) -> Number:
        """Its value, exact if the data are exact and no root is taken."""
        raise NotImplementedError

    def __add__(self, other: Expression | Number) -> Expression:
        return Sum(self, expression(other))

    def __sub__(self, other: Expression | Number) -> Expression:
        return Sum(self, Scaled(-1, expression(other)))

    def __mul__(self, factor: Number) -> Expression:
        return Scaled(factor, self)

    __rmul__ = __mul__

    def __truediv__(self, other: Expression | Number) -> Expression:
        return Quotient(self, expression(other))

    def __gt__(self, other: Expression | Number) -> Inequality:
        return Inequality(self, ">", expression(other))

    def __ge__(self, other: Expression | Number) -> Inequality:
        return Inequality(self, ">=", expression(other))

    def __lt__(self, other: Expression | Number) -> Inequality:
        return Inequality(self, "<", expression(other))

    def __le__(self, other: Expression | Number) -> Inequality:
        return Inequality(self, "<=", expression(other))

    def equals(self, other: Expression | Number) -> Inequality:
        """The statement that two values are equal."""
        return Inequality(self, "=", expression(other))


def expression(operand: Expression | Number) -> Expression:
    """A number as an expression."""
    return operand if isinstance(operand, Expression) else Constant(operand)


@dataclass(frozen=True)
class Constant(Expression):
    """A number that is not on the scale, and does not change with it: 0, or the 2 of "twice as high"."""

    number: Number

    def value(self, data: Data) -> Number:  # noqa: ARG002 - all expressions are given the data
        return written(self.number)

    def __str__(self) -> str:
        return str(self.number)


@dataclass(frozen=True)
class ScaleValue(Expression):
    """A value of the scale, which changes with it: 1 that stands for Spain."""

    number: Number

    def value(self, data: Data) -> Number:  # noqa: ARG002 - all expressions take data
        return self.number

    def __str__(self) -> str:
        return f"value {self.number}"


@dataclass(frozen=True)
class Sum(Expression):
    """One plus another."""

    left: Expression
    right: Expression

    def value(self, data: Data) -> Number:
        return self.left.value(data) + self.right.value(data)

    def __str__(self) -> str:
        if isinstance(self.right, Scaled) and self.right.factor == -1:
            return f"{self.left} − {self.right.of}"
        return f"{self.left} + {self.right}"


@dataclass(frozen=True)
class Scaled(Expression):
    """A number times another expression."""

    factor: Number
    of: Expression

    def value(self, data: Data) -> Number:
        return written(self.factor) * self.of.value(data)

    def __str__(self) -> str:
        return f"{self.factor}·({self.of})" if isinstance(self.of, Sum) else f"{self.factor}·{self.of}"


@dataclass(frozen=True)
class Quotient(Expression):
    """One divided by another."""

    top: Expression
    bottom: Expression

    def value(self, data: Data) -> Number:
        bottom = self.bottom.value(data)
        if bottom == 0:
            raise ScaleError(f"{self.bottom} is 0: there is no ratio")
        top = self.top.value(data)
        return Fraction(top) / Fraction(bottom) if not isinstance(top, float) and not isinstance(bottom, float) else top / bottom

    def __str__(self) -> str:
        return " / ".join(f"({part})" if isinstance(part, Sum) else str(part) for part in (self.top, self.bottom))


@dataclass(frozen=True)
class Inequality:
    """The statement that one value is greater than another, or less, or equal."""

    left: Expression
    relation: Relation
    right: Expression

    def sides(self, data: Data) -> tuple[Number, Number]:
        """Both values."""
        return self.left.value(data), self.right.value(data)

    def truth(self, data: Data) -> bool:
        """Whether it is true of the data."""
        left, right = self.sides(data)
        return is_true(self.relation, (left > right) - (left < right))

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


def is_true(relation: Relation, sign: int) -> bool:
    """Truth of a relation between two values, from the sign of their difference."""
    return {">": sign > 0, ">=": sign >= 0, "<": sign < 0, "<=": sign <= 0, "=": sign == 0}[relation]


def show(value: Number) -> str:
    """A number, short."""
    return str(value) if isinstance(value, int) else f"{float(value):.6g}"


def written(number: Number) -> Number:
    """A number of a statement as it was written: 0.1 is 1/10, not the double nearest to it."""
    return Fraction(str(number)) if isinstance(number, float) else number


def exact(value: Number) -> Fraction | int:
    """A number as it is, without rounding; whole numbers stay whole, which is faster."""
    return int(value) if isinstance(value, int | np.integer) else Fraction(value)
