"""The measure's own scale against its interval scale: changes of the order of systems and of decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.stats.comparison import Question, compare_families
from mensura.stats.correlation import kendall

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.evaluation import Evaluation
    from mensura.measures.base import Measure
    from mensura.scales.facts import ScaleFacts
    from mensura.scales.ranks import Scales
    from mensura.stats.compared import Comparison
    from mensura.stats.families import Family


DIGITS = 8
"""Decimals that means are rounded to before they are ranked, so that equal means are ties (P4, footnote 10)."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """The ranks [system, topic] of a measure on its interval scale, with the number of its steps; or why there are none."""

    ranks: NDArray[Any] | None
    steps: int | None
    why: str = ""


@dataclass(frozen=True, eq=False)
class ScaleChange:
    """Changes when a measure is moved to its interval scale.

    Attributes
    ----------
    measure, facts
        The measure, and the facts about its own scale.
    ranked
        Ranks on the interval scale.
    same
        Whether the measure's own values are equally spaced already, so that nothing can change.
    own, interval
        The comparison on either scale; the second is None where there is no interval scale, or where it is the same.
    tau
        Kendall's τ_b between the means of the systems on the two scales; NaN where there is no interval scale.
    swapped
        Number of pairs of systems that change their order.
    lost, gained
        Pairs, by their number, that differ significantly on the measure's own scale only, and on the interval scale only.
    """

    measure: Measure
    facts: ScaleFacts
    ranked: Ranked
    same: bool
    own: Comparison
    interval: Comparison | None
    tau: float
    swapped: int
    lost: tuple[int, ...]
    gained: tuple[int, ...]

    @cached_property
    def known(self) -> bool:
        """Whether the interval scale is known."""
        return self.same or self.interval is not None


def rank(measure: Measure, scales: Scales) -> Ranked:
    """The ranks of a measure; or why they cannot be had."""
    try:
        on_scale = scales.of(measure)
        return Ranked(on_scale.rank, on_scale.steps)
    except ScaleError as error:
        return Ranked(None, None, str(error))


def scale_changes(
    evaluation: Evaluation,
    comparisons: Sequence[Comparison],
    ranked: Sequence[Ranked],
    options: Mapping[str, Any],
    tell: Callable[[], None],
) -> tuple[ScaleChange, ...]:
    """The changes on the interval scale, for each measure.

    The tests are those of the comparisons, as one family of the same size.
    """
    every = [facts for scores in evaluation.scores if (facts := scores.facts) is not None]
    ranks = {
        scores.name: on_scale.ranks
        for scores, on_scale in zip(evaluation.scores, ranked, strict=True)
        if on_scale.ranks is not None
    }
    different = not all(facts.equally_spaced for facts in every)
    intervals = _compared(evaluation, ranks, comparisons[0].family, options) if ranks and different else {}
    changes = []
    for scores, own, on_scale, facts in zip(evaluation.scores, comparisons, ranked, every, strict=True):
        interval = None if facts.equally_spaced else intervals.get(scores.name)
        changes.append(_change(scores.measure, facts, own, interval, on_scale, equal=facts.equally_spaced))
        tell()
    return tuple(changes)


def _compared(
    evaluation: Evaluation, ranks: Mapping[str, NDArray[Any]], family: Family, options: Mapping[str, Any]
) -> dict[str, Comparison]:
    """``compare(scale="interval")`` with ranks that are known already; measures without ranks count as earlier tests."""
    ranked = replace(evaluation, scores=tuple([scores for scores in evaluation.scores if scores.name in ranks]))
    earlier = family.prior_tests + family.pairs * (family.measures - len(ranks))
    comparisons = compare_families([Question(ranked, scale="interval", ranks=ranks, **options)], earlier, evaluation).comparisons
    return dict(zip([scores.name for scores in ranked.scores], comparisons, strict=True))


def _change(
    measure: Measure, facts: ScaleFacts, own: Comparison, interval: Comparison | None, ranked: Ranked, *, equal: bool
) -> ScaleChange:
    tau, swapped = (1.0 if equal else float("nan")), 0
    lost: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()
    if interval is not None:
        tau = kendall(np.round(own.mean, DIGITS), np.round(interval.mean, DIGITS))
        before, after = own.significant, interval.significant
        swapped = int((own.outcome.estimate * interval.outcome.estimate < 0).sum())
        lost = tuple(np.flatnonzero(before & ~after).tolist())
        gained = tuple(np.flatnonzero(~before & after).tolist())
    return ScaleChange(measure, facts, ranked, equal, own, interval, tau, swapped, lost, gained)
