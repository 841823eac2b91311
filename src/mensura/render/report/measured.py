"""Values that the sections of a page share, each taken once: comparisons as plain values, findings, matrices, sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mensura.render.numbers import ci, general, group_ranges, level, percent
from mensura.render.report.findings import findings, warnings
from mensura.render.report.methods import cited, methods
from mensura.render.report.sections.pairs import make_matrices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mensura.render.charts.matrix import PairMatrix
    from mensura.render.report.measure_works import Reference
    from mensura.render.report.methods import Sentence
    from mensura.report.build import Report
    from mensura.stats.compared import Comparison


class Measured(NamedTuple):
    """Plain values of one measure. Lists are indexed by system, in the order of the judged runs."""

    name: str
    higher: bool
    names: tuple[str, ...]
    ranking: list[int]
    systems: list[str]
    """Names in the order of the ranking."""
    place: dict[int, int]
    mean: list[float]
    low: list[float]
    high: list[float]
    decimals: int
    pair_decimals: int
    differences_of: str
    level: str
    interval: str
    alpha: str
    topics: int
    groups: Sequence[Sequence[int]]
    group_names: list[str]
    letters: dict[int, str]
    significant: int
    pairs: int
    differing: str
    test: str
    family: str


def measure_all(comparisons: Sequence[Comparison]) -> tuple[Measured, ...]:
    """The plain values of each comparison."""
    measured = []
    for each in comparisons:
        order, significant, test, family = each.ranking, each.significant, each.method.title, str(each.family)
        estimates, pair_decimals, name = each.estimate_of, each.pair_decimals, each.measure_name
        names, differing = each.group_names, each.differing
        total, pairs, ranking = int(significant.sum()), len(significant), list(map(int, order))
        measured.append(
            Measured(
                name=name,
                higher=each.direction == "higher",
                names=each.systems,
                ranking=ranking,
                systems=[each.systems[system] for system in ranking],
                place=dict(enumerate(each.places.tolist())),
                mean=each.mean.tolist(),
                low=each.low.tolist(),
                high=each.high.tolist(),
                decimals=each.decimals,
                pair_decimals=pair_decimals,
                differences_of="means" if estimates == "values" else f"means of {estimates}",
                level=level(each.alpha),
                interval=ci(each.alpha),
                alpha=general(each.alpha),
                topics=each.outcome.topics,
                groups=each.groups,
                group_names=names,
                letters=group_ranges(each.groups, names),
                significant=total,
                pairs=pairs,
                differing=f"{differing} ({percent(total, pairs)})",
                test=test,
                family=family,
            )
        )
    return tuple(measured)


@dataclass(frozen=True, eq=False)
class PageValues:
    """A report, and what its sections share."""

    report: Report

    @cached_property
    def each(self) -> tuple[Comparison, ...]:
        """The comparison by each measure."""
        return self.report.comparisons.comparisons

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """The comparisons as plain values."""
        return measure_all(self.each)

    @cached_property
    def verdicts(self) -> list[dict[str, int]]:
        """Per measure: the number of statements with each verdict."""
        return [board.counts() for board in self.report.boards]

    @cached_property
    def matrices(self) -> tuple[PairMatrix, ...]:
        """Per measure: all pairs, in the order of the ranking."""
        return make_matrices(self)

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """The report in a sentence or two per measure."""
        return findings(self)

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Remarks that a reader must know before they believe a number."""
        return warnings(self)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The methods paragraph, with citations."""
        return methods(self)

    @cached_property
    def bibliography(self) -> tuple[Reference, ...]:
        """The works of every measure, test and correction, once, in the order of the methods paragraph."""
        return cited(self.sentences)
