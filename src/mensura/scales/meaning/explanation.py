"""Explanation of a statement about two systems: it holds on every scale, or a transformation reverses it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.meaning.dominance import EVERY_SCALE, EVERY_TOPIC, VERDICTS, Leaderboard
from mensura.scales.meaning.meaningfulness import Verdict, meaningful
from mensura.scales.meaning.statements import Mean

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
    common, own
        Whether the statement is meaningful if all topics share one ordinal scale, and if each topic has its own.
    interval
        The means on the interval scale of the measure, if it is known.
    """

    measure: str
    better: str
    worse: str
    values: NDArray[np.float64]
    topics: tuple[str, ...]
    kind: str
    common: Verdict
    own: Verdict
    interval: tuple[float, float] | None

    @property
    def signs(self) -> tuple[int, int, int]:
        """On how many topics the better system is better, worse, and equal."""
        difference = self.values[0] - self.values[1]
        if self.common.statement.relation == "<":  # type: ignore[union-attr]
            difference = -difference
        return int((difference > 0).sum()), int((difference < 0).sum()), int((difference == 0).sum())


def explain(measure: str, board: Leaderboard, topics: tuple[str, ...], first: str, second: str) -> Explanation:
    """Looks at the statement about two systems of a leaderboard."""
    one, other = board.index(first), board.index(second)
    if one == other:
        raise ScaleError(f"{first!r} is one system: name two")
    verdict = int(board.verdicts[one, other])
    if verdict < 0:
        one, other, verdict = other, one, int(board.verdicts[other, one])
    names = board.systems[one], board.systems[other]
    values = _settled(board, one, other)
    data = {name: [Fraction(value) for value in row] for name, row in zip(names, values.tolist(), strict=True)}
    means = Mean(names[0]), Mean(names[1])
    statement = means[0] > means[1] if board.higher_is_better else means[0] < means[1]
    sums = board.interval_sums
    interval = None if sums is None else (float(sums[one]) / len(topics), float(sums[other]) / len(topics))
    return Explanation(
        measure,
        *names,
        values,
        topics,
        VERDICTS[verdict],
        meaningful(statement, "ordinal", data),
        meaningful(statement, "ordinal", data, per_topic=True),
        interval,
    )


def _settled(board: Leaderboard, one: int, other: int) -> NDArray[np.float64]:
    """The values of two systems, where values that differ by rounding errors only are the same number."""
    places, values = board.places[[one, other]], board.values[[one, other]]
    _, first, which = np.unique(places, return_index=True, return_inverse=True)
    return np.asarray(values.reshape(-1)[first][which].reshape(values.shape))


def survives(explanation: Explanation) -> bool:
    """Whether the statement is true under every monotone transformation of one scale."""
    return explanation.kind in {VERDICTS[EVERY_TOPIC], VERDICTS[EVERY_SCALE]}
