"""The comparison by one measure as plain values, taken once for all sections of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mensura.render.numbers import differing, general, group_names, level, percent
from mensura.stats.groups import letters

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        estimates, pair_decimals, names = each.estimate_of, each.pair_decimals, list(map(letters, range(len(each.groups))))
        of_system = group_names(each.groups)
        name, ranking = str(each.measure), list(map(int, order))
        total, pairs = int(significant.sum()), len(significant)
        measured.append(
            Measured(
                name=name,
                higher=each.measure.direction == "higher",
                names=each.systems,
                ranking=ranking,
                systems=[each.systems[system] for system in ranking],
                place={system: place for place, system in enumerate(ranking, start=1)},
                mean=each.mean.tolist(),
                low=each.low.tolist(),
                high=each.high.tolist(),
                decimals=each.decimals,
                pair_decimals=pair_decimals,
                differences_of="means" if estimates == "values" else f"means of {estimates}",
                level=level(each.alpha),
                alpha=general(each.alpha),
                topics=len(each.topics),
                groups=each.groups,
                group_names=names,
                letters=of_system,
                significant=total,
                pairs=pairs,
                differing=f"{differing(total, pairs)} ({percent(total, pairs)})",
                test=test,
                family=family,
            )
        )
    return tuple(measured)
