"""Results of a comparison: systems by means with intervals, pairs with effect sizes and corrected p-values, groups, and remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, overload

import numpy as np

from mensura.evaluation.score_tables import read_measure
from mensura.result import Result, floats, integers
from mensura.scales.rescaled import TITLES
from mensura.stats.digits import decimals_for_interval
from mensura.stats.draws import median
from mensura.stats.effect_sizes import Effects
from mensura.stats.families import Family
from mensura.stats.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mensura.measures.base import Measure
    from mensura.scales.types import Scale
    from mensura.stats.methods import IntervalMethod, Method

Role = Literal["primary", "secondary", "exploratory"]
EFFECTS = ("d_z", "glass", "hedges", "cliff", "residual")


@dataclass(frozen=True, slots=True)
class Pair(Result):
    """One pair of systems; the difference is first − second."""

    first: str
    second: str
    estimate: float
    interval: tuple[float, float]
    statistic: float
    p: float
    corrected_p: float
    d_z: float
    residual: float
    cliff: float
    wins: int
    ties: int
    losses: int
    direction: int = 0
    """1 if the test's own statistic is in favour of larger values of the first system, −1 of the second, 0 of neither."""

    def swapped(self) -> Pair:
        """The same pair from the other side: second − first."""
        low, high = self.interval
        return replace(
            self,
            first=self.second,
            second=self.first,
            estimate=-self.estimate,
            interval=(-high, -low),
            d_z=-self.d_z,
            residual=-self.residual,
            cliff=-self.cliff,
            wins=self.losses,
            losses=self.wins,
            direction=-self.direction,
        )

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"Pair({self.first} − {self.second} = {self.estimate:.4g} [{low:.4g}, {high:.4g}], p = {self.p:.3g}, "
            f"corrected p = {self.corrected_p:.3g}, d_z = {self.d_z:.2f}, wins/ties/losses {self.wins}/{self.ties}/{self.losses})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Systems compared by one measure on one scale.

    Attributes
    ----------
    measure, scale
        The measure, and ``original`` for its own values or ``interval`` for their ranks on its interval scale.
    systems, topics
        The names.
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

    readers: ClassVar = {
        "measure": read_measure,
        "outcome": Outcome.from_dict,
        "effects": Effects.from_dict,
        "family": Family.from_dict,
        "places": integers,
        **dict.fromkeys(("mean", "low", "high", "pair_low", "pair_high", "corrected_p"), floats),
    }

    @property
    def method(self) -> Method:
        """The test."""
        return self.outcome.method

    @property
    def name(self) -> str:
        """The measure, and its scale if that is not its own."""
        return str(self.measure) if self.scale == "original" else f"{self.measure} ({TITLES[self.scale]})"

    @property
    def estimate_of(self) -> str:
        """Values whose differences the pairs have: ``values``, or ``natural logarithms`` for a geometric mean."""
        return self.measure.averages if self.scale == "original" else "values"

    @property
    def pair_decimals(self) -> int:
        """Decimals to show of differences: those of means, or as many as the intervals support where they are not of values."""
        if self.estimate_of == "values":
            return self.decimals
        return decimals_for_interval(median(self.pair_high - self.pair_low) / 2)

    @property
    def ranking(self) -> list[int]:
        """Systems from best to worst."""
        return [int(system) for system in np.argsort(self.places, kind="stable")]

    @property
    def better(self) -> NDArray[np.int8]:
        """1 where the test is in favour of the first system of a pair, −1 of the second: as :attr:`measure` counts better."""
        return self.outcome.direction if self.measure.direction == "higher" else -self.outcome.direction

    @property
    def significant(self) -> NDArray[np.bool_]:
        """Mask of the pairs that differ significantly."""
        return self.corrected_p < self.alpha

    def pairs(self) -> tuple[Pair, ...]:
        """All pairs, in the order of the arrays."""
        return tuple(map(self._pair, range(len(self.outcome.pairs))))

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
        start = {"measure": str(self.measure), "scale": self.scale}
        return [start | dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _pair(self, at: int) -> Pair:
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
        )

    def __getitem__(self, names: tuple[str, str]) -> Pair:
        """A pair by the names of its systems, the difference being first − second."""
        first, second = names
        for at, (a, b) in enumerate(zip(self.outcome.pairs.first.tolist(), self.outcome.pairs.second.tolist(), strict=True)):
            if (self.systems[a], self.systems[b]) == (first, second):
                return self._pair(at)
            if (self.systems[a], self.systems[b]) == (second, first):
                return self._pair(at).swapped()
        raise KeyError(f"{first} and {second} are not a pair of this comparison")

    def __repr__(self) -> str:
        return (
            f"Comparison({self.name}: {len(self.systems)} systems × {len(self.topics)} topics, {self.method.title}, {self.family}: "
            f"{int(self.significant.sum())} of {len(self.outcome.pairs)} pairs differ at α = {self.alpha:g})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Result, Sequence[Comparison]):
    """Comparisons by several measures: a sequence, whose members are also known by the names of their measures.

    ``comparisons["P@10"]`` is the first one by that measure: on the measure's own scale, if it was compared on both.
    """

    comparisons: tuple[Comparison, ...]

    readers: ClassVar = {"comparisons": lambda documents: tuple(map(Comparison.from_dict, documents))}

    @overload
    def __getitem__(self, key: int | str) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Comparison | tuple[Comparison, ...]:
        if not isinstance(key, str):
            return self.comparisons[key]
        name = str(read_measure(key))
        for comparison in self.comparisons:
            if str(comparison.measure) == name:
                return comparison
        raise KeyError(f"{key} was not compared; there are {', '.join(str(each.measure) for each in self.comparisons)}")

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs of all comparisons."""
        return [row for comparison in self.comparisons for row in comparison.rows()]

    def __repr__(self) -> str:
        return f"Comparisons({', '.join(map(repr, self.comparisons))})"
