"""Changed decisions of a study, averaged: P4 §VIII-C quotes one of several averages of the same tables, so each has its name here.

A cell is one measure, one test and one track. P4's headline, 25 % ± 11 %, is the mean of Δ% over the 156 cells of its Tables 5
and 6 that can change, with the half-width of its 95 % confidence interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.scales.facts import BINARY, scale_facts
from mensura.stats.digits import Z
from mensura.stats.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.measures.base import Measure
    from mensura.study.cell import Decisions
    from mensura.study.experiment import Study

GROUPS = {
    (False, "interval"): "without recall base, tests of an interval scale",
    (False, "ordinal"): "without recall base, tests of an ordinal scale",
    (True, "ordinal"): "with recall base, tests of an ordinal scale",
    (True, "interval"): "with recall base, tests of an interval scale",
}
"""Names of the groups of cells: whether the measure depends on the recall base, and the scale that the test assumes."""


@dataclass(frozen=True)
class DecisionCell:
    """The decisions of one test by one measure, which has its cut-off, on a track.

    ``system_pairs`` is the number of decisions, and ``equally_spaced`` says whether the measure is its own interval scale.
    """

    measure: Measure
    test: str
    system_pairs: int
    decisions: Decisions
    equally_spaced: bool

    @property
    def group(self) -> str:
        """The group of P4 §VIII-C."""
        scale = "ordinal" if METHODS[self.test].scale == "ordinal" else "interval"
        return GROUPS[self.measure.uses_recall_base, scale]

    @property
    def changeable(self) -> bool:
        """Whether P4 takes it that decisions can change.

        They cannot for measures that are equally spaced on one scale for all topics (P, RBP with p = ½), nor for ordinal tests of
        measures without recall base, as the order of the values stays.
        """
        if not self.measure.uses_recall_base and METHODS[self.test].scale == "ordinal":
            return False
        return not self.equally_spaced


@dataclass(frozen=True, slots=True)
class MeanChange:
    """Means over cells, in per cent of the significant pairs of each cell: S2NS, NS2S, and Δ% with its 95 % half-width.

    ``cells`` is the number of cells; those without a significant pair have no Δ% and are left out. The half-width is that of a
    normal mean, as P4 has it, and takes the cells as independent, which they are not.
    """

    cells: int
    s2ns: float
    ns2s: float
    delta: float
    half_width: float


@dataclass(frozen=True, slots=True)
class Changes:
    """Averages of changed decisions.

    Attributes
    ----------
    changeable
        Mean over the cells that can change: P4's headline.
    everywhere
        Mean over all cells.
    pooled
        All changed decisions, in per cent of all significant pairs.
    of_decisions
        All changed decisions, in per cent of all decisions.
    decisions
        Number of all decisions.
    groups
        Means over the cells of each group of P4 §VIII-C that can change.
    """

    changeable: MeanChange
    everywhere: MeanChange
    pooled: float
    of_decisions: float
    decisions: int
    groups: dict[str, MeanChange]


def decision_cells(study: Study, length: int) -> list[DecisionCell]:
    """Return the cells of a study at a length, measure by measure."""
    decisions = {cell.label: cell.decisions for cell in study.cells if cell.length == length}
    pairs = study.system_pairs
    cells = []
    for name, measure in zip(study.labels, study.measures, strict=True):
        cut = measure @ length
        spaced = scale_facts(cut, None, study.grades if cut.graded else BINARY).equally_spaced
        cells += [DecisionCell(cut, test, pairs, decisions[name][test], spaced) for test in study.tests]
    return cells


def summarise_changes(cells: Sequence[DecisionCell]) -> Changes:
    """Return the averages over some cells."""
    sig, changed, pairs = (
        sum(counts)
        for counts in zip(
            *((cell.decisions.sig, cell.decisions.s2ns + cell.decisions.ns2s, cell.system_pairs) for cell in cells), strict=True
        )
    )
    changeable = [cell for cell in cells if cell.changeable]
    groups = {name: [cell.decisions for cell in changeable if cell.group == name] for name in GROUPS.values()}
    return Changes(
        changeable=_mean([cell.decisions for cell in changeable]),
        everywhere=_mean([cell.decisions for cell in cells]),
        pooled=100 * changed / sig if sig else math.nan,
        of_decisions=100 * changed / pairs,
        decisions=pairs,
        groups={name: _mean(members) for name, members in groups.items() if members},
    )


def _mean(decisions: Sequence[Decisions]) -> MeanChange:
    some = [each for each in decisions if each.sig]
    if not some:
        return MeanChange(0, math.nan, math.nan, math.nan, math.nan)
    s2ns, ns2s, deltas = (
        [100 * each.s2ns / each.sig for each in some],
        [100 * each.ns2s / each.sig for each in some],
        [each.delta for each in some],
    )
    delta = math.fsum(deltas) / len(some)
    variance = math.fsum((each - delta) ** 2 for each in deltas) / (len(some) - 1) if len(some) > 1 else math.nan
    return MeanChange(
        len(some), math.fsum(s2ns) / len(some), math.fsum(ns2s) / len(some), delta, Z * math.sqrt(variance / len(some))
    )
