"""Meaningfulness: the truth of a statement is the same under every permissible transformation of the scale (P4 §III-D)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.errors import ScaleError
from mensura.scales.meaning.expressions import Constant, Data, Expression, Inequality, Quotient, Scaled, ScaleValue, Sum, show
from mensura.scales.meaning.general import reason_against
from mensura.scales.meaning.invariance import NotLinearError, linear
from mensura.scales.meaning.reversals import SAMPLES, candidates, dominated_logarithms
from mensura.scales.meaning.statements import Significant, Statement, TopicCount
from mensura.scales.types import NOMINAL, ORDINAL, ScaleType, scale_type

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from mensura.scales.meaning.transformations import Transformation

WITHIN_TOPICS = {"sign", "Friedman"}
CLEARLY = 1e-9
"""Roots and p-values are computed in floating point: a reversal counts if both sides then differ by this share of their size."""


@dataclass(frozen=True)
class Verdict:
    """Fate of a statement under permissible transformations.

    Attributes
    ----------
    statement, scale
        What was asked.
    meaningful
        Is the truth always the same? None: not known; ``why`` says what was tried.
    why
        The reason.
    truth
        Is the statement true of the data as they are? None without data.
    values
        Both sides of the statement for the data as they are.
    transformation
        A permissible transformation that makes a true statement false, or a false one true.
    transformed
        Both sides after it.
    """

    statement: Statement
    scale: ScaleType
    meaningful: bool | None
    why: str
    truth: bool | None = None
    values: tuple[Any, Any] | None = None
    transformation: Transformation | None = None
    transformed: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        word = {True: "meaningful", False: "not meaningful", None: "not known to be meaningful"}[self.meaningful]
        text = f"“{self.statement}” is {word} on {'an' if self.scale.name[0] in 'oi' else 'a'} {self.scale} scale: {self.why}"
        if self.values is not None and self.transformed is not None:
            before, after = (" and ".join(map(show, pair)) for pair in (self.values, self.transformed))
            text += f"; the two sides are {before}, and after the transformation {self.transformation} they are {after}"
        return text


def meaningful(
    statement: Statement,
    scale: ScaleType | str,
    data: Data | None = None,
    *,
    per_topic: bool | Sequence[Hashable] = False,
    seed: int = 0,
) -> Verdict:
    """Whether a statement is meaningful on a type of scale: in general, or for given data.

    A statement that is not meaningful in general may still be so for given data: no permissible transformation changes its truth
    *there*. If one does, the verdict holds it, with the values that it gives.

    Parameters
    ----------
    statement
        For example ``Mean("A") > Mean("B")``.
    scale
        The type of the scale.
    data
        Values by the names of the samples. Fractions, integers and floats are taken as the exact numbers that they are.
    per_topic
        Each topic has a scale of its own, as measures have that depend on the recall base (P4 §IV-C): the samples list the same
        topics, and each topic may be transformed in its own way. A label for each topic, such as its recall base, instead of True:
        topics with the same label share a scale.
    seed
        For random transformations, which are tried where nothing better is known.

    Examples
    --------
    P4, Example 6: wineries.

    >>> from mensura.scales.meaning.statements import Mean, Median
    >>> data = {"X": [6, 6, 12, 17, 32], "Y": [3, 3, 3, 12, 50]}
    >>> meaningful(Median("X") > Median("Y"), "ordinal", data).meaningful
    True
    >>> verdict = meaningful(Mean("X") > Mean("Y"), "ordinal", data)
    >>> verdict.meaningful, verdict.truth, str(verdict.transformation)
    (False, True, 'through (3, 3), (32, 32), (50, 54)')
    """
    if not isinstance(statement, Statement):
        raise ScaleError(
            f"{statement!r} is not a statement; write a comparison of expressions, and for equality .equals, "
            'e.g. Median("P").equals(Median("R"))'
        )
    scale = scale_type(scale)
    against = reason_against(statement, scale)
    labels = _labels(data, per_topic=per_topic)
    if data is None:
        if per_topic and against is None and not _within_topics(statement):
            against = "each topic may change in its own way"
        return Verdict(statement, scale, against is None, against or f"{scale.permissible} change both sides alike")
    truth, values = statement.truth(data), statement.sides(data)
    if against is None and (not per_topic or _within_topics(statement)):
        return Verdict(statement, scale, True, f"{scale.permissible} change both sides alike", truth, values)  # noqa: FBT003 - the verdict itself is positional
    if scale == NOMINAL or not isinstance(statement, Inequality):
        return _searched(statement, scale, data, against, labels, seed=seed)
    try:
        form = linear(statement, data, labels)
    except NotLinearError:
        return _searched(statement, scale, data, against, labels, seed=seed)
    change = form.changing(scale, lambda way: _changes(statement, data, way))
    if change is not None:
        return _changed(statement, scale, against, data, change)
    if form.ratio:
        return _searched(statement, scale, data, against, labels, seed=seed)
    return Verdict(statement, scale, True, _why_invariant(scale, per_topic=per_topic), truth, values)  # noqa: FBT003 - the verdict itself is positional


def _labels(data: Data | None, *, per_topic: bool | Sequence[Hashable]) -> Sequence[Hashable] | None:
    """The scale of each topic; None if all topics share one."""
    if not isinstance(per_topic, bool):
        return per_topic
    return range(max(map(len, data.values()), default=0)) if per_topic and data is not None else None


def _within_topics(statement: Statement) -> bool:
    """Whether it compares values of the same topic only, and these by their order."""
    if isinstance(statement, Significant):
        return statement.test in WITHIN_TOPICS
    return _counts_topics(statement.left) and _counts_topics(statement.right)


def _counts_topics(part: Expression) -> bool:
    match part:
        case TopicCount(_, _, second):
            return isinstance(second, str)
        case Constant():
            return True
        case Scaled(_, of):
            return _counts_topics(of)
        case Sum(left, right) | Quotient(left, right):
            return _counts_topics(left) and _counts_topics(right)
    return False


def _after(statement: Statement, data: Data, by: Transformation) -> tuple[bool, tuple[Any, Any]]:
    """The truth and both sides on the other scale."""
    moved, there = transformed(statement, data, by)
    return moved.truth(there), moved.sides(there)


def _changes(statement: Statement, data: Data, by: Transformation) -> bool:
    """Whether the truth changes; it does not where a statistic is not defined for the new values."""
    try:
        return _after(statement, data, by)[0] != statement.truth(data)
    except ScaleError:
        return False


def transformed(statement: Statement, data: Data, by: Transformation) -> tuple[Statement, dict[str, list[Any]]]:
    """The statement and the data on the other scale: values that the statement names change with the data."""
    return _carried(statement, by), {name: by.apply(values) for name, values in data.items()}


def _carried(statement: Statement, by: Transformation) -> Statement:
    if isinstance(statement, Inequality):
        return Inequality(_carried_part(statement.left, by), statement.relation, _carried_part(statement.right, by))
    return statement


def _carried_part(part: Expression, by: Transformation) -> Expression:
    match part:
        case ScaleValue(number):
            return ScaleValue(by(number))
        case TopicCount(first, relation, ScaleValue(number)):
            return TopicCount(first, relation, ScaleValue(by(number)))
        case Sum(left, right):
            return Sum(_carried_part(left, by), _carried_part(right, by))
        case Quotient(top, bottom):
            return Quotient(_carried_part(top, by), _carried_part(bottom, by))
        case Scaled(factor, of):
            return Scaled(factor, _carried_part(of, by))
    return part


def _why_invariant(scale: ScaleType, *, per_topic: bool | Sequence[Hashable]) -> str:
    if per_topic is True:
        return "on every topic the values say the same"
    if per_topic:
        return "on the topics of every class the values say the same above every threshold"
    if scale == ORDINAL:
        return "above every threshold the values say the same (stochastic dominance)"
    return "for these data the sign of the difference does not depend on the unit"


def _changed(statement: Statement, scale: ScaleType, against: str | None, data: Data, by: Transformation) -> Verdict:
    why = against or "each topic may change in its own way"
    after = _after(statement, data, by)[1]
    return Verdict(statement, scale, False, why, statement.truth(data), statement.sides(data), by, after)  # noqa: FBT003 - the verdict itself is positional


def _searched(
    statement: Statement, scale: ScaleType, data: Data, against: str | None, labels: Sequence[Hashable] | None, *, seed: int
) -> Verdict:
    """Tries transformations one by one."""
    against = against or "each topic may change in its own way"
    truth, values = statement.truth(data), statement.sides(data)
    if isinstance(statement, Inequality) and scale == ORDINAL and labels is None and dominated_logarithms(statement, data):
        return Verdict(statement, scale, True, _why_invariant(scale, per_topic=False), truth, values)  # noqa: FBT003 - the verdict itself is positional
    for candidate in candidates(statement, scale, data, labels, seed=seed):
        if _changes(statement, data, candidate) and (scale == NOMINAL or _clear(*_after(statement, data, candidate)[1])):
            return _changed(statement, scale, against, data, candidate)
    return Verdict(statement, scale, None, f"{against}; but {SAMPLES} transformations did not change its truth", truth, values)


def _clear(left: Any, right: Any) -> bool:
    """Whether both sides differ by more than rounding errors."""
    return bool(abs(left - right) > CLEARLY * max(abs(left), abs(right)))
