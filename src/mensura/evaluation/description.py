"""A collection described, as a paper should publish it (P3 §2.9): judgments, runs, and how far the ones cover the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.io.columns import Qrels
    from mensura.judged.runs import JudgedRuns
    from mensura.render.tables import View

DEPTHS = (10, 100, 1000)


@dataclass(frozen=True, slots=True)
class Quartiles(Result):
    """Least, lower quartile, median, upper quartile, greatest and mean of some counts."""

    least: float
    lower: float
    median: float
    upper: float
    greatest: float
    mean: float

    @classmethod
    def of(cls, counts: NDArray[Any] | Sequence[float]) -> Quartiles:
        """Return the quartiles of at least one count."""
        values = np.asarray(counts, dtype=np.float64)
        least, lower, median, upper, greatest = np.quantile(values, (0, 0.25, 0.5, 0.75, 1)).tolist()
        return cls(least, lower, median, upper, greatest, float(values.mean()))


@dataclass(frozen=True, slots=True)
class TopicDescription(Result):
    """Judgments of one topic: their number, and the number of each grade from 0 up."""

    topic: str
    judged: int
    grades: tuple[int, ...]

    @property
    def relevant(self) -> int:
        """Number of documents with a grade of at least 1."""
        return sum(self.grades[1:])


@dataclass(frozen=True, slots=True)
class RunDescription(Result):
    """One run: the topics that it has of the judged ones, its lists, ties, and the documents without judgment at some depths.

    ``unjudged`` gives (depth, proportion of the documents down to there that have no judgment). ``tied`` is the number of topics
    where documents of different grades have the same score, so that their ids decide their order.
    """

    system: str
    topics: int
    missing: int
    extra: int
    lengths: Quartiles
    tied: int
    unjudged: tuple[tuple[int, float], ...]
    overlap: tuple[tuple[int, float], ...] = ()

    readers: ClassVar = {"lengths": Quartiles.from_dict}


@dataclass(frozen=True)
class Description(Result):
    """A collection as a paper should describe it.

    Attributes
    ----------
    name
        Its name.
    judgments, grades
        Number of judgments, in all and of each grade from 0 up.
    judged, relevant
        Quartiles over topics of the judged and of the relevant documents.
    without_relevant
        Topics that have no relevant document; they count 0 for every system.
    topics
        The topics one by one.
    runs
        The runs one by one, if there are any.
    overlap
        (depth, mean proportion of the documents down to there that two runs share), over all pairs of runs and topics.
    """

    name: str
    judgments: int
    grades: tuple[int, ...]
    judged: Quartiles
    relevant: Quartiles
    without_relevant: tuple[str, ...]
    topics: tuple[TopicDescription, ...]
    runs: tuple[RunDescription, ...] = ()
    overlap: tuple[tuple[int, float], ...] = ()

    readers: ClassVar = {
        "judged": Quartiles.from_dict,
        "relevant": Quartiles.from_dict,
        "topics": lambda each: tuple(map(TopicDescription.from_dict, each)),
        "runs": lambda each: tuple(map(RunDescription.from_dict, each)),
    }

    def view(self) -> View:
        """Judgments, grades and runs in tables."""
        from mensura.render.descriptions import description_view

        return description_view(self)

    def rows(self) -> Iterable[dict[str, Any]]:
        """One row for each topic: its judged and relevant documents, and those of each grade."""
        for topic in self.topics:
            graded = {f"grade_{grade}": number for grade, number in enumerate(topic.grades)}
            yield {"topic": topic.topic, "judged": topic.judged, "relevant": topic.relevant, **graded}


def describe(
    qrels: Qrels,
    judged: JudgedRuns | None = None,
    *,
    name: str = "collection",
    progress: Callable[[int, int], None] | None = None,
) -> Description:
    """Describe a collection: its judgments, and runs on it if they are given.

    ``progress`` is called with the number of comparisons of lists done, one per depth and topic, and of all.
    """
    base = qrels.recall_base
    relevant = base[:, 1:].sum(axis=1)
    topics = tuple(
        TopicDescription(topic, int(counts.sum()), tuple(map(int, counts)))
        for topic, counts in zip(qrels.topics, base, strict=True)
    )
    shared = {} if judged is None else overlaps(judged, progress)
    return Description(
        name=name,
        judgments=int(base.sum()),
        grades=tuple(map(int, base.sum(axis=0))),
        judged=Quartiles.of(base.sum(axis=1)),
        relevant=Quartiles.of(relevant),
        without_relevant=tuple(topic for topic, number in zip(qrels.topics, relevant.tolist(), strict=True) if number == 0),
        topics=topics,
        runs=() if judged is None else tuple(_run(judged, system, shared) for system in range(judged.shape[0])),
        overlap=tuple((depth, _mean_of_pairs(matrix)) for depth, matrix in shared.items()),
    )


def _run(judged: JudgedRuns, system: int, shared: dict[int, NDArray[np.float64]]) -> RunDescription:
    present = judged.retrieved[system] > 0
    lengths = judged.retrieved[system][present]
    others = np.arange(judged.shape[0]) != system
    return RunDescription(
        system=judged.systems[system],
        topics=int(present.sum()),
        missing=int((~present).sum()),
        extra=len(judged.extra[system]),
        lengths=Quartiles.of(lengths if len(lengths) else [0]),
        tied=int((judged.ties[system] > 0).sum()),
        unjudged=tuple((depth, _unjudged(judged, system, depth)) for depth in depths_of(judged)),
        overlap=tuple((depth, float(matrix[system][others].mean())) for depth, matrix in shared.items()),
    )


def depths_of(judged: JudgedRuns) -> tuple[int, ...]:
    """Depths at which runs are described: 10, 100, 1000, and no deeper than the longest list."""
    return tuple(depth for depth in DEPTHS if depth <= judged.length) or (judged.length,)


def _unjudged(judged: JudgedRuns, system: int, depth: int) -> float:
    listed = int(np.minimum(judged.retrieved[system], depth).sum())
    return float(1 - (judged.grades[system, :, :depth] >= 0).sum() / listed) if listed else 0.0


def overlaps(judged: JudgedRuns, progress: Callable[[int, int], None] | None = None) -> dict[int, NDArray[np.float64]]:
    """Return for some depths the proportion of documents that each two runs share, a mean over topics: [system, system].

    The proportion is that of the documents in the shorter of both lists. Runs that have no list for a topic share nothing there.
    """
    if judged.shape[0] < 2:  # noqa: PLR2004 - overlap is of two
        return {}
    documents, depths = judged.documents().number, depths_of(judged)
    systems, topics = judged.shape
    totals = {depth: np.zeros((systems, systems)) for depth in depths}
    for at, depth in enumerate(depths):
        for topic in range(topics):
            totals[depth] += _overlap(documents[:, topic, :depth])
            if progress is not None:
                progress(at * topics + topic + 1, len(depths) * topics)
    return {depth: total / topics for depth, total in totals.items()}


def _overlap(rows: NDArray[np.int32]) -> NDArray[np.float64]:
    """Proportion of documents that each two lists of a topic share: [system, system]."""
    listed = rows >= 0
    held = np.zeros((len(rows), int(rows.max(initial=-1)) + 1), dtype=np.float32)
    held[np.nonzero(listed)[0], rows[listed]] = 1
    sizes = listed.sum(axis=1)
    shorter = np.minimum(sizes[:, None], sizes[None, :])
    return np.divide(held @ held.T, shorter, out=np.zeros(shorter.shape), where=shorter > 0)


def _mean_of_pairs(matrix: NDArray[np.float64]) -> float:
    first, second = np.triu_indices(len(matrix), k=1)
    return float(matrix[first, second].mean())
