"""Judged runs: the waist of Mensura. Left of it are documents and files, right of it small arrays of grades."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from mensura._core.hits import count_hits, find_hits
from mensura.errors import DepthError, InputError, MeasureError
from mensura.io.columns import name_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.io.columns import Qrels, Run
    from mensura.io.files import Parts, Source
    from mensura.io.intake import Intake
    from mensura.io.reading import Compat, TieOrder
    from mensura.judged.documents import Documents


class Looking(Protocol):
    """Ranks of a measure: those that count, and those that it looks at."""

    @property
    def cutoff(self) -> int | None: ...
    @property
    def depth(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Hits:
    """Positions of the relevant documents, row by row (a row is one topic of one system).

    ``row`` counts over systems × topics, ``rank`` from 1; ``nth`` is 1 for the first relevant document of a row, 2 for the second.
    """

    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    nth: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """Grades of ranked documents, which every measure is computed from.

    Attributes
    ----------
    grades
        int8 [system, topic, rank]. −1: not judged; −2: pooled but not judged; −1 after the end of a list. All of these count as not
        relevant.
    recall_base
        int64 [topic, grade]: number of judged documents of each grade.
    retrieved
        int32 [system, topic]: number of documents of the list, also where fewer ranks were kept. 0: the run misses the topic.
    ties
        int32 [system, topic]: first rank of the first group of equal scores with different grades, 0 if there is none. From
        that rank on, the values of measures depend on the order of documents with equal scores (by document id).
    systems, topics
        The names.
    extra
        Per system, the topics of the run that have no judgments. They are not evaluated.
    depth
        The number of ranks that were kept at most; ``None``: all.
    compat
        Whose order this is: ``trec_eval-10`` (float64 scores) or ``trec_eval-9`` (float32).
    scores
        float64 [system, topic, rank], NaN after the end of a list, if they were asked for.
    relevance
        float64 [system, topic, rank], if the judgments are continuous: NaN without judgment. ``grades`` are then 0 for judged
        documents, and ``recall_base`` has one column, the number of judged documents.
    tie_order
        The order of documents with equal scores: by ``id``, by the ``rank`` of the file or list, or ``expected`` values over all
        orders.
    groups
        int32 [system, topic, rank], for expected values: the place, from 0, of the first document with the same score.
    own, own_dropped
        Per system, the number of topics with a document that is named like the topic, and whether these were left out.
    origin
        The judgments and runs that these come from, for measures of documents, the ledger and records.
    highest
        The highest grade of the whole collection, if these are some of its topics only.
    shape, length
        The numbers of systems and topics, and of ranks: that of the longest list, or the depth.
    intake
        Facts about each run as it was read, for remarks; none where the runs were not read.
    left_out
        The faults of runs that were left out.
    """

    grades: NDArray[np.int8]
    recall_base: NDArray[np.int64]
    retrieved: NDArray[np.int32]
    ties: NDArray[np.int32]
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    extra: tuple[tuple[str, ...], ...] = ()
    depth: int | None = None
    compat: Compat = "trec_eval-10"
    scores: NDArray[np.float64] | None = None
    relevance: NDArray[np.float64] | None = None
    tie_order: TieOrder = "id"
    groups: NDArray[np.int32] | None = None
    own: tuple[int, ...] = ()
    own_dropped: bool = False
    origin: tuple[Qrels, tuple[Source | Parts | Run, ...]] | None = None
    highest: int = 0
    intake: tuple[Intake, ...] = ()
    left_out: tuple[str, ...] = ()
    shape: tuple[int, int] = field(init=False)
    length: int = field(init=False)
    _hits: dict[int, Hits] = field(default_factory=dict, init=False, repr=False)
    _documents: list[Documents] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", self.grades.shape[:2])
        object.__setattr__(self, "length", self.grades.shape[2])

    @classmethod
    def from_grades(
        cls, grades: Sequence[Sequence[Sequence[int]]] | NDArray[np.int8], recall_base: Sequence[Sequence[int]] | NDArray[np.int64]
    ) -> JudgedRuns:
        """Return judged runs without documents, from grades [system, topic, rank] and recall base [topic, grade]."""
        array = np.asarray(grades, dtype=np.int8)
        if array.ndim != 3:  # noqa: PLR2004 - dimensions of the array
            raise InputError(f"grades must be an array [system, topic, rank], not one of {array.ndim} dimensions")
        base = np.asarray(recall_base, dtype=np.int64)
        if base.ndim != 2 or len(base) != array.shape[1]:  # noqa: PLR2004 - topic and grade
            raise InputError(
                f"the recall base must be an array [topic, grade] with {array.shape[1]} topics, not of shape {base.shape}"
            )
        shape = array.shape[:2]
        return cls(
            grades=array,
            recall_base=base,
            retrieved=np.full(shape, array.shape[2], dtype=np.int32),
            ties=np.zeros(shape, dtype=np.int32),
            systems=tuple(str(number + 1) for number in range(shape[0])),
            topics=tuple(str(number + 1) for number in range(shape[1])),
            extra=((),) * shape[0],
        )

    @classmethod
    def without_ranks(cls, systems: tuple[str, ...], topics: tuple[str, ...]) -> JudgedRuns:
        """Names of systems and topics of which no rank was kept: measures refuse them."""
        empty = cls.from_grades(np.zeros((len(systems), len(topics), 0), dtype=np.int8), np.zeros((len(topics), 1), dtype=np.int64))
        return replace(empty, systems=systems, topics=topics, depth=0)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Missing topics of each run: bool [system, topic]."""
        return np.equal(self.retrieved, 0)

    @cached_property
    def max_grade(self) -> int:
        """The highest grade of any document."""
        judged = np.flatnonzero(self.recall_base.sum(axis=0))
        return max(self.highest, int(judged.max(initial=0)), int(self.grades.max(initial=0)))

    @cached_property
    def lengths_differ(self) -> tuple[int, int] | None:
        """Lengths of the shortest and of the longest list, if they differ. A missing topic is not a list."""
        lengths = self.retrieved[self.retrieved > 0]
        if not lengths.size or lengths.min() == lengths.max():
            return None
        return int(lengths.min()), int(lengths.max())

    @cached_property
    def order(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the systems and of the topics in the order of their names, whatever the order of the files."""
        return np.array(name_order(self.systems), dtype=np.int64), np.array(name_order(self.topics), dtype=np.int64)

    def relevant(self, rel: int = 1) -> NDArray[np.int64]:
        """Recall base: the number of documents of grade ``rel`` or more of each topic."""
        self.check_whole(f"rel={rel}")
        return np.sum(self.recall_base[:, rel:], axis=1, dtype=np.int64)

    def check_whole(self, what: object) -> None:
        """Refuse continuous judgments for ``what``, a measure or a part of one."""
        if self.relevance is not None and self.origin is not None:
            self.origin[0].check_whole(what)

    def need(self, ranks: int | None, measure: object) -> None:
        """Refuse a measure that needs more ranks than were kept, or whole grades of continuous judgments."""
        if not getattr(measure, "continuous", False):
            self.check_whole(measure)
        if self.groups is not None and not getattr(measure, "expects_ties", False):
            raise MeasureError(f"{measure} has no expected value over the orders of equal scores; use ties='id' or 'rank'")
        if self.depth is not None and (ranks is None or ranks > self.depth):
            needed = "all ranks" if ranks is None else f"{ranks} ranks"
            raise DepthError(f"{measure} needs {needed}, but only {self.depth} were kept; judge the runs again with a larger depth")

    def only(self, systems: Sequence[str]) -> JudgedRuns:
        """Some of the systems, in the order in which they are named."""
        numbers = {system: number for number, system in enumerate(self.systems)}
        unknown = [system for system in systems if system not in numbers]
        if unknown:
            raise InputError(f"unknown system {unknown[0]!r}; these judged runs are of {', '.join(self.systems)}")
        return self._taking([numbers[system] for system in systems])

    def first(self, number: int) -> JudgedRuns:
        """The first systems, ``number`` of them or all that there are."""
        return self._taking(range(min(number, len(self.systems))))

    def by_name(self, number: int | None = None) -> JudgedRuns:
        """The systems in the order of their names, the first ``number`` of them or all."""
        return self._taking(self.order[0][:number].tolist())

    def repeated(self, times: int) -> JudgedRuns:
        """All systems ``times`` times, one round after the other: for trying several changes of their grades at once."""
        return self._taking([*range(len(self.systems))] * times)

    def _taking(self, at: Sequence[int]) -> JudgedRuns:
        rows = list(at)
        other = replace(
            self,
            grades=self.grades[rows],
            retrieved=self.retrieved[rows],
            ties=self.ties[rows],
            systems=tuple(self.systems[row] for row in rows),
            extra=tuple(self.extra[row] for row in rows) if self.extra else (),
            intake=tuple(self.intake[row] for row in rows) if self.intake else (),
            scores=None if self.scores is None else self.scores[rows],
            relevance=None if self.relevance is None else self.relevance[rows],
            groups=None if self.groups is None else self.groups[rows],
            own=tuple(self.own[row] for row in rows) if self.own else (),
            origin=None if self.origin is None else (self.origin[0], tuple(self.origin[1][row] for row in rows)),
        )
        other.keep(*(replace(documents, number=documents.number[rows]) for documents in self._documents))
        return other

    def cut(self, length: int) -> JudgedRuns:
        """The first ``length`` ranks of every list, padded where lists are shorter."""
        self.need(length, f"a cut at rank {length}")
        scores = None
        if self.scores is not None:
            scores = np.full((*self.shape, length), np.nan)
            scores[:, :, : self.length] = self.scores[:, :, :length]
        other = replace(self, grades=np.ascontiguousarray(self.top(length)), depth=length, scores=scores)
        if length <= self.length:
            other.keep(*(replace(documents, number=documents.number[:, :, :length]) for documents in self._documents))
        return other

    def shortened(self, ranks: int) -> JudgedRuns:
        """Lists of at most so many documents, as if no more had been retrieved (trec_eval's ``-M``)."""
        if ranks < 1:
            raise InputError(f"expected at least 1 rank to keep, got {ranks}")
        self.need(ranks, f"a list of {ranks} documents")
        return self._rearranged(np.minimum(self.retrieved, ranks), lambda each: each[:, :, :ranks])

    def judged_only(self) -> JudgedRuns:
        """The lists without the documents that were not judged, which gives the others better ranks (trec_eval's ``-J``)."""
        self.need(None, "the judged documents alone")
        kept = self.grades >= 0
        retrieved = kept.sum(axis=2, dtype=np.int32)
        order = np.argsort(~kept, axis=2, kind="stable")
        after = np.arange(self.length) >= retrieved[:, :, None]

        def moved(array: NDArray[Any]) -> NDArray[Any]:
            ends = np.take_along_axis(array, order, axis=2)
            ends[after] = np.nan if array.dtype.kind == "f" else -1
            return ends

        return self._rearranged(retrieved, moved)

    def _rearranged(self, retrieved: NDArray[np.int32], moved: Callable[[NDArray[Any]], NDArray[Any]]) -> JudgedRuns:
        """The runs with other documents at their ranks. Where documents were not kept, they can no longer be read again."""
        other = replace(
            self,
            grades=np.ascontiguousarray(moved(self.grades)),
            retrieved=retrieved,
            depth=None,
            scores=None if self.scores is None else moved(self.scores),
            relevance=None if self.relevance is None else moved(self.relevance),
            origin=self.origin if self._documents else None,
        )
        other.keep(*(replace(documents, number=moved(documents.number)) for documents in self._documents))
        return other

    def binary(self, rel: int) -> JudgedRuns:
        """The same runs with two grades: 1 for documents of at least grade ``rel``, 0 for the others that were judged.

        The ranks in :attr:`ties` stay; some of those ties are then between documents of equal grade.
        """
        if not 1 <= rel <= max(self.max_grade, 1):
            raise InputError(f"rel={rel} is not a grade of relevant documents; expected 1 to {max(self.max_grade, 1)}")
        relevant = self.relevant(rel)
        base = np.stack([self.recall_base.sum(axis=1) - relevant, relevant], axis=1)
        origin = None if self.origin is None else (self.origin[0].binary(rel), self.origin[1])
        other = replace(self, grades=_binary(self.grades, rel), recall_base=base, origin=origin, highest=0)
        other.keep(*self._documents)
        return other

    def regraded(self, grades: NDArray[np.int8]) -> JudgedRuns:
        """The same documents with other ``grades`` [system, topic, rank], beside the same recall base."""
        if grades.shape != self.grades.shape:
            raise InputError(f"expected grades of shape {self.grades.shape}, got {grades.shape}")
        self.check_whole("regrading")
        other = replace(self, grades=np.asarray(grades, dtype=np.int8))
        other.keep(*self._documents)
        return other

    def top(self, ranks: int | None) -> NDArray[np.int8]:
        """The grades of the first ranks, padded with −1: [system, topic, ranks]."""
        self.check_whole("a cut of grades")
        if ranks is None or ranks == self.length:
            return self.grades
        if ranks < self.length:
            return self.grades[:, :, :ranks]
        padding = ((0, 0), (0, 0), (0, ranks - self.length))
        return np.pad(self.grades, padding, constant_values=-1)

    def hits(self, rel: int = 1) -> Hits:
        """Positions of the documents of grade ``rel`` or more."""
        self.check_whole(f"rel={rel}")
        if rel not in self._hits:
            grades = np.ascontiguousarray(self.grades).reshape(-1)
            least = max(min(rel, 127), -128)
            count = count_hits(grades, least) if rel == least else 0
            row, rank, nth = (np.empty(count, dtype=np.int64) for _ in range(3))
            if count:
                find_hits(grades, self.length, least, row, rank, nth)
            self._hits[rel] = Hits(row, rank, nth)
        return self._hits[rel]

    def within(self, measure: Looking, rel: int = 1) -> Hits:
        """The relevant documents that a measure sees: those above its cut-off."""
        self.need(None if self.depth is None else measure.depth, measure)
        hits = self.hits(rel)
        if measure.cutoff is None or measure.cutoff >= self.length:
            return hits
        seen = np.flatnonzero(hits.rank <= measure.cutoff)  # a mask would be read three times
        return Hits(hits.row[seen], hits.rank[seen], hits.nth[seen])

    def found(self, measure: Looking, rows: NDArray[np.int64], rel: int = 1) -> Iterator[tuple[list[int], list[int]]]:
        """Ranks and grades of the relevant documents that a measure sees in each of some rows."""
        hits = self.within(measure, rel)
        grades = self.grades.reshape(-1)[hits.row * self.length + hits.rank - 1]
        first, last = (np.searchsorted(hits.row, rows, side=side) for side in ("left", "right"))
        for start, stop in zip(first.tolist(), last.tolist(), strict=True):
            yield hits.rank[start:stop].tolist(), grades[start:stop].tolist()

    def documents(self) -> Documents:
        """The ranked documents. If they were not kept, the runs are read a second time for this, once."""
        if not self._documents:
            from mensura.judged.documents import read_again

            self.keep(read_again(self))
        return self._documents[0]

    def keep(self, *documents: Documents) -> None:
        """Keep documents that were read already: those of the same lists."""
        self._documents.extend(documents)

    def per_topic(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Values per topic, repeated for each row of :class:`Hits`, e.g. to divide by a recall base."""
        return np.broadcast_to(values, self.shape).reshape(-1)

    def lengths(self, cutoff: int | None) -> NDArray[np.int64]:
        """Number of ranks of each row of :class:`Hits` that count: the cut-off, or all that were retrieved."""
        if cutoff is None:
            return self.retrieved.reshape(-1).astype(np.int64)
        return np.full(self.shape[0] * self.shape[1], cutoff, dtype=np.int64)

    def recall_divisor(self, rel: int, cutoff: int | None, *, capped: bool) -> NDArray[np.int64]:
        """Number of relevant documents that each row is divided by: the recall base, or at most the ranks that count."""
        base = self.per_topic(self.relevant(rel))
        return np.minimum(base, self.lengths(cutoff)) if capped else base

    def total(self, hits: Hits, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Sums over the hits of each row: [system, topic]."""
        sums = np.bincount(hits.row, weights, minlength=self.shape[0] * self.shape[1])
        return sums.astype(np.float64, copy=False).reshape(self.shape)

    def __repr__(self) -> str:
        return f"JudgedRuns({self.shape[0]} systems × {self.shape[1]} topics × {self.length} ranks)"


def tie_groups(scores: NDArray[np.float64]) -> NDArray[np.int32]:
    """The place of the first document of each group of equal scores: [system, topic, rank]."""
    place = np.broadcast_to(np.arange(scores.shape[2], dtype=np.int32), scores.shape)
    new = np.ones(scores.shape, dtype=np.bool_)
    new[:, :, 1:] = ~(scores[:, :, 1:] == scores[:, :, :-1])
    return np.maximum.accumulate(np.where(new, place, 0), axis=2)


def _binary(grades: NDArray[np.int8], rel: int) -> NDArray[np.int8]:
    return np.where(grades >= 0, grades >= rel, grades).astype(np.int8)
