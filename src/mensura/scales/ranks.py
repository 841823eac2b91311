"""Ranks of judged runs on the interval scales of measures: the one way to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

import numpy as np

from mensura.errors import ScaleError
from mensura.measures.base import check_mean_of_ranks, check_scale_length
from mensura.measures.names import parse_measure
from mensura.result import Result, bools, floats
from mensura.scales.counting.brackets import finest_width
from mensura.scales.facts import levels_for
from mensura.scales.interval import interval_scale, mid_ranks, resolve, scale_name, scale_of
from mensura.scales.universes.laws import MEANINGS, universe_named
from mensura.scales.universes.proportions import proportions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Direction, Measure
    from mensura.measures.decomposition import TopicDecomposition
    from mensura.render.tables import View
    from mensura.scales.counting.enumeration import Function
    from mensura.scales.interval import IntervalScale, Ties
    from mensura.scales.universes.laws import Universe

    Groups = list[tuple[IntervalScale, NDArray[np.int64]]]

T = TypeVar("T")
WIDTH = 1e-4
"""The finest width of bounds, as a proportion of the scale, that is aimed at."""
OPERATIONS = 2**32
"""Additions that bounds of distinct values may take by default: a few seconds."""
LARGEST_INT64 = 2**63 - 1


class Scales:
    """Interval scales of measures with cut-offs on judged runs, each counted once.

    nDCG has the scale of DCG, and R that of the number of relevant documents.

    Parameters
    ----------
    judged
        The judged runs.
    beside
        Gives further runs, of a length over some grades, that :attr:`OnScale.runs_up_to` counts in the same sweep.
    """

    def __init__(self, judged: JudgedRuns, beside: Callable[[int, tuple[int, ...]], NDArray[np.int8]] | None = None) -> None:
        self.judged = judged
        self._beside = beside
        self._of: dict[Measure, OnScale] = {}
        self._shared: dict[Any, OnScale] = {}

    def of(self, measure: Measure) -> OnScale:
        """The judged runs on the scale of a measure that has a mean there."""
        check_mean_of_ranks(measure)
        if measure not in self._of:
            new = OnScale(measure, self.judged, self._beside)
            self._of[measure] = self._shared.setdefault(new.key, new)
        return self._of[measure]


class OnScale:
    """Judged runs on the interval scale of a measure: everything is counted when it is asked for, and kept."""

    def __init__(
        self, measure: Measure, judged: JudgedRuns, beside: Callable[[int, tuple[int, ...]], NDArray[np.int8]] | None
    ) -> None:
        self.measure = measure
        self.judged = judged
        self.own = measure.on_topics.scale_per_topic
        """Whether topics have scales of their own."""
        self._beside = beside

    @cached_property
    def _resolved(self) -> tuple[TopicDecomposition | Function, int, tuple[int, ...]]:
        return resolve(self.measure, None, levels_for(self.measure, self.judged), None)

    @cached_property
    def key(self) -> Any:
        """Same scale and same runs: the decomposition, the length, the grades, and which of them are relevant."""
        if self.own:
            return self.measure.on_topics
        decomposition, *shape = self._resolved
        return (self.measure if callable(decomposition) else decomposition), *shape, _relevance(self.measure)

    @cached_property
    def groups(self) -> Groups:
        """The scales, each with its topics: one for all, if there is one."""
        if self.own:
            return scale_groups(self.measure, self.judged, None, None, attainable=False)
        name = scale_name(self.measure)
        check_scale_length(self._resolved[1])
        return [(scale_of(name, *self._resolved), np.arange(len(self.judged.topics)))]

    @cached_property
    def scale(self) -> IntervalScale:
        """The interval scale; of the first topic, if topics have scales of their own."""
        return self.groups[0][0]

    @cached_property
    def steps(self) -> int | None:
        """The number of steps of the scale, or ``None`` if topics have scales of their own."""
        return None if self.own else self.scale.steps

    @cached_property
    def runs(self) -> NDArray[np.int8]:
        """The judged runs as the scale takes them: [system, topic, rank]."""
        return judged_for(self.measure, self.judged)

    @cached_property
    def rank(self) -> NDArray[Any]:
        """Exact ranks [system, topic]; an error that says what is possible where they cannot be counted.

        If topics have scales of their own, with different numbers of steps, rank / steps as correctly rounded doubles, which are
        different for different ranks up to 2^52 steps.
        """
        return self._counted("unq")

    def _counted(self, ties: Ties) -> NDArray[Any]:
        if not self.own:
            return self.scale.rank(self.runs, ties)
        shares = np.empty(self.judged.shape)
        for scale, topics in self.groups:
            whole = scale.steps if ties == "unq" else scale.runs
            shares[:, topics] = [
                [float(Fraction(rank) / whole) for rank in row] for row in scale.rank(self.runs[:, topics], ties).tolist()
            ]
        return shares

    def ranks(self, ties: Ties = "unq") -> NDArray[Any] | None:
        """Exact ranks [system, topic], or ``None`` if they cannot be counted."""
        if ties == "unq":
            return counted(self.scale, lambda: self.rank)
        if self.own:
            return counted(self.scale, lambda: self._counted(ties))
        many = self.judged.shape[0] * self.judged.shape[1]
        counts = self.runs_up_to
        return None if counts is None else mid_ranks(*(count[:many] for count in counts)).reshape(self.judged.shape)

    @cached_property
    def runs_up_to(self) -> tuple[NDArray[Any], NDArray[Any]] | None:
        """Numbers of runs that are worse, and that are not better, than each judged run, followed by the runs ``beside`` them.

        ``None`` if they cannot be counted, or if topics have scales of their own.
        """
        if self.own:
            return None
        scale, runs = self.scale, self.runs.reshape(-1, self.scale.length)
        if self._beside is not None:
            runs = np.concatenate([runs, self._beside(scale.length, scale.grades)])
        return counted(scale, lambda: scale.runs_up_to(runs))


def counted(scale: IntervalScale, count: Callable[[], T]) -> T | None:
    """Return what ``count`` counts, or ``None`` where there are only bounds."""
    if not scale.counted:
        return None
    try:
        return count()
    except ScaleError:  # too long a list of sums, or too many runs for 64 bits
        return None


def midpoints(scale: IntervalScale, runs: NDArray[np.int8]) -> tuple[NDArray[np.float64], float]:
    """Midpoints of certified bounds of φ / steps of ``runs``, and the width of the bounds."""
    bracket = scale.bracket(runs, WIDTH)
    return (bracket.low + bracket.high) / 2, bracket.width


def judged_for(measure: Measure, judged: JudgedRuns) -> NDArray[np.int8]:
    """Judged runs as the scale of a measure takes them: cut at its length, and 0 or 1 if the measure is not graded.

    What was not judged is 0 too, or −1 if the measure tells it from what was judged 0.
    """
    rel, of_topics, uneven = _relevance(measure), measure.on_topics, measure.uses_length
    cutoff, unjudged = of_topics.cutoff, of_topics.tells_unjudged
    judged.need(cutoff, measure)
    lengths = judged.lengths_differ if uneven else None
    if lengths is not None:
        raise ScaleError(
            f"{measure} has another scale for each length of list, and these have {lengths[0]} to {lengths[1]} documents; "
            f"name a cut-off, e.g. {measure.on_topics @ 10}"
        )
    top = judged.top(cutoff)
    grades = np.maximum(top, 0) if rel is None else (top >= rel).astype(np.int8)
    return np.where(top < 0, np.int8(-1), grades) if unjudged else grades


def _relevance(measure: Measure) -> int | None:
    """Lowest grade that is relevant, for a measure that asks only that; ``None`` for a graded one."""
    return None if measure.graded else getattr(measure.on_topics, "rel", 1)


def exact_numbers(value: Any) -> NDArray[Any] | None:
    """Return ranks as they were saved: whole numbers of any size, halves, or fractions as text."""
    if value is None:
        return None
    rows = [[Fraction(rank) if isinstance(rank, str) else rank for rank in row] for row in value]
    ranks = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for at, row in enumerate(rows):
        ranks[at] = row
    return _narrow(ranks)


@dataclass(frozen=True, eq=False)
class Ranks(Result):
    """φ of the scores of a measure: exact ranks, or certified bounds where these cannot be counted.

    Attributes
    ----------
    measure, systems, topics
        The measure, and the names of the rows and columns.
    values, counted
        [system, topic]: the scores on the measure's own scale, and which topics count for which system.
    ranks
        Exact ranks [system, topic] (int64, Python integers, or halves for mid-ranks), or ``None`` if there are only bounds.
    middle, low, high
        float64 [system, topic]: low ≤ φ / steps ≤ high, and the number between them to continue with. Where ranks are exact the
        three are the same.
    how
        ``"exact"``; ``"bounded"``: low and high are certified; ``"estimated"``: they are error bars of a sample of runs,
        which do not hold with a probability of 1e-9.
    of
        What is counted: distinct ``"values"``, which φ is about, or, where these cannot be counted or bounded, ``"runs"``:
        mid-p, the proportion of the runs of the universe that have a worse value, with half of those that have the same.
    universe
        The runs that are counted: see :mod:`mensura.scales.universes.laws`.
    steps
        The number of steps of each topic's scale; empty where they cannot be counted.
    method
        The way in which the values were counted.
    scales
        The scale of each topic; the same one for all unless only attainable runs count. A saved result has none.
    """

    measure: Measure
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    values: NDArray[np.float64]
    counted: NDArray[np.bool_]
    ranks: NDArray[Any] | None
    middle: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    how: Literal["exact", "bounded", "estimated"]
    of: Literal["values", "runs"]
    universe: Universe
    steps: tuple[int, ...]
    method: str
    scales: tuple[IntervalScale, ...] = ()

    version: ClassVar[int] = 2
    unsaved: ClassVar[frozenset[str]] = frozenset({"scales"})
    readers: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "measure": parse_measure,
        "values": floats,
        "counted": bools,
        "ranks": exact_numbers,
        "middle": floats,
        "low": floats,
        "high": floats,
    }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Return saved ranks. Version 1 had mid-p as the proportion of runs with smaller values, whatever was better."""
        saved = super().from_dict(document)
        if document["version"] > 1 or not saved.beaten or saved.measure.direction == "higher":
            return saved
        return replace(saved, middle=1 - saved.middle, low=1 - saved.high, high=1 - saved.low)

    @property
    def exact(self) -> bool:
        """Whether the ranks are exact."""
        return self.ranks is not None

    @property
    def beaten(self) -> bool:
        """Whether the numbers are mid-p: proportions of runs that are beaten, of which more is better for every measure."""
        return self.of == "runs" and self.ranks is None

    @property
    def direction(self) -> Direction:
        """Whether higher or lower numbers are better: as for the measure, but for proportions of runs beaten."""
        return "higher" if self.beaten else self.measure.direction

    def mean_ranks(self) -> list[float | None]:
        """Mean rank of each system, computed exactly and then rounded; ``None`` without exact ranks or topics.

        ``None`` too if topics have scales of their own, with different numbers of steps: :meth:`mean_shares` averages rank / steps.
        """
        if self.ranks is None or self.measure.on_topics.scale_per_topic:
            return [None] * len(self.systems)
        rows = zip(self.ranks, self.counted, strict=True)
        return [float(sum(map(Fraction, row[kept].tolist())) / int(kept.sum())) if kept.any() else None for row, kept in rows]

    def mean_shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Mean of φ / steps (or of mid-p) of each system, and its bounds or error bars."""
        number = self.counted.sum(axis=1)
        middle, low, high = (np.where(self.counted, bound, 0.0).sum(axis=1) for bound in (self.middle, self.low, self.high))
        return middle / number, low / number, high / number

    @property
    def width(self) -> float:
        """Greatest distance of bounds."""
        return float((self.high - self.low).max(initial=0.0))

    @property
    def remark(self) -> str | None:
        """A sentence about numbers that are not exact, or not φ; ``None`` for exact ranks of distinct values."""
        if self.how == "exact" and self.of == "values":
            return f"{self.measure}: ranks to the rounding of doubles, not exact" if self.method.endswith("to rounding") else None
        if self.how == "exact":
            return f"{self.measure}: ranks among all runs, not among distinct values, exact"
        what = "φ / steps" if self.of == "values" else f"mid-p, the proportion of runs beaten, among {MEANINGS[self.universe]}"
        widths = self.high - self.low
        spans = f"{np.median(widths):.2g} wide at the median, {self.width:.2g} at most"
        doubt = "certified bounds" if self.how == "bounded" else "estimates with error bars"
        return f"{self.measure}: {what}; {doubt}, {spans} ({self.method})"

    def rows(self) -> Iterator[dict[str, Any]]:
        """Rows of system, topic, measure, value, rank, steps, middle, low, high, and what these are, wherever a topic counts."""
        name, ranks = str(self.measure), None if self.ranks is None else self.ranks.tolist()
        for system, topic in np.argwhere(self.counted).tolist():
            yield {
                "system": self.systems[system],
                "topic": self.topics[topic],
                "measure": name,
                "value": float(self.values[system, topic]),
                "rank": None if ranks is None else ranks[system][topic],
                "steps": self.steps[topic] if self.steps else None,
                "middle": float(self.middle[system, topic]),
                "low": float(self.low[system, topic]),
                "high": float(self.high[system, topic]),
                "how": self.how,
                "of": self.of,
                "universe": self.universe,
            }

    def view(self) -> View:
        """Mean rank of each system, with bounds where it is not exact."""
        from mensura.render.intervals import ranks_view

        return ranks_view(self)

    def __repr__(self) -> str:
        kind = {"exact": "exact ranks", "bounded": "bounds", "estimated": "estimates"}[self.how]
        return f"Ranks({self.measure}: {kind} of {len(self.systems)} systems × {len(self.topics)} topics)"


def rank_scores(
    measure: Measure,
    judged: JudgedRuns,
    values: NDArray[np.float64],
    counted: NDArray[np.bool_],
    *,
    ties: Ties = "unq",
    universe: Universe = "all",
    width: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> Ranks:
    """Rank the values of a measure; see :meth:`mensura.Scores.on_interval_scale`."""
    if judged.groups is not None:
        raise ScaleError(
            f"{measure} has expected values over orders of equal scores, which are not values of runs; use ties='id' or 'rank'"
        )
    check_mean_of_ranks(measure)
    if measure.on_topics.cutoff is None and judged.length == 0:
        raise ScaleError("there is no ranked document to count from")
    named = Named(measure, judged, values, counted, universe_named(universe))
    runs = judged_for(measure, judged)
    if named.universe in {"observed", "independent"}:
        return named.beaten(width, progress)
    try:
        groups = scale_groups(measure, judged, runs.shape[2], progress, attainable=universe == "attainable")
        if all(scale.counted for scale, _ in groups):
            return named.exact(groups, runs, ties)
    except ScaleError:  # too many runs to list, or to count in reasonable time
        groups = []
    if ties in {"min", "max"}:
        raise ScaleError(f"{measure}: runs are not counted one by one here; use ties='unq' or 'mid', which give bounds")
    bounds = named.bounded(groups[0][0], runs, width) if len(groups) == 1 and universe == "all" and ties == "unq" else None
    return named.beaten(width, progress) if bounds is None else bounds


@dataclass(frozen=True, eq=False)
class Named:
    """Values of a measure, to be ranked in a universe in one way or another."""

    measure: Measure
    judged: JudgedRuns
    values: NDArray[np.float64]
    counted: NDArray[np.bool_]
    universe: Universe

    def exact(self, groups: Groups, runs: NDArray[np.int8], ties: Ties) -> Ranks:
        """Exact ranks."""
        ranks, shares = np.empty(self.judged.shape, dtype=object), np.empty(self.judged.shape)
        scales = [groups[0][0]] * self.judged.shape[1]
        for scale, topics in groups:
            ranks[:, topics] = scale.rank(runs[:, topics], ties)
            whole = scale.steps if ties == "unq" else scale.runs
            shares[:, topics] = [[float(Fraction(rank) / whole) for rank in row] for row in ranks[:, topics]]
            for topic in topics.tolist():
                scales[topic] = scale
        steps = tuple(scale.steps for scale in scales)
        of: Literal["values", "runs"] = "values" if ties == "unq" else "runs"
        numbers = dict.fromkeys(("middle", "low", "high"), shares)
        scale_facts = {"method": scales[0].method, "steps": steps, "scales": tuple(scales)}
        return self._ranks(ranks=_narrow(ranks), **numbers, how="exact", of=of, **scale_facts)

    def bounded(self, scale: IntervalScale, runs: NDArray[np.int8], width: float | None) -> Ranks | None:
        """Bounds of φ / steps, or ``None`` where distinct values cannot be bounded as closely."""
        aim = finest_width(scale.counting, WIDTH, OPERATIONS)
        if aim is None:
            return None
        if width is not None:
            bracket = scale.bracket(runs, width)
        else:
            try:
                bracket = scale.bracket(runs, aim)
            except ScaleError:  # many values lie too near one
                return None
        numbers = {"middle": (bracket.low + bracket.high) / 2, "low": bracket.low, "high": bracket.high}
        many = len(self.judged.topics)
        each = {"steps": (scale.steps,) * many, "scales": (scale,) * many}
        return self._ranks(ranks=None, **numbers, how="bounded", of=bracket.of, method="convolution", **each)

    def beaten(self, width: float | None, progress: Callable[[float], None] | None) -> Ranks:
        """Mid-p: the proportion of runs that are beaten, ties counting half."""
        some = proportions(self.measure, self.judged, self.universe, width, progress)
        numbers = {"middle": some.middle, "low": some.low, "high": some.high}
        return self._ranks(ranks=None, **numbers, how=some.how, of="runs", method=some.method, steps=())

    def _ranks(self, **rest: Any) -> Ranks:
        return Ranks(
            self.measure,
            self.judged.systems,
            self.judged.topics,
            values=self.values,
            counted=self.counted,
            universe=self.universe,
            **rest,
        )


def scale_groups(
    measure: Measure, judged: JudgedRuns, length: int | None, progress: Callable[[float], None] | None, *, attainable: bool
) -> Groups:
    """Scales, and the topics that each is the scale of: one for all, or one per recall base.

    A measure whose order of runs depends on the recall base has one per recall base in any case, over the runs that it allows.
    """
    levels = levels_for(measure, judged)
    own = measure.on_topics.scale_per_topic
    if not attainable and not own:
        return [(interval_scale(measure, length, levels, progress=progress), np.arange(len(judged.topics)))]
    topics: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for topic in range(len(judged.topics)):
        counts = _counts(measure, judged, topic)
        most = max(counts.values(), default=0) if own or length is None else length  # what does not fit into a run matters to some
        topics.setdefault(tuple((grade, min(count, most)) for grade, count in counts.items()), []).append(topic)
    groups = []
    for done, (base, members) in enumerate(topics.items(), start=1):
        scale = interval_scale(measure, length, levels, recall_base=dict(base), compat=judged.compat)
        groups.append((scale, np.array(members)))
        if progress is not None:
            progress(done / len(topics))
    return groups


def _counts(measure: Measure, judged: JudgedRuns, topic: int) -> dict[int, int]:
    """Number of judged documents of each grade of the scale that a topic has; of grade 0 if the measure asks for them."""
    rel = _relevance(measure)
    row = judged.recall_base[topic].tolist()
    least = 1 if rel is None else rel
    zero = {0: sum(row[:least])} if measure.on_topics.tells_unjudged else {}
    if rel is not None:
        return zero | {1: sum(row[rel:])}
    return zero | {grade: row[grade] if grade < len(row) else 0 for grade in levels_for(measure, judged)[1:]}


def _narrow(ranks: NDArray[Any]) -> NDArray[Any]:
    """int64 or float64 where they hold every rank exactly."""
    flat = ranks.ravel().tolist()
    if all(isinstance(rank, int) for rank in flat):
        return ranks.astype(np.int64) if max(flat, default=0) <= LARGEST_INT64 else ranks
    return ranks.astype(np.float64) if all(isinstance(rank, float) for rank in flat) else ranks
