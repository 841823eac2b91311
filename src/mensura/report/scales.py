"""The measure's own scale against its interval scale: what happens to the order of systems and to decisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.evaluation.evaluation import Evaluation
from mensura.scales.facts import facts_for
from mensura.stats.comparison import compare
from mensura.stats.correlation import correlate
from mensura.stats.digits import decimals_for_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mensura.evaluation.scores import Scores
    from mensura.measures.base import Measure
    from mensura.scales.facts import ScaleFacts
    from mensura.scales.ranks import Scales
    from mensura.stats.comparison import Comparison


@dataclass(frozen=True, eq=False)
class Ranked:
    """The ranks [system, topic] of a measure on its interval scale, with the number of its steps; or why there are none."""

    ranks: NDArray[Any] | None
    steps: int | None
    why: str = ""


@dataclass(frozen=True, eq=False)
class ScaleChange:
    """What moving a measure to its interval scale changes.

    Attributes
    ----------
    measure, facts
        The measure, and what is known of its own scale.
    ranked
        Ranks on the interval scale.
    same
        Are the measure's own values equally spaced already? Then nothing can change.
    own, interval
        The comparison on either scale; the second is None where there is no interval scale, or where it is the same.
    tau
        Kendall's τ_b between the means of the systems on the two scales; NaN where there is no interval scale.
    swapped
        How many pairs of systems change their order.
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

    @property
    def known(self) -> bool:
        """Is there anything to say?"""
        return self.same or self.interval is not None


def rank(measure: Measure, scales: Scales) -> Ranked:
    """The ranks of a measure; or why they cannot be had."""
    try:
        return Ranked(scales.rank(measure), scales.scale(measure).steps)
    except ScaleError as error:
        return Ranked(None, None, str(error))


def scale_changes(
    evaluation: Evaluation,
    comparisons: Sequence[Comparison],
    ranked: Sequence[Ranked],
    options: Mapping[str, Any],
    tell: Callable[[], None],
) -> tuple[ScaleChange, ...]:
    """What the interval scale changes, for each measure.

    The tests are those of the comparisons, corrected for a family of the same size.
    """
    made = []
    for scores, own, found in zip(evaluation.scores, comparisons, ranked, strict=True):
        facts = facts_for(scores.measure, evaluation.judged)
        interval = None
        if found.ranks is not None and not facts.equally_spaced:
            others = len(own.outcome.pairs) * (own.family.measures - 1)
            interval = _compared(evaluation, scores, found.ranks, {**options, "prior_tests": own.family.prior_tests + others})
        made.append(_change(scores, facts, own, interval, found))
        tell()
    return tuple(made)


def _compared(evaluation: Evaluation, scores: Scores, ranks: NDArray[Any], options: Mapping[str, Any]) -> Comparison:
    """``compare(scale="interval")`` with ranks that are known already."""
    (found,) = compare(Evaluation(evaluation.judged, (replace(scores, values=ranks),)), **options)
    half = float(np.median(found.high - found.low)) / 2
    return replace(found, scale="interval", decimals=decimals_for_interval(half), remarks=found.outcome.remarks)


def _change(scores: Scores, facts: ScaleFacts, own: Comparison, interval: Comparison | None, ranked: Ranked) -> ScaleChange:
    tau, swapped = (1.0 if facts.equally_spaced else float("nan")), 0
    lost: tuple[int, ...] = ()
    gained: tuple[int, ...] = ()
    if interval is not None and ranked.ranks is not None:
        counted = scores.counted[0]
        tau = correlate(scores.values[:, counted], ranked.ranks[:, counted]).overall
        before, after = (np.sign(made.outcome.estimate) for made in (own, interval))
        swapped = int((before * after < 0).sum())
        lost = tuple(np.flatnonzero(own.significant & ~interval.significant).tolist())
        gained = tuple(np.flatnonzero(~own.significant & interval.significant).tolist())
    return ScaleChange(scores.measure, facts, ranked, facts.equally_spaced, own, interval, tau, swapped, lost, gained)
