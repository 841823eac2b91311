"""Assumptions of tests about scales, against the facts about a measure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mensura.measures.base import with_cutoff
from mensura.scales.facts import surrogate_remark
from mensura.scales.types import INTERVAL, SCALES

if TYPE_CHECKING:
    from mensura.scales.facts import ScaleFacts
    from mensura.scales.types import Scale
    from mensura.stats.methods import Method


def needs_interval_scale(method: Method, facts: ScaleFacts) -> bool:
    """Return whether a test assumes an interval scale that the measure does not have."""
    return SCALES[method.scale].level >= INTERVAL.level > SCALES[facts.type].level


def needs_one_scale(method: Method, facts: ScaleFacts) -> bool:
    """Return whether a test compares topics with each other, and the measure has another scale on each of them."""
    return method.across and facts.per_topic


def scale_remark(method: Method, facts: ScaleFacts, scale: Scale) -> str | None:
    """Return what a test assumes that the measure does not meet, as a sentence; ``None`` if it meets all.

    It is about the values of topics: a geometric mean is of values on the scale of another measure.
    """
    if scale == "interval":
        return surrogate_remark(facts)
    if scale != "original":
        return None
    measure = facts.measure.on_topics
    if measure is not facts.measure:
        facts = replace(facts, measure=measure)
    title = method.title[0].upper() + method.title[1:]
    if needs_interval_scale(method, facts):
        if facts.lengths is not None:
            return f"{title} assumes an interval scale, but {facts}. Name a cut-off instead, e.g. {measure @ 10} [M104]"
        if measure.scale_obstacle is not None:
            return (
                f"{title} assumes an interval scale, but {measure} is not known to be on one, and has none to be "
                f"mapped to: {facts.reason}. Tests on signs or ranks do not assume it"
            )
        if measure.cutoff is None and with_cutoff(measure, facts.length) is None:
            return f"{title} assumes an interval scale, but {facts}. Tests on signs or ranks do not assume it"
        named = "it" if measure.cutoff is not None else f"{measure} with a cut-off"
        return (
            f"{title} assumes an interval scale, but {facts}. "
            f'Compare {named} on its interval scale instead: scale="interval", or --scale interval [M103]'
        )
    if needs_one_scale(method, facts):
        other = measure.without_recall_base
        number = "" if facts.recall_bases is None else f", {facts.recall_bases} different ones here"
        return (
            f"{title} compares topics with each other, but the scale of {measure} changes from topic to topic "
            f"with the recall base{number}. {'Measures without recall base have' if other is None else f'{other} has'} one scale "
            'for all topics; --scale interval, or scale="interval", is a surrogate [M105]'
        )
    return None
