"""The distances that ADM averages, document by document (P2, Figures 1, 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MensuraError
from mensura.measures.distance import grades_of
from mensura.measures.names import parse_measure
from mensura.measures.urs import PARTS
from mensura.result import Result, floats, integers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Distances(Result):
    """SRS and URS of the documents of one list.

    ``rank`` is 0 for documents that count although the system did not retrieve them; ``grade`` is −1 without judgment, and a float
    where judgments are not whole numbers; ``score`` is NaN where it was not kept.
    """

    measure: ADM
    system: str
    topic: str
    value: float
    levels: tuple[float, ...]
    """The URS of each grade; empty where judgments are not whole numbers."""
    rank: Integers
    grade: NDArray[Any]
    score: Floats
    srs: Floats
    urs: Floats

    readers: ClassVar = {
        "measure": parse_measure,
        "rank": integers,
        "grade": lambda grades: (integers if all(isinstance(grade, int) for grade in grades) else floats)(grades),
        **dict.fromkeys(("score", "srs", "urs"), floats),
    }

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the documents."""
        names = ("rank", "grade", "score", "srs", "urs", "distance")
        return [dict(zip(names, row, strict=True)) for row in zip(*(getattr(self, name).tolist() for name in names), strict=True)]

    @property
    def distance(self) -> Floats:
        """Distance between SRS and URS of each document."""
        return np.abs(self.srs - self.urs)

    def medians(self) -> list[tuple[float, int, float]]:
        """(URS, number of documents, median SRS) of each level that has documents, the highest first (the crosses of Figure 3).

        Where URS is continuous, levels are quarters of [0, 1].
        """
        urs = self.urs if self.levels else (np.minimum(np.floor(self.urs * PARTS), PARTS - 1) * 2 + 1) / (2 * PARTS)
        return [
            (float(level), int((urs == level).sum()), float(np.median(self.srs[urs == level]))) for level in np.unique(urs)[::-1]
        ]


def number_of(names: tuple[str, ...], name: str, what: str) -> int:
    """Return the index of a name, or raise an error that lists those that there are."""
    if name in names:
        return names.index(name)
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")  # noqa: PLR2004 - as many as are shown
    raise MensuraError(f"unknown {what} {name!r}; there are {shown}")


def distances(judged: JudgedRuns, system: str, topic: str, measure: ADM) -> Distances:
    """The distances of a system on a topic, by rank; documents that were not retrieved last, the most relevant first."""
    s, t = number_of(judged.systems, system, "system"), number_of(judged.topics, topic, "topic")
    judged = measure.lists(judged)
    users, chosen, grades = measure.user_scores(judged), measure.counted(judged), grades_of(judged)
    places = np.flatnonzero(chosen.ranked[s, t])
    missing = _without(chosen.grade[chosen.topic == t], grades[s, t, chosen.shared[s, t]])
    known = np.where(judged.grades[s, t, places] < 0, -1, grades[s, t, places])
    grade = np.concatenate((known, missing)).astype(np.float64 if users.continuous else np.int64)
    none = np.full(len(missing), np.nan)
    return Distances(
        measure,
        system,
        topic,
        float(measure.score(judged)[s, t]),
        () if users.continuous else measure.grade_scores(judged.max_grade),
        np.concatenate((places + 1, np.zeros(len(missing), dtype=np.int64))),
        grade,
        np.concatenate((np.full(len(places), np.nan) if judged.scores is None else judged.scores[s, t, places], none)),
        np.concatenate((measure.system_scores(judged)[s, t, places], np.zeros(len(missing)))),
        users.of(np.maximum(grade, 0)),
    )


def _without(everything: NDArray[Any], some: NDArray[Any]) -> NDArray[Any]:
    """All grades but some of them, each as often as it is there, the highest first."""
    grades, number = np.unique(everything, return_counts=True)
    number -= np.bincount(np.searchsorted(grades, some), minlength=len(grades))
    return np.repeat(grades, number)[::-1]


def by_level(judged: JudgedRuns, measure: ADM) -> tuple[tuple[str, ...], Floats, Integers]:
    """Names of the grades, and for each the mean distance of a system's documents and their number, both [system, grade].

    The distance is NaN where there is no document.

    Where judgments are not whole numbers, quarters of URS take the place of grades. Over all retrieved documents, ADM is dominated
    by those that are not relevant (P2 §4.1).
    """
    judged = measure.lists(judged)
    users, chosen, grades = measure.user_scores(judged), measure.counted(judged), grades_of(judged)
    level, urs, shared = users.level(grades), users.of(grades), users.level(chosen.grade)
    distance = np.abs(measure.system_scores(judged) - urs)
    shape = (judged.shape[0], len(users.names))
    number, total = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    for at in range(shape[1]):
        here, retrieved = chosen.ranked & (level == at), chosen.shared & (level == at)
        number[:, at] = here.sum(axis=(1, 2)) + int((shared == at).sum()) - retrieved.sum(axis=(1, 2))
        missing = float(users.of(chosen.grade[shared == at]).sum()) - np.where(retrieved, urs, 0.0).sum(axis=(1, 2))
        total[:, at] = np.where(here, distance, 0.0).sum(axis=(1, 2)) + missing
    return users.names, np.divide(total, number, out=np.full(shape, np.nan), where=number > 0), number
