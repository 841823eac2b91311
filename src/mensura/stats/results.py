"""What a test is, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mensura.stats.arrays import Pairs

LeastScale = Literal["ordinal", "interval", "ratio"]
Correction = Literal["none", "bonferroni", "holm", "hochberg", "bh", "by", "tukey", "dunnett", "maxT"]


def plural(number: int, thing: str) -> str:
    """1 pair, 2 pairs."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """The facts about a test.

    Attributes
    ----------
    name, title
        Its short name, and its name in a sentence.
    scale
        The least that the values must be: of an ordinal or of an interval scale (P4 §III-E).
    paired
        Are values of the same topic compared with each other? If not, topics are taken for independent samples.
    across
        Are values of different topics compared with each other, or their differences?
    family
        The family-wise correction that is part of the test, if there is one.
    random
        Does the result depend on a seed?
    reference
        Who described it, where.
    """

    name: str
    title: str
    scale: LeastScale
    paired: bool
    across: bool
    reference: str
    family: Correction | None = None
    random: bool = False


@dataclass(frozen=True, slots=True)
class Omnibus:
    """A test of all systems at once: are they all equal?

    ``eta_squared`` is the share of the variation that systems account for, the topics' share left out (partial η²), and
    ``omega_squared`` the same without its bias; NaN for tests on ranks.
    """

    statistic: float
    degrees: tuple[float, ...]
    p: float
    eta_squared: float
    omega_squared: float

    def __repr__(self) -> str:
        degrees = ", ".join(f"{value:g}" for value in self.degrees)
        return f"Omnibus(statistic={self.statistic:.6g}, degrees=({degrees}), p={self.p:.4g})"


@dataclass(frozen=True, eq=False, repr=False)
class Outcome:
    """What a test says about pairs of systems. Arrays run over the pairs.

    Attributes
    ----------
    method
        The test.
    pairs
        Which systems were compared.
    estimate
        The mean difference, first − second.
    statistic
        What the test computed: t, W⁺, U, q, …
    p
        The two-sided p-value of each pair, not corrected for the others. Tests that are of a whole family only (randomised
        Tukey HSD) give that of the family.
    family_p
        The p-value corrected for all pairs by the test's own method, if it has one.
    topics
        How many topics there were.
    omnibus
        The test of all systems at once that comes with it.
    error, degrees
        The residual mean square and its degrees of freedom, for tests that have one.
    mean_ranks
        The mean rank of each system, the smallest value having rank 1, for tests on ranks within topics.
    null
        The largest differences under the null hypothesis, sorted, for tests by permutation of whole families.
    remarks
        What a reader should know about the data: sentences.
    """

    method: Method
    pairs: Pairs
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
    remarks: tuple[str, ...] = ()

    def only(self, kept: NDArray[np.bool_]) -> Outcome:
        """What the test says about some of the pairs."""
        return replace(
            self,
            pairs=self.pairs.only(kept),
            estimate=self.estimate[kept],
            statistic=self.statistic[kept],
            p=self.p[kept],
            family_p=None if self.family_p is None else self.family_p[kept],
        )

    def significant(self, alpha: float = 0.05) -> int:
        """How many pairs are significant at ``alpha``: by the corrected p where the test corrects, else by the plain p."""
        p = self.p if self.family_p is None else self.family_p
        return int((p < alpha).sum())

    def __repr__(self) -> str:
        family = "" if self.family_p is None else f", corrected for the family ({self.method.family})"
        return (
            f"Outcome({self.method.title}: {plural(len(self.pairs), 'pair')}, {plural(self.topics, 'topic')}{family}, "
            f"{self.significant()} with p < .05)"
        )
