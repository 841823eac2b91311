"""Values of a measure on other scales, by name: ranks among the runs of a universe, or standardised by topic.

interval, attainable, observed, independent
    Ranks on the interval scale over all runs (P4), and over the runs of the other universes
    (:mod:`mensura.scales.universes.laws`).
z-score
    (x − μ) / σ, with mean and standard deviation of the topic over the systems at hand (Webber, Moffat and Zobel, SIGIR 2008).
linear
    0.15·z + 0.5, cut to 0 … 1 (Sakai, ICTIR 2016).
uniform
    The proportion of the systems at hand that are beaten on the topic, ties counting half: the empirical distribution of the
    topic's scores (Urbano, Lima and Hanjalic, SIGIR 2019).

The standardised values depend on which systems are compared, as those of ``observed`` and ``independent`` do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from mensura.errors import ScaleError, nearest
from mensura.measures.base import check_cutoff, check_mean_of_ranks
from mensura.measures.exact import codes_of, order_codes
from mensura.scales.ranks import rank_scores
from mensura.scales.types import Scale
from mensura.scales.universes.laws import UNIVERSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns
    from mensura.measures.base import Measure

    Floats = NDArray[np.float64]

SCALE_NAMES: tuple[Scale, ...] = get_args(Scale)
SAKAI_A, SAKAI_B = 0.15, 0.5
TITLES: dict[str, str] = {
    "interval": "interval scale",
    "attainable": "interval scale, attainable runs",
    "observed": "proportion of observed runs beaten",
    "independent": "proportion of runs with independent ranks beaten",
    "z-score": "z-scores",
    "linear": "linearly standardised scores",
    "uniform": "uniformly standardised scores",
}


def scales_named(names: str | Sequence[str], universe: str | None = None) -> tuple[Scale, ...]:
    """Return scales by their names: ``"both"`` is original and interval; ``universe`` says what ``interval`` is about."""
    if isinstance(names, str):
        names = ("original", "interval") if names == "both" else names.split(",")
    if universe not in {None, *UNIVERSES}:
        raise ScaleError(f"unknown universe {universe!r}; use one of {', '.join(UNIVERSES)}")
    scales: list[Scale] = []
    for name in dict.fromkeys(names):
        scale = universe if name == "interval" and universe not in {None, "all"} else name
        if scale not in SCALE_NAMES:
            near = nearest(str(scale), ("both", *SCALE_NAMES))
            way_out = f"did you mean {near!r}?" if near else f"use both, or some of {', '.join(SCALE_NAMES)} with commas"
            raise ScaleError(f"unknown scale {scale!r}; {way_out}")
        scales.append(scale)
    return tuple(scales)


@dataclass(frozen=True, eq=False)
class Rescaled:
    """Values on another scale [system, topic], and a remark for readers if they are not exact; ``steps`` of ranks on one scale.

    ``beaten`` says that they are proportions of runs or systems beaten, of which more is better for every measure.
    """

    values: NDArray[Any]
    remark: str | None = None
    width: float = 0.0
    how: str = "exact"
    steps: int | None = None
    beaten: bool = False


def rescale(measure: Measure, judged: JudgedRuns, values: Floats, scale: Scale, width: float | None = None) -> Rescaled:
    """Return the values of a measure on another scale than its own."""
    if scale == "original":
        return Rescaled(values)
    if scale in {"z-score", "linear", "uniform"}:
        check_mean_of_ranks(measure, "proportions of systems beaten" if scale == "uniform" else TITLES[scale])
        exact = order_codes(measure, judged, values)
        codes = codes_of(values) if exact is None else exact
        better = codes if scale != "uniform" or measure.direction == "higher" else -codes
        return Rescaled(standardised(values, scale, better), beaten=scale == "uniform")
    check_cutoff(measure)
    universe: Any = "all" if scale == "interval" else scale
    counted = np.ones(values.shape, dtype=np.bool_)
    ranks = rank_scores(measure, judged, values, counted, universe=universe, width=width)
    if ranks.ranks is not None and len(set(ranks.steps)) == 1 and not measure.on_topics.scale_per_topic:
        return Rescaled(ranks.ranks, ranks.remark, steps=ranks.steps[0])
    return Rescaled(ranks.middle, ranks.remark, ranks.width, ranks.how, beaten=ranks.beaten)


def standardised(values: Floats, scale: Scale, codes: NDArray[np.int64]) -> Floats:
    """Return values standardised by topic; ``codes`` are equal where values are equal as numbers, and rise with what is better."""
    if scale == "uniform":
        below = (codes[:, None, :] > codes[None, :, :]).mean(axis=1)
        equal = (codes[:, None, :] == codes[None, :, :]).mean(axis=1)
        return np.asarray(below + equal / 2)
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
    alike = (codes == codes[0]).all(axis=0)
    z: Floats = np.where(alike, 0.0, (values - values.mean(axis=0)) / np.where(alike | (spread == 0), 1.0, spread))
    return z if scale == "z-score" else np.clip(SAKAI_A * z + SAKAI_B, 0.0, 1.0)
