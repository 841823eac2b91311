"""Reliability: the mean relevance of the documents that a system scores alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.adm.distance import number_of
from mensura.result import Result, floats, integers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

    Floats = NDArray[np.float64]

BINS = 10


@dataclass(frozen=True, eq=False)
class Reliability(Result):
    """Mean SRS and mean URS of a system's documents in those bins of SRS that contain documents."""

    system: str
    srs: Floats
    urs: Floats
    documents: NDArray[np.int64]

    readers: ClassVar = {"srs": floats, "urs": floats, "documents": integers}

    @property
    def error(self) -> float:
        """The mean distance between both, weighted by documents: the expected calibration error."""
        return float(np.abs(self.srs - self.urs) @ self.documents / max(int(self.documents.sum()), 1))


def reliability(judged: JudgedRuns, system: str, measure: ADM, srs: Floats | None = None, bins: int = BINS) -> Reliability:
    """The reliability of a system's SRS by a measure, or of another SRS [system, topic, rank] for the same documents."""
    number = number_of(judged.systems, system, "system")
    judged.need(measure.depth, measure)
    counted = measure.counted(judged).ranked
    scores = (measure.system_scores(judged) if srs is None else srs)[number][counted[number]]
    urs = measure.user_scores_of_ranks(judged)[number][counted[number]]
    place = np.minimum((scores * bins).astype(np.int64), bins - 1)
    count = np.bincount(place, minlength=bins)
    held = count > 0
    sums = [np.bincount(place, weights=each, minlength=bins)[held] / count[held] for each in (scores, urs)]
    return Reliability(system, sums[0], sums[1], count[held].astype(np.int64))
