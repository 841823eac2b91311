from mensura.pieces.evaluating import evaluate as evaluate
from mensura.pieces.means import Means as Means
from mensura.pieces.means import merge_sums as merge_sums
from mensura.pieces.merging import merge as merge
from mensura.pieces.partial import Partial as Partial
from mensura.pieces.partial import PartialSums as PartialSums

__all__ = [
    "Means",
    "Partial",
    "PartialSums",
    "evaluate",
    "merge",
    "merge_sums",
]
