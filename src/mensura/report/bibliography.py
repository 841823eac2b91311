"""The works that a report cites for its measures, tests and corrections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.report.works import WORKS, Reference
from mensura.stats.methods import CORRECTIONS, find_correction, find_method

if TYPE_CHECKING:
    from mensura.measures.base import Measure

INTERVAL_SCALES = "ferrante2021meaningful"
T_INTERVAL = "student1908mean"
KENDALL = "kendall1945ties"


def measure_entries(measure: Measure) -> tuple[Reference, ...]:
    """The works of a measure: known ones, else the reference that the measure itself gives."""
    more = measure_entries(measure.on_topics) if measure.on_topics is not measure else ()
    if measure.works:
        return (*(WORKS[key] for key in measure.works), *more)
    if not measure.reference:
        return more
    key = "measure" + re.sub(r"[^a-z0-9]", "", measure.name.lower())
    return (Reference(key, "misc", "", "", "", (("note", measure.reference),)), *more)


def test_entries(name: str) -> tuple[Reference, ...]:
    """The works of a test."""
    return tuple(WORKS[key] for key in find_method(name).works)


def correction_entries(name: str) -> tuple[Reference, ...]:
    """The works of a correction."""
    return tuple(WORKS[key] for key in CORRECTIONS[find_correction(name)].works)
