"""Decompositions: the value of a measure as a function of the grades of a judged run, in exact numbers, for counting its values.

A decomposition knows nothing about documents or topics. `grades` below is the sorted tuple of grades REL that it is used with;
`gains` and `stops` run parallel to it. What a measure divides by because of the recall base is left out: AP, R and nDCG share,
for a topic, the scale of their numerator (P4 §VI-C). Measures that depend on the recall base in another way (R-precision,
interpolated precision, bpref, Acorr) have a decomposition for each topic only.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True)
class Counted:
    """The value depends on one small integer alone, and strictly so.

    statistic "relevant": the number of documents with grade ≥ rel in the first `depth` ranks (P, R, F1, R-precision): 0 … depth.
    statistic "first": the rank of the first document with grade ≥ rel, depth + 1 when there is none (RR, MFR): 1 … depth + 1.
    statistic "any": 1 if there is a document with grade ≥ rel, else 0 (Success).
    `values` holds the value for each of these integers in turn, strictly increasing or strictly decreasing.
    """

    statistic: Literal["relevant", "first", "any"]
    values: tuple[Fraction, ...]
    depth: int
    rel: int = 1


@dataclass(frozen=True)
class LogDiscount:
    """w_i = 1 / max(1, log_base(i + offset)): offset 0 is Järvelin & Kekäläinen's, offset 1 with base 2 is 1 / log2(i + 1)."""

    base: Fraction
    offset: Literal[0, 1] = 0


@dataclass(frozen=True)
class GeometricDiscount:
    """w_i = (1 − p)·p^(i−1), the weights of RBP."""

    p: Fraction


@dataclass(frozen=True)
class Weights:
    """w_1 … w_N as rational numbers."""

    weights: tuple[Fraction, ...]


Discount = LogDiscount | GeometricDiscount | Weights


@dataclass(frozen=True)
class Additive:
    """Σ_i w_i · gain(r_i): DCG and nDCG, RBP, graded precision and recall."""

    discount: Discount
    gains: tuple[Fraction, ...]


@dataclass(frozen=True)
class ByRank:
    """Σ_i terms[i][r_i]: what a rank adds depends on the rank and on its grade, and need not be a product (ADM from ranks)."""

    terms: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class AveragePrecision:
    """Σ_i [r_i ≥ rel] · |{j ≤ i : r_j ≥ rel}| / i, the numerator of AP."""

    rel: int = 1


@dataclass(frozen=True)
class Cascade:
    """Σ_i payoff(i) · R_i · Π_{j<i} (1 − R_j) + never · Π_j (1 − R_j), where R_i is the probability to stop at the grade of rank i.

    payoff "1/i" is ERR (Chapelle et al.), payoff "i" is EFR (P3); `never` is what a user who never stops counts for.
    """

    stops: tuple[Fraction, ...]
    payoff: Literal["1/i", "i"] = "1/i"
    never: Fraction = Fraction(0)


@dataclass(frozen=True)
class Interpolated:
    """The mean over levels of recall of the highest precision at or after the `needed`-th relevant document (0 without it)."""

    needed: tuple[int, ...]
    rel: int = 1


@dataclass(frozen=True)
class Preferences:
    """bpref · RB = Σ over relevant documents of 1 − min(n, RB) / min(J, RB), with n of the J `others` above.

    The others are judged documents that are not relevant. The grades are −1 (not judged), 0 and 1: three symbols.
    """

    relevant: int
    others: int


@dataclass(frozen=True)
class Area:
    """Acorr: 1 − Σ_i h_i (P(i−1) + P(i)) / Σ_i h_i (2i − 1) RB.

    `higher` holds for each grade the number of judged documents of higher grades: documents of that grade begin after so many
    places of the ideal ranking. P(i) is the sum of these places over the first i ranks, less 1 + … + i.
    """

    weights: tuple[int, ...]
    """h_1 … h_N, times any one number."""
    higher: tuple[int, ...]

    @property
    def relevant(self) -> int:
        """The recall base."""
        return self.higher[0]


Decomposition = Counted | Additive | ByRank | AveragePrecision | Cascade
TopicDecomposition = Decomposition | Interpolated | Preferences | Area
