"""Corrections for many tests: what a family of tests is, and how its p-values are adjusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from mensura.errors import StatisticsError
from mensura.stats.results import Correction, plural

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

STEPWISE: tuple[Correction, ...] = ("none", "bonferroni", "holm", "hochberg", "bh", "by")
TITLES: dict[Correction, str] = {
    "none": "not corrected",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "bh": "Benjamini–Hochberg",
    "by": "Benjamini–Yekutieli",
    "tukey": "Tukey",
    "dunnett": "Dunnett",
    "maxT": "max-T",
}


@dataclass(frozen=True, slots=True)
class Family:
    """All tests that one statement of significance must allow for.

    ``pairs`` and ``measures`` were tested here; ``prior_tests`` were made earlier on the same collection (P3 §2.7). ``left_out`` is
    how many of the pairs belong to another family: those that were planned, where this one is of those that were not.
    """

    correction: Correction
    pairs: int
    measures: int = 1
    prior_tests: int = 0
    left_out: int = 0

    def __post_init__(self) -> None:
        if self.prior_tests < 0:
            raise StatisticsError(f"prior_tests={self.prior_tests}: a number of tests is at least 0")

    @property
    def size(self) -> int:
        """How many tests there are in all."""
        return self.pairs * self.measures - self.left_out + self.prior_tests

    @property
    def shares(self) -> float:
        """Into how many shares α goes, for a correction that takes the pairs of one measure together: by Bonferroni."""
        return self.measures + self.prior_tests / self.pairs

    @property
    def controls(self) -> str:
        """What the correction keeps below α."""
        if self.correction == "none":
            return "error rate of each test by itself"
        return "false discovery rate" if self.correction in {"bh", "by"} else "family-wise error rate"

    def __str__(self) -> str:
        made = f"{plural(self.pairs, 'pair')} × {plural(self.measures, 'measure')}"
        if self.left_out:
            made += f" − {self.left_out} planned"
        if self.prior_tests:
            made += f" + {self.prior_tests} earlier"
        return f"{TITLES[self.correction]}, {plural(self.size, 'test')} ({made})"


def family_remark(family: Family) -> str | None:
    """What a reader should know about tests that are not corrected."""
    if family.correction != "none" or family.size == 1:
        return None
    return (
        f"{plural(family.size, 'test')} without a correction: at α = 0.05, about {0.05 * family.size:.2g} of them would be "
        "significant by chance [M701]"
    )


def check_correction(name: str) -> Correction:
    """A correction by its name."""
    for known in get_args(Correction):
        if name.lower() == known.lower():
            return known
    raise StatisticsError(f"there is no correction {name!r}: use one of {', '.join(get_args(Correction))}")


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
        Tests made earlier on the same collection. Their p-values are not known, so they are taken for 1, the worst case: they
        enlarge the family and help nobody in it.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], "holm", prior_tests=7)
    array([0.1 , 0.32, 0.27])
    """
    values = np.asarray(p, dtype=np.float64)
    if np.isnan(values).any() or (values < 0).any() or (values > 1).any():
        raise StatisticsError("p-values must lie between 0 and 1: leave out tests that have none")
    if prior_tests < 0:
        raise StatisticsError(f"prior_tests={prior_tests}: a number of tests is at least 0")
    if correction not in STEPWISE:
        raise StatisticsError(
            f"{correction!r} is no correction of p-values by themselves but part of a test: use one of {', '.join(STEPWISE)}"
        )
    flat = values.reshape(-1)
    if correction == "none" or len(flat) == 0:
        return values.copy()
    size = len(flat) + prior_tests
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    place = np.arange(1, len(flat) + 1)
    match correction:
        case "bonferroni":
            made = ordered * size
        case "holm":
            made = np.maximum.accumulate(ordered * (size - place + 1))
        case "hochberg":
            made = np.minimum.accumulate((ordered * (size - place + 1))[::-1])[::-1]
        case _:
            harmonic = float((1 / np.arange(1, size + 1)).sum()) if correction == "by" else 1.0
            made = np.minimum.accumulate((ordered * size * harmonic / place)[::-1])[::-1]
    adjusted = np.empty(len(flat))
    adjusted[order] = np.minimum(made, 1.0)
    return adjusted.reshape(values.shape)
