"""Advice on a comparison, in sentences."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from mensura.render.numbers import ci, fixed, span
from mensura.render.tables import Table, View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mensura.stats.advice import Advice

SHOWN = 5
"""Pairs that are read out; json has all."""


def advice_views(advice: Sequence[Advice]) -> list[View]:
    """The advice on each measure: a heading and sentences."""
    views = [View(f"Reading {each.measure}", lines=[f"- {sentence}" for sentence in advice_sentences(each)]) for each in advice]
    return [view for view in views if view.lines]


def advice_view(advice: Advice) -> View:
    """The pairs of one measure with their numbers, and all sentences."""
    rows = [(pair.first, pair.second, pair.ratio, (pair.low, pair.high), pair.glass, pair.words) for pair in advice.pairs]
    form = partial(fixed, decimals=3)
    table = Table(
        ["first", "second", "ratio", ci(0.05), "Glass's Δ", "in words"],
        rows,
        "llrrrl",
        [None, None, form, partial(span, decimals=3), partial(fixed, decimals=2, sign=True)],
        f"Pairs by {advice.measure}",
    )
    return View(f"Reading {advice.measure}", [table] if rows else [], sentences=list(advice_sentences(advice, len(rows))))


def advice_sentences(advice: Advice, most: int = SHOWN) -> Iterator[str]:
    """Sentences on one measure: its mean, its proportions, and ``most`` pairs in words, ratios and effect sizes."""
    if advice.fit is not None:
        grow = f"differences between systems correlate with the level of the topic by ρ = {fixed(advice.fit.correlation, 2)}"
        relative = f"relative differences by {fixed(advice.fit.proportional, 2)}"
        yield f"Mean that fits: {advice.mean}; {grow}, {relative}{_why(advice)} (P3 2.4)."
    for system in advice.systems:
        if not math.isnan(system.topics[0]):
            yield (
                f"{system.system}: 95 % CI {span(system.topics, 3)} over topics; Wilson's interval, {span(system.wilson, 3)}, "
                f"treats {system.observations} observations as independent; topics are, documents are not (P3 2.3)."
            )
    for pair in advice.pairs[:most]:
        if pair.words:
            yield f"{pair.first} against {pair.second}: {pair.words} (P3 2.8)."
        if not math.isnan(pair.ratio):
            bounds = f", 95 % CI {span((pair.low, pair.high), 3)}" if not math.isnan(pair.low) else ""
            yield f"{pair.first} / {pair.second}: ratio of geometric means {fixed(pair.ratio, 3)}{bounds} (P3 2.4)."
        if not math.isnan(pair.glass):
            yield f"{pair.first} − {pair.second}: Glass's Δ = {fixed(pair.glass, 2, sign=True)}, by the σ of the baseline (P3 2.8)."


def _why(advice: Advice) -> str:
    fit = advice.fit
    if fit is None or advice.mean == fit.advice:
        return ""
    if advice.mean == "median":
        return f", which asks for the {fit.advice} one, but the scale is {advice.scale}"
    return ", which asks for the geometric one, but the scale is not a ratio scale"
