"""Needs of measures, asked before the measures are imported where that is possible."""

from __future__ import annotations

import dataclasses
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from mensura.judged.entrance import ALL_RANKS, Needs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.measures.base import Measure

DEFAULT_MEASURES = ("AP", "P@10", "nDCG@10", "RR")
"""Measures of an evaluation that names none."""


def needs_of(measures: Iterable[Measure]) -> Needs:
    """Return the needs of several measures together."""
    return reduce(or_, (measure.needs() for measure in measures), Needs(ranks=1, continuous=True))


def needs_of_names(names: Iterable[str], *, own_measures: bool = False) -> Needs:
    """Return the needs of measures by their names: all ranks, and scores or documents if one of them may ask for them.

    Of Mensura's measures, only ADM uses scores, and only ADM and Hole documents; of a user's own (``own_measures``), any may.
    Names are looked up only where there may be one: as a rule, reading begins before the measures, and NumPy with them, are
    imported.
    """
    names = list(names)
    if not own_measures and not any(needy in name.lower() for name in names for needy in ("adm", "hole")):
        return ALL_RANKS
    from mensura.measures.names import parse_measures

    return dataclasses.replace(needs_of(parse_measures(names)), ranks=None)
