from mensura.adm.calibration import Calibration as Calibration
from mensura.adm.calibration import calibrate as calibrate
from mensura.adm.correlation import Correlations as Correlations
from mensura.adm.correlation import correlations as correlations
from mensura.adm.correlation import variants as variants
from mensura.adm.distance import Distances as Distances
from mensura.adm.distance import distances as distances
from mensura.adm.reliability_diagram import Reliability as Reliability
from mensura.adm.reliability_diagram import reliability as reliability
from mensura.adm.stability import Stability as Stability
from mensura.adm.stability import fewer_documents as fewer_documents
from mensura.adm.stability import fewer_topics as fewer_topics

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
