from mensura.pieces.evaluating import evaluate as evaluate
from mensura.pieces.files import means as means
from mensura.pieces.frames import partitions as partitions
from mensura.pieces.merging import merge as merge
from mensura.pieces.partial import Partial as Partial
from mensura.pieces.partial import PartialSums as PartialSums
from mensura.pieces.sums_merged import Means as Means
from mensura.pieces.sums_merged import merge_sums as merge_sums

__all__ = [
    "Means",
    "Partial",
    "PartialSums",
    "evaluate",
    "means",
    "merge",
    "merge_sums",
    "partitions",
]
