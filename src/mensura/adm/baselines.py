"""Systems that say nothing: SRS 0 for every document (P2 §5 calls its ADM a paradox), or one SRS for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.measures.distance import grades_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM, Chosen

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Baselines:
    """Mean ADM of systems that say nothing about the documents that count for each system: [system].

    Where all systems are measured on the same documents (a pool, all assessed ones, a database), all values are equal.
    """

    zero: Floats
    """SRS 0 for every document."""
    srs: float
    """The SRS that is best for all documents: the median URS, each list having the same weight."""
    constant: Floats
    """That SRS for every document that some system retrieved or that was judged."""


def baselines(judged: JudgedRuns, measure: ADM) -> Baselines:
    """Measure systems that say nothing about the documents of each system."""
    judged = measure.lists(judged)
    chosen = measure.counted(judged)
    srs = _best(judged, measure, chosen)
    zero, constant = (measure.mean(measure.average(judged, each, chosen)) for each in (0.0, srs))
    return Baselines(zero, srs, constant)


def _best(judged: JudgedRuns, measure: ADM, chosen: Chosen) -> float:
    """The median URS of the documents, of which each list has the same weight altogether."""
    users, grades = measure.user_scores(judged), grades_of(judged)
    weight = 1 / np.maximum(chosen.number, 1)
    each = np.broadcast_to(weight[:, :, None], grades.shape)
    urs: list[Floats] = []
    size: list[Floats] = []
    for values, weights in (
        (grades[chosen.ranked], each[chosen.ranked]),
        (chosen.grade, weight.sum(axis=0)[chosen.topic]),
        (grades[chosen.shared], -each[chosen.shared]),
    ):
        distinct, at = np.unique(values, return_inverse=True)
        urs.append(users.of(distinct))
        size.append(np.bincount(at, weights, len(distinct)).astype(np.float64))
    levels, at = np.unique(np.concatenate(urs), return_inverse=True)
    below = np.cumsum(np.bincount(at, np.concatenate(size)))
    return float(levels[np.argmax(below >= below[-1] / 2)]) if len(levels) else 0.0
