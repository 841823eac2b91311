"""trec_eval's names for measures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mensura.errors import MeasureError
from mensura.measures.average_precision import AP, InfAP
from mensura.measures.counts import NumRel, NumRelRet, NumRet
from mensura.measures.first import RR
from mensura.measures.gain import NDCG
from mensura.measures.geometric import GM
from mensura.measures.interpolated import LEVELS, IPrec, IPrec11
from mensura.measures.judgments import Bpref
from mensura.measures.precision import F, P, R, Rprec, Success
from mensura.measures.rbp import RBP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mensura.measures.base import Measure

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

# trec_eval's names: those that stand for one measure, and those that take a cut-off after "_" (or several after ".")
TREC_EVAL: dict[str, Measure] = {
    "num_ret": NumRet(),
    "num_rel": NumRel(),
    "num_rel_ret": NumRelRet(),
    "map": AP(),
    "gm_map": GM(AP()),
    "Rprec": Rprec(),
    "bpref": Bpref(),
    "gm_bpref": GM(Bpref()),
    "recip_rank": RR(),
    "infAP": InfAP(),
    "11pt_avg": IPrec11(),
    "ndcg": NDCG(),
    "set_P": P(),
    "set_recall": R(),
    "set_F": F(),
    "rbp": RBP(p=0.9),
}
TREC_EVAL_CUT: dict[str, Callable[[float], Measure]] = {
    "P": lambda k: P(cutoff=_rank(k)),
    "recall": lambda k: R(cutoff=_rank(k)),
    "map_cut": lambda k: AP(cutoff=_rank(k)),
    "ndcg_cut": lambda k: NDCG(cutoff=_rank(k)),
    "success": lambda k: Success(cutoff=_rank(k)),
    "iprec_at_recall": lambda recall: IPrec(recall=recall),
}
OFFICIAL = ("num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
ALL_TREC = (
    *OFFICIAL,
    *("recall", "infAP", "gm_bpref", "11pt_avg", "ndcg", "ndcg_cut", "map_cut", "success", "set_P", "set_recall", "set_F"),
)
SETS = {"official": OFFICIAL, "all_trec": ALL_TREC}
DEFAULT_CUTS: dict[str, tuple[float, ...]] = {"iprec_at_recall": LEVELS, "success": (1, 5, 10)}


def from_trec_eval(name: str) -> list[Measure]:
    """The measures that trec_eval means by a name; none if it has no such name.

    ``P`` and ``recall`` alone are left to Mensura's own names.
    """
    if name in SETS:
        return [measure for member in SETS[name] for measure in _member(member)]
    stem, dot, cuts = name.partition(".")
    if dot and stem in TREC_EVAL_CUT and re.fullmatch(r"[\d.,]+", cuts):
        return [TREC_EVAL_CUT[stem](_number(cut, name)) for cut in cuts.split(",")]
    match = re.fullmatch(r"(\w+?)_(\d+(?:\.\d+)?)", name)
    if match and match[1] in TREC_EVAL_CUT:
        return [TREC_EVAL_CUT[match[1]](_number(match[2], name))]
    if name in TREC_EVAL or name in {"map_cut", "ndcg_cut", "iprec_at_recall"}:
        return _member(name)
    return []


def in_trec_eval(names: Iterable[str]) -> list[str]:
    """Return names as trec_eval reads them: ``P``, ``recall`` and ``success`` alone are its whole series of cut-offs."""
    series = {"P": CUTOFFS, "recall": CUTOFFS, "success": DEFAULT_CUTS["success"]}
    return [f"{name}.{','.join(map(str, series[name]))}" if name in series else name for name in names]


def trec_eval_name(measure: Measure) -> str | None:
    """Return the name of a measure in trec_eval, or ``None`` if it does not have it."""
    for name, known in TREC_EVAL.items():
        if measure == known:
            return name
    if isinstance(measure, IPrec) and measure.rel == 1:
        return f"iprec_at_recall_{measure.recall:.2f}"
    for name, make in TREC_EVAL_CUT.items():
        if measure.cutoff is not None and name != "iprec_at_recall" and measure == make(measure.cutoff):
            return f"{name}_{measure.cutoff}"
    return None


def _member(name: str) -> list[Measure]:
    if name in TREC_EVAL:
        return [TREC_EVAL[name]]
    return [TREC_EVAL_CUT[name](cut) for cut in DEFAULT_CUTS.get(name, CUTOFFS)]


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MeasureError(f"{name}: {text!r} is not a cut-off") from None


def _rank(cutoff: float) -> int | Any:
    """A whole number as an int; anything else is left for the measure to refuse."""
    return int(cutoff) if cutoff == int(cutoff) else cutoff
