"""Measures and tests under the names that P4's tables give them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from mensura.errors import MeasureError, ScaleError, StatisticsError
from mensura.measures.base import check_mean_of_ranks
from mensura.measures.names import parse_measures
from mensura.stats.methods import find_method

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mensura.measures.base import Measure

MEASURES = (
    *("P", "RBP(p=0.5)", "RR", "RBP(p=0.3)", "RBP(p=0.8)", "DCG(base=2)", "DCG(base=10)"),
    *("R", "AP", "nDCG(base=2)", "nDCG(base=10)"),
)
"""P4's eleven, in the order of its Table 2."""
LENGTHS = (5, 10, 20, 30)
TESTS = ("sign", "rank-sum", "signed-rank", "t", "anova", "kruskal", "anova-topics", "friedman")
"""P4's eight, in the order of its Tables 5 and 6."""
TITLES = {
    "sign": "Sign Test",
    "rank-sum": "Wilcoxon Rank Sum Test",
    "signed-rank": "Wilcoxon Signed Rank Test",
    "t": "Student's t Test",
    "anova": "One-way ANOVA",
    "kruskal": "Kruskal-Wallis Test",
    "anova-topics": "Two-way ANOVA",
    "friedman": "Friedman Test",
}
FIRST_OF_PAIR = ("P", "RBP_p05", "RBP_p03", "RBP_p08", "RR", "DCG_b02", "DCG_b10", "R", "AP", "nDCG_b02", "nDCG_b10")
"""Table 4 names a pair by the one of these that comes first, unless only the other depends on the recall base."""


def label(measure: Measure) -> str:
    """The name of a measure in the tables, without its cut-off.

    Examples
    --------
    >>> from mensura import RBP, DCG, AP
    >>> label(RBP(p=0.5) @ 30), label(DCG(base=2)), label(AP(rel=2))
    ('RBP_p05', 'DCG_b02', 'AP(rel=2)')
    """
    whole = dataclasses.replace(measure, cutoff=None)
    match whole.parameters():
        case {"p": float(p), **others} if not others:
            return f"{whole.name}_p{p:g}".replace(".", "")
        case {"base": int(base) | float(base), **others} if not others and base == int(base):
            return f"{whole.name}_b{int(base):02}"
    return str(whole)


def safe_name(text: str) -> str:
    """A name fit for a file: letters, digits, ``_`` and ``-``."""
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in text)


def study_measures(names: Iterable[str | Measure] | None) -> list[Measure]:
    """The measures of a study; P4's eleven by default. A study gives them their cut-offs."""
    measures = parse_measures(MEASURES if names is None else names)
    if not measures:
        raise MeasureError("a study needs at least one measure, such as AP or 'DCG(base=2)'")
    for measure in measures:
        if measure.cutoff is not None:
            stem = str(dataclasses.replace(measure, cutoff=None))
            raise MeasureError(f"{measure}: a study cuts runs at several lengths; name {stem}, and {measure.cutoff} as a length")
        if measure.scale_obstacle is not None:
            raise ScaleError(f"{measure} has no interval scale that a study could compare it with: {measure.scale_obstacle}")
        check_mean_of_ranks(measure)
    return measures


def study_tests(names: Sequence[str] | None) -> tuple[str, ...]:
    """The tests of a study; P4's eight by default."""
    tests = TESTS if names is None else tuple(dict.fromkeys(names))
    for test in tests:
        if find_method(test).needs_baseline:
            raise StatisticsError(f"{find_method(test).title} compares with a baseline; a study compares all pairs")
    return tests


def test_title(test: str) -> str:
    """The name of a test in the tables."""
    return TITLES.get(test, test)


def pairs_of(measures: Sequence[Measure], names: Sequence[str]) -> list[tuple[str, str]]:
    """All pairs of measures by their names in the tables, each as in P4's Table 4."""
    labels = dict(zip(names, measures, strict=True))
    order = sorted(labels, key=lambda name: FIRST_OF_PAIR.index(name) if name in FIRST_OF_PAIR else len(FIRST_OF_PAIR))
    free = [name for name in order if not labels[name].uses_recall_base]
    bound = [name for name in order if labels[name].uses_recall_base]
    pairs = [(one, other) for at, one in enumerate(free) for other in free[at + 1 :]]
    for at, one in enumerate(bound):
        pairs += [(one, other) for other in (*free, *bound[at + 1 :])]
    return pairs
