"""The normalisation that makes a system's scores the best estimate of relevance, and its gain (P2 §5).

Beside the fixed normalisations there are fitted ones: the best monotone map from scores to URS, learnt on some topics and used on
others (cross-validation), and, as a bound that no monotone map can pass, learnt and used on the same topics.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura._core.steps import Fitter
from mensura.adm.isotonic import fit
from mensura.errors import MensuraError
from mensura.measures.distance import grades_of
from mensura.measures.names import parse_measure
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.distance import ADM, Chosen

    Floats = NDArray[np.float64]

FOLDS = 10
EQUAL = 1e-9
MOST_LEVELS = 128
INPUTS = ("score", "linear SRS", "rank", "nothing")
"""Inputs of a fitted map: the raw score, the score between the bounds of its list, the rank, or nothing (the best constant SRS)."""


@dataclass(frozen=True, eq=False)
class Calibration(Result):
    """The mean ADM of systems by normalisation.

    ``fixed`` [normalisation, system] needs no judgments; NaN where scores outside 0 to 1 cannot be taken as given. ``fitted``
    [input, system] is cross-validated over topics, ``bound`` [input, system] is fitted to the topics that it is used on.
    """

    measure: ADM
    systems: tuple[str, ...]
    names: tuple[str, ...]
    fixed: Floats
    fitted: Floats
    bound: Floats
    zero: Floats
    """SRS 0 for every document, [system]."""
    predicted: Floats
    """The cross-validated SRS of the best input of each system, [system, topic, rank]."""

    readers: ClassVar = {"measure": parse_measure, **dict.fromkeys(("fixed", "fitted", "bound", "zero", "predicted"), floats)}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the fixed normalisations and of the fitted maps."""
        parts = {
            "fixed": (self.names, self.fixed),
            "fitted": (INPUTS, self.fitted),
            "bound": (INPUTS, self.bound),
            "zero": (("0 for all",), self.zero[None]),
        }
        return [
            {"system": system, "kind": kind, "normalisation": name, "mean": mean}
            for kind, (names, values) in parts.items()
            for name, row in zip(names, values.tolist(), strict=True)
            for system, mean in zip(self.systems, row, strict=True)
        ]

    @property
    def best_fixed(self) -> NDArray[np.int64]:
        """The best fixed normalisation of each system."""
        return np.nanargmax(self.fixed, axis=0).astype(np.int64)

    @property
    def best_fitted(self) -> NDArray[np.int64]:
        """The input whose fitted map is best for each system; nothing, if a constant is as good."""
        return _best(self.fitted)

    def advice(self, system: int) -> str:
        """Recommendation for the designer of a system, as a sentence."""
        start = float(self.fixed[0, system])
        name, value = self.names[int(self.best_fixed[system])], float(np.nanmax(self.fixed[:, system]))
        by, fitted = INPUTS[int(self.best_fitted[system])], float(self.fitted[:, system].max())
        if max(value, fitted) <= start:
            return f"keep {self.names[0]}: nothing else is better"
        if value >= fitted:
            return f"normalise by {name}: {value - start:+.3f}"
        if by == "nothing":
            return f"one SRS for all documents is better than any map of the scores: {fitted - start:+.3f}"
        constant = float(self.fitted[INPUTS.index("nothing"), system])
        gains = f"{fitted - start:+.3f} (one SRS for all: {constant - start:+.3f})"
        return f"map the {by} to levels by steps learnt from judgments: {gains}"


def normalisations(measure: ADM) -> dict[str, ADM]:
    """The fixed normalisations, the first being that of ``srs='linear'``."""
    plain = dataclasses.replace(measure, srs="linear", per="topic", trim=0, step=None, retrieved=None)
    variants = {
        "linear": {},
        "linear, 5 trimmed": {"trim": 5},
        "linear by run": {"per": "run"},
        "logistic": {"srs": "logistic"},
        "logistic by run": {"srs": "logistic", "per": "run"},
        "rank": {"srs": "rank"},
        "nearest level": {"step": "nearest"},
        "expected levels": {"step": "expected"},
        "as given": {"srs": "given"},
    }
    return {name: dataclasses.replace(plain, **changes) for name, changes in variants.items()}  # type: ignore[arg-type]


def calibrate(
    judged: JudgedRuns, measure: ADM, *, folds: int = FOLDS, progress: Callable[[int, int], None] | None = None
) -> Calibration:
    """Tries all normalisations on the documents, and with the URS, of a measure.

    Topic t belongs to fold t mod ``folds``: nothing is random.
    """
    topics = judged.shape[1]
    if topics < 2:  # noqa: PLR2004 - to learn and to use
        raise MensuraError(f"calibration needs at least 2 topics, to learn from some and to use on others; got {topics}")
    if judged.scores is None:
        raise MensuraError("calibration needs scores; judge the runs with scores=True")
    tried = normalisations(measure)
    if judged.relevance is not None:  # without grades, there are no levels to step to
        tried = {name: each for name, each in tried.items() if each.step is None}
    chosen = tried["linear"].counted(judged)
    fixed = np.array([_fixed(judged, each, chosen) for each in tried.values()])
    rising, levels = _levels(judged, tried["linear"])
    if len(rising) > MOST_LEVELS:
        raise MensuraError(
            f"calibration learns steps onto levels of relevance, and these judgments have {len(rising)}; merge them, as in "
            f"{dataclasses.replace(measure, levels=4)}"
        )
    share = 1.0 / np.maximum(chosen.number, 1)[:, :, None]
    fold = np.arange(topics) % min(folds, topics)
    maps = np.zeros((len(INPUTS), 2, *judged.grades.shape), dtype=np.int8)  # levels: their URS would take eight times the memory
    inputs = (
        judged.scores,
        tried["linear"].srs_by_system(judged),
        tried["rank"].srs_by_system(judged),
        itertools.repeat(np.zeros(judged.grades.shape[1:]), judged.shape[0]),
    )
    fitter = Fitter()
    for system, numbers in enumerate(zip(*inputs, strict=True)):
        weight = np.where(chosen.ranked[system], share[system], 0.0)
        for number, x in enumerate(numbers):
            maps[number, :, system] = fit(x, levels[system], weight, fold, len(rising), fitter)
        if progress is not None:
            progress(system + 1, judged.shape[0])
    value = np.array(
        [[measure.mean(tried["linear"].average(judged, map(rising.__getitem__, each), chosen)) for each in pair] for pair in maps]
    )
    predicted = rising[maps[_best(value[:, 0]), 0, np.arange(judged.shape[0])]]
    zero = measure.mean(measure.average(judged, 0.0, chosen))
    return Calibration(measure, judged.systems, tuple(tried), fixed, value[:, 0], value[:, 1], zero, predicted)


def _levels(judged: JudgedRuns, measure: ADM) -> tuple[Floats, NDArray[np.int8]]:
    """The URS of the documents, each once and rising, and the number of each rank's, [system, topic, rank]."""
    grades = grades_of(judged)
    if judged.relevance is None:  # as many grades as there are, instead of as many ranks
        present = np.flatnonzero(np.bincount(grades.reshape(-1)))
        rising, number = np.unique(measure.user_scores(judged).of(present), return_inverse=True)
        number_of = np.zeros(int(present[-1]) + 1, dtype=np.int8)
        number_of[present] = number
        return rising, number_of[grades]
    rising, number = np.unique(measure.user_scores_of_ranks(judged), return_inverse=True)
    return rising, number.reshape(grades.shape).astype(np.int8)  # more levels than that are refused


def _best(fitted: Floats) -> NDArray[np.int64]:
    constant = INPUTS.index("nothing")
    return np.where(fitted[constant] >= fitted.max(axis=0) - EQUAL, constant, fitted.argmax(axis=0)).astype(np.int64)


def _fixed(judged: JudgedRuns, measure: ADM, chosen: Chosen) -> Floats:
    if measure.srs != "given" or judged.scores is None:
        return measure.mean(measure.average(judged, measure.srs_by_system(judged), chosen))
    values = measure.mean(measure.average(judged, judged.scores, chosen))
    outside = ((judged.scores < 0) | (judged.scores > 1)).any(axis=(1, 2))
    return np.where(outside, np.nan, values)
