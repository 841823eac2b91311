"""Universes of judged runs, and the law by which the runs of a topic are drawn from each.

all
    Every run of REL^N, equally likely: the runs of P4.
attainable
    Of these, the runs that the topic's recall base allows: no more documents of a grade than were judged to have it.
observed
    Runs like those of the collection. A system is drawn, then a run of it: rank i has a relevant document with probability
    p_i · h / h̄, at most 1, where p_i is the proportion of the collection's runs that have one there (made non-increasing), h
    the number that the system has found for the topic and h̄ the mean over systems. Good systems are good at all ranks, which
    the draw of a system keeps. The number of relevant documents is not limited: a limit would draw the best systems with
    fewer than they have found.
independent
    Runs with independent ranks and probabilities p_i, given that there are no more relevant documents than the topic has.
    Values vary less than those of real runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from mensura.errors import ScaleError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns

    Floats = NDArray[np.float64]

Universe = Literal["all", "attainable", "observed", "independent"]
UNIVERSES: tuple[Universe, ...] = get_args(Universe)
MEANINGS: dict[Universe, str] = {
    "all": "all runs",
    "attainable": "the runs that the recall base of each topic allows",
    "observed": "runs like those of the collection (a system is drawn, then its ranks)",
    "independent": "runs with independent ranks that are as good as the collection's on average",
}


def universe_named(name: str) -> Universe:
    """Return the universe called ``name``; an error lists those that there are."""
    for universe in UNIVERSES:
        if universe == name:
            return universe
    raise ScaleError(f"unknown universe {name!r}; use one of {', '.join(UNIVERSES)}")


@dataclass(frozen=True, eq=False)
class Law:
    """Ranks drawn independently, given that no grade occurs more often than it may.

    Attributes
    ----------
    at_least
        float64 [rank, symbol]: the probability of a symbol of at least this one, from the second lowest symbol on.
    lowest
        The lowest symbol: 0, or −1 where documents that were not judged are told apart from those judged 0.
    most
        The greatest number of documents with each symbol above the lowest.
    factors, weights
        Kinds of systems: ``factors`` multiply the probabilities of relevant documents, ``weights`` say how often each is drawn.
    """

    at_least: Floats
    lowest: int
    most: tuple[int, ...]
    factors: tuple[float, ...] = (1.0,)
    weights: tuple[float, ...] = (1.0,)
    uniform: bool = False
    """Whether all runs that can occur are equally likely."""

    @property
    def length(self) -> int:
        """Number of ranks."""
        return len(self.at_least)

    @property
    def key(self) -> tuple[bytes, int, tuple[int, ...], tuple[float, ...], tuple[float, ...]]:
        """The same for two topics whose runs are drawn alike."""
        return self.at_least.tobytes(), self.lowest, self.most, self.factors, self.weights

    def chances(self, factor: float) -> Floats:
        """The probabilities [rank, symbol] of symbols of at least this one, for one kind of systems."""
        scaled = self.at_least.copy()
        relevant = scaled[:, -self.lowest :]
        np.minimum(relevant * factor, 1.0, out=relevant)
        return np.maximum.accumulate(scaled[:, ::-1], axis=1)[:, ::-1]  # a document that is relevant was judged


def laws(universe: Universe, judged: JudgedRuns, *, tells_unjudged: bool = False) -> list[Law]:
    """Return the law of each topic.

    ``judged`` has the ranks that count and no others. With ``tells_unjudged``, documents that were not judged are a symbol of
    their own in every universe: bpref tells them from those judged 0.
    """
    grades = max(judged.max_grade, 1)
    return [_law(universe, judged, topic, grades, -1 if tells_unjudged else 0) for topic in range(judged.shape[1])]


def _law(universe: Universe, judged: JudgedRuns, topic: int, grades: int, lowest: int) -> Law:
    length = judged.length
    if universe in {"all", "attainable"}:
        symbols = grades - lowest
        even = np.tile(np.arange(symbols, 0, -1) / (symbols + 1), (length, 1))
        base = judged.recall_base[topic, lowest + 1 : grades + 1].tolist()
        limited = [min(length, count) for count in [*base, *[0] * (symbols - len(base))]]
        return Law(even, lowest, tuple(limited) if universe == "attainable" else (length,) * symbols, uniform=True)
    rows = judged.grades[:, topic, :]
    counts = judged.recall_base[topic, : grades + 1].tolist()
    most = (length, *(min(length, count) for count in [*counts[1:], *[0] * (grades + 1 - len(counts))]))
    at_least = np.stack([non_increasing((rows >= grade).mean(axis=0)) for grade in range(grades + 1)], axis=1)
    if universe == "independent":
        return Law(at_least, -1, most)
    hits = (rows > 0).sum(axis=1)
    free = (length,) * (grades + 1)
    if not hits.any():
        return Law(at_least, -1, free)
    numbers, systems = np.unique(hits, return_counts=True)
    return Law(at_least, -1, free, tuple((numbers / hits.mean()).tolist()), tuple((systems / len(hits)).tolist()))


def non_increasing(proportions: Floats) -> Floats:
    """The non-increasing sequence that is nearest by least squares: neighbours that rise are pooled to their mean."""
    means: list[float] = []
    sizes: list[int] = []
    for proportion in proportions.tolist():
        means.append(proportion)
        sizes.append(1)
        while len(means) > 1 and means[-2] < means[-1]:
            size = sizes[-2] + sizes[-1]
            means[-2:] = [(means[-2] * sizes[-2] + means[-1] * sizes[-1]) / size]
            sizes[-2:] = [size]
    return np.repeat(means, sizes)
