"""The proportion of the runs of a universe that each judged run beats, ties counting half: mid-p.

mid-p(r) = P(M is worse than M(r)) + ½·P(M = M(r)) for a run drawn from the universe: a smaller value is worse, unless lower is
better for the measure. No increasing transformation changes it, not even one that is another for every topic. It is bounded by
dynamic programming where the measure is a sum over relevant documents, else estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from math import ceil, log, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from mensura.engines.threads import spread
from mensura.errors import ScaleError
from mensura.judged.runs import JudgedRuns
from mensura.measures.base import check_cutoff, check_obstacle
from mensura.measures.geometric import with_rel
from mensura.scales.facts import levels_for
from mensura.scales.universes.bounds import Paths, hit_probabilities
from mensura.scales.universes.laws import laws
from mensura.scales.universes.samples import error_bar, estimate, runs_for, sums_drawn, values_drawn
from mensura.scales.universes.sums import HitSum, hit_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.scales.universes.laws import Law, Universe

    Floats = NDArray[np.float64]
    Bounds = tuple[Floats, Floats, Floats]

How = Literal["bounded", "estimated"]

# Work is told in operations, so that the same question has the same answer on every machine and under every load. An
# operation is one bin of the dynamic programme: 0.8 ns, measured.
LEAST, EACH, TOTAL = 2**32, 5 * 2**28, 2**36
"""Operations of the default: about a second for each law, but at least three and at most a minute in all."""
LIMIT = 2**40
"""Operations that are begun at all: about a quarter of an hour."""
PER_HIT, PER_GRADE = 16, 4
"""Operations that drawing a relevant document takes, and scoring a grade of a drawn run."""
FINEST, CERTIFIED, COARSEST = 2e-4, 1e-2, 0.2
"""Widths: the finest that is aimed at, the widest that bounds may have before estimates are made instead, and the widest at all."""
KINDS = 8
"""Kinds of systems that the work for all of them is estimated from."""
MOST_BINS = 2**22
"""Bins that one relevant document can add: as many numbers are held for each number of hits."""
SHORT, TINY = 16, 1e-11
"""Length up to which all runs are listed, and the rounding error of what they add up to."""
MISSES = 40
"""A rounding error exceeds its bound with a probability of the width over this."""


@dataclass(frozen=True, eq=False)
class Proportions:
    """Mid-p [system, topic] with bounds, or estimated with error bars.

    ``middle`` is halfway between bounds, or the estimate. Within a topic it never falls where values get better.
    """

    middle: Floats
    low: Floats
    high: Floats
    how: How
    drawn: int

    @property
    def method(self) -> str:
        """Way in which the proportions were computed, in a few words."""
        return "dynamic programming" if self.how == "bounded" else f"{self.drawn} drawn runs, ± {error_bar(self.drawn):.2g}"


def proportions(
    measure: Measure,
    judged: JudgedRuns,
    universe: Universe,
    width: float | None = None,
    progress: Callable[[float], None] | None = None,
) -> Proportions:
    """Return mid-p of all judged runs among those of a universe.

    Parameters
    ----------
    measure
        A measure with a cut-off.
    judged
        The judged runs. The laws of ``observed`` and ``independent`` come from all of them.
    universe
        The runs to compare with.
    width
        The greatest width of bounds; by default what about a second of work per topic gives.
    progress
        Is told the proportion of the work that is done.
    """
    if width is not None and not 0 < width < 1:
        raise ScaleError(f"width={width:g} is not between 0 and 1")
    check_cutoff(measure)
    seen = seen_by(measure, judged)
    groups: dict[object, tuple[Law, list[int]]] = {}
    for topic, law in enumerate(laws(universe, seen, tells_unjudged=measure.on_topics.tells_unjudged)):
        key = (law.key, *_definition(measure, seen, topic))
        groups.setdefault(key, (law, []))[1].append(topic)
    work = [_work(measure, seen, law, topics) for law, topics in groups.values()]
    aim = _aim(work, width)
    middle, low, high = (np.empty(judged.shape) for _ in range(3))
    jobs = spread(partial(TopicGroup.bounded, aim=aim) if aim.certified else partial(TopicGroup.estimated, aim=aim), work)
    ways: set[How] = set()
    for done, (piece, (way, numbers)) in enumerate(zip(work, jobs, strict=True), start=1):
        middle[:, piece.topics], low[:, piece.topics], high[:, piece.topics] = numbers
        ways.add(way)
        if progress is not None:
            progress(done / len(work))
    if measure.direction == "lower":  # the pieces count the runs with smaller values
        middle, low, high = 1 - middle, 1 - high, 1 - low
    estimates = "estimated" in ways
    return Proportions(middle, low, high, "estimated" if estimates else "bounded", aim.drawn if estimates else 0)


def seen_by(measure: Measure, judged: JudgedRuns) -> JudgedRuns:
    """Judged runs as a measure sees them: cut at its cut-off, with two grades if it is not graded."""
    on_topics = measure.on_topics
    check_obstacle(measure)
    judged.need(on_topics.cutoff, measure)
    top, base = judged.top(on_topics.cutoff), judged.recall_base
    if not measure.graded:
        rel = getattr(on_topics, "rel", 1)
        relevant = judged.relevant(rel)
        top = np.where(top >= 0, top >= rel, top).astype(np.int8)
        base = np.stack([base.sum(axis=1) - relevant, relevant], axis=1)
    return JudgedRuns.from_grades(top, base)


def _definition(measure: Measure, seen: JudgedRuns, topic: int) -> tuple[object, ...]:
    """Recall base of a topic for a measure that it defines, where it is not just a factor; else nothing."""
    decomposed = measure.on_topics.decompose(seen.length, levels_for(measure, seen)) is not None
    return () if decomposed else tuple(seen.recall_base[topic].tolist())


@dataclass(frozen=True)
class Aim:
    """Width that is aimed at, and how it is reached: by bounds, or by estimates from a number of drawn runs."""

    width: float
    asked: bool
    certified: bool

    @property
    def drawn(self) -> int:
        """Number of runs to draw for a law."""
        return runs_for(self.width)


def _aim(work: Sequence[TopicGroup], width: float | None) -> Aim:
    """Bounds where they are close enough for the work, else estimates; one width for all topics.

    Without a width, the finest that the budget allows. A width that would take too long is refused, and one that would not is
    named.
    """
    budget = min(TOTAL, max(LEAST, EACH * len(work)))
    bounds = all(piece.sums is not None for piece in work)

    def finest(operations: Callable[[TopicGroup, float], float], most: float) -> float:
        width = FINEST
        while width < COARSEST and sum(operations(piece, width) for piece in work) > most:
            width *= 1.05
        return width

    if width is None:
        if bounds and (closest := finest(TopicGroup.operations, budget)) <= CERTIFIED:
            return Aim(closest, asked=False, certified=True)
        return Aim(finest(TopicGroup.drawing, budget), asked=False, certified=False)
    drawing = sum(piece.drawing(width) for piece in work)
    certified = bounds and sum(piece.operations(width) for piece in work) <= max(budget, drawing)
    operations = TopicGroup.operations if certified else TopicGroup.drawing
    if sum(operations(piece, width) for piece in work) > LIMIT:
        kind, wider = "bounds" if certified else "estimates", _two_digits(finest(operations, LIMIT))
        raise ScaleError(f"{work[0].measure}: {kind} of width {width:g} take too long; ask for {wider} or more")
    return Aim(width, asked=True, certified=certified)


def _work(measure: Measure, seen: JudgedRuns, law: Law, topics: list[int]) -> TopicGroup:
    on_topics, levels = measure.on_topics, levels_for(measure, seen)
    scored = on_topics if measure.graded else with_rel(on_topics, 1)
    base = seen.recall_base[topics[0]]
    runs = seen.grades[:, topics, :].reshape(-1, seen.length)
    sums = None
    if len(levels) == 2:  # noqa: PLR2004 - relevant or not
        columns = max(1, min(law.most[-1], _enough(law)), int((runs > 0).sum(axis=1).max(initial=0)))
        sums = hit_sum(scored.decompose(seen.length, levels), seen.length, columns)

    def values_of(drawn: NDArray[np.int8]) -> Floats:
        return scored.score(JudgedRuns.from_grades(drawn[:, None, :], base[None, :]))[:, 0]

    return TopicGroup(law, topics, runs, sums, values_of, (seen.shape[0], len(topics)), measure)


def _enough(law: Law) -> int:
    """Number of relevant documents that a drawn run exceeds with a probability below 1e-20 (Chernoff)."""
    mean = float(law.chances(max(law.factors))[:, -1].sum())
    return min(law.length, ceil(mean + 10 * sqrt(mean) + 60))


@dataclass(frozen=True, eq=False)
class TopicGroup:
    """The judged runs of topics that share a law, to be compared with runs drawn by it."""

    law: Law
    topics: list[int]
    runs: NDArray[np.int8]
    sums: HitSum | None
    values_of: Callable[[NDArray[np.int8]], Floats]
    shape: tuple[int, int]
    measure: Measure

    @property
    def _sums(self) -> HitSum:
        if self.sums is None:
            raise ScaleError(f"{self.measure} is not a sum over relevant documents")
        return self.sums

    def _paths(self, factor: float) -> Paths:
        """Runs of one kind of systems."""
        return Paths(hit_probabilities(self.law.chances(factor)[:, -1], self.law.most[-1], self._sums.added.shape[1]), self._sums)

    @cached_property
    def _cost(self) -> tuple[float, float, float]:
        """Bins to visit times their size, standard deviation of sums, and hits; from a few kinds of systems if there are many."""
        kinds = len(self.law.factors)
        at = np.unique(np.linspace(0, kinds - 1, min(kinds, KINDS)).astype(np.int64)).tolist()
        paths = [self._paths(self.law.factors[kind]) for kind in at]
        weights = np.array([self.law.weights[kind] for kind in at])
        weights /= weights.sum()
        means, squares, hits, work = (
            np.array(column) for column in zip(*((*p.moments, p.hits, p.work) for p in paths), strict=True)
        )
        spread = sqrt(max(0.0, float(weights @ squares - (weights @ means) ** 2)))
        return float(work.mean()) * kinds, spread, max(1.0, float(weights @ hits))

    def _size(self, width: float) -> float:
        """Size of the bins for bounds of a width, if the sums were normally distributed."""
        _, spread, hits = self._cost
        least = float(self._sums.added.max()) / MOST_BINS
        return 1.0 if self._sums.whole else max(least, spread * width / (0.9 * sqrt(hits * log(MISSES / width) / 2)))

    def operations(self, width: float) -> float:
        """Bins to visit for bounds of a width, or runs to list."""
        if self.law.length <= SHORT:
            return float(len(self.law.factors) * 2**self.law.length)
        return self._cost[0] / self._size(width)

    def bounded(self, aim: Aim) -> tuple[How, Bounds]:
        """Certified bounds: no wider than was asked for, or about as wide as is aimed at.

        Bounds cannot be closer than the probability of a tie, which a finer grid does not tell from near ties: where this is
        in the way of a width that was asked for, there are estimates instead.
        """
        queries = self._sums.of(np.maximum(self.runs, 0))
        kinds = list(zip(self.law.weights, self.law.factors, strict=True))
        if self.law.length <= SHORT:
            middle = np.zeros(len(queries)) + sum(weight * self._paths(factor).listed(queries) for weight, factor in kinds)
            return "bounded", self._shaped(middle, middle - TINY, middle + TINY)
        width, before = aim.width, 1.0
        while True:
            low, high = np.zeros(len(queries)), np.zeros(len(queries))
            for weight, factor in kinds:
                least, most = self._paths(factor).bounds(queries, self._size(width), width / MISSES)
                low += weight * least
                high += weight * most
            widest = float((high - low).max(initial=0.0))
            if not aim.asked or widest <= aim.width:
                return "bounded", self._shaped((low + high) / 2, low, high)
            width *= max(0.1, 0.8 * aim.width / widest)
            if widest > 0.7 * before or self.operations(width) > max(LEAST, 8 * self.operations(aim.width)):
                return self.estimated(aim)
            before = widest

    @property
    def _as_paths(self) -> bool:
        """Whether drawn runs are added up while they are drawn: ranks are independent, and runs seldom drawn again."""
        return self.sums is not None and not self.law.uniform

    def drawing(self, width: float) -> float:
        """Operations that estimates of a width take."""
        hits = sum(w * float(self.law.chances(f)[:, -1].sum()) for w, f in zip(self.law.weights, self.law.factors, strict=True))
        return runs_for(width) * (PER_HIT * (hits + 2) + (0 if self._as_paths else PER_GRADE * self.law.length))

    def estimated(self, aim: Aim) -> tuple[How, Bounds]:
        """Estimates with their error bars."""
        if self._as_paths:
            queries = self._sums.of(np.maximum(self.runs, 0)) * (-1 if self._sums.falls else 1)
            return "estimated", self._shaped(*estimate(self.law, queries, aim.drawn, partial(sums_drawn, sums=self._sums)))
        draw = partial(values_drawn, values_of=self.values_of)
        return "estimated", self._shaped(*estimate(self.law, self.values_of(self.runs), aim.drawn, draw))

    def _shaped(self, *numbers: Floats) -> Bounds:
        middle, low, high = (np.clip(each, 0.0, 1.0).reshape(self.shape) for each in numbers)
        return middle, low, high


def _two_digits(width: float) -> str:
    """A width, rounded up to two digits."""
    digits = -int(np.floor(np.log10(width))) + 1
    return f"{ceil(width * 10**digits) / 10**digits:.{max(digits, 0)}f}".rstrip("0")
