"""Sums over topics that tests of pairs need: those of some topics and of the others add up to those of all, bit for bit.

Values are added up exactly. Random draws weight a topic by its name and the number of the draw alone, and what they add up are
whole multiples of 2⁻³²; so no order of the topics and no cut between them changes a bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from mensura._core.draws import DRAWS
from mensura._core.totals import add_pairs
from mensura._core.weights import LARGEST, add_draws, topic_keys
from mensura.errors import StatisticsError, suggest
from mensura.io.columns import to_bytes
from mensura.pieces.partial import check_sums
from mensura.pieces.sums import exact_squares, exact_total, no_digits, rounded, whole
from mensura.stats.arrays import SystemPairs, in_parts, make_pairs
from mensura.stats.draws import PairMoments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.pieces.partial import Partial

Kind = Literal["signs", "bootstrap"]
UNIT = 2.0**-32
"""Multiples of this are added up under random weights."""
MOST = 2.0**30  # topics times the largest value: sums of so many units, and their weights, fit into 63 binary digits
Whole = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class PairSums:
    """Sums over topics of systems and of the differences of their pairs.

    ``+`` adds those of other topics, and :func:`compare_sums` tests.

    Attributes
    ----------
    measures, systems, baselines
        The measures, the names of the systems in their order, and the numbers of the baselines; none if all pairs are compared.
    kind, samples, seed
        Random weights of topics: signs, or Poisson's with mean 1 for the bootstrap; the number of draws, and their seed.
    topics
        Number of topics.
    totals, squares
        Exact sums of values and of their squares, [measure][system], in units of 2⁻¹⁰⁷⁴.
    topic_squares
        Exact sums of the squares of each topic's total over all systems, [measure].
    largest
        The largest size of a value, [measure, system].
    pair_squares
        Exact sums of squared differences, [measure][pair].
    wins, losses, pair_largest
        Numbers of topics on which the first system's value is larger and smaller, and the largest size of a difference.
    units
        Sums of the values as whole multiples of 2⁻³², [measure, system].
    weights, weighted
        Sums of the weights, [draw], and of values and squared differences under them, [measure, system or pair, draw].
    length, highest, lengths
        Number of ranks that were kept, the highest grade, and the lengths of the shortest and of the longest list.
    """

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    baselines: tuple[int, ...]
    kind: Kind | None
    samples: int
    seed: int
    topics: int
    totals: Whole
    squares: Whole
    topic_squares: tuple[int, ...]
    largest: NDArray[np.float64]
    pair_squares: Whole
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    pair_largest: NDArray[np.float64]
    units: NDArray[np.int64]
    weights: NDArray[np.int64]
    weighted: NDArray[np.int64]
    length: int = 0
    highest: int = 1
    lengths: tuple[int, int] = (0, 0)

    @property
    def pairs(self) -> SystemPairs:
        """The pairs that are compared."""
        return make_pairs(len(self.systems), self.baselines or None)

    def __add__(self, other: PairSums) -> PairSums:
        for what in ("measures", "systems", "baselines", "kind", "samples", "seed"):
            if getattr(self, what) != getattr(other, what):
                raise StatisticsError(f"sums with different {what} do not add up: {getattr(self, what)} and {getattr(other, what)}")
        largest = np.maximum(self.largest, other.largest)
        if self.kind is not None and (self.topics + other.topics) * float(largest.max(initial=1.0)) >= MOST:
            raise StatisticsError(
                f"random draws of {self.topics + other.topics} topics with values up to {largest.max():g} are too large for "
                "sums of 64 binary digits; use test='t' or 'sign'"
            )
        wholes = {name: _added(getattr(self, name), getattr(other, name)) for name in ("totals", "squares", "pair_squares")}
        added = ("topics", "wins", "losses", "units", "weights", "weighted")
        changes: dict[str, Any] = wholes | {name: getattr(self, name) + getattr(other, name) for name in added}
        return replace(
            self,
            **changes,
            topic_squares=_added((self.topic_squares,), (other.topic_squares,))[0],
            largest=largest,
            pair_largest=np.maximum(self.pair_largest, other.pair_largest),
            length=max(self.length, other.length),
            highest=max(self.highest, other.highest),
            lengths=(_shorter(self.lengths[0], other.lengths[0]), max(self.lengths[1], other.lengths[1])),
        )

    def means(self, measure: int) -> NDArray[np.float64]:
        """Mean of what a measure averages, for each system: the same doubles as from the values of all topics."""
        return np.array([rounded(total) / self.topics for total in self.totals[measure]])

    def deviations(self, measure: int) -> NDArray[np.float64]:
        """Standard deviation of each system; NaN where it is nothing but rounding."""
        deviation = np.array([_deviation(*sums, self.topics) for sums in zip(*self._of(measure), strict=True)])
        return np.where(deviation > 8 * np.spacing(self.largest[measure]), deviation, np.nan)

    def _of(self, measure: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return self.totals[measure], self.squares[measure]

    def moments(self, measure: int) -> PairMoments:
        """Moments of the differences of each pair, by the rules of :func:`mensura.stats.draws.pair_moments`."""
        pairs, totals = self.pairs, self.totals[measure]
        rows = zip(pairs.first.tolist(), pairs.second.tolist(), self.pair_squares[measure], strict=True)
        sums = [(totals[first] - totals[second], square) for first, second, square in rows]
        mean = np.array([rounded(total) / self.topics for total, _ in sums])
        deviation = np.array([_deviation(total, square, self.topics) for total, square in sums])
        values = np.maximum(self.largest[measure][pairs.first], self.largest[measure][pairs.second])
        least = 1.8e-15 * np.maximum(values, self.pair_largest[measure])
        unit = np.where(self.pair_largest[measure] > 0, np.ldexp(1.0, np.frexp(self.pair_largest[measure])[1]), 1.0)
        return PairMoments(np.where(np.abs(mean) <= least, 0.0, mean), np.where(deviation <= least, 0.0, deviation), unit)

    def residual(self, measure: int) -> float:
        """Root of the residual mean square of the two-way analysis of variance; NaN where it is nothing but rounding."""
        totals, squares = self._of(measure)
        systems, topics = len(totals), self.topics
        degrees = (systems - 1) * (topics - 1)
        if not degrees:
            return math.nan
        one = 1 << 1074
        within = (
            systems * topics * sum(squares) * one
            - systems * sum(total * total for total in totals)
            - topics * self.topic_squares[measure] * one
            + sum(totals) ** 2
        )
        square = within / (one * one * systems * topics) if within > 0 else 0.0
        least = 8 * float(np.spacing(self.largest[measure].max()))
        return math.sqrt(square / degrees) if square > least**2 * systems * topics else math.nan


def pair_sums(
    partials: Iterable[Partial],
    *,
    baseline: str | Sequence[str] | None = None,
    kind: Kind | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> PairSums:
    """Add up what tests of pairs need, over the topics of one piece.

    Parameters
    ----------
    partials
        One for each system (:func:`mensura.pieces.evaluate`), all of the same topics. A topic must be in one piece only, which is
        not checked, as no name is kept.
    baseline
        The system, or systems, that all others are compared with; by default all pairs are compared.
    kind
        Random draws to make: ``"bootstrap"`` for the tests ``bootstrap-t`` and ``bootstrap``, ``"signs"`` for ``randomisation`` and
        the correction ``maxT``; none by default, which is enough for ``t`` and ``sign``.
    samples, seed, threads
        Number of draws, random seed, number of threads.

    Examples
    --------
    >>> from mensura import pieces
    >>> from mensura.stats import compare_sums
    >>> qrels = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"b": 1}}
    >>> runs = {"A": [("q1", "a", 1.0), ("q2", "c", 1.0), ("q3", "c", 1.0)], "B": [("q1", "b", 1.0), ("q2", "b", 1.0)]}
    >>> partials = [pieces.evaluate(run, qrels, "RR", system=name, partitioned=True) for name, run in runs.items()]
    >>> compare_sums(pair_sums(partials), test="sign")["RR"]["A", "B"].wins
    2
    """
    by_system = {part.system: part for part in partials}
    systems = tuple(sorted(by_system, key=to_bytes))
    if not systems:
        raise StatisticsError("expected a partial for each system, got none")
    first = by_system[systems[0]]
    place = {topic: at for at, topic in enumerate(first.topics)}
    check_sums(first.measures)
    values = np.empty((len(first.measures), len(systems), len(place)))
    for row, system in enumerate(systems):
        part = by_system[system]
        if part.measures != first.measures:
            raise StatisticsError(f"the partials of {first.system} and {system} have different measures")
        other = set(part.topics).symmetric_difference(place)
        if other:
            raise StatisticsError(
                f"the partials of {first.system} and {system} have different topics, e.g. {min(other)!r}; evaluate both with the "
                "same part of the judgments and partitioned=True"
            )
        at = np.array([place[topic] for topic in part.topics], dtype=np.int64)
        values[:, row, at] = part.values[: len(first.measures)]
    shortest = [part.counts["shortest"] for part in by_system.values() if part.counts["shortest"]]
    return sums_of(
        values,
        [to_bytes(topic) for topic in first.topics],
        PairDesign(first.measures, systems, numbers_of(systems, baseline), kind, samples if kind is not None else 0, seed),
        threads=threads,
        length=max(part.length for part in by_system.values()),
        highest=max(part.highest for part in by_system.values()),
        lengths=(min(shortest, default=0), max(part.counts["longest"] for part in by_system.values())),
    )


@dataclass(frozen=True)
class PairDesign:
    """Systems, measures and draws whose sums are wanted; see :class:`PairSums`."""

    measures: tuple[Measure, ...]
    systems: tuple[str, ...]
    baselines: tuple[int, ...]
    kind: Kind | None = None
    samples: int = 0
    seed: int = 0


def numbers_of(systems: Sequence[str], baseline: str | Sequence[str] | None) -> tuple[int, ...]:
    """Numbers of the baselines."""
    names = () if baseline is None else (baseline,) if isinstance(baseline, str) else tuple(baseline)
    unknown = [name for name in names if name not in systems]
    if unknown:
        raise StatisticsError(f"unknown baseline {unknown[0]!r}; {suggest(unknown[0], systems)}")
    return tuple(dict.fromkeys(systems.index(name) for name in names))


def sums_of(
    values: NDArray[np.float64], names: list[bytes], design: PairDesign, *, threads: int | None = None, **facts: Any
) -> PairSums:
    """Sums over topics with these names, from values [measure, system, topic]."""
    systems = len(design.systems)
    pairs = make_pairs(systems, design.baselines or None)
    blocks = -(-design.samples // DRAWS)
    keys = np.empty(len(names), dtype=np.uint64)
    if design.kind is not None:
        topic_keys(names, design.seed, keys)
    columns: dict[str, list[Any]] = {field.name: [] for field in fields(PairSums)}
    weights = np.zeros((1, blocks * DRAWS), dtype=np.int64)
    for measure, table in zip(design.measures, values, strict=True):
        x = np.ascontiguousarray(measure.transformed(table))
        columns["totals"].append(tuple(map(exact_total, x)))
        columns["squares"].append(tuple(map(exact_squares, x)))
        columns["topic_squares"].append(exact_squares(_added_rows(x)))
        columns["largest"].append(np.abs(x).max(axis=1, initial=0.0))
        digits = np.array([no_digits()] * len(pairs))
        wins, losses, most = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs))
        units = np.spacing(np.abs(x))

        def add(start: int, stop: int, x: Any = x, units: Any = units, sums: Any = (digits, wins, losses, most)) -> None:
            add_pairs(x, units, pairs.first, pairs.second, start, stop, *sums)

        in_parts(add, len(pairs), threads, least=1)
        columns["pair_squares"].append(tuple(map(whole, digits)))
        columns["wins"].append(wins)
        columns["losses"].append(losses)
        columns["pair_largest"].append(most)
        rows = np.rint(x / UNIT)
        columns["units"].append(rows.astype(np.int64).sum(axis=1) if design.kind else np.zeros(systems, dtype=np.int64))
        unknown = weights if not columns["weighted"] else None  # the weights are the same for all measures
        columns["weighted"].append(_drawn(rows, pairs, keys, design, weights=unknown, threads=threads))
    plain = {name: getattr(design, name) for name in ("measures", "systems", "baselines", "kind", "samples", "seed")}
    plain |= {name: tuple(columns[name]) for name in ("totals", "squares", "topic_squares", "pair_squares")}
    plain |= {name: np.array(columns[name]) for name in ("largest", "wins", "losses", "pair_largest", "units", "weighted")}
    return PairSums(
        **plain,
        topics=len(names),
        weights=weights[0, : design.samples],
        **facts,
    )


def _drawn(
    rows: NDArray[np.float64],
    pairs: SystemPairs,
    keys: NDArray[np.uint64],
    design: PairDesign,
    *,
    weights: NDArray[np.int64] | None,
    threads: int | None,
) -> NDArray[np.int64]:
    """Weighted sums of values, and of squared differences for the bootstrap; ``weights`` gets those of the weights themselves."""
    if design.kind is None:
        return np.zeros((0, 0), dtype=np.int64)
    if design.kind == "bootstrap":
        squares = np.rint(((rows[pairs.first] - rows[pairs.second]) * math.sqrt(UNIT)) ** 2)
        rows = np.concatenate([rows, squares])
    if np.abs(rows).max(initial=0.0) >= LARGEST:
        most = math.sqrt(LARGEST * UNIT) if design.kind == "bootstrap" else LARGEST * UNIT
        raise StatisticsError(
            f"random draws without the values of topics need {'differences' if design.kind == 'bootstrap' else 'values'} below "
            f"{most:.0f}; use test='t' or 'sign'"
        )
    if weights is not None:
        rows = np.concatenate([np.ones((1, rows.shape[1])), rows])
    rows = np.ascontiguousarray(rows)
    blocks = -(-design.samples // DRAWS)
    totals = np.zeros((len(rows), blocks * DRAWS), dtype=np.int64)
    in_parts(lambda first, last: add_draws(rows, keys, design.kind == "signs", first, last, totals), blocks, threads, least=1)
    if weights is not None:
        weights[:] = totals[:1]
        totals = totals[1:]
    return totals[:, : design.samples]


def _added_rows(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums over the systems, the smallest value first: NumPy adds up a single column in another order than several."""
    ordered = np.sort(x, axis=0)
    total = ordered[0].copy()
    for row in ordered[1:]:
        total += row
    return total


def _added(first: Whole, second: Whole) -> Whole:
    return tuple(tuple(a + b for a, b in zip(one, other, strict=True)) for one, other in zip(first, second, strict=True))


def _shorter(first: int, second: int) -> int:
    return min(each for each in (first, second) if each) if first or second else 0


def _deviation(total: int, square: int, topics: int) -> float:
    """Standard deviation from exact sums of values and squares."""
    if topics < 2:  # noqa: PLR2004 - for a variance
        return 0.0
    one = 1 << 1074
    return math.sqrt(max(0, topics * square * one - total * total) / (one * one * topics * (topics - 1)))
