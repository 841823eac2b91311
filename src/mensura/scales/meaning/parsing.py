"""Statements as text: ``mean(A) > mean(B)``, ``median(A) = median(B)``, ``topics(A > B) > topics(B > A)``, ``tau(A, B) > 0.9``.

A comparison of two sums of terms. A term is a number, a statistic of a named sample, or a product or quotient of terms:

- ``mean``, ``median``, ``minimum``, ``maximum``, ``mode``, ``value`` and ``quantile(A, 0.9)``;
- ``gmean``, ``hmean``, ``sd`` and ``cv``: geometric and harmonic mean, standard deviation, coefficient of variation;
- ``topics(A > B)``: the number of topics on which a relation holds between two samples, or a sample and a value;
- ``tau(A, B)``, ``rho(A, B)`` and ``pearson(A, B)``: correlations of two samples.

Names with other characters than letters, digits, ``_``, ``-`` and ``.`` are written in quotation marks.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from mensura.errors import ScaleError
from mensura.scales.meaning.expressions import Constant, Expression, Inequality, Quotient, Scaled
from mensura.scales.meaning.statements import (
    CoefficientOfVariation,
    GeometricMean,
    HarmonicMean,
    Maximum,
    Mean,
    Median,
    Minimum,
    Mode,
    Quantile,
    SampleCorrelation,
    ScaleValue,
    StandardDeviation,
    TopicCount,
    Value,
)

if TYPE_CHECKING:
    from mensura.scales.meaning.expressions import Relation

TOKEN = re.compile(
    r"\s*(?:(>=|<=|==|≥|≤|[><=+\-−*·/(),])|(\d+(?:\.\d+)?|\.\d+)(?![\w.-])|\"([^\"]+)\"|'([^']+)'|([^\W\d][\w.-]*|\w[\w.-]*))"
)
RELATIONS: dict[str, Relation] = {">": ">", ">=": ">=", "≥": ">=", "<": "<", "<=": "<=", "≤": "<=", "=": "=", "==": "="}
STATISTICS = {
    "mean": Mean,
    "median": Median,
    "minimum": Minimum,
    "min": Minimum,
    "maximum": Maximum,
    "max": Maximum,
    "mode": Mode,
    "value": Value,
    "gmean": GeometricMean,
    "hmean": HarmonicMean,
    "sd": StandardDeviation,
    "cv": CoefficientOfVariation,
}
CORRELATIONS = ("tau", "rho", "pearson")
KNOWN = (*STATISTICS, "quantile", "topics", *CORRELATIONS)


def parse_statement(text: str) -> Inequality:
    """A statement from its text.

    Examples
    --------
    >>> print(parse_statement("mean(A) - mean(B) > 0.1"))
    mean(A) − mean(B) > 0.1
    >>> print(parse_statement("topics(A > B) > topics(B > A)"))
    topics(A > B) > topics(B > A)
    """
    reader = _StatementReader(text)
    left = reader.sum()
    relation = RELATIONS.get(reader.take())
    if relation is None:
        raise reader.unclear("a relation: one of > >= < <= =")
    right = reader.sum()
    if reader.tokens:
        raise reader.unclear("nothing after the statement")
    return Inequality(left, relation, right)


class _StatementReader:
    """Tokens from left to right; a token is (kind, text)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if match is None:
                raise ScaleError(f"{text!r} is not a statement: {text[at:]!r} is unclear; {_help()}")
            sign, number, *names = match.groups()
            self.tokens.append(("sign", sign) if sign else ("number", number) if number else ("name", next(filter(None, names))))
            at = match.end()

    def unclear(self, expected: str) -> ScaleError:
        rest = " ".join(text for _, text in self.tokens) or "its end"
        return ScaleError(f"{self.text!r} is not a statement: expected {expected} before {rest}; {_help()}")

    def next(self) -> str:
        return self.tokens[0][1] if self.tokens and self.tokens[0][0] == "sign" else ""

    def take(self) -> str:
        return self.tokens.pop(0)[1] if self.next() else ""

    def need(self, sign: str) -> None:
        if self.next() != sign:
            raise self.unclear(repr(sign))
        self.take()

    def sum(self) -> Expression:
        total = self.product()
        while self.next() in {"+", "-", "−"} and self.next():
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self) -> Expression:
        term = self.term()
        while self.next() in {"*", "·", "/"} and self.next():
            sign, other = self.take(), self.term()
            if sign == "/":
                term = (
                    Scaled(1 / Fraction(other.number), term)
                    if isinstance(other, Constant) and other.number
                    else Quotient(term, other)
                )
            elif isinstance(term, Constant):
                term = Scaled(term.number, other)
            elif isinstance(other, Constant):
                term = Scaled(other.number, term)
            else:
                raise self.unclear("a number on one side of a product")
        return term

    def term(self) -> Expression:
        if self.next() == "(":
            self.take()
            inner = self.sum()
            self.need(")")
            return inner
        if self.next() in {"-", "−"} and self.next():
            self.take()
            return Scaled(-1, self.term())
        if not self.tokens or self.tokens[0][0] == "sign":
            raise self.unclear("a number or a statistic")
        kind, text = self.tokens.pop(0)
        if kind == "number":
            return Constant(_number(text))
        if text.lower() not in KNOWN:
            raise ScaleError(f"{self.text!r} is not a statement: {text!r} is not a statistic; {_help()}")
        self.need("(")
        statistic = self.statistic(text.lower())
        self.need(")")
        return statistic

    def statistic(self, name: str) -> Expression:
        if name == "topics":
            first = self.sample()
            relation = RELATIONS.get(self.take())
            if relation is None:
                raise self.unclear("a relation: one of > >= < <= =")
            if self.tokens and self.tokens[0][0] == "number":
                return TopicCount(first, relation, ScaleValue(_number(self.tokens.pop(0)[1])))
            return TopicCount(first, relation, self.sample())
        first = self.sample()
        if name in STATISTICS:
            return STATISTICS[name](first)
        self.need(",")
        if name == "quantile":
            if not self.tokens or self.tokens[0][0] != "number":
                raise self.unclear("a proportion, e.g. 0.9")
            return Quantile(first, _number(self.tokens.pop(0)[1]))
        return SampleCorrelation(first, self.sample(), name)

    def sample(self) -> str:
        if not self.tokens or self.tokens[0][0] == "sign":
            raise self.unclear("the name of a sample")
        return self.tokens.pop(0)[1]


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _help() -> str:
    return f"write e.g. mean(A) > mean(B), with {', '.join(KNOWN)}"
