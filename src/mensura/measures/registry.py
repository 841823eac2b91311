"""The measures by name: where each is defined, and those that have been imported."""

from __future__ import annotations

from typing import TypeVar

from mensura.errors import MeasureError
from mensura.measures.base import Measure

HOMES = {
    # measures, written by tools/stubs.py
    "AP": "average_precision",
    "infAP": "average_precision",
    "G": "buckley",
    "RnDCG": "buckley",
    "binG": "buckley",
    "nDCGrel": "buckley",
    "EFR": "cascade",
    "ERR": "cascade",
    "NumNonRelRet": "counts",
    "NumQ": "counts",
    "NumRel": "counts",
    "NumRelRet": "counts",
    "NumRet": "counts",
    "BPM": "cwl",
    "INSQ": "cwl",
    "INST": "cwl",
    "NERR10": "cwl",
    "NERR11": "cwl",
    "NERR8": "cwl",
    "NERR9": "cwl",
    "SDCG": "cwl",
    "ADM": "distance",
    "MFR": "first",
    "RR": "first",
    "DCG": "gain",
    "nDCG": "gain",
    "GM": "geometric",
    "Median": "geometric",
    "NCG": "graded",
    "Q": "graded",
    "gAP": "graded",
    "Acorr": "ideal",
    "IPrec": "interpolated",
    "IPrec11": "interpolated",
    "Hole": "judgments",
    "Judged": "judgments",
    "Unjudged": "judgments",
    "bpref": "judgments",
    "Accuracy": "pairs",
    "Compat": "pairs",
    "F": "precision",
    "P": "precision",
    "R": "precision",
    "Rprec": "precision",
    "SetAP": "precision",
    "Success": "precision",
    "Utility": "precision",
    "RBP": "rbp",
    "RBPResidual": "rbp",
    # end of measures
}
"""Names of Mensura's measures, and the modules that define them: importing all of them would take a fifth of a short call."""
REGISTRY: dict[str, type[Measure]] = {}
"""Measures that have been imported, and those of users."""

M = TypeVar("M", bound=type[Measure])


def register(cls: M) -> M:
    """Make a measure known by its name, everywhere; decorates its class.

    A name can be registered again only by a class of the same place (a module that is loaded twice), never by another.
    """
    known = REGISTRY.get(cls.name)
    if known is not None:
        free = (known.__module__, known.__qualname__) == (cls.__module__, cls.__qualname__)
    else:
        free = cls.name not in HOMES or cls.__module__ == f"mensura.measures.{HOMES[cls.name]}"
    if not free:
        raise MeasureError(f"there is a measure {cls.name} already; choose another name")
    REGISTRY[cls.name] = cls
    return cls
