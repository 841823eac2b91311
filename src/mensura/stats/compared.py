"""Results of a comparison: systems by means with intervals, pairs with effect sizes and corrected p-values, groups, and remarks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

import numpy as np

from mensura.errors import suggest
from mensura.evaluation.remarks import Remark
from mensura.evaluation.score_tables import ScoredTable, read_measure
from mensura.result import Result, floats, integers
from mensura.scales.rescaled import TITLES
from mensura.stats.digits import decimals_for_interval
from mensura.stats.draws import median
from mensura.stats.effect_sizes import Effects
from mensura.stats.families import Family
from mensura.stats.listed import Pair, Pairs, Standings
from mensura.stats.results import Outcome, group_letters, letters, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.measures.base import Direction, Measure
    from mensura.render.tables import Table, View
    from mensura.scales.types import Scale
    from mensura.stats.advice import Advice
    from mensura.stats.methods import IntervalMethod, Method

Role = Literal["primary", "secondary", "exploratory"]
EFFECTS = ("d_z", "glass", "hedges", "cliff", "residual")


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems compared by one measure on one scale.

    Attributes
    ----------
    measure, scale
        The measure, and ``original`` for its own values or ``interval`` for their ranks on its interval scale.
    systems, topics
        The names; of the topics, none if values of topics were not kept. ``outcome.topics`` is their number.
    mean, low, high
        The mean of each system as the measure takes it, with its own interval (Student's t): for GM(AP) the geometric mean, and
        the interval of the mean logarithm, restored.
    places
        The place of each system, 1 being the best; means that are equal as numbers share one, as in 1, 1, 3.
    pair_low, pair_high
        Intervals of the differences of the pairs. Differences are of :attr:`estimate_of`.
    interval_method, interval_kind
        Their method, and ``simultaneous`` if all hold together, ``single`` if each by itself, ``FCR-adjusted`` if those of the
        significant pairs do, on average (Benjamini and Yekutieli 2005).
    outcome
        The result of the test, before the correction for the family.
    corrected_p
        The p-value of each pair, corrected for the whole family.
    effects
        Effect sizes of each pair.
    family
        The family of tests and its correction.
    groups
        Groups of systems, by number, in which no two differ significantly, best first. Empty if systems were compared with a
        baseline.
    alpha
        The level of significance; intervals have the confidence level 1 − α.
    decimals
        The number of decimals of a mean that are worth showing.
    remarks
        Sentences for readers: a scale that the test assumes and the measure does not have, differences without variation.
    role
        ``primary`` or ``secondary`` if a plan says so, ``exploratory`` if there is a plan that does not, ``None`` without a plan.
    steps
        Number of steps of the interval scale whose ranks were compared; ``None`` on other scales, and without exact ranks.
    beaten
        Whether values are proportions of runs or systems beaten, of which more is better for every measure.
    """

    measure: Measure
    scale: Scale
    systems: tuple[str, ...]
    topics: tuple[str, ...]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    places: NDArray[np.int64]
    pair_low: NDArray[np.float64]
    pair_high: NDArray[np.float64]
    interval_method: IntervalMethod
    outcome: Outcome
    corrected_p: NDArray[np.float64]
    effects: Effects
    family: Family
    groups: tuple[tuple[int, ...], ...]
    alpha: float
    decimals: int
    remarks: tuple[str, ...]
    role: Role | None = None
    interval_kind: str = "simultaneous"
    steps: int | None = None
    beaten: bool = False

    readers: ClassVar = {
        "measure": read_measure,
        "outcome": Outcome.from_dict,
        "effects": Effects.from_dict,
        "family": Family.from_dict,
        "places": integers,
        **dict.fromkeys(("mean", "low", "high", "pair_low", "pair_high", "corrected_p"), floats),
    }

    @cached_property
    def method(self) -> Method:
        """The test."""
        return self.outcome.method

    @cached_property
    def measure_name(self) -> str:
        """The name of the measure."""
        return str(self.measure)

    @cached_property
    def name(self) -> str:
        """The measure, and its scale if that is not its own."""
        return self.measure_name if self.scale == "original" else f"{self.measure_name} ({TITLES[self.scale]})"

    @cached_property
    def estimate_of(self) -> str:
        """Values whose differences the pairs have: ``values``, or ``natural logarithms`` for a geometric mean."""
        return self.measure.averages if self.scale == "original" else "values"

    @cached_property
    def pair_decimals(self) -> int:
        """Decimals to show of differences: those of means, or as many as the intervals support where they are not of values."""
        half = median(self.pair_high - self.pair_low) / 2
        return self.decimals if self.estimate_of == "values" or math.isinf(half) else decimals_for_interval(half)

    @cached_property
    def ranking(self) -> list[int]:
        """Systems from best to worst."""
        return [int(system) for system in np.argsort(self.places, kind="stable")]

    @cached_property
    def group_names(self) -> list[str]:
        """The names of the groups: a, b and so on."""
        return list(map(letters, range(len(self.groups))))

    @cached_property
    def group_letters(self) -> dict[int, list[str]]:
        """The names of the groups that each system is in."""
        return group_letters(self.groups)

    @property
    def direction(self) -> Direction:
        """Whether higher or lower values are better on the scale: as for the measure, but for proportions of runs beaten."""
        return "higher" if self.beaten else self.measure.direction

    @cached_property
    def better(self) -> NDArray[np.int8]:
        """1 where the test is in favour of the first system of a pair, −1 of the second: as :attr:`direction` counts better."""
        return self.outcome.direction if self.direction == "higher" else -self.outcome.direction

    @cached_property
    def significant(self) -> NDArray[np.bool_]:
        """Mask of the pairs that differ significantly."""
        return self.corrected_p < self.alpha

    @cached_property
    def differing(self) -> str:
        """The number of pairs that differ significantly, of all, in words."""
        number, pairs = int(self.significant.sum()), plural(len(self.corrected_p), "pair")
        return f"{number} of {pairs} {'differs' if number == 1 else 'differ'} significantly"

    @property
    def verdicts(self) -> dict[int, tuple[str, ...]]:
        """Verdict on each system against each baseline, in the order of the baselines: better, worse, not significantly different.

        A baseline's own begin with ``baseline``. Empty if all pairs were compared.
        """
        pairs = self.outcome.pairs
        words: dict[int, list[str]] = {system: ["baseline"] for system in pairs.baselines}
        columns = (pairs.first.tolist(), pairs.second.tolist(), self.significant.tolist(), self.better.tolist())
        for system, baseline, significant, better in zip(*columns, strict=True) if pairs.baselines else ():
            verdict = "not significantly different" if not significant else "better" if better > 0 else "worse"
            against = f" ({self.systems[baseline]})" if len(pairs.baselines) > 1 else ""
            words.setdefault(system, []).append(f"{verdict}{against}")
        return {system: tuple(texts) for system, texts in words.items()}

    def pairs(self) -> Pairs:
        """All pairs, in the order of the arrays."""
        return Pairs((self,), range(len(self.outcome.pairs)))

    def leaderboard(self) -> Standings:
        """The systems, best first: a sequence and a table."""
        return Standings((self,))

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs."""
        outcome, effects = self.outcome, self.effects
        columns: dict[str, list[Any]] = {
            "first": [self.systems[system] for system in outcome.pairs.first.tolist()],
            "second": [self.systems[system] for system in outcome.pairs.second.tolist()],
            "difference": outcome.estimate.tolist(),
            "low": self.pair_low.tolist(),
            "high": self.pair_high.tolist(),
            "statistic": outcome.statistic.tolist(),
            "p": outcome.p.tolist(),
            "corrected_p": self.corrected_p.tolist(),
            "significant": self.significant.tolist(),
            "direction": outcome.direction.tolist(),
            **{name: getattr(effects, name).tolist() for name in EFFECTS},
            "wins": effects.wins.tolist(),
            "ties": effects.ties.tolist(),
            "losses": effects.losses.tolist(),
        }
        start = {"measure": self.measure_name, "scale": self.scale}
        return [start | dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def pair_at(self, at: int) -> Pair:
        """The pair at a place of the arrays, from 0."""
        pairs, size = self.outcome.pairs, self.effects
        return Pair(
            first=self.systems[int(pairs.first[at])],
            second=self.systems[int(pairs.second[at])],
            estimate=float(self.outcome.estimate[at]),
            interval=(float(self.pair_low[at]), float(self.pair_high[at])),
            statistic=float(self.outcome.statistic[at]),
            p=float(self.outcome.p[at]),
            corrected_p=float(self.corrected_p[at]),
            d_z=float(size.d_z[at]),
            residual=float(size.residual[at]),
            cliff=float(size.cliff[at]),
            wins=int(size.wins[at]),
            ties=int(size.ties[at]),
            losses=int(size.losses[at]),
            direction=int(self.outcome.direction[at]),
            significant=bool(self.corrected_p[at] < self.alpha),
            measure=self.measure_name,
            scale=self.scale,
            alpha=self.alpha,
        )

    def first_pairs(self, most: int) -> list[Pair]:
        """The first ``most`` pairs in the order of the ranking, the better system first."""
        pairs, place = self.outcome.pairs, np.empty(len(self.systems), dtype=np.int64)
        place[self.ranking] = np.arange(len(place))
        first, second = place[pairs.first], place[pairs.second]
        turned = np.zeros(len(first), dtype=np.bool_) if pairs.baselines else first > second
        order = np.lexsort((np.where(turned, first, second), np.where(turned, second, first)))[: max(most, 0)]
        return [self.pair_at(at).swapped() if turned[at] else self.pair_at(at) for at in order.tolist()]

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        """A pair by the names of its systems, the difference being first − second."""
        first, second = names
        for at, (a, b) in enumerate(zip(self.outcome.pairs.first.tolist(), self.outcome.pairs.second.tolist(), strict=True)):
            if (self.systems[a], self.systems[b]) == (first, second):
                return self.pair_at(at)
            if (self.systems[a], self.systems[b]) == (second, first):
                return self.pair_at(at).swapped()
        for name in (first, second):
            if name not in self.systems:
                raise KeyError(f"unknown system {name!r}; {suggest(name, self.systems)}")
        baselines = ", ".join(self.systems[system] for system in self.outcome.pairs.baselines)
        raise KeyError(f"{first} and {second} were not compared; the baselines are {baselines}")

    def view(self) -> View:
        """The leaderboard, the first pairs, and the remarks."""
        from mensura.render.comparisons import comparison_view

        return comparison_view(self)

    def paper_tables(self, *, digits: int | None = None, intervals: bool = False) -> Sequence[Table]:
        """The leaderboard for a paper; see :meth:`Comparisons.paper_tables`."""
        return self.leaderboard().paper_tables(digits=digits, intervals=intervals)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``intervals``, ``differences``, ``groups`` and ``p-values``: see :mod:`mensura.render.charts.comparison`."""
        from mensura.render.charts.comparison import charts_of

        return charts_of((self,))

    def __repr__(self) -> str:
        return (
            f"Comparison({self.name}: {len(self.systems)} systems × {self.outcome.topics} topics, {self.method.title}, "
            f"{self.family}: {int(self.significant.sum())} of {len(self.outcome.pairs)} pairs differ at α = {self.alpha:g})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Result, Sequence[Comparison]):
    """The comparison of systems by several measures: a sequence, whose members are also known by the names of their measures.

    ``comparisons["P@10"]`` is the first one by that measure, ``comparisons["P@10", "interval"]`` the one on that scale, and
    ``comparisons["P@10"]["sysA", "sysB"]`` a pair of its systems.

    Attributes
    ----------
    comparisons
        One for each measure and scale.
    remarks
        Remarks on the runs and judgments.
    evaluation
        The scores that were compared; a saved comparison has none.
    """

    comparisons: tuple[Comparison, ...]
    remarks: tuple[Remark, ...] = ()
    evaluation: Evaluation | None = None

    unsaved: ClassVar[frozenset[str]] = frozenset({"evaluation"})
    readers: ClassVar = {
        "comparisons": lambda documents: tuple(map(Comparison.from_dict, documents)),
        "remarks": lambda documents: tuple(map(Remark.from_dict, documents)),
    }

    @overload
    def __getitem__(self, key: int | str | tuple[str, str]) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, key: int | str | tuple[str, str] | slice) -> Comparison | tuple[Comparison, ...]:
        if isinstance(key, int | slice):
            return self.comparisons[key]
        measure, scale = (key, "") if isinstance(key, str) else key
        name = str(read_measure(measure))
        for comparison in self.comparisons:
            if comparison.measure_name == name and scale in {"", comparison.scale}:
                return comparison
        known = {each.measure_name: each for each in self.comparisons}
        if name in known:
            scales = [each.scale for each in self.comparisons if each.measure_name == name]
            raise KeyError(f"{measure} was not compared on the scale {scale!r}; {suggest(scale, scales)}")
        raise KeyError(f"{measure} was not compared; {suggest(measure, known)}")

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    @cached_property
    def advice(self) -> tuple[Advice, ...]:
        """P3's advice on reading the numbers, measure by measure; none for a saved comparison or a table of scores."""
        from mensura.stats.advice import advise

        if self.evaluation is None or isinstance(self.evaluation, ScoredTable):
            return ()
        return advise(self.evaluation, self.comparisons)

    def leaderboard(self) -> Standings:
        """The systems by each measure, best first: a sequence and a table."""
        return Standings(self.comparisons)

    def pairs(self) -> Pairs:
        """The pairs of all comparisons, one after the other: a sequence and a table."""
        return Pairs(self.comparisons, range(sum(len(each.corrected_p) for each in self.comparisons)))

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs of all comparisons."""
        return self.pairs().rows()

    def view(self) -> View:
        """Per measure, the leaderboard and the first pairs; advice and remarks."""
        from mensura.render.comparisons import comparisons_view

        return comparisons_view(self)

    def _repr_html_(self) -> str:
        from mensura.render.comparisons import notebook_view
        from mensura.render.notebook import view_html

        return view_html(notebook_view(self))

    def paper_tables(self, *, digits: int | None = None, intervals: bool = False) -> Sequence[Table]:
        """Systems × measures for a paper: means, the best in bold, with marks of significance.

        Parameters
        ----------
        digits
            Decimals of the means; by default as many as one relevant document and the interval support.
        intervals
            Whether each mean has its confidence interval beside it.

        Marks are daggers for systems that differ significantly from a baseline, one kind for each; without a baseline, letters:
        systems that share one do not differ significantly.
        """
        return self.leaderboard().paper_tables(digits=digits, intervals=intervals)

    def charts(self) -> Mapping[str, Callable[[], dict[str, Any]]]:
        """``intervals``, ``differences``, ``groups`` and ``p-values``: one chart below the other for several measures."""
        from mensura.render.charts.comparison import charts_of

        return charts_of(self.comparisons)

    def __repr__(self) -> str:
        return f"Comparisons({', '.join(map(repr, self.comparisons))})"
