"""The works that a report cites for its measures, tests and corrections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.report.works import WORKS, Reference
from mensura.stats.methods import CORRECTIONS, find_correction, find_method

if TYPE_CHECKING:
    from mensura.measures.base import Measure

MEASURES: dict[str, tuple[str, ...]] = {
    "ADM": ("dellamea2004measuring",),
    "AP": ("harman1993trec2", "buckley2000stability"),
    "Acorr": ("dinunzio2015pointarea",),
    "bpref": ("buckley2004incomplete",),
    "DCG": ("jarvelin2002gain",),
    "EFR": ("fuhr2017mistakes",),
    "ERR": ("chapelle2009err",),
    "F": ("vanrijsbergen1979ir",),
    "GM": ("robertson2006gmap",),
    "infAP": ("yilmaz2006incomplete",),
    "IPrec": ("manning2008introduction",),
    "IPrec11": ("manning2008introduction",),
    "Judged": ("macavaney2022irmeasures",),
    "MFR": ("fuhr2017mistakes",),
    "nDCG": ("jarvelin2002gain",),
    "P": ("kent1955machine",),
    "R": ("kent1955machine",),
    "RBP": ("moffat2008rbp",),
    "RBPResidual": ("moffat2008rbp",),
    "RR": ("kantor2000confusion",),
    "Rprec": ("buckley2000stability",),
    "Success": ("craswell2004web",),
}
INTERVAL_SCALES = "ferrante2021meaningful"
T_INTERVAL = "student1908mean"
KENDALL = "kendall1945ties"


def measure_entries(measure: Measure) -> tuple[Reference, ...]:
    """The works of a measure: known ones, else the reference that the measure itself gives."""
    inner = getattr(measure, "of", None)
    more = measure_entries(inner) if inner is not None else ()
    if measure.name in MEASURES and type(measure).__module__.startswith("mensura."):
        return (*(WORKS[key] for key in MEASURES[measure.name]), *more)
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
