"""Statements of a leaderboard that survive transformations of the measure.

"A has a higher mean than B" is about the scale as much as about the systems. Three groups of transformations are permissible for
values that are ordinal, each a part of the next:

1. *one scale*: an increasing function, the same for all topics;
2. *one scale per recall base*: an increasing function for each recall base;
3. *one scale per topic*: an increasing function for each topic.

The statement survives a group if and only if, within every class of topics that share a scale (all topics; those with the same
recall base; single topics), the sorted values of A are at least those of B, place by place, and larger once. So what survives (3)
survives (2), and what survives (2) survives (1).

The interval scale φ of a measure is one transformation. For a measure that is divided by something of the recall base (R, AP, nDCG)
φ ranks numerators, so it is a function of the value and the recall base: a member of group 2, not of group 1 (P4 §VI-C: there is no
common scale). It can reverse a statement that survives every *one* scale, never one that survives every scale per recall base.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import ScaleError, suggest
from mensura.measures.base import check_mean
from mensura.measures.exact import ExactOrder
from mensura.result import Result, floats, freeze_arrays
from mensura.scales.meaning.stretch import all_leads
from mensura.scales.ranks import Scales, exact_numbers, rank_scores
from mensura.scales.universes.laws import MEANINGS as UNIVERSE_MEANINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import ArrayLike, NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure
    from mensura.render.tables import View
    from mensura.scales.universes.laws import Universe

GROUPS = ("one scale per topic", "one scale per recall base", "one scale")
"""Groups of permissible transformations, the largest first."""
PER_TOPIC, PER_BASE, ONE_SCALE, INTERVAL_SCALE, REVERSED, EQUAL, UNDECIDED = range(7)
VERDICTS = (*GROUPS, "interval scale", "reversed", "equal means", "undecided")
MEANINGS = {
    "one scale per topic": "better or equal on every topic: true on any scale, even if every topic has one of its own",
    "one scale per recall base": "dominant among the topics of every recall base: true on any scale, even if every recall base has "
    "one of its own",
    "one scale": "dominant over all topics: true under every monotone transformation that is the same for all topics",
    "interval scale": "true of the measure and of its interval scale, but not of every monotone transformation",
    "reversed": "true of the measure, and the opposite is true of its interval scale",
    "equal means": "the means are equal on the measure's own scale: there is no statement",
    "undecided": "not true of every monotone transformation; equal on the interval scale, or not decided there",
}


def levels(values: ArrayLike) -> NDArray[np.int64]:
    """The place of each value among the distinct ones, which is all that an increasing transformation keeps.

    Values are the numbers that they are: doubles that differ in their last bit are different. Measures have exact codes instead.
    """
    array = np.asarray(values)
    flat = array.reshape(-1)
    if flat.dtype.kind == "f" and not np.isfinite(flat).all():
        raise ScaleError("a value that is not finite has no place in an order; leave out topics without a value")
    return np.unique(flat, return_inverse=True)[1].reshape(array.shape)


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
    mean
        The means of the systems as the measure takes them, such as geometric ones; None for arithmetic means.
    codes
        The exact order of the values: whole numbers [system, topic]. None: the values are the numbers that they are.
    mean_order
        The exact order of the means: whole numbers [system]. None: from the values.
    classes
        The class of each topic: the topics of one class have the same recall base. None: the values do not depend on it.
    bounds
        Certified bounds of φ / steps [2, system, topic] where exact ranks are not known.
    unknown
        What is known of the interval scale instead of exact ranks, or why nothing is.
    arithmetic
        Whether the means are arithmetic, which the stretch index is about.
    base
        The scale of the values, in words.
    """

    systems: tuple[str, ...]
    values: NDArray[np.float64]
    higher_is_better: bool = True
    ranks: NDArray[Any] | None = None
    mean: NDArray[np.float64] | None = None
    codes: NDArray[np.int64] | None = None
    mean_order: NDArray[np.int64] | None = None
    classes: NDArray[np.int64] | None = None
    bounds: NDArray[np.float64] | None = None
    unknown: str = "no interval scale was asked for"
    arithmetic: bool = True
    base: str = "the values of the measure"

    version: ClassVar[int] = 2
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "values": floats,
        "ranks": exact_numbers,
        **dict.fromkeys(("mean", "bounds"), lambda table: None if table is None else floats(table)),
        **dict.fromkeys(
            ("codes", "mean_order", "classes"), lambda table: None if table is None else np.array(table, dtype=np.int64)
        ),
    }

    def __post_init__(self) -> None:
        freeze_arrays(self)
        if self.values.ndim != 2 or len(self.values) != len(self.systems):  # noqa: PLR2004 - system and topic
            raise ScaleError(
                f"values must be an array [system, topic] of {len(self.systems)} systems, not of shape {self.values.shape}"
            )

    @property
    def sense(self) -> int:
        """1 if higher is better, −1 if lower is."""
        return 1 if self.higher_is_better else -1

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The order of all values, better ones higher."""
        if not np.isfinite(self.values).all():
            raise ScaleError("a value that is not finite has no place in an order; leave out topics without a value")
        return self.sense * (levels(self.values) if self.codes is None else self.codes)

    @cached_property
    def labels(self) -> dict[str, NDArray[np.int64]]:
        """The class of each topic in each group: topics of one class share a scale."""
        topics = np.arange(self.values.shape[1])
        one = np.zeros_like(topics)
        return dict(zip(GROUPS, (topics, one if self.classes is None else self.classes, one), strict=True))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that differ: a measure that does not depend on the recall base has one scale for all of them."""
        return GROUPS if self.classes is not None else (GROUPS[PER_TOPIC], GROUPS[ONE_SCALE])

    @cached_property
    def above(self) -> dict[str, NDArray[np.bool_]]:
        """For each group [a, b]: whether a dominates b within every class of topics, so that the statement survives the group."""
        return {group: _above(np.take_along_axis(self.places, self._sorted(group), axis=1)) for group in GROUPS}

    def _sorted(self, group: str) -> NDArray[np.int64]:
        """Topics of each system [system, place], class after class, and within a class by their values."""
        return np.lexsort((self.places, np.broadcast_to(self.labels[group], self.places.shape)), axis=1)

    @property
    def every_topic(self) -> NDArray[np.bool_]:
        """[a, b]: whether a is better than b on a topic and worse on none."""
        return self.above[GROUPS[PER_TOPIC]]

    @property
    def every_scale(self) -> NDArray[np.bool_]:
        """[a, b]: whether a dominates b stochastically."""
        return self.above[GROUPS[ONE_SCALE]]

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """The means over topics."""
        return self.values.mean(axis=1) if self.mean is None else self.mean

    @cached_property
    def order_of_means(self) -> NDArray[np.int64]:
        """The exact order of the means, better ones higher."""
        if self.mean_order is not None:
            return self.sense * self.mean_order
        if self.mean is not None or not np.isfinite(self.values).all():
            return self.sense * levels(self.means)
        sums: Any = [sum(map(Fraction, row)) for row in self.values.tolist()]
        return self.sense * levels(sums)

    @cached_property
    def interval_sums(self) -> NDArray[Any] | None:
        """The sums over topics on the interval scale, exact."""
        return None if self.ranks is None else self.ranks.astype(object).sum(axis=1)

    @cached_property
    def ranking(self) -> NDArray[np.int64]:
        """Systems from best to worst by their means."""
        return np.argsort(-self.order_of_means, kind="stable")

    @cached_property
    def interval_signs(self) -> NDArray[np.int8]:
        """[a, b]: 1 if a is better than b on the interval scale, −1 if worse, 0 if equal or not known."""
        signs = np.zeros((len(self.systems),) * 2, dtype=np.int8)
        if self.interval_sums is not None:
            sums = self.sense * levels(self.interval_sums)
            return np.sign(sums[:, None] - sums[None, :]).astype(np.int8)
        if self.bounds is not None:
            low, high = self.bounds if self.higher_is_better else (-self.bounds[1], -self.bounds[0])
            for a in range(len(self.systems)):
                ahead, least = self.places[a] > self.places, np.maximum(low[a] - high, 0.0)
                behind, most = self.places[a] < self.places, np.maximum(high - low[a], 0.0)
                signs[a] = np.where(ahead, least, 0.0).sum(axis=1) > np.where(behind, most, 0.0).sum(axis=1)
            signs -= signs.T
        return signs

    @cached_property
    def verdicts(self) -> NDArray[np.int8]:
        """[a, b] for a above b in the ranking by means: the number of a verdict; −1 elsewhere."""
        table = np.full((len(self.systems),) * 2, -1, dtype=np.int8)
        means = self.order_of_means
        above = means[:, None] > means[None, :]
        table[above] = UNDECIDED
        place = np.empty(len(self.systems), dtype=np.int64)
        place[self.ranking] = np.arange(len(self.systems))
        table[(means[:, None] == means[None, :]) & (place[:, None] < place[None, :])] = EQUAL
        table[above & (self.interval_signs > 0)] = INTERVAL_SCALE
        table[above & (self.interval_signs < 0)] = REVERSED
        for number in (ONE_SCALE, PER_BASE, PER_TOPIC):
            if GROUPS[number] in self.groups:
                table[above & self.above[GROUPS[number]]] = number
        return table

    def counts(self) -> dict[str, int]:
        """Number of pairs with each verdict; a pair has the strongest one that is true of it."""
        numbers = np.bincount(self.verdicts[self.verdicts >= 0], minlength=len(VERDICTS)).tolist()
        return dict(zip(VERDICTS, numbers, strict=True))

    @property
    def unequal(self) -> int:
        """Number of pairs whose means differ: those about which “A has a better mean than B” can be true."""
        return int(np.count_nonzero((self.verdicts >= 0) & (self.verdicts != EQUAL)))

    def survivors(self) -> dict[str, int]:
        """Number of pairs that survive each group of transformations: more than one group counts a pair."""
        survive = [(group, int(np.sum((self.verdicts >= 0) & (self.verdicts <= GROUPS.index(group))))) for group in self.groups]
        return dict(survive)

    @cached_property
    def turned(self) -> NDArray[np.bool_]:
        """[a, b] for a with the better mean: whether the interval scale has b above a, whatever else is true of the pair."""
        return (self.verdicts >= 0) & (self.verdicts != EQUAL) & (self.interval_signs < 0)

    @cached_property
    def stretches(self) -> dict[str, NDArray[np.float64]]:
        """For each group [a, b] with a above b in the ranking: the stretch index of the statement, NaN elsewhere.

        Some part of the scale must be stretched that many times more than another to turn the statement round; ∞ is dominance.
        The base scale is that of the values; means that are not arithmetic have no index.
        """
        table = {}
        for group in GROUPS:
            at = self._sorted(group)
            values = self.sense * np.take_along_axis(self.values, at, axis=1)
            positive, led = all_leads(values, np.take_along_axis(self.places, at, axis=1))
            with np.errstate(divide="ignore", invalid="ignore"):
                index = np.maximum(positive / positive.T, 1.0)
            index[~led] = np.inf
            index[(self.verdicts < 0) | ~(led | led.T)] = np.nan
            index[(self.verdicts == EQUAL) & led] = 1.0
            table[group] = index
        return table

    def on_interval_scale(self) -> Leaderboard:
        """The leaderboard of the ranks on the interval scale, as values; an error where they are not known."""
        if self.ranks is None:
            raise ScaleError(f"there are no exact ranks on the interval scale: {self.unknown}")
        ranks = self.ranks.astype(np.float64)
        order = levels(self.interval_sums) if self.interval_sums is not None else None
        return dataclasses.replace(
            self, values=ranks, codes=levels(self.ranks), mean=None, mean_order=order, base="ranks on the interval scale"
        )

    def pairs(self) -> Iterator[tuple[int, int, str]]:
        """All pairs, the better one first, in the order of the ranking."""
        for at, better in enumerate(self.ranking.tolist()):
            for worse in self.ranking[at + 1 :].tolist():
                yield better, worse, VERDICTS[self.verdicts[better, worse]]

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of the better system, the worse one, and the verdict about the pair."""
        for better, worse, verdict in self.pairs():
            yield {"better": self.systems[better], "worse": self.systems[worse], "verdict": verdict}

    def view(self) -> View:
        """Number of statements with each verdict, and what survives."""
        from mensura.render.meanings import meaning_view

        return meaning_view([("the measure", self)])

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
            raise ScaleError(f"unknown system {system!r}; {suggest(system, self.systems)}")
        return self.systems.index(system)


def leaderboard(
    measure: Measure,
    judged: JudgedRuns,
    *,
    interval: bool = True,
    topics: NDArray[np.int64] | None = None,
    scales: Scales | None = None,
    universe: Universe = "all",
    width: float | None = None,
    exact: ExactOrder | None = None,
) -> Leaderboard:
    """Return the leaderboard of a measure, on all topics or on some, with ranks on its interval scale if ``interval``.

    Where ranks cannot be counted there are bounds, and where there are none either :attr:`Leaderboard.unknown` has the reason.
    ``scales`` keeps what it has counted. ``universe`` says which runs the interval scale is about, ``width`` how close bounds are.
    ``exact`` has the values of the measure and counts the same topics, if they are known already.
    """
    check_mean(measure)
    chosen = np.arange(judged.shape[1]) if topics is None else topics
    if exact is None:
        counted = np.broadcast_to(np.isin(np.arange(judged.shape[1]), chosen), judged.shape)
        exact = ExactOrder(measure, judged, measure.score(judged), counted)
    values, codes = exact.values[:, chosen], exact.codes
    means = measure.mean(values)
    classes = recall_classes(measure, judged)
    ranks = bounds = None
    unknown = "no interval scale was asked for"
    if interval:
        ranks, bounds, unknown = _on_the_scale(exact, Scales(judged) if scales is None else scales, universe, width)
    return Leaderboard(
        judged.systems,
        values,
        measure.direction == "higher",
        None if ranks is None else ranks[:, chosen],
        means,
        None if codes is None else codes[:, chosen],
        exact.mean_codes,
        None if classes is None else classes[chosen],
        None if bounds is None else bounds[:, :, chosen],
        unknown,
        measure.averages == "values",
    )


def recall_classes(measure: Measure, judged: JudgedRuns) -> NDArray[np.int64] | None:
    """A number per topic, the same for topics with the same recall base; None for a measure that does not depend on it.

    The recall base of a graded measure is that of each grade; bpref depends on the judged documents that are not relevant, too.
    """
    measure = measure.on_topics
    if not measure.uses_recall_base:
        return None
    base = judged.recall_base[:, 1:]
    if not measure.graded:
        relevant = judged.relevant(getattr(measure, "rel", 1))
        judged_not = judged.recall_base.sum(axis=1) - relevant if measure.name == "bpref" else np.zeros_like(relevant)
        base = np.stack([relevant, judged_not], axis=1)
    return np.unique(base, axis=0, return_inverse=True)[1].reshape(-1)


def _on_the_scale(
    exact: ExactOrder, scales: Scales, universe: Universe, width: float | None
) -> tuple[NDArray[Any] | None, NDArray[np.float64] | None, str]:
    """Exact ranks, or bounds, or the reason why there is neither."""
    measure, judged = exact.measure, scales.judged
    try:
        if universe == "all" and (known := scales.of(measure).ranks()) is not None:
            return (_shares(known, measure, scales) if measure.on_topics.scale_per_topic else known), None, ""
        everywhere = np.ones(judged.shape, dtype=np.bool_)
        ranks = rank_scores(measure, judged, exact.values, everywhere, universe=universe, width=width)
    except ScaleError as error:
        return None, None, str(error)
    low, high = (ranks.low, ranks.high) if ranks.direction == measure.direction else (1 - ranks.high, 1 - ranks.low)
    return (
        None,
        np.stack([low, high]),
        ranks.remark or f"ranks among {UNIVERSE_MEANINGS[universe]} are exact for each topic",
    )


def _shares(ranks: NDArray[Any], measure: Measure, scales: Scales) -> NDArray[Any]:
    """Rank / steps as fractions, of which ``ranks`` are the doubles: topics have scales of their own, with different steps."""
    shares = ranks.astype(object)
    for scale, topics in scales.of(measure).groups:
        for topic in topics.tolist():
            shares[:, topic] = [Fraction(share).limit_denominator(scale.steps) for share in shares[:, topic]]
    return shares


def _above(places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mask [a, b]: row a ≥ row b everywhere, and > somewhere."""
    better = np.empty((len(places),) * 2, dtype=np.bool_)
    for row, mine in enumerate(places):
        better[row] = np.all(mine >= places, axis=1) & np.any(mine > places, axis=1)
    return better
