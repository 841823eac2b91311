"""Precision, recall and E at thresholds on SRS and URS, beside ADM (P2, Table 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MensuraError
from mensura.measures.base import divide
from mensura.measures.distance import grades_of, judgments
from mensura.measures.names import parse_measure
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

    Floats = NDArray[np.float64]

HALF = 0.5


@dataclass(frozen=True, eq=False)
class Thresholds(Result):
    """Means over topics, [system]: what a threshold makes of the same SRS and URS.

    A document is retrieved if its SRS is at least ``srs``, and relevant if its URS is at least ``urs``.
    """

    measure: ADM
    systems: tuple[str, ...]
    srs: float
    urs: float
    precision: Floats
    recall: Floats
    e: Floats
    """Van Rijsbergen's E, 1 less the harmonic mean of precision and recall: 0 is best."""
    middle: Floats
    """The mean of precision and recall, which P2 calls E."""
    adm: Floats

    readers: ClassVar = {"measure": parse_measure, **dict.fromkeys(("precision", "recall", "e", "middle", "adm"), floats)}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the systems."""
        names = ("precision", "recall", "e", "middle", "adm")
        columns = zip(*(getattr(self, name).tolist() for name in names), strict=True)
        return [{"system": system, **dict(zip(names, row, strict=True))} for system, row in zip(self.systems, columns, strict=True)]


def thresholds(judged: JudgedRuns, measure: ADM, srs: float = HALF, urs: float = HALF) -> Thresholds:
    """Compare ADM with precision, recall and E, which see only on which side of a threshold SRS and URS are."""
    if not (0 <= srs <= 1 and 0 <= urs <= 1):
        raise MensuraError(f"thresholds on SRS and URS lie between 0 and 1, got {srs:g} and {urs:g}")
    judged = measure.lists(judged)
    users, chosen = measure.user_scores(judged), measure.counted(judged)
    retrieved = chosen.ranked & (measure.system_scores(judged) >= srs)
    hits = (retrieved & (users.of(grades_of(judged)) >= urs)).sum(axis=2).astype(np.float64)
    topics, grades = judgments(judged)
    relevant = np.bincount(topics[users.of(grades) >= urs], minlength=judged.shape[1])
    precision, recall = divide(hits, retrieved.sum(axis=2)), divide(hits, relevant)
    e = 1 - divide(2 * precision * recall, precision + recall)
    values = (precision, recall, e, (precision + recall) / 2, measure.average(judged, measure.srs_by_system(judged), chosen))
    return Thresholds(measure, judged.systems, srs, urs, *(measure.mean(each) for each in values))
