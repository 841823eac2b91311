from mensura.adm.calibration import Calibration as Calibration
from mensura.adm.calibration import calibrate as calibrate
from mensura.adm.claimed_scores import Claims as Claims
from mensura.adm.claimed_scores import claims as claims
from mensura.adm.correlation import Correlations as Correlations
from mensura.adm.correlation import correlations as correlations
from mensura.adm.correlation import variants as variants
from mensura.adm.distance import Distances as Distances
from mensura.adm.distance import distances as distances
from mensura.adm.fusion import Fusion as Fusion
from mensura.adm.fusion import fuse as fuse
from mensura.adm.fusion import fused as fused
from mensura.adm.reliability_diagram import Reliability as Reliability
from mensura.adm.reliability_diagram import reliability as reliability
from mensura.adm.stability import Stability as Stability
from mensura.adm.stability import fewer_documents as fewer_documents
from mensura.adm.stability import fewer_topics as fewer_topics
from mensura.adm.threshold_table import Thresholds as Thresholds
from mensura.adm.threshold_table import thresholds as thresholds

__all__ = [
    "Calibration",
    "Claims",
    "Correlations",
    "Distances",
    "Fusion",
    "Reliability",
    "Stability",
    "Thresholds",
    "calibrate",
    "claims",
    "correlations",
    "distances",
    "fewer_documents",
    "fewer_topics",
    "fuse",
    "fused",
    "reliability",
    "thresholds",
    "variants",
]
