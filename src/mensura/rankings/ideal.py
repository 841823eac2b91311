"""Runs against their ideal rankings: the curves of P1 as measures of effectiveness, and cumulated relative position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import RankingError
from mensura.io.checks import HIGHEST_GRADE
from mensura.judged.runs import JudgedRuns
from mensura.measures.base import divide
from mensura.measures.ideal import point_curves, trapezoids
from mensura.rankings.weighting import weights
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.rankings.weighting import Weights

    Floats = NDArray[np.float64]

MEAN = "mean"
SHOWN = 5  # names in a message


@dataclass(frozen=True, eq=False)
class IdealCurves(Result):
    """Curves over the ranks of runs, each against the ideal ranking of its topic: arrays [system, topic, rank].

    The ideal ranking contains the topic's judged documents by descending grade. Documents of one grade may come in any order, so
    they keep the order of the run: the best case. Documents without judgment count as grade 0, and a list that ends early continues
    with documents that are not relevant.

    Attributes
    ----------
    systems, topics
        Names.
    misplacements
        F(k) − k: positive where the document at rank k belongs further down, negative where the run recovers an earlier loss.
    point
        P(i) = Σ_{k≤i} (F(k) − k) (P1, Eq. 3); 0 where the first i ranks are ideal.
    area
        A(i) = Σ_{k≤i} (P(k−1) + P(k))/2 · h(k) (P1, Eq. 4).
    normalized_area
        nA(i): the area down to rank i over the largest one there, that of a run without relevant documents (P1, Eq. 5).
    relative_position
        CRP(i): the cumulated distance of each document from the ranks that its grade has in the ideal ranking, negative above them
        and positive below (Angelini et al. 2014).
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    misplacements: Floats
    point: Floats
    area: Floats
    normalized_area: Floats
    relative_position: Floats

    readers = dict.fromkeys(("misplacements", "point", "area", "normalized_area", "relative_position"), floats)

    @property
    def a_corr(self) -> Floats:
        """A-corr(i) = 1 − nA(i); at rank k it is the measure ``Acorr@k``."""
        return 1 - self.normalized_area

    @property
    def positions(self) -> Floats:
        """F(k): the position of the document at rank k in the ideal ranking (P1, Eq. 1)."""
        return self.misplacements + np.arange(1, self.point.shape[2] + 1)

    def losses(self, system: str, topic: str) -> tuple[int, ...]:
        """Return the ranks whose documents belong further down: positive misplacements."""
        return self._ranks(self._of(system, topic) > 0)

    def recoveries(self, system: str, topic: str) -> tuple[int, ...]:
        """Return the ranks whose documents belong further up, where the run recovers an earlier loss: negative misplacements."""
        return self._ranks(self._of(system, topic) < 0)

    def _of(self, system: str, topic: str) -> Floats:
        for what, name, names in (("system", system, self.systems), ("topic", topic, self.topics)):
            if name not in names:
                raise RankingError(
                    f"unknown {what} {name!r}; there are {', '.join(names[:SHOWN])}{' …' if len(names) > SHOWN else ''}"
                )
        misplaced: Floats = self.misplacements[self.systems.index(system), self.topics.index(topic)]
        return misplaced

    @staticmethod
    def _ranks(chosen: NDArray[np.bool_]) -> tuple[int, ...]:
        return tuple((np.flatnonzero(chosen) + 1).tolist())

    def mean(self) -> IdealCurves:
        """Return the curves averaged over topics, as those of one topic called ``mean``."""
        averages = {name: getattr(self, name).mean(axis=1, keepdims=True) for name in self.readers}
        return IdealCurves(self.systems, (MEAN,), **averages)

    def only(self, topic: str) -> IdealCurves:
        """Return the curves of one topic."""
        self._of(self.systems[0], topic)
        at = self.topics.index(topic)
        return IdealCurves(self.systems, (topic,), **{name: getattr(self, name)[:, at : at + 1] for name in self.readers})

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each system, topic and rank."""
        for system, name in enumerate(self.systems):
            for topic, label in enumerate(self.topics):
                for rank in range(self.point.shape[2]):
                    at = (system, topic, rank)
                    yield {
                        "system": name,
                        "topic": label,
                        "rank": rank + 1,
                        "position": float(self.misplacements[at]) + rank + 1,
                        "misplacement": float(self.misplacements[at]),
                        "point": float(self.point[at]),
                        "area": float(self.area[at]),
                        "normalized_area": float(self.normalized_area[at]),
                        "a_corr": 1 - float(self.normalized_area[at]),
                        "relative_position": float(self.relative_position[at]),
                    }


def against_ideal(judged: JudgedRuns, *, depth: int | None = None, h: Weights = 1) -> IdealCurves:
    """Compare runs with the ideal rankings of their topics.

    Parameters
    ----------
    judged
        The judged runs.
    depth
        Number of ranks; by default those of the longest list.
    h
        Weights of the ranks in the area: a constant of at least 1, ``"1/i"``, a number between 0 and 1 (geometric), a function of
        the ranks, or an array.

    Examples
    --------
    >>> from mensura import JudgedRuns
    >>> curves = against_ideal(JudgedRuns.from_grades([[[0, 2, 1, 0]]], [[5, 1, 1]]))
    >>> curves.misplacements[0, 0].tolist(), curves.point[0, 0].tolist()
    ([2.0, -1.0, -1.0, 0.0], [2.0, 1.0, 0.0, 0.0])
    """
    ranks = judged.length if depth is None else depth
    if depth is None and ranks == 0:
        raise RankingError("no run has a document for a judged topic; check that judgments and runs belong together")
    if ranks < 1:
        raise RankingError(f"depth={depth} is too small; compare at least the first rank")
    judged.need(ranks if depth is not None else None, "the comparison with the ideal ranking")
    top = judged.top(ranks)
    point = point_curves(top, judged.recall_base, judged.max_grade)
    weight = weights(h, ranks)
    area = np.cumsum(trapezoids(point) * weight, axis=2)
    worst = judged.relevant()[:, None] * np.cumsum((np.arange(1, ranks + 1) - 0.5) * weight)
    return IdealCurves(
        judged.systems,
        judged.topics,
        np.diff(point, axis=2, prepend=0.0),
        point,
        area,
        1 - divide(worst - area, worst),
        np.cumsum(_relative_positions(judged, top), axis=2),
    )


def judged_lists(lists: Mapping[str, Sequence[int]], relevant: Sequence[int] | None = None) -> JudgedRuns:
    """Return relevance lists, such as 3 2 2 0, as judged runs of one topic.

    Parameters
    ----------
    lists
        Grades from the first rank down, by name.
    relevant
        Number of documents of grade 1, 2, …; by default, for each grade the largest number that any of the lists contains.

    Examples
    --------
    >>> against_ideal(judged_lists({"mine": [2, 3, 2, 0]})).misplacements[0, 0].tolist()
    [1.0, -1.0, 0.0, 0.0]
    """
    if not lists or not all(map(len, lists.values())):
        raise RankingError("a relevance list needs at least one grade, e.g. 3 2 2 0")
    width, highest = max(map(len, lists.values())), max(grade for grades in lists.values() for grade in grades)
    if not 0 <= min(grade for grades in lists.values() for grade in grades) <= highest <= HIGHEST_GRADE:
        raise RankingError(f"grades must be whole numbers from 0 to {HIGHEST_GRADE}")
    counts = np.array([np.bincount(grades, minlength=highest + 1) for grades in lists.values()])
    base = counts.max(axis=0)
    if relevant is not None:
        base = np.zeros(max(highest, len(relevant)) + 1, dtype=np.int64)
        base[0], base[1 : len(relevant) + 1] = counts[:, 0].max(), relevant
    for name, count in zip(lists, counts, strict=True):
        over = np.flatnonzero(count[1:] > base[1 : highest + 1]) + 1
        if len(over):
            grade = int(over[0])
            raise RankingError(f"{name} contains {count[grade]} documents of grade {grade}, but there are only {base[grade]}")
    grades = np.full((len(lists), 1, width), -1, dtype=np.int8)
    for at, each in enumerate(lists.values()):
        grades[at, 0, : len(each)] = each
    retrieved = np.array([[len(each)] for each in lists.values()], dtype=np.int32)
    return replace(JudgedRuns.from_grades(grades, base[None]), systems=tuple(map(str, lists)), retrieved=retrieved)


def _relative_positions(judged: JudgedRuns, top: NDArray[np.int8]) -> Floats:
    """RP(i): 0 inside the ranks of the document's grade in the ideal ranking, else the distance to the nearest of them."""
    highest = judged.max_grade
    base = np.zeros((len(judged.topics), highest + 1))
    base[:, : judged.recall_base.shape[1]] = judged.recall_base[:, : highest + 1]
    last = np.cumsum(base[:, ::-1], axis=1)[:, ::-1]  # last rank of each grade in the ideal ranking
    first = last - base + 1
    last[:, 0] = np.inf  # documents that are not relevant continue without end
    topic = np.arange(len(judged.topics))[None, :, None]
    grade = np.maximum(top, 0)
    rank = np.arange(1, top.shape[2] + 1, dtype=np.float64)
    return np.minimum(rank - first[topic, grade], 0) + np.maximum(rank - last[topic, grade], 0)
