"""The Average Distance Measure: how far what a system says about relevance is from what users say (P2)."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from mensura.errors import DepthError, MeasureError
from mensura.measures import srs as system_scores
from mensura.measures.base import Measure
from mensura.measures.decomposition import ByRank
from mensura.measures.registry import register
from mensura.measures.urs import (
    BINARY,
    STRICTNESSES,
    Mapped,
    Spacing,
    Strictness,
    UserScores,
    freeze_urs,
    spaced,
    user_scores,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.judged.entrance import Needs
    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition

    Floats = NDArray[np.float64]

SRS = Literal["linear", "logistic", "given", "rank"]
Step = Literal["nearest", "expected"]
Documents = Literal["retrieved", "retrieved-assessed", "assessed", "pool"]


@dataclass(frozen=True, eq=False)
class Chosen:
    """D, the documents that count.

    Attributes
    ----------
    ranked
        Ranked documents that count, bool [system, topic, rank].
    shared
        Of these, those that count for every system, retrieved or not: bool [system, topic, rank].
    topic, grade
        Topic and grade of each document that counts for every system.
    size
        |D| for all topics; by default, D has ranked and shared documents only. All others have an SRS and a URS of 0.
    """

    ranked: NDArray[np.bool_]
    shared: NDArray[np.bool_]
    topic: NDArray[np.int64]
    grade: NDArray[Any]
    size: int | None = None

    @cached_property
    def missing(self) -> NDArray[np.int64]:
        """Number of documents that a system did not retrieve, or only after the cut-off: [system, topic]."""
        return np.bincount(self.topic, minlength=self.ranked.shape[1]) - self.shared.sum(axis=2)

    def missing_grades(self, judged: JudgedRuns, grades: int) -> NDArray[np.int64]:
        """Number of these documents of each grade, [system, topic, grade]."""
        everything = np.bincount(self.topic * grades + self.grade, minlength=judged.shape[1] * grades).reshape(-1, grades)
        known = grades_of(judged)
        return everything - np.stack([(self.shared & (known == grade)).sum(axis=2) for grade in range(grades)], axis=2)

    @cached_property
    def number(self) -> NDArray[np.int64]:
        """|D| of each list, [system, topic]."""
        known = self.ranked.sum(axis=2) + self.missing
        return known if self.size is None else np.full(known.shape, self.size, dtype=np.int64)


@register
@dataclass(frozen=True, repr=False, kw_only=True)
class ADM(Measure):
    r"""Average distance measure: 1 less the mean distance between what the system and what users say about relevance.

    .. math:: ADM = 1 - \frac{1}{|D|} \sum_{d \in D} |SRS(d) - URS(d)|

    SRS, the system's relevance score, is computed from the scores of the run; URS, the users', from the grades of the judgments.
    Both lie between 0 and 1, and so does ADM; it is 1 only if they are equal for every document.

    Parameters
    ----------
    srs
        ``'linear'``: the highest score becomes 1, the lowest 0. ``'logistic'``: 1 / (1 + exp(−z)), z being the score in standard
        deviations from the mean, for scores without bounds. ``'given'``: the scores as they are, which must lie between 0 and 1.
        ``'rank'``: (n − i + 1) / n for rank i of n retrieved documents. If all scores are equal, linear and logistic give ½.
    per
        Bounds, mean and deviation are those of a list (``'topic'``) or of a whole run (``'run'``).
    trim
        So many of the highest and of the lowest scores do not count for these; SRS beyond the bounds is cut off. Fewer than
        2 trim + 2 scores are not trimmed.
    step
        ``'nearest'``: SRS becomes the nearest URS of a grade. ``'expected'``: the first documents get the highest URS, as many as a
        topic has on average, the next ones the second highest, and so on. A whole number M: SRS becomes the nearest of M levels,
        spaced as ``urs`` says: P2's ADM with M categories of retrieval.
    urs
        ``'bins'``: of L levels, level l gets the middle of its bin, (2l + 1) / 2L. ``'ends'``: l / (L − 1). Or the URS of each
        grade, as ``{0: 0, 1: 0.5, 2: 1}``. Judgments that are not whole numbers are URS themselves, if they lie between 0 and 1;
        ``'ends'`` divides them by the highest whole grade, and a dict is continued linearly between its grades.
    levels
        The number of levels; all grades by default. If there are more grades, they are merged. Of judgments that are not whole
        numbers, levels are equal parts of [0, 1].
    strict
        How grades are merged: ``'relaxed'`` at the top (of two levels, any relevance is the higher), ``'rigid'`` at the bottom
        (the upper half of the grades is).
    documents
        D. ``'retrieved'``: what the system retrieved, down to the cut-off; without judgment is not relevant.
        ``'retrieved-assessed'``: of these, those with a judgment. ``'assessed'``: all documents with a judgment, SRS = 0 if not
        retrieved down to the cut-off. ``'pool'``: what any of the systems retrieved down to the cut-off, SRS = 0 if a system did
        not retrieve it at any rank. A whole number: a database of so many documents, as in the definition; documents that were
        neither retrieved nor judged have an SRS and a URS of 0.
    retrieved
        n for ``srs='rank'``: every list counts as one of so many documents, and what is missing as not relevant. By default n is
        the number that was retrieved.
    """

    srs: SRS = "linear"
    per: Literal["topic", "run"] = "topic"
    trim: int = 0
    step: Step | int | None = None
    urs: Spacing | Mapped = "bins"
    levels: int | None = None
    strict: Strictness = "relaxed"
    documents: Documents | int = "retrieved"
    retrieved: int | None = None

    name: ClassVar[str] = "ADM"
    continuous: ClassVar[bool] = True
    works: ClassVar[tuple[str, ...]] = ("dellamea2004measuring",)
    reference: ClassVar[str] = "Della Mea and Mizzaro, Measuring retrieval effectiveness, JASIST 55(6), 2004"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_words()
        object.__setattr__(self, "urs", freeze_urs(self.urs))
        self._check_numbers()

    def _check_words(self) -> None:
        known = {
            "srs": get_args(SRS),
            "per": get_args(system_scores.Per),
            "step": (None, *get_args(Step)),
            "strict": STRICTNESSES,
            "documents": get_args(Documents),
        }
        for name, words in known.items():
            value = getattr(self, name)
            if value not in words and not (name in {"step", "documents"} and isinstance(value, int)):
                others = ", or a whole number" if name in {"step", "documents"} else ""
                raise MeasureError(f"ADM: {name}={value!r} is unknown: {', '.join(map(repr, words))}{others}")

    def _check_numbers(self) -> None:
        for name, least in (("trim", 0), ("levels", BINARY), ("retrieved", 1), ("step", BINARY), ("documents", 1)):
            number = getattr(self, name)
            whole = isinstance(number, int) and not isinstance(number, bool)
            if number is not None and not isinstance(number, str) and not (whole and number >= least):
                raise MeasureError(f"ADM: {name}={number!r} must be a whole number of at least {least}")
        if (self.trim or self.per != "topic") and self.srs not in {"linear", "logistic"}:
            raise MeasureError(f"ADM: trim= and per= are about bounds of scores; srs={self.srs!r} has none")
        if self.step == "expected" and (self.srs != "linear" or self.trim or self.per != "topic"):
            raise MeasureError("ADM: step='expected' uses the order of documents only: leave srs=, per= and trim= out")
        if self.strict != "relaxed" and self.levels is None:
            raise MeasureError(f"ADM: strict={self.strict!r} says how grades are merged: give levels= too, as in levels=2")
        if self.levels is not None and not isinstance(self.urs, str):
            raise MeasureError("ADM: urs= gives every grade its URS already: leave levels= out")
        if self.retrieved is not None and (self.srs != "rank" or self.documents != "retrieved"):
            raise MeasureError("ADM: retrieved= is for srs='rank' and documents='retrieved'")
        if self.retrieved is not None and (self.cutoff or 0) > self.retrieved:
            raise MeasureError(f"ADM: a cut-off of {self.cutoff} is deeper than the {self.retrieved} documents of retrieved=")

    @property
    def uses_scores(self) -> bool:  # type: ignore[override]
        """Whether it needs scores, not only their order."""
        return self.srs != "rank" and self.step != "expected"

    @property
    def uses_recall_base(self) -> bool:  # type: ignore[override]
        """All assessed documents, or their number per level, are asked for."""
        return self.documents == "assessed" or isinstance(self.documents, int) or self.step == "expected"

    @cached_property
    def depth(self) -> int | None:
        return None if self.uses_scores or self.documents == "pool" else self.cutoff or self.retrieved

    @property
    def scale_obstacle(self) -> str | None:  # type: ignore[override]
        """Reason why its values cannot be counted over judged runs, if they cannot."""
        if self.uses_scores:
            return "its value depends on the scores of the system, not on the grades alone; srs='rank' does not"
        if self.documents == "pool":
            return "its value depends on what other systems retrieved"
        if self.documents != "retrieved":
            return "its value depends on which documents were assessed; documents='retrieved' does not"
        if self.step == "expected":
            return "its value depends on how many documents of each level topics have on average"
        if self.retrieved is None:
            return (
                "its value depends on how many documents were retrieved: fix that number, as in ADM(srs='rank', retrieved=1000)@20"
            )
        return None

    def needs(self) -> Needs:
        """Return the needs of the measure: ranks, scores, and the documents of a pool."""
        return dataclasses.replace(super().needs(), documents=self.documents == "pool")

    def grade_scores(self, top: int) -> tuple[float, ...]:
        """The URS of the grades 0 … top."""
        return tuple(map(float, user_scores(self.urs, self.levels, self.strict, top)))

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        if self.scale_obstacle is not None or self.retrieved is None:
            return None
        known = user_scores(self.urs, self.levels, self.strict, max(grades))
        steps = spaced(self.urs, self.step) if isinstance(self.step, int) else known if self.step == "nearest" else ()
        return _by_rank(length, self.cutoff or self.retrieved, self.retrieved, known, grades, steps)

    def user_scores(self, judged: JudgedRuns) -> UserScores:
        """The URS of the judgments."""
        if judged.relevance is None or judged.origin is None:
            return UserScores(self.urs, self.levels, self.strict, judged.max_grade)
        if self.retrieved is not None or self.step == "expected" or (self.step == "nearest" and self.levels is None):
            raise MeasureError(
                f"{self} counts with levels of relevance, and these judgments are not whole numbers; use step= with a number of "
                "levels, or round the judgments"
            )
        top = float(judged.origin[0].table.values.max(initial=0.0))
        return UserScores(self.urs, self.levels, self.strict, top, continuous=True)

    def user_scores_of_ranks(self, judged: JudgedRuns) -> Floats:
        """URS of all ranks that were kept, [system, topic, rank]; a document without judgment is not relevant."""
        return self.user_scores(judged).of(grades_of(judged))

    def system_scores(self, judged: JudgedRuns) -> Floats:
        """SRS of all ranks that were kept, [system, topic, rank]; after the end of a list they mean nothing."""
        srs = np.empty(judged.grades.shape)
        for system, said in enumerate(self.srs_by_system(judged)):
            srs[system] = said
        return srs

    def srs_by_system(self, judged: JudgedRuns) -> Iterable[Floats]:
        """The same, [topic, rank] for one system after the other: the memory of one is used for the next."""
        self.user_scores(judged)  # refuses what needs grades, if there are none
        if self.srs == "rank" or self.step == "expected":
            return self._srs_by_rank(judged)
        if judged.scores is None:
            raise DepthError(f"{self} needs the scores of the runs, which were not kept; judge them with scores=True")
        if self.srs == "given":
            return map(self._stepped(judged), system_scores.given(judged, judged.scores))
        normalise = system_scores.linear if self.srs == "linear" else system_scores.logistic
        one_by_one = zip(judged.scores[:, None], judged.retrieved[:, None], strict=True)
        normalised = (normalise(scores, retrieved, self.per, self.trim)[0] for scores, retrieved in one_by_one)
        return map(self._stepped(judged), normalised)

    def _srs_by_rank(self, judged: JudgedRuns) -> Iterable[Floats]:
        lists = judged.grades.shape[1:]
        if self.step == "expected":
            steps = system_scores.expected(judged.length, self.grade_scores(judged.max_grade), judged.recall_base)
            return itertools.repeat(np.broadcast_to(steps, lists), judged.shape[0])
        number = judged.retrieved if self.retrieved is None else itertools.repeat(self.retrieved, judged.shape[0])
        by_rank = (np.broadcast_to(system_scores.by_rank(judged.length, each), lists) for each in number)
        return map(self._stepped(judged), by_rank)

    def _stepped(self, judged: JudgedRuns) -> Callable[[Floats], Floats]:
        """Return the function that moves SRS to the nearest step, if there are steps."""
        if self.step is None:
            return lambda srs: srs
        levels = [float(level) for level in self.steps(judged)]
        return lambda srs: system_scores.nearest(srs, levels)

    def steps(self, judged: JudgedRuns) -> Sequence[Fraction]:
        """The levels that SRS is moved to the nearest of; none, if it is not."""
        if isinstance(self.step, int):
            return spaced(self.urs, self.step)
        if self.step != "nearest":
            return ()
        if self.user_scores(judged).continuous:
            return spaced(self.urs, self.levels or BINARY)
        return user_scores(self.urs, self.levels, self.strict, judged.max_grade)

    def lists(self, judged: JudgedRuns) -> JudgedRuns:
        """The lists as the measure sees them: if ``retrieved`` fixes their length, padded with documents that are not relevant."""
        judged.need(self.depth, self)
        if self.retrieved is None:
            return judged
        self.user_scores(judged)  # refuses continuous judgments
        top = judged.top(self.cutoff or self.retrieved)
        return dataclasses.replace(judged, grades=top, retrieved=np.full(judged.shape, top.shape[2], dtype=np.int32), scores=None)

    def counted(self, judged: JudgedRuns) -> Chosen:
        """D: the documents that count."""
        place = np.arange(judged.length)
        there = place < judged.retrieved[:, :, None]
        if self.documents == "pool":
            if self.cutoff is None:
                raise MeasureError(f"{self} is over the pool of the first documents of all systems: say how many, as in {self}@20")
            return _pool(judged, there, self.cutoff)
        ranked = there if self.cutoff is None else there & (place < self.cutoff)
        if isinstance(self.documents, int):
            return self._database(judged, ranked)
        if self.documents != "retrieved":
            ranked = ranked & (judged.grades >= 0)
        if self.documents == "assessed":
            return Chosen(ranked, ranked, *judgments(judged))
        none = np.zeros(0, dtype=np.int64)
        return Chosen(ranked, np.zeros(ranked.shape, dtype=np.bool_), none, none)

    def _database(self, judged: JudgedRuns, ranked: NDArray[np.bool_]) -> Chosen:
        chosen = Chosen(ranked, ranked & (judged.grades >= 0), *judgments(judged))
        size = int(self.documents)
        known = chosen.number
        if (known > size).any():
            system, topic = (int(each[0]) for each in np.nonzero(known > size))
            raise MeasureError(
                f"{self}: the database must hold all documents, but topic {judged.topics[topic]} of {judged.systems[system]} has "
                f"{known[system, topic]} that were retrieved or judged; give its size in documents="
            )
        return dataclasses.replace(chosen, size=size)

    def score(self, judged: JudgedRuns) -> Floats:
        judged = self.lists(judged)
        return self.average(judged, self.srs_by_system(judged), self.counted(judged))

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction] | None:
        """Of ranks alone; what is computed from the scores of a run has the doubles of these scores."""
        if self.uses_scores or self.step == "expected" or judged.relevance is not None:
            return None
        judged = self.lists(judged)
        urs = user_scores(self.urs, self.levels, self.strict, judged.max_grade)
        steps = self.steps(judged)
        whole = lcm(*(score.denominator for score in (*urs, *steps)))
        levels = np.array([int(score * whole) for score in urs], dtype=object)
        chosen = self.counted(judged)
        counts = (chosen.ranked, chosen.missing_grades(judged, len(urs)), chosen.number[:, :, None])
        ranked, left, sizes = (each.reshape(judged.shape[0] * judged.shape[1], -1)[rows] for each in counts)
        grades = np.maximum(judged.grades.reshape(-1, judged.length)[rows], 0)
        lengths = [self.retrieved or max(length, 1) for length in judged.retrieved.reshape(-1)[rows].tolist()]
        said = {  # SRS in units of 1 / (whole · length)
            length: np.array(
                [int(score * whole * length) for score in _exact_srs(range(min(length, judged.length)), length, steps)],
                dtype=object,
            )
            for length in set(lengths)
        }
        values = []
        for length, there, others, (size,), grade in zip(lengths, ranked, left, sizes.tolist(), grades, strict=True):
            places = np.flatnonzero(there)
            far = int(np.abs(said[length][places] - levels[grade[places]] * length).sum() + (others @ levels) * length)
            values.append(1 - Fraction(far, size * whole * length) if size else Fraction(0))
        return values

    def condition(self, judged: JudgedRuns) -> float:
        """A rounding error may lead to another level."""
        return 1.0 if self.step is None else float("inf")

    def average(self, judged: JudgedRuns, srs: Iterable[Floats] | float, chosen: Chosen) -> Floats:
        """1 less the mean distance of some SRS, [system, topic]; 0 where there is no document.

        A single number is the SRS of every document that was judged or retrieved by some system, else it is 0 if not retrieved.
        """
        users, grades = self.user_scores(judged), grades_of(judged)
        others = srs if isinstance(srs, float) else 0.0
        everything = np.bincount(chosen.topic, weights=np.abs(others - users.of(chosen.grade)), minlength=judged.shape[1])
        total, left = np.empty(judged.shape), np.empty(judged.shape)
        of_systems: Iterable[Floats | float] = [srs] * judged.shape[0] if isinstance(srs, float) else srs
        for system, said in enumerate(of_systems):
            for some in system_scores.blocks(judged.shape[1], judged.length):
                urs = users.of(grades[system, some])
                far = np.abs((said if isinstance(said, float) else said[some]) - urs)
                total[system, some] = np.where(chosen.ranked[system, some], far, 0.0).sum(axis=1)
                if len(chosen.topic):
                    shared = np.where(chosen.shared[system, some], np.abs(others - urs), 0.0).sum(axis=1)
                    left[system, some] = everything[some] - shared
        if len(chosen.topic):
            total += np.where(chosen.missing > 0, left, 0.0)
        size = chosen.number
        return np.where(size > 0, 1 - total / np.maximum(size, 1), 0.0)


def grades_of(judged: JudgedRuns) -> NDArray[Any]:
    """Grades of all ranks, [system, topic, rank]: 0 for a document without judgment."""
    return np.maximum(judged.grades, 0) if judged.relevance is None else np.nan_to_num(judged.relevance, nan=0.0)


def judgments(judged: JudgedRuns) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Topic and grade of each judged document."""
    if judged.relevance is not None and judged.origin is not None:
        table = judged.origin[0].table
        kept = table.values >= 0
        return table.topic_of_row[kept].astype(np.int64), table.values[kept]
    topics, grades = judged.recall_base.shape
    cells = np.repeat(np.arange(topics * grades), judged.recall_base.reshape(-1))
    return cells // grades, cells % grades


def _pool(judged: JudgedRuns, there: NDArray[np.bool_], ranks: int) -> Chosen:
    """The documents that some system has at its first ranks."""
    documents = judged.documents()
    sizes = np.array([len(names) for names in documents.names], dtype=np.int64)
    first = np.concatenate(([0], np.cumsum(sizes)))
    number = np.where(there, documents.number + first[:-1, None], first[-1])
    top = there & (np.arange(judged.length) < ranks)
    grades = grades_of(judged)
    held = np.zeros(first[-1] + 1, dtype=np.bool_)
    held[number[top]] = True
    grade = np.zeros(first[-1] + 1, dtype=grades.dtype)
    grade[number[top]] = grades[top]
    ranked = there & held[number]
    return Chosen(ranked, ranked, np.repeat(np.arange(len(sizes)), sizes)[held[:-1]], grade[held])


def _exact_srs(places: Sequence[int], retrieved: int, levels: Sequence[Fraction]) -> list[Fraction]:
    """(n − i) / n at the places i = 0, 1, … of n retrieved documents, or the nearest of some levels, the higher of two."""
    srs = [Fraction(retrieved - place, retrieved) for place in places]
    if not levels:
        return srs
    rising = sorted(set(levels))
    return [min(rising, key=lambda level: (abs(level - each), -level)) for each in srs]


def _by_rank(  # noqa: PLR0917 - all of them are what the sum is over
    length: int, ranks: int, retrieved: int, urs: Sequence[Fraction], grades: tuple[int, ...], steps: Sequence[Fraction]
) -> ByRank:
    """Contribution of each rank to 1 − Σ |SRS_i − URS(g_i)| / N, where N = ``ranks`` count and SRS_i = (n − i + 1) / n.

    Ranks after ``length`` contain documents that are not relevant: what they take away is taken at the first rank.
    """
    srs = _exact_srs(range(ranks), retrieved, steps)
    terms = [[Fraction(1, ranks) - abs(score - urs[grade]) / ranks for grade in grades] for score in srs[:length]]
    terms += [[Fraction(0)] * len(grades)] * (length - len(terms))
    beyond = sum((Fraction(1, ranks) - abs(score - urs[0]) / ranks for score in srs[length:]), Fraction(0))
    terms[0] = [term + beyond for term in terms[0]]
    return ByRank(tuple(map(tuple, terms)))
