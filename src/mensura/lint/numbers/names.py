"""Measures as tables and prose name them: their ranges, their directions, and what their values are multiples of."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class MeasureName:
    """A measure in a text: its family, its cut-off (0: none), and its place."""

    family: str
    cutoff: int
    start: int
    end: int

    @property
    def key(self) -> tuple[str, int]:
        """Family and cut-off, the same for all spellings of a measure."""
        return self.family, self.cutoff

    @property
    def label(self) -> str:
        """The measure as texts name its mean: ``MRR@10``."""
        name = {"RR": "MRR", "AP": "MAP"}.get(self.family, self.family)
        return f"{name}@{self.cutoff}" if self.cutoff else name

    @property
    def denominator(self) -> int:
        """The number whose inverse all values of a topic are multiples of; 0 if there is none."""
        if self.family == "P" and self.cutoff:
            return self.cutoff
        if self.family == "Success":
            return 1
        if self.family == "RR" and 0 < self.cutoff <= 4:  # noqa: PLR2004 - every printed number is a multiple beyond
            return math.lcm(*range(1, self.cutoff + 1))
        return 0


# Families, each with its spellings; the first that fits wins. All have values from 0 to 1 and are better when higher.
FAMILIES = {
    "GMAP": r"GMAP|GM-?MAP",
    "infAP": r"inf_?AP|xinfAP",
    "nDCG": r"(?:α-?|alpha-?|inf_?)?[nN]-?DCG|NDCG|ndcg(?:_cut)?|normali[sz]ed discounted cumulative gain",
    "AP": r"MAP|mAP|map(?:_cut)?|AP|[Mm]ean [Aa]verage [Pp]recision|average precision",
    "RR": r"MRR|mrr|recip_rank|[Mm]ean [Rr]eciprocal [Rr]anks?",
    "ERR": r"ERR|expected reciprocal rank",
    "RBP": r"RBP",
    "bpref": r"[Bb]pref|BPREF",
    "Rprec": r"R-?[Pp]rec(?:ision)?|RP",
    "Success": r"[Ss]uccess|[Hh]its?|HR|[Hh]it ?[Rr]ate|S",
    "F": r"F[-_ ]?1|F-?[Mm]easure|F-?[Ss]core|MacroF1|MicroF1",
    "Recall": r"[Rr]ecall|recall|Rec\.?|R",
    "P": r"[Pp]recision|P|Prec\.?",
    "Accuracy": r"[Aa]ccuracy|Acc\.?|EM|[Ee]xact [Mm]atch",
    "AUC": r"AUC|ROC-?AUC",
}
NEEDS_CUTOFF = {"Success", "Recall", "P"}  # for one-letter names, which are words otherwise
NAME = re.compile(
    r"(?<![\w@/-])(?:"
    + "|".join(f"(?P<{family}>{spelling})" for family, spelling in FAMILIES.items())
    + r")(?:(?:\s?@\s?|_cut_|_)(?P<k>\d{1,5})(?!\d|\.\d))?(?![\w@]|-\w)"
)
LOWER = re.compile(
    r"\btimes?\b|latenc|\bms\b|\bsec|second|loss|error|\bRMSE\b|\bMA?E\b|\bMSE\b|perplex|\brank\b|MFR|\bcost|memory|size|param|FLOP|↓|lower is better|#|number|count"
    r"|variance|std|stdev|deviation|\bp[- ]?values?\b|(?:^|\s)p$|\bCIs?\d*\b|toxic|bias|risk|fallout|unjudged|distance|energy|carbon|\bCO2\b",
    re.IGNORECASE,
)
CHANGE = re.compile(
    r"[Δδ](?!\s?[=<>≤≥])|\bdelta\b|\bdiff(?:erence|s)?\b|\bimprov\w*|\bimpr\b|\bgains?\b|\bchange\b|\bchg\b|\blift\b|(?<!answer )(?<!context )\brel(?:ative)?\b|\bincrease\b|\bincrement\w*|\bdrop\b(?!-?\s?out)|\bdecrease\b|\buplift\b|[+±]/?[-−]|\bvs\b",
    re.IGNORECASE,
)
AVERAGE = re.compile(
    r"(?:macro[- ]?)?(?:avg|average|mean|averaged)\.?(?: \(?all\)?| score| performance| \(?\d+\)?)?", re.IGNORECASE
)


@lru_cache(4096)
def measures_in(text: str) -> tuple[MeasureName, ...]:
    """Return the measures that a text names."""
    names = []
    for match in NAME.finditer(text):
        family = next(name for name in FAMILIES if match[name] is not None)
        word = match[family]
        if family in NEEDS_CUTOFF and len(word) == 1 and not match["k"]:
            continue
        if word == "map" and not (match["k"] or text.strip() == "map"):  # the word
            continue
        if family == "AP" and re.search(r"[Gg]eometric $", text[: match.start()]):
            family = "GMAP"
        names.append(MeasureName(family, int(match["k"] or 0), match.start(), match.end()))
    return tuple(names)


@lru_cache(4096)
def measure_of(*texts: str) -> MeasureName | None:
    """Return the one measure that headers and labels name; ``None`` if there is none, or more than one."""
    names = {name.key: name for text in texts for name in measures_in(text)}
    if len(names) > 1:  # P@10 below a heading Precision
        names = {key: name for key, name in names.items() if key[1]} or names
    return next(iter(names.values())) if len(names) == 1 else None


@lru_cache(4096)
def is_change(*texts: str) -> bool:
    """Return whether a header speaks of a difference or an improvement."""
    return any(CHANGE.search(text) for text in texts)


@lru_cache(4096)
def is_lower_better(*texts: str) -> bool:
    """Return whether a header speaks of something that is better when lower, or that is not a measure of effectiveness."""
    return any(LOWER.search(text) for text in texts)
