"""Agreement of ADM with the usual measures on rankings of systems: the experiment of P2 §4, on any collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

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

    readers: ClassVar = {"measures": parsed, "references": parsed, "tau": floats, "means": floats}

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
    """Correlate rankings of systems by some measures with those by AP and R-precision, and by ADM over whole lists."""
    if judged.shape[0] < 2:  # noqa: PLR2004 - a pair of systems
        raise MensuraError(f"correlations between rankings need at least 2 systems, got {judged.shape[0]}; add a run")
    against = (*references(judged), ADM(), ADM(srs="rank"))
    rows = tuple(dict.fromkeys((*against, *measures)))
    means = []
    for done, measure in enumerate(rows, start=1):
        means.append(np.round(measure.mean(measure.score(judged)), DIGITS))
        if progress is not None:
            progress(done, len(rows))
    place = {measure: number for number, measure in enumerate(rows)}
    tau = [[kendall(mean, means[place[reference]]) for reference in against] for mean in means]
    return Correlations(rows, against, np.array(tau), np.array(means))
