"""Runs that claim to give SRS: estimates of relevance from 0 to 1, which P2 §5 asks all groups for."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.adm.baselines import baselines
from mensura.errors import MensuraError
from mensura.measures.names import parse_measure
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Claims(Result):
    """The scores of systems, taken as SRS.

    Attributes
    ----------
    low, high
        The lowest and the highest score, [system].
    outside
        Number of scores that are not from 0 to 1.
    flat
        Number of lists of two documents or more that have one score.
    as_given
        Mean ADM of the scores as they are; NaN where some are outside.
    linear
        Mean ADM with the linear normalisation of each list.
    constant
        Mean ADM if the system gave the best single SRS to all its documents.
    """

    measure: ADM
    systems: tuple[str, ...]
    low: Floats
    high: Floats
    outside: tuple[int, ...]
    flat: tuple[int, ...]
    as_given: Floats
    linear: Floats
    constant: Floats

    readers: ClassVar = {"measure": parse_measure, **dict.fromkeys(("low", "high", "as_given", "linear", "constant"), floats)}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the systems."""
        names = ("low", "high", "outside", "flat", "as_given", "linear", "constant")
        columns = zip(*(np.asarray(getattr(self, name)).tolist() for name in names), strict=True)
        return [
            {"system": system, **dict(zip(names, row, strict=True)), "verdict": self.verdict(at)}
            for at, (system, row) in enumerate(zip(self.systems, columns, strict=True))
        ]

    def verdict(self, system: int) -> str:
        """Return whether the scores of a system are SRS, as a sentence."""
        if self.outside[system]:
            return f"not SRS: {self.outside[system]} scores are outside 0 to 1; normalise them"
        gain = float(self.as_given[system] - self.constant[system])
        if gain <= 0:
            return f"SRS, but one SRS for all documents is better: {-gain:+.3f}"
        if self.linear[system] > self.as_given[system]:
            return f"SRS; the linear normalisation is better: {float(self.linear[system] - self.as_given[system]):+.3f}"
        return f"SRS; better than one SRS for all documents: {gain:+.3f}"


def claims(judged: JudgedRuns, measure: ADM) -> Claims:
    """Check the scores of runs as SRS, on the documents and with the URS of a measure."""
    if judged.scores is None:
        raise MensuraError("a check of SRS needs scores; judge the runs with scores=True")
    scores = judged.scores
    there = ~np.isnan(scores)
    outside = (there & ((scores < 0) | (scores > 1))).sum(axis=(1, 2))
    low = np.where(there, scores, np.inf).min(axis=(1, 2), initial=np.inf)
    high = np.where(there, scores, -np.inf).max(axis=(1, 2), initial=-np.inf)
    spread = np.where(there, scores, -np.inf).max(axis=2, initial=-np.inf) - np.where(there, scores, np.inf).min(
        axis=2, initial=np.inf
    )
    flat = ((there.sum(axis=2) > 1) & (spread == 0)).sum(axis=1)
    linear = dataclasses.replace(measure, srs="linear", per="topic", trim=0)
    chosen = linear.counted(judged)
    as_given = np.where(outside > 0, np.nan, measure.mean(linear.average(judged, np.clip(scores, 0.0, 1.0), chosen)))
    return Claims(
        linear,
        judged.systems,
        np.where(there.any(axis=(1, 2)), low, np.nan),
        np.where(there.any(axis=(1, 2)), high, np.nan),
        tuple(outside.tolist()),
        tuple(flat.tolist()),
        as_given,
        linear.mean(linear.score(judged)),
        baselines(judged, linear).constant,
    )
