"""Types of scales: what may be done to their values without changing what they say (P4 §III-B, §III-C, §III-E).

A scale is one way of writing down numbers for things. Another way says the same if it comes from the first by a permissible
transformation; the type of a scale is the set of its permissible transformations (Stevens, Science 103, 1946).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, Literal

from mensura.errors import ScaleError

if TYPE_CHECKING:
    from mensura.scales.meaning.transformations import Transformation

Scale = Literal["original", "interval", "attainable", "observed", "independent", "z-score", "linear", "uniform"]
"""The scale on which values are compared: the measure's own, its interval scale over the runs of a universe, or standardised."""


@total_ordering
@dataclass(frozen=True)
class ScaleType:
    """Nominal, ordinal, interval or ratio; compared by how much they say: ``NOMINAL < ORDINAL < INTERVAL < RATIO``.

    Attributes
    ----------
    name
        Its name.
    level
        0 for nominal to 3 for ratio.
    permissible
        Its permissible transformations, in words.
    """

    name: str
    level: int
    permissible: str

    def __lt__(self, other: ScaleType) -> bool:
        return self.level < other.level

    def permits(self, transformation: Transformation) -> bool:
        """Whether the transformation is permissible. One that is permissible on a stronger scale is so on every weaker one."""
        return transformation.scale >= self

    @property
    def statistics(self) -> tuple[str, ...]:
        """Admissible statistics, those of weaker scales included (P4 §III-C)."""
        return tuple(name for name, needs in STATISTICS.items() if needs <= self)

    @property
    def tests(self) -> tuple[str, ...]:
        """The significance tests whose outcome means something on it (P4 §III-E)."""
        return tuple(name for name, needs in TESTS.items() if needs <= self)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name.upper()


NOMINAL = ScaleType("nominal", 0, "one-to-one maps")
ORDINAL = ScaleType("ordinal", 1, "increasing functions")
INTERVAL = ScaleType("interval", 2, "x ↦ αx + β with α > 0")
RATIO = ScaleType("ratio", 3, "x ↦ αx with α > 0")

SCALES = {scale.name: scale for scale in (NOMINAL, ORDINAL, INTERVAL, RATIO)}

STATISTICS = {
    "frequency": NOMINAL,
    "mode": NOMINAL,
    "median": ORDINAL,
    "quantile": ORDINAL,
    "percentile": ORDINAL,
    "mean": INTERVAL,
    "standard deviation": INTERVAL,
    "geometric mean": RATIO,
    "harmonic mean": RATIO,
    "coefficient of variation": RATIO,
}
"""The weakest scale on which each statistic is admissible (P4 §III-C)."""

TESTS = {
    "sign": ORDINAL,
    "Wilcoxon rank sum": ORDINAL,
    "Wilcoxon signed rank": INTERVAL,
    "Student's t": INTERVAL,
    "ANOVA": INTERVAL,
    "Kruskal-Wallis": ORDINAL,
    "Friedman": ORDINAL,
}
"""The weakest scale that each significance test assumes (P4 §III-E).

Statements about tests are below inference in the layers, so the registry of :mod:`mensura.stats.methods` cannot be asked here; a
test compares the two.
"""

TEST_NAMES = {
    "rank-sum": "Wilcoxon rank sum",
    "signed-rank": "Wilcoxon signed rank",
    "t": "Student's t",
    "anova": "ANOVA",
    "anova-topics": "ANOVA",
    "kruskal": "Kruskal-Wallis",
    "friedman": "Friedman",
}
"""Names of the same tests in ``mensura compare --test``."""


def scale_type(name: str | ScaleType) -> ScaleType:
    """Return a scale type by its name."""
    if isinstance(name, ScaleType):
        return name
    if name not in SCALES:
        raise ScaleError(f"unknown scale type {name!r}; expected one of {', '.join(SCALES)}")
    return SCALES[name]
