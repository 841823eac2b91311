"""Numbers of topics and of documents from which the ranking of systems is stable (P2 §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.errors import MensuraError
from mensura.measures.base import check_mean
from mensura.measures.names import parse_measure
from mensura.result import Result, floats

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

    Floats = NDArray[np.float64]

STABLE = 0.9
"""From this τ on, two rankings of systems are commonly taken for the same (Voorhees 2000)."""
SAMPLES = 200


@dataclass(frozen=True, eq=False)
class Stability(Result):
    """Rankings of systems from fewer topics, or from fewer documents, by one measure.

    Attributes
    ----------
    sizes
        The numbers of topics, or of ranks.
    whole
        Mean τ_b with the ranking by the same measure from all of them.
    low
        The τ_b that 95 % of the samples reach.
    apart
        Mean τ_b between two samples that share no topic; NaN where there are not enough topics.
    reference
        Mean τ_b with the ranking by AP from all topics.
    """

    measure: Measure
    of: str
    sizes: tuple[int, ...]
    whole: Floats
    low: Floats
    apart: Floats
    reference: Floats

    readers: ClassVar = {"measure": parse_measure, **dict.fromkeys(("whole", "low", "apart", "reference"), floats)}

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the sizes."""
        names = ("whole", "low", "apart", "reference")
        columns = (getattr(self, name).tolist() for name in names)
        return [
            {"measure": str(self.measure), "of": self.of, "size": size, **dict(zip(names, row, strict=True))}
            for size, *row in zip(self.sizes, *columns, strict=True)
        ]

    @property
    def needed(self) -> int | None:
        """The smallest size from which on the mean τ_b with the whole is at least .9."""
        enough = self.whole >= STABLE
        steady = np.logical_and.accumulate(enough[::-1])[::-1]
        return int(self.sizes[int(steady.argmax())]) if steady.any() else None


def taus(means: Floats, others: Floats) -> Floats:
    """Kendall's τ_b of each column with the column of the other array: [system, sample] both. NaN for a constant column."""
    first, second = np.triu_indices(len(means), k=1)
    a, b = (np.sign(np.round(each[first] - each[second], 12)) for each in (means, others))
    untied = np.sqrt(np.abs(a).sum(axis=0) * np.abs(b).sum(axis=0))
    return np.divide((a * b).sum(axis=0), untied, out=np.full(means.shape[1], np.nan), where=untied > 0)


def _steps(topics: int) -> tuple[int, ...]:
    return tuple(
        sorted({size for size in (1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200) if size < topics} | {topics})
    )


def fewer_topics(
    judged: JudgedRuns,
    measures: Sequence[Measure],
    reference: Measure,
    *,
    sizes: Sequence[int] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> list[Stability]:
    """Rankings from random samples of topics, the same samples for all measures."""
    for measure in measures:
        check_mean(measure)
    systems, topics = judged.shape
    if systems < 2:  # noqa: PLR2004 - a pair of systems
        raise MensuraError(f"stability is that of a ranking of at least 2 systems, got {systems}; add a run")
    chosen = tuple(sizes) if sizes is not None else _steps(topics)
    if min(chosen) < 1 or max(chosen) > topics:
        raise MensuraError(f"expected samples of between 1 and {topics} topics, got {min(chosen)} to {max(chosen)}")
    generator = np.random.default_rng(seed)
    orders = np.argsort(generator.random((samples, topics)), axis=1)
    values = [measure.transformed(measure.score(judged)) for measure in measures]  # means of them rank as restored ones do
    truth = reference.mean(reference.score(judged))[:, None]
    curves = []
    for measure, value in zip(measures, values, strict=True):
        whole = value.mean(axis=1)[:, None]
        shuffled = value[:, orders]  # [system, sample, topic]
        rows = []
        for size in chosen:
            means = shuffled[:, :, :size].mean(axis=2)
            own = taus(means, np.broadcast_to(whole, means.shape))
            theirs = taus(means, np.broadcast_to(truth, means.shape))
            apart = taus(means, shuffled[:, :, topics - size :].mean(axis=2)) if 2 * size <= topics else np.array([np.nan])
            rows.append(
                (_mean(own), float(np.nanquantile(own, 0.05)) if np.isfinite(own).any() else np.nan, _mean(apart), _mean(theirs))
            )
        curves.append(Stability(measure, "topics", chosen, *map(np.array, zip(*rows, strict=True))))
    return curves


def _mean(values: Floats) -> float:
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def fewer_documents(judged: JudgedRuns, measures: Sequence[Measure], reference: Measure, cutoffs: Sequence[int]) -> list[Stability]:
    """Rankings by the first documents only, against the deepest of the cut-offs."""
    depths = tuple(sorted(set(cutoffs)))
    truth = reference.mean(reference.score(judged))[:, None]
    curves = []
    for measure in measures:
        means = np.stack([measure.mean((measure @ depth).score(judged)) for depth in depths], axis=1)
        whole = taus(means, np.broadcast_to(means[:, -1:], means.shape))
        theirs = taus(means, np.broadcast_to(truth, means.shape))
        none = np.full(len(depths), np.nan)
        curves.append(Stability(measure, "documents", depths, whole, none, none, theirs))
    return curves
