from mensura.scales import meaning as meaning
from mensura.scales import order as order
from mensura.scales.facts import ScaleFacts as ScaleFacts
from mensura.scales.facts import scale_facts as scale_facts
from mensura.scales.interval import IntervalScale as IntervalScale
from mensura.scales.interval import interval_scale as interval_scale
from mensura.scales.meaning.boards import Meaning as Meaning
from mensura.scales.meaning.dominance import Leaderboard as Leaderboard
from mensura.scales.meaning.dominance import leaderboard as leaderboard
from mensura.scales.meaning.meaningfulness import Verdict as Verdict
from mensura.scales.meaning.meaningfulness import meaningful as meaningful
from mensura.scales.proofs import Properties as Properties
from mensura.scales.proofs import properties as properties
from mensura.scales.ranks import Ranks as Ranks
from mensura.scales.types import ScaleType as ScaleType

__all__ = [
    "IntervalScale",
    "Leaderboard",
    "Meaning",
    "Properties",
    "Ranks",
    "ScaleFacts",
    "ScaleType",
    "Verdict",
    "interval_scale",
    "leaderboard",
    "meaningful",
    "properties",
    "scale_facts",
]
