"""Agreement of ADM with the usual measures on rankings of systems: the experiment of P2 §4, on any collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mensura.adm.baselines import baselines
from mensura.errors import MensuraError
from mensura.measures.average_precision import AP
from mensura.measures.distance import ADM
from mensura.measures.names import parse_measure
from mensura.measures.precision import Rprec
from mensura.result import Result, floats
from mensura.stats.correlation import kendall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

CUTOFFS = (5, 10, 20, 50, 100, 200)
"""Those of P2, Table 3."""
BINARY_CUTOFFS = (5, 10)
"""Those of P2, Table 4."""
DIGITS = 8  # means that agree so far are ties


def parsed(names: Iterable[str]) -> tuple[Measure, ...]:
    """Return the measures of some names."""
    return tuple(map(parse_measure, names))


@dataclass(frozen=True, eq=False)
class Correlations(Result):
    """Kendall's τ_b between rankings of systems by their means: [measure, reference]."""

    measures: tuple[Measure, ...]
    references: tuple[Measure, ...]
    tau: NDArray[np.float64]
    means: NDArray[np.float64]
    """[measure, system]"""
    zero: NDArray[np.float64]
    """Mean ADM of a system that gives SRS 0 to every document; NaN for other measures."""
    below_zero: tuple[int, ...]
    """Number of systems with a lower ADM than with SRS 0 for each of their documents."""
    srs: NDArray[np.float64]
    """The best SRS for all documents."""
    constant: NDArray[np.float64]
    """Mean ADM of a system that gives this SRS to every document."""
    below_constant: tuple[int, ...]
    """Number of systems with a lower ADM than with this SRS for each of their documents."""

    readers: ClassVar = {
        "measures": parsed,
        "references": parsed,
        **dict.fromkeys(("tau", "means", "zero", "srs", "constant"), floats),
    }

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of measures and references."""
        return [
            {"measure": str(measure), "reference": str(reference), "tau": tau}
            for measure, row in zip(self.measures, self.tau.tolist(), strict=True)
            for reference, tau in zip(self.references, row, strict=True)
        ]

    @property
    def spread(self) -> NDArray[np.float64]:
        """The standard deviation of the systems' means by each measure."""
        return self.means.std(axis=1, ddof=1)

    @property
    def iqr(self) -> NDArray[np.float64]:
        """The interquartile range of the systems' means by each measure."""
        low, high = np.quantile(self.means, (0.25, 0.75), axis=1)
        return np.asarray(high - low, dtype=np.float64)


def references(judged: JudgedRuns) -> tuple[Measure, ...]:
    """AP and R-precision; relaxed, and rigid (the upper half of the grades) where that is another thing."""
    rigid = (judged.max_grade + 2) // 2
    relaxed: list[Measure] = [AP(), Rprec()]
    return tuple(relaxed if rigid == 1 else [*relaxed, AP(rel=rigid), Rprec(rel=rigid)])


def variants(cutoffs: Sequence[int] = CUTOFFS) -> tuple[ADM, ...]:
    """The variants of P2: whole lists (Table 2), first documents (Table 3), two levels (Table 4), and those of its §5."""
    whole = [ADM(), ADM(trim=5), ADM(per="run"), ADM(per="run", trim=5), ADM(srs="logistic"), ADM(srs="rank")]
    steps = [ADM(step="nearest"), ADM(step="expected")]
    first = [ADM(srs="rank", documents="retrieved-assessed") @ cutoff for cutoff in cutoffs]
    scored = [ADM(documents="retrieved-assessed") @ cutoff for cutoff in cutoffs]
    binary = [
        ADM(srs="rank", levels=2, strict=strict, documents="retrieved-assessed") @ cutoff
        for strict in ("relaxed", "rigid")
        for cutoff in BINARY_CUTOFFS
    ]
    pooled = [ADM(srs="rank", documents="pool") @ cutoff for cutoff in cutoffs]
    pooled += [ADM(documents="pool") @ cutoff for cutoff in cutoffs]
    return (*whole, *steps, *first, *scored, *binary, *pooled)


def correlations(
    judged: JudgedRuns, measures: Sequence[Measure], progress: Callable[[int, int], None] | None = None
) -> Correlations:
    """Correlate rankings of systems by some measures with those by AP and R-precision, and by ADM over whole lists.

    Measures other than ADM are references too.
    """
    if judged.shape[0] < 2:  # noqa: PLR2004 - a pair of systems
        raise MensuraError(f"correlations between rankings need at least 2 systems, got {judged.shape[0]}; add a run")
    others = [measure for measure in measures if not isinstance(measure, ADM)]
    against = tuple(dict.fromkeys((*references(judged), *others, ADM(), ADM(srs="rank"))))
    rows = tuple(dict.fromkeys((*against, *measures)))
    means, silent = [], []
    for done, measure in enumerate(rows, start=1):
        means.append(np.round(measure.mean(measure.score(judged)), DIGITS))
        silent.append(_silent(judged, measure, means[-1]))
        if progress is not None:
            progress(done, len(rows))
    place = {measure: number for number, measure in enumerate(rows)}
    tau = [[kendall(mean, means[place[reference]]) for reference in against] for mean in means]
    zero, below_zero, srs, constant, below_constant = zip(*silent, strict=True)
    return Correlations(
        rows, against, np.array(tau), np.array(means), np.array(zero), below_zero, np.array(srs), np.array(constant), below_constant
    )


def _silent(judged: JudgedRuns, measure: Measure, means: NDArray[np.float64]) -> tuple[float, int, float, float, int]:
    """Means of systems that say nothing, and the numbers of systems below them."""
    if not isinstance(measure, ADM):
        return np.nan, 0, np.nan, np.nan, 0
    said = baselines(judged, measure)
    zero, constant = np.round(said.zero, DIGITS), np.round(said.constant, DIGITS)
    return float(zero.mean()), int((means < zero).sum()), said.srs, float(constant.mean()), int((means < constant).sum())
