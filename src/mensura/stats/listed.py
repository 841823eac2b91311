"""Sequences that are tables too: the systems of a comparison, and its pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, overload

from mensura.errors import MensuraError
from mensura.result import Result, optional

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.render.tables import Table, View
    from mensura.scales.types import Scale
    from mensura.stats.compared import Comparison

_NOT_READ = "saved {} are not read back; save the comparison with to_json(), read it, and ask it for its {}()"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pair(Result):
    """One pair of systems; the difference is first − second.

    ``measure`` and ``scale`` name the comparison that it belongs to, ``significant`` is its verdict.
    """

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
    significant: bool = False
    measure: str = ""
    scale: Scale = "original"
    alpha: float = 0.05
    """Level of significance; the interval has the confidence level 1 − α."""

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

    def rows(self) -> Iterable[dict[str, Any]]:
        """The pair as one row."""
        low, high = self.interval
        start = {"measure": self.measure, "scale": self.scale, "first": self.first, "second": self.second}
        names = ("statistic", "p", "corrected_p", "significant", "direction", "d_z", "cliff", "residual", "wins", "ties", "losses")
        return [{**start, "difference": self.estimate, "low": low, "high": high, **{name: getattr(self, name) for name in names}}]

    def view(self) -> View:
        """The difference with its interval, effect size and p-values."""
        from mensura.render.comparisons import pair_view

        return pair_view(self)

    def __repr__(self) -> str:
        from mensura.render.numbers import fixed, general, p_equation

        estimate, low, high = (general(value, 4) for value in (self.estimate, *self.interval))
        return (
            f"Pair({self.first} − {self.second} = {estimate} [{low}, {high}], {p_equation(self.p)}, "
            f"corrected {p_equation(self.corrected_p)}, d_z = {fixed(self.d_z, 2)}, "
            f"wins/ties/losses {self.wins}/{self.ties}/{self.losses})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class Standing(Result):
    """One system by one measure.

    Attributes
    ----------
    measure, scale, system
        The names.
    place
        Its place, 1 being the best.
    mean, low, high
        Its mean, with the interval of the mean by itself.
    groups
        The letters of its groups: systems that share one do not differ significantly. Empty with a baseline.
    verdicts
        ``baseline``, or for each baseline ``better``, ``worse`` or ``not significantly different``.
    """

    measure: str
    scale: Scale
    system: str
    place: int
    mean: float
    low: float
    high: float
    groups: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()

    def rows(self) -> Iterable[dict[str, Any]]:
        """The system as one row."""
        row = {field.name: getattr(self, field.name) for field in fields(self)}
        return [row | {"groups": " ".join(self.groups), "verdicts": ", ".join(self.verdicts)}]


@dataclass(frozen=True, eq=False, repr=False)
class Standings(Result, Sequence[Standing]):
    """A leaderboard: the systems of one comparison or several, best first within each."""

    comparisons: tuple[Comparison, ...]

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """All of them."""
        return tuple(standing for comparison in self.comparisons for standing in _standings(comparison))

    @overload
    def __getitem__(self, key: int) -> Standing: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Standing, ...]: ...
    def __getitem__(self, key: int | slice) -> Standing | tuple[Standing, ...]:
        return self.standings[key]

    def __len__(self) -> int:
        return sum(len(comparison.systems) for comparison in self.comparisons)

    def rows(self, *, wide: bool = False) -> Iterable[dict[str, Any]]:
        """Rows of the systems by each measure; ``wide``: a row for each system, with a column for the mean by each measure."""
        if not wide:
            return [row for standing in self for row in standing.rows()]
        table: dict[str, dict[str, Any]] = {}
        for comparison in self.comparisons:
            for standing in _standings(comparison):
                table.setdefault(standing.system, {"system": standing.system})[comparison.name] = standing.mean
        empty = dict.fromkeys([comparison.name for comparison in self.comparisons], math.nan)
        return [{"system": row["system"]} | empty | row for row in table.values()]

    def to_pandas(self, *, wide: bool = False) -> Any:
        """Return :meth:`rows` as a pandas data frame."""
        return optional("pandas").DataFrame(list(self.rows(wide=wide)))

    def to_polars(self, *, wide: bool = False) -> Any:
        """Return :meth:`rows` as a polars data frame."""
        return optional("polars").DataFrame(list(self.rows(wide=wide)), infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the leaderboard as plain data, for other programs: it is the comparison that is read back."""
        return {"result": "Standings", "version": self.version, "standings": [each.to_dict() for each in self]}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Refuse: a leaderboard is read back with the comparison that it belongs to."""
        cls.check(document)
        raise MensuraError(_NOT_READ.format(cls.__name__, "leaderboard"))

    def view(self) -> View:
        """Systems × measures, with marks of significance."""
        from mensura.render.comparisons import standings_view

        return standings_view(self.comparisons)

    def paper_tables(self, *, digits: int | None = None, intervals: bool = False) -> Sequence[Table]:
        """Systems × measures for a paper; see :meth:`Comparisons.paper_tables`."""
        from mensura.render.papers import paper_table

        return [paper_table(self.comparisons, digits=digits, intervals=intervals)]

    def __repr__(self) -> str:
        names = ", ".join(comparison.name for comparison in self.comparisons)
        return f"Standings({len(self.comparisons[0].systems) if self.comparisons else 0} systems by {names})"


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Result, Sequence[Pair]):
    """Pairs of systems of one comparison or several. A pair is made when it is asked for: there may be millions."""

    comparisons: tuple[Comparison, ...]
    chosen: range

    @overload
    def __getitem__(self, key: int) -> Pair: ...
    @overload
    def __getitem__(self, key: slice) -> Pairs: ...
    def __getitem__(self, key: int | slice) -> Pair | Pairs:
        if isinstance(key, slice):
            return replace(self, chosen=self.chosen[key])
        at = self.chosen[key]
        for comparison in self.comparisons:
            if at < len(comparison.corrected_p):
                return comparison.pair_at(at)
            at -= len(comparison.corrected_p)
        raise IndexError(f"there are {len(self)} pairs, got {key}")

    def __len__(self) -> int:
        return len(self.chosen)

    def significant(self) -> tuple[Pair, ...]:
        """The pairs that differ significantly."""
        return tuple(pair for pair in self if pair.significant)

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs."""
        rows = [row for comparison in self.comparisons for row in comparison.rows()]
        return rows if len(self.chosen) == len(rows) and self.chosen.step == 1 else [rows[at] for at in self.chosen]

    def view(self) -> View:
        """A table of the pairs."""
        from mensura.render.comparisons import pairs_view

        return pairs_view(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the pairs as plain data, for other programs: it is the comparison that is read back."""
        return {"result": "Pairs", "version": self.version, "pairs": [pair.to_dict() for pair in self]}

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Self:
        """Refuse: pairs are read back with the comparison that they belong to."""
        cls.check(document)
        raise MensuraError(_NOT_READ.format(cls.__name__, "pairs"))

    def __repr__(self) -> str:
        return f"Pairs({len(self)} by {', '.join(comparison.name for comparison in self.comparisons)})"


def _standings(comparison: Comparison) -> list[Standing]:
    groups, verdicts, places = comparison.group_letters, comparison.verdicts, comparison.places.tolist()
    mean, low, high = (each.tolist() for each in (comparison.mean, comparison.low, comparison.high))
    return [
        Standing(
            measure=comparison.measure_name,
            scale=comparison.scale,
            system=comparison.systems[system],
            place=places[system],
            mean=mean[system],
            low=low[system],
            high=high[system],
            groups=tuple(groups.get(system, ())),
            verdicts=verdicts.get(system, ()),
        )
        for system in comparison.ranking
    ]
