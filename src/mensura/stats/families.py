"""Families of tests, and the correction of their p-values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import StatisticsError
from mensura.result import Result
from mensura.stats.methods import CORRECTIONS, find_correction
from mensura.stats.results import plural

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mensura.stats.methods import Correction


@dataclass(frozen=True, slots=True)
class Family(Result):
    """All tests that one statement of significance must allow for.

    ``pairs``, ``measures`` and ``scales`` were tested here; ``prior_tests`` were made earlier on the same collection (P3 §2.7).
    ``left_out`` is how many of the pairs belong to another family: those that were planned, where this one is of those that were
    not. ``joint``: the correction takes all measures together.
    """

    correction: Correction
    pairs: int
    measures: int = 1
    prior_tests: int = 0
    left_out: int = 0
    scales: int = 1
    joint: bool = False

    def __post_init__(self) -> None:
        if self.prior_tests < 0:
            raise StatisticsError(f"expected at least 0 prior tests, got {self.prior_tests}")

    @property
    def here(self) -> int:
        """Number of tests that were made here."""
        return self.pairs * self.measures * self.scales - self.left_out

    @property
    def size(self) -> int:
        """Number of tests in all."""
        return self.here + self.prior_tests

    @property
    def shares(self) -> float:
        """Number of parts that α is divided into, by Bonferroni: 1 for a correction that takes all tests together.

        A correction that takes the pairs of one measure together shares α among measures, scales and earlier tests; a joint one
        with the earlier tests only.
        """
        if CORRECTIONS[self.correction].stepwise:
            return 1.0
        return self.size / self.here if self.joint else self.measures * self.scales + self.prior_tests / self.pairs

    @property
    def controls(self) -> str:
        """Error rate that the correction keeps below α."""
        return CORRECTIONS[self.correction].controls

    @property
    def factor(self) -> float:
        """The number that the smallest p-value is multiplied by; FDR corrections may leave it as it is."""
        facts = CORRECTIONS[self.correction]
        everything = facts.stepwise and facts.controls == CORRECTIONS["holm"].controls
        return float(self.size) if everything else self.shares

    def __str__(self) -> str:
        parts = f"{plural(self.pairs, 'pair')} × {plural(self.measures, 'measure')}"
        if self.scales > 1:
            parts += f" × {self.scales} scales"
        if self.left_out:
            parts += f" − {self.left_out} planned"
        if self.prior_tests:
            parts += f" + {self.prior_tests} earlier"
        title = CORRECTIONS[self.correction].title
        if self.shares > 1:
            title += (
                " over the tests made here, Bonferroni over earlier ones" if self.joint else " over pairs, Bonferroni over the rest"
            )
        return f"{title}, {plural(self.size, 'test')} ({parts})"


def family_remark(family: Family, alpha: float) -> str | None:
    """Remark on tests that are not corrected; ``None`` if they are."""
    if family.correction != "none" or family.size == 1:
        return None
    return (
        f"{plural(family.size, 'test')} without a correction: at α = {alpha:g}, about {alpha * family.size:.2g} of them would be "
        "significant by chance [M701]"
    )


def adjust(p: ArrayLike, correction: Correction = "holm", *, prior_tests: int = 0) -> NDArray[np.float64]:
    """Adjusted p-values (R: ``p.adjust``): compare them with α itself.

    Parameters
    ----------
    p
        P-values of any shape, all of one family.
    correction
        ``none``, ``bonferroni``, ``holm`` (never worse than Bonferroni), ``hochberg`` (for independent or positively dependent
        tests), ``bh`` (Benjamini and Hochberg 1995; the false discovery rate, same condition) or ``by`` (Benjamini and
        Yekutieli 2001; any dependence).
    prior_tests
        Tests made earlier on the same collection. Their p-values are not known, so they are treated as 1, the worst case:
        they enlarge the family.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], "holm", prior_tests=7)
    array([0.1 , 0.32, 0.27])
    """
    values = np.asarray(p, dtype=np.float64)
    if np.isnan(values).any() or (values < 0).any() or (values > 1).any():
        raise StatisticsError("expected p-values between 0 and 1; leave out tests that have none")
    if prior_tests < 0:
        raise StatisticsError(f"expected at least 0 prior tests, got {prior_tests}")
    correction = find_correction(correction)
    if not CORRECTIONS[correction].stepwise:
        stepwise = ", ".join(name for name, facts in CORRECTIONS.items() if facts.stepwise)
        raise StatisticsError(f"{correction!r} needs more than p-values: it is part of a test; use one of {stepwise}")
    flat = values.reshape(-1)
    if correction == "none" or len(flat) == 0:
        return values.copy()
    size = len(flat) + prior_tests
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    position = np.arange(1, len(flat) + 1)
    match correction:
        case "bonferroni":
            corrected = ordered * size
        case "holm":
            corrected = np.maximum.accumulate(ordered * (size - position + 1))
        case "hochberg":
            corrected = np.minimum.accumulate((ordered * (size - position + 1))[::-1])[::-1]
        case _:
            harmonic = float((1 / np.arange(1, size + 1)).sum()) if correction == "by" else 1.0
            corrected = np.minimum.accumulate((ordered * size * harmonic / position)[::-1])[::-1]
    adjusted = np.empty(len(flat))
    adjusted[order] = np.minimum(corrected, 1.0)
    return adjusted.reshape(values.shape)
