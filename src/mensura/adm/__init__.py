"""Scores as estimates of relevance: distances document by document, the experiment of P2, and calibration."""

from mensura.adm.calibration import Calibration, calibrate
from mensura.adm.correlation import Correlations, correlations, variants
from mensura.adm.distance import Distances, distances
from mensura.adm.reliability_diagram import Reliability, reliability
from mensura.adm.stability import Stability, fewer_documents, fewer_topics

__all__ = [
    "Calibration",
    "Correlations",
    "Distances",
    "Reliability",
    "Stability",
    "calibrate",
    "correlations",
    "distances",
    "fewer_documents",
    "fewer_topics",
    "reliability",
    "variants",
]
