"""Explanation of a statement about two systems: it holds on every scale, or a transformation reverses it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.meaning.dominance import EQUAL, GROUPS, ONE_SCALE, VERDICTS, Leaderboard
from mensura.scales.meaning.meaningfulness import Verdict, meaningful
from mensura.scales.meaning.statements import Mean
from mensura.scales.meaning.stretch import stretch_index
from mensura.scales.types import SCALES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from mensura.scales.meaning.expressions import Data
    from mensura.scales.meaning.statements import Statement

SPACING = Fraction(1, 1 << 200)
"""Distance that values of irrational measures get if they are different numbers and the same double."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """The statement that one system has a better mean than another, and what becomes of it.

    Attributes
    ----------
    measure
        The name of the measure.
    better, worse
        The systems, the one with the better mean first.
    values
        Their values per topic, [2, topic].
    topics
        The names of the topics.
    kind
        One of :data:`mensura.scales.meaning.dominance.VERDICTS`.
    groups
        For each group of permissible transformations that differ: whether the statement survives it, with a transformation that
        reverses it if not.
    stretch
        For the same groups: by how much a scale must be bent to reverse it, on the measure's own values.
    scales
        For the same groups: the class of each topic; topics of one class share a scale.
    interval
        The means on the interval scale of the measure, if it is known.
    reversed_by_interval
        Whether the interval scale has the systems the other way round.
    common_interval
        Whether the interval scale is the same function of the value on every topic.
    unknown
        The reason why the interval scale does not decide.
    """

    measure: str
    better: str
    worse: str
    values: NDArray[np.float64]
    topics: tuple[str, ...]
    kind: str
    groups: dict[str, Verdict]
    stretch: dict[str, Fraction | float]
    scales: dict[str, tuple[int, ...]]
    interval: tuple[float, float] | None
    reversed_by_interval: bool
    common_interval: bool
    unknown: str
    higher_is_better: bool = True

    @property
    def common(self) -> Verdict:
        """The verdict if all topics share one scale."""
        return self.groups[GROUPS[ONE_SCALE]]

    @property
    def signs(self) -> tuple[int, int, int]:
        """On how many topics the better system is better, worse, and equal."""
        difference = self.values[0] - self.values[1]
        if not self.higher_is_better:
            difference = -difference
        return int((difference > 0).sum()), int((difference < 0).sum()), int((difference == 0).sum())


def explain(
    measure: str,
    board: Leaderboard,
    topics: tuple[str, ...],
    first: str,
    second: str,
    *,
    exact: dict[str, list[Fraction]] | None = None,
) -> Explanation:
    """Look at the statement about two systems of a leaderboard; ``exact`` are their values as fractions, if they are known."""
    one, other = board.index(first), board.index(second)
    if one == other:
        raise ScaleError(f"{first!r} is one system: name two")
    verdict = int(board.verdicts[one, other])
    if verdict < 0:
        one, other, verdict = other, one, int(board.verdicts[other, one])
    names = board.systems[one], board.systems[other]
    data = exact if exact is not None else dict(zip(names, _settled(board, one, other), strict=True))
    means = Mean(names[0]), Mean(names[1])
    statement = means[0] > means[1] if board.higher_is_better else means[0] < means[1]
    sums = board.interval_sums
    mine, others = ([board.sense * value for value in data[name]] for name in names)
    scales = {group: tuple(board.labels[group].tolist()) for group in board.groups}
    return Explanation(
        measure,
        *names,
        np.array([[float(value) for value in data[name]] for name in names]),
        topics,
        VERDICTS[verdict],
        {
            group: meaningful(statement, "ordinal", data, per_topic=group != GROUPS[ONE_SCALE] and labels)
            for group, labels in scales.items()
        },
        {group: stretch_index(mine, others, labels) for group, labels in scales.items()},
        scales,
        None if sums is None else (float(sums[one]) / len(topics), float(sums[other]) / len(topics)),
        verdict != EQUAL and bool(board.interval_signs[one, other] < 0),
        board.classes is None,
        board.unknown,
        board.higher_is_better,
    )


def _settled(board: Leaderboard, one: int, other: int) -> list[list[Fraction]]:
    """The values of two systems as exact numbers in the order of their codes, where doubles are the same or out of order."""
    codes, values = board.sense * board.places[[one, other]], board.values[[one, other]]
    distinct, first, which = np.unique(codes, return_index=True, return_inverse=True)
    numbers: list[Fraction] = []
    for value in values.reshape(-1)[first].tolist():
        numbers.append(max(Fraction(value), numbers[-1] + SPACING) if numbers else Fraction(value))
    flat: list[Any] = [numbers[at] for at in which.reshape(-1).tolist()]
    topics = values.shape[1]
    return [flat[:topics], flat[topics:]] if len(distinct) else [[], []]


@dataclass(frozen=True)
class StatementVerdict:
    """The verdict about a statement on one type of scale; ``group`` says which topics share a scale, if that matters."""

    measure: str
    group: str
    verdict: Verdict


def on_every_scale(
    statement: Statement, measure: str = "", data: Data | None = None, labels: dict[str, Sequence[Hashable]] | None = None
) -> list[StatementVerdict]:
    """Whether a statement is meaningful on each type of scale: in general, or for ``data``.

    ``labels`` name the scale of each topic for the groups of transformations of ordinal values; by default all share one.
    """
    verdicts = []
    for scale in SCALES if labels is None else [name for name in SCALES if name != "nominal"]:
        if scale != "ordinal" or labels is None:
            verdicts.append(StatementVerdict(measure, "", meaningful(statement, scale, data)))
            continue
        for group, classes in labels.items():
            per_topic = group != GROUPS[ONE_SCALE] and (classes if data is not None else True)
            verdicts.append(StatementVerdict(measure, group, meaningful(statement, scale, data, per_topic=per_topic)))
    return verdicts


def survives(explanation: Explanation, group: str = GROUPS[ONE_SCALE]) -> bool:
    """Whether the statement is true under every transformation of a group; by default, of one scale for all topics."""
    verdict = explanation.groups.get(group, explanation.common)
    return explanation.kind != VERDICTS[EQUAL] and verdict.transformation is None and bool(verdict.truth)
