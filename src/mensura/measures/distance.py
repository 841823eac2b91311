"""The Average Distance Measure: how far what a system says about relevance is from what users say (P2)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

import numpy as np

from mensura.errors import DepthError, MeasureError
from mensura.measures import srs as system_scores
from mensura.measures.base import Measure
from mensura.measures.decomposition import ByRank
from mensura.measures.registry import register
from mensura.measures.urs import BINARY, STRICTNESSES, Mapped, Spacing, Strictness, freeze_urs, user_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.decomposition import Decomposition

    Floats = NDArray[np.float64]

SRS = Literal["linear", "logistic", "given", "rank"]
Step = Literal["nearest", "expected"]
Documents = Literal["retrieved", "retrieved-assessed", "assessed", "pool"]


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
        topic has on average, the next ones the second highest, and so on.
    urs
        ``'bins'``: of L levels, level l gets the middle of its bin, (2l + 1) / 2L. ``'ends'``: l / (L − 1). Or the URS of each
        grade, as ``{0: 0, 1: 0.5, 2: 1}``.
    levels
        The number of levels; all grades by default. If there are more grades, they are merged.
    strict
        How grades are merged: ``'relaxed'`` at the top (of two levels, any relevance is the higher), ``'rigid'`` at the bottom
        (the upper half of the grades is).
    documents
        D. ``'retrieved'``: what the system retrieved, down to the cut-off; without judgment is not relevant.
        ``'retrieved-assessed'``: of these, those with a judgment. ``'assessed'``: all documents with a judgment, SRS = 0 if not
        retrieved down to the cut-off. ``'pool'``: what any of the systems retrieved down to the cut-off, SRS = 0 if a system did
        not retrieve it at any rank.
    retrieved
        n for ``srs='rank'``: every list counts as one of so many documents, and what is missing as not relevant. By default n is
        the number that was retrieved.
    """

    srs: SRS = "linear"
    per: Literal["topic", "run"] = "topic"
    trim: int = 0
    step: Step | None = None
    urs: Spacing | Mapped = "bins"
    levels: int | None = None
    strict: Strictness = "relaxed"
    documents: Documents = "retrieved"
    retrieved: int | None = None

    name: ClassVar[str] = "ADM"
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
            if getattr(self, name) not in words:
                raise MeasureError(f"ADM: {name}={getattr(self, name)!r} is unknown: {', '.join(map(repr, words))}")

    def _check_numbers(self) -> None:
        for name, least in (("trim", 0), ("levels", BINARY), ("retrieved", 1)):
            number = getattr(self, name)
            if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < least):
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
        return self.documents == "assessed" or self.step == "expected"

    @property
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

    def grade_scores(self, top: int) -> tuple[float, ...]:
        """The URS of the grades 0 … top."""
        return tuple(map(float, user_scores(self.urs, self.levels, self.strict, top)))

    def decompose(self, length: int, grades: tuple[int, ...]) -> Decomposition | None:
        if self.scale_obstacle is not None or self.retrieved is None:
            return None
        known = user_scores(self.urs, self.levels, self.strict, max(grades))
        return _by_rank(length, self.cutoff or self.retrieved, self.retrieved, known, grades, nearest=self.step == "nearest")

    def system_scores(self, judged: JudgedRuns) -> Floats:
        """SRS of all ranks that were kept, [system, topic, rank]; after the end of a list they mean nothing."""
        urs = self.grade_scores(judged.max_grade)
        if self.step == "expected":
            steps = system_scores.expected(judged.length, urs, judged.recall_base)
            return np.broadcast_to(steps, judged.grades.shape)
        if self.srs == "rank":
            srs = system_scores.by_rank(judged.length, judged.retrieved if self.retrieved is None else self.retrieved)
            srs = np.broadcast_to(srs, judged.grades.shape)
        elif judged.scores is None:
            raise DepthError(f"{self} needs the scores of the runs, which were not kept; judge them with scores=True")
        elif self.srs == "given":
            srs = system_scores.given(judged, judged.scores)
        else:
            normalise = system_scores.linear if self.srs == "linear" else system_scores.logistic
            srs = normalise(judged.scores, judged.retrieved, self.per, self.trim)
        return system_scores.nearest(srs, urs) if self.step == "nearest" else srs

    def lists(self, judged: JudgedRuns) -> JudgedRuns:
        """The lists as the measure sees them: if ``retrieved`` fixes their length, padded with documents that are not relevant."""
        judged.need(self.depth, self)
        if self.retrieved is None:
            return judged
        top = judged.top(self.cutoff or self.retrieved)
        return dataclasses.replace(judged, grades=top, retrieved=np.full(judged.shape, top.shape[2], dtype=np.int32), scores=None)

    def counted(self, judged: JudgedRuns) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """D: which ranked documents count [system, topic, rank], and how many others of each grade [system, topic, grade].

        The others were not retrieved, or only after the cut-off: their SRS is 0.
        """
        place = np.arange(judged.length)
        there = place < judged.retrieved[:, :, None]
        grades = len(self.grade_scores(judged.max_grade))
        if self.documents == "pool":
            if self.cutoff is None:
                raise MeasureError(f"{self} is over the pool of the first documents of all systems: say how many, as in {self}@20")
            ranked, size = _pool(judged, there, self.cutoff, grades)
            return ranked, _left(judged, ranked, size, grades)
        ranked = there if self.cutoff is None else there & (place < self.cutoff)
        if self.documents != "retrieved":
            ranked = ranked & (judged.grades >= 0)
        if self.documents == "assessed":
            return ranked, _left(judged, ranked, judged.recall_base, grades)
        return ranked, np.zeros((*judged.shape, grades), dtype=np.int64)

    def score(self, judged: JudgedRuns) -> Floats:
        judged = self.lists(judged)
        ranked, left = self.counted(judged)
        return self.average(judged, self.system_scores(judged), ranked, left)

    def exact_scores(self, judged: JudgedRuns, rows: NDArray[np.int64]) -> Sequence[Fraction] | None:
        """Of ranks alone; what is computed from the scores of a run has the doubles of these scores."""
        if self.uses_scores or self.step == "expected":
            return None
        judged = self.lists(judged)
        urs = user_scores(self.urs, self.levels, self.strict, judged.max_grade)
        whole = lcm(*(score.denominator for score in urs))
        levels = np.array([int(score * whole) for score in urs], dtype=object)
        ranked, left = (each.reshape(judged.shape[0] * judged.shape[1], -1)[rows] for each in self.counted(judged))
        grades = np.maximum(judged.grades.reshape(-1, judged.length)[rows], 0)
        lengths = [self.retrieved or max(length, 1) for length in judged.retrieved.reshape(-1)[rows].tolist()]
        said = {  # SRS in units of 1 / (whole · length)
            length: np.array(
                [
                    int(score * whole * length)
                    for score in _exact_srs(range(min(length, judged.length)), length, urs if self.step == "nearest" else None)
                ],
                dtype=object,
            )
            for length in set(lengths)
        }
        values = []
        for length, counts, others, grade in zip(lengths, ranked, left, grades, strict=True):
            places = np.flatnonzero(counts)
            far = int(np.abs(said[length][places] - levels[grade[places]] * length).sum() + (others @ levels) * length)
            size = len(places) + int(others.sum())
            values.append(1 - Fraction(far, size * whole * length) if size else Fraction(0))
        return values

    def condition(self, judged: JudgedRuns) -> float:
        """A rounding error may lead to another level."""
        return float("inf") if self.step == "nearest" else 1.0

    def average(self, judged: JudgedRuns, srs: Floats, ranked: NDArray[np.bool_], left: NDArray[np.int64]) -> Floats:
        """1 less the mean distance of some SRS, [system, topic]; 0 where there is no document."""
        urs = np.array(self.grade_scores(judged.max_grade))
        distance = np.abs(srs - urs[np.maximum(judged.grades, 0)])
        total = np.where(ranked, distance, 0.0).sum(axis=2) + left @ urs
        size = ranked.sum(axis=2) + left.sum(axis=2)
        return np.where(size > 0, 1 - total / np.maximum(size, 1), 0.0)


def _left(judged: JudgedRuns, ranked: NDArray[np.bool_], all_of_them: NDArray[np.int64], grades: int) -> NDArray[np.int64]:
    """Number of documents of each grade that were not retrieved, [system, topic, grade]; SRS is 0 for them."""
    left = np.zeros((*judged.shape, grades), dtype=np.int64)
    left[:, :, : all_of_them.shape[1]] = all_of_them[:, :grades]
    for grade in range(grades):
        left[:, :, grade] -= (ranked & (np.maximum(judged.grades, 0) == grade)).sum(axis=2)
    return left


def _pool(judged: JudgedRuns, there: NDArray[np.bool_], ranks: int, grades: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Ranked documents that some system has at its first ranks, and their number, [topic, grade]."""
    numbers = judged.documents()
    top = there & (np.arange(judged.length) < ranks)
    grade = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)  # of each document in the pool
    grade[numbers[top]] = np.maximum(judged.grades, 0)[top]
    owner = np.zeros(len(grade), dtype=np.int64)
    owner[numbers[top]] = np.broadcast_to(np.arange(judged.shape[1])[:, None], numbers.shape)[top]
    held = grade >= 0
    size = np.bincount(owner[held] * grades + grade[held], minlength=judged.shape[1] * grades).astype(np.int64)
    return there & np.append(held, False)[numbers], size.reshape(-1, grades)


def _exact_srs(places: Sequence[int], retrieved: int, levels: Sequence[Fraction] | None) -> list[Fraction]:
    """(n − i) / n at the places i = 0, 1, … of n retrieved documents, or the nearest of some levels, the higher of two."""
    srs = [Fraction(retrieved - place, retrieved) for place in places]
    if levels is None:
        return srs
    rising = sorted(set(levels))
    return [min(rising, key=lambda level: (abs(level - each), -level)) for each in srs]


def _by_rank(length: int, ranks: int, retrieved: int, urs: Sequence[Fraction], grades: tuple[int, ...], *, nearest: bool) -> ByRank:
    """Contribution of each rank to 1 − Σ |SRS_i − URS(g_i)| / N, where N = ``ranks`` count and SRS_i = (n − i + 1) / n.

    Ranks after ``length`` contain documents that are not relevant: what they take away is taken at the first rank.
    """
    srs = _exact_srs(range(ranks), retrieved, urs if nearest else None)
    terms = [[Fraction(1, ranks) - abs(score - urs[grade]) / ranks for grade in grades] for score in srs[:length]]
    terms += [[Fraction(0)] * len(grades)] * (length - len(terms))
    beyond = sum((Fraction(1, ranks) - abs(score - urs[0]) / ranks for score in srs[length:]), Fraction(0))
    terms[0] = [term + beyond for term in terms[0]]
    return ByRank(tuple(map(tuple, terms)))
