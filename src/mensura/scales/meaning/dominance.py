"""Statements of a leaderboard that survive every monotone transformation of the measure.

"A has a higher mean than B" is about the scale as much as about the systems, unless A dominates B:

- *on every topic*, A ≥ B: then it holds even if each topic has a scale of its own;
- *on every monotone scale*, the sorted values of A are ≥ those of B place by place: then it holds under every increasing
  transformation of one common scale (first-order stochastic dominance), and under no weaker condition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import ScaleError
from mensura.result import Result, floats
from mensura.scales.ranks import Scales, exact_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

ROUNDING = 2.0**-46
"""Sums of equal fractions, computed in different orders, differ in their last bits: closer values are one value."""

VERDICTS = ("every topic", "every monotone scale", "interval scale", "reversed", "undecided")
EVERY_TOPIC, EVERY_SCALE, INTERVAL_SCALE, REVERSED, UNDECIDED = range(5)
MEANINGS = {
    "every topic": "better or equal on every topic: true on any scale, even one per topic",
    "every monotone scale": "stochastically dominant: true under every monotone transformation",
    "interval scale": "true of the measure and of its interval scale, but not of every monotone transformation",
    "reversed": "true of the measure, and the opposite is true of its interval scale",
    "undecided": "equal means, or no interval scale to decide",
}


def levels(values: ArrayLike) -> NDArray[np.int64]:
    """The place of each value among the distinct ones, which is all that an increasing transformation keeps."""
    array = np.asarray(values)
    flat = array.reshape(-1)
    if flat.dtype == object or flat.dtype.kind in "iu":
        return np.unique(flat, return_inverse=True)[1].reshape(array.shape)
    if not np.isfinite(flat).all():
        raise ScaleError("a value that is not finite has no place in an order; leave out topics without a value")
    order = np.argsort(flat, kind="stable")
    gaps = np.diff(flat[order], prepend=flat[order[:1]]) > ROUNDING * max(np.abs(flat).max(initial=0.0), np.finfo(float).tiny)
    places = np.empty(len(flat), dtype=np.int64)
    places[order] = np.cumsum(gaps)
    return places.reshape(array.shape)


@dataclass(frozen=True, eq=False)
class Leaderboard(Result):
    """Systems, their values per topic, and which statements about them survive.

    Attributes
    ----------
    systems
        Their names.
    values
        [system, topic].
    higher_is_better
        The direction of the measure.
    ranks
        The values on the interval scale of the measure, exact integers [system, topic], where higher is better if the values are;
        None if they are not known.
    """

    systems: tuple[str, ...]
    values: NDArray[np.float64]
    higher_is_better: bool = True
    ranks: NDArray[Any] | None = None

    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"values": floats, "ranks": exact_numbers}

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or len(self.values) != len(self.systems):  # noqa: PLR2004 - system and topic
            raise ScaleError(
                f"values must be an array [system, topic] of {len(self.systems)} systems, not of shape {self.values.shape}"
            )

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The order of all values, better ones higher."""
        places = levels(self.values)
        return places if self.higher_is_better else -places

    @cached_property
    def every_topic(self) -> NDArray[np.bool_]:
        """[a, b]: whether a is better than b on a topic and worse on none."""
        return _above(self.places)

    @cached_property
    def every_scale(self) -> NDArray[np.bool_]:
        """[a, b]: whether a dominates b stochastically."""
        return _above(np.sort(self.places, axis=1))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The means over topics."""
        return self.values.mean(axis=1)

    @cached_property
    def interval_sums(self) -> NDArray[Any] | None:
        """The sums over topics on the interval scale, exact."""
        return None if self.ranks is None else self.ranks.astype(object).sum(axis=1)

    @cached_property
    def ranking(self) -> NDArray[np.int64]:
        """Systems from best to worst by their means."""
        return np.argsort(-self.means if self.higher_is_better else self.means, kind="stable")

    @cached_property
    def verdicts(self) -> NDArray[np.int8]:
        """[a, b] for a above b in the ranking by means: the number of a verdict; −1 elsewhere."""
        table = np.full((len(self.systems),) * 2, -1, dtype=np.int8)
        means = levels(self.means) * (1 if self.higher_is_better else -1)
        above = means[:, None] > means[None, :]
        table[above] = UNDECIDED
        place = np.empty(len(self.systems), dtype=np.int64)
        place[self.ranking] = np.arange(len(self.systems))
        table[(means[:, None] == means[None, :]) & (place[:, None] < place[None, :])] = UNDECIDED
        if self.interval_sums is not None:
            sums = levels(self.interval_sums) * (1 if self.higher_is_better else -1)
            table[above & (sums[:, None] > sums[None, :])] = INTERVAL_SCALE
            table[above & (sums[:, None] < sums[None, :])] = REVERSED
        table[above & self.every_scale] = EVERY_SCALE
        table[above & self.every_topic] = EVERY_TOPIC
        return table

    def counts(self) -> dict[str, int]:
        """Number of pairs with each verdict."""
        numbers = np.bincount(self.verdicts[self.verdicts >= 0], minlength=len(VERDICTS)).tolist()
        return dict(zip(VERDICTS, numbers, strict=True))

    def pairs(self) -> Iterator[tuple[int, int, str]]:
        """All pairs, the better one first, in the order of the ranking."""
        for at, better in enumerate(self.ranking.tolist()):
            for worse in self.ranking[at + 1 :].tolist():
                yield better, worse, VERDICTS[self.verdicts[better, worse]]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of the better system, the worse one, and the verdict about the pair."""
        for better, worse, verdict in self.pairs():
            yield {"better": self.systems[better], "worse": self.systems[worse], "verdict": verdict}

    def covers(self) -> list[tuple[int, int]]:
        """The edges (better, worse) of the Hasse diagram of the order that survives every monotone transformation."""
        order = self.every_scale
        paths = order.astype(np.int64)
        edges = np.asarray(order & np.equal(np.matmul(paths, paths), 0))
        return [(better, worse) for better, worse in np.argwhere(edges).tolist()]

    def undominated(self) -> list[int]:
        """Systems that no other system dominates, best mean first."""
        beaten = set(np.flatnonzero(np.count_nonzero(self.every_scale, axis=0)).tolist())
        return [system for system in self.ranking.tolist() if system not in beaten]

    def index(self, system: str) -> int:
        """The number of a system."""
        if system not in self.systems:
            raise ScaleError(f"unknown system {system!r}; there are {_some(self.systems)}")
        return self.systems.index(system)


def leaderboard(measure: Measure, judged: JudgedRuns, *, interval: bool = True) -> Leaderboard:
    """Return the leaderboard of a measure, with ranks on its interval scale if ``interval`` and if they can be counted."""
    ranks = None
    if interval:
        try:
            ranks = Scales(judged).rank(measure)
        except ScaleError:  # too long, too many grades, or no decomposition: verdicts that need it stay undecided
            ranks = None
    return Leaderboard(judged.systems, measure.score(judged), measure.direction == "higher", ranks)


def _above(places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """[a, b]: is row a ≥ row b everywhere, and > somewhere?"""
    better = np.empty((len(places),) * 2, dtype=np.bool_)
    for row, mine in enumerate(places):
        better[row] = np.all(mine >= places, axis=1) & np.any(mine > places, axis=1)
    return better


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + (", …" if len(names) > 8 else "")  # noqa: PLR2004 - as many as are shown
