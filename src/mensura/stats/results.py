"""Results of a test: one of all systems at once, and those of pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from mensura.result import Result, floats, integers
from mensura.stats.arrays import SystemPairs
from mensura.stats.methods import Method

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from numpy.typing import NDArray


def plural(number: int, thing: str) -> str:
    """1 pair, 2 pairs."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def letters(number: int) -> str:
    """The name of a group by its number: a to z, then aa, ab and so on."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


def group_letters(groups: Sequence[Sequence[int]]) -> dict[int, list[str]]:
    """The letters of the groups that each system is in."""
    of_system: dict[int, list[str]] = {}
    for number, group in enumerate(groups):
        for system in group:
            of_system.setdefault(system, []).append(letters(number))
    return of_system


@dataclass(frozen=True, slots=True, eq=False)
class Omnibus(Result):
    """Test of the hypothesis that all systems are equal.

    ``eta_squared`` is the proportion of the variation that systems account for, without that of the topics (partial η²), and
    ``omega_squared`` the same without its bias; NaN for tests on ranks.
    """

    statistic: float
    degrees: tuple[float, ...]
    p: float
    eta_squared: float
    omega_squared: float

    def __repr__(self) -> str:
        from mensura.render.numbers import general, p_equation

        degrees = ", ".join(map(general, self.degrees))
        return f"Omnibus(statistic {general(self.statistic)}, degrees of freedom {degrees}, {p_equation(self.p)})"


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Result):
    """The result of a test of pairs of systems. Arrays run over the pairs.

    Attributes
    ----------
    method
        The test.
    pairs
        The systems that were compared.
    estimate
        The mean difference, first − second.
    statistic
        The statistic of the test: t, W⁺, U, q, …
    p
        The two-sided p-value of each pair, not corrected for the others. Tests that are of a whole family only (randomised
        Tukey HSD) give that of the family.
    family_p
        The p-value corrected for all pairs by the test's own method, if it has one.
    topics
        The number of topics.
    omnibus
        The test of all systems at once that comes with it.
    error, degrees
        The residual mean square and its degrees of freedom, for tests that have one.
    mean_ranks
        The mean rank of each system, the smallest value having rank 1, for tests on ranks within topics.
    null, scale
        The largest statistics under the null hypothesis, sorted, for tests of whole families that draw at random; and the size of
        one step of the statistic for each pair, so that quantile × scale is half an interval. Without a scale it is 1.
    directions
        For tests on signs or ranks, the sign of the statistic less its expectation; see :attr:`direction`.
    draws
        Number of random draws behind the p-values; ``None`` where they are exact or from a distribution.
    remarks
        Sentences about the data for readers of the result.
    """

    readers: ClassVar = {
        "method": Method.from_dict,
        "pairs": SystemPairs.from_dict,
        "directions": lambda value: None if value is None else integers(value),
        "omnibus": lambda value: None if value is None else Omnibus.from_dict(value),
        **dict.fromkeys(("estimate", "statistic", "p"), floats),
        **dict.fromkeys(("family_p", "mean_ranks", "null", "scale"), lambda value: None if value is None else floats(value)),
    }

    method: Method
    pairs: SystemPairs
    estimate: NDArray[np.float64]
    statistic: NDArray[np.float64]
    p: NDArray[np.float64]
    topics: int
    family_p: NDArray[np.float64] | None = None
    omnibus: Omnibus | None = None
    error: float | None = None
    degrees: float | None = None
    mean_ranks: NDArray[np.float64] | None = None
    null: NDArray[np.float64] | None = None
    scale: NDArray[np.float64] | None = None
    directions: NDArray[np.int8] | None = None
    draws: int | None = None
    remarks: tuple[str, ...] = ()

    @property
    def direction(self) -> NDArray[np.int8]:
        """1 where the test's own statistic is in favour of larger values of the first system, −1 of the second, 0 of neither."""
        return np.sign(self.estimate).astype(np.int8) if self.directions is None else self.directions

    @property
    def p_error(self) -> NDArray[np.float64]:
        """Monte-Carlo standard error of each p: √(p(1 − p)/draws); 0 for tests that do not draw."""
        return np.sqrt(self.p * (1 - self.p) / self.draws) if self.draws else np.zeros(len(self.p))

    def only(self, kept: NDArray[np.bool_]) -> Outcome:
        """The result restricted to some of the pairs."""
        return (
            self
            if kept.all()
            else replace(
                self,
                pairs=self.pairs.only(kept),
                estimate=self.estimate[kept],
                statistic=self.statistic[kept],
                p=self.p[kept],
                family_p=None if self.family_p is None else self.family_p[kept],
                scale=None if self.scale is None else self.scale[kept],
                directions=None if self.directions is None else self.directions[kept],
            )
        )

    def significant(self, alpha: float = 0.05) -> int:
        """Number of pairs that are significant at ``alpha``: by the corrected p where the test corrects, else by the plain p."""
        p = self.p if self.family_p is None else self.family_p
        return int((p < alpha).sum())

    def rows(self) -> Iterable[dict[str, Any]]:
        """Rows of the pairs, systems by their numbers."""
        family = [None] * len(self.pairs) if self.family_p is None else self.family_p.tolist()
        columns = (self.pairs.first, self.pairs.second, self.estimate, self.statistic, self.p)
        names = ("first", "second", "difference", "statistic", "p", "family_p")
        return [dict(zip(names, row, strict=True)) for row in zip(*(column.tolist() for column in columns), family, strict=True)]

    def __repr__(self) -> str:
        family = "" if self.family_p is None else f", corrected for the family ({self.method.family})"
        return (
            f"Outcome({self.method.title}: {plural(len(self.pairs), 'pair')}, {plural(self.topics, 'topic')}{family}, "
            f"{self.significant()} with p < .05)"
        )
