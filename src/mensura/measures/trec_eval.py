"""The measures that trec_eval means by its names and parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mensura.errors import MeasureError
from mensura.measures.average_precision import AP, InfAP
from mensura.measures.buckley import RNDCG, BinG, G, NDCGRel
from mensura.measures.counts import NumNonRelRet, NumRel, NumRelRet, NumRet
from mensura.measures.first import RR
from mensura.measures.gain import DCG, NDCG
from mensura.measures.geometric import GM, with_rel
from mensura.measures.interpolated import LEVELS, IPrec, IPrec11
from mensura.measures.judgments import Bpref, Unjudged
from mensura.measures.precision import F, P, R, Rprec, SetAP, Success, Utility
from mensura.measures.rbp import RBP, RBPResidual
from mensura.measures.trec_eval_names import ABOUT_RUNS, ORDER, OWN, SETS, stem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mensura.measures.base import Measure

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)

TREC_EVAL: dict[str, Measure] = {
    "num_ret": NumRet(),
    "num_rel": NumRel(),
    "num_rel_ret": NumRelRet(),
    "map": AP(),
    "gm_map": GM(AP()),
    "Rprec": Rprec(),
    "bpref": Bpref(),
    "recip_rank": RR(),
    "infAP": InfAP(),
    "gm_bpref": GM(Bpref()),
    "utility": Utility(),
    "11pt_avg": IPrec11(),
    "binG": BinG(),
    "G": G(),
    "dcg": DCG(),
    "ndcg": NDCG(),
    "ndcg_rel": NDCGRel(),
    "Rndcg": RNDCG(),
    "set_P": P(),
    "set_relative_P": R(capped=True),
    "set_recall": R(),
    "set_map": SetAP(),
    "set_F": F(),
    "num_nonrel_judged_ret": NumNonRelRet(),
    "rbp": RBP(p=0.9, gains="grade"),
    "rbp_resid": RBPResidual(p=0.9, tail="unjudged"),
}
"""Names that stand for one measure."""
TREC_EVAL_CUT: dict[str, tuple[Callable[[Any], Measure], tuple[float, ...]]] = {
    "iprec_at_recall": (lambda recall: IPrec(recall=recall), LEVELS),
    "P": (lambda k: P(cutoff=k), CUTOFFS),
    "recall": (lambda k: R(cutoff=k), CUTOFFS),
    "Rprec_mult": (lambda multiple: Rprec(multiple=multiple), MULTIPLES),
    "ndcg_cut": (lambda k: NDCG(cutoff=k), CUTOFFS),
    "map_cut": (lambda k: AP(cutoff=k), CUTOFFS),
    "relative_P": (lambda k: R(capped=True, cutoff=k), CUTOFFS),
    "success": (lambda k: Success(cutoff=k), (1, 5, 10)),
    "unj": (lambda k: Unjudged(cutoff=k), (5, 10, 20)),
}
"""Names that stand for a measure at each of several cut-offs, by default at these."""
FRACTIONS = {"iprec_at_recall", "Rprec_mult"}
"""Names whose cut-offs need not be whole numbers."""


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A line of trec_eval's output: its label, and its measure; ``ranks`` for the string of grades ``relstring``."""

    label: str
    measure: Measure | None = None
    ranks: int = 0


def from_trec_eval(name: str, rel: int | None = None) -> list[Measure]:
    """Return the measures that trec_eval means by a name; none if it has no such name.

    ``P``, ``recall`` and ``success`` alone are left to others. ``rel`` is the relevance level.
    """
    members = SETS.get(name, () if name in OWN else (name,))
    return [line.measure for member in members for line in _lines(member, rel) if line.measure is not None]


def trec_eval_lines(names: Iterable[str], others: Callable[[str], list[Measure]], rel: int | None = None) -> list[OutputLine]:
    """Return the lines that trec_eval prints for its names, in its order; then those of the measures that it does not have.

    A name with parameters replaces the same name without, as in ``-m all_trec -m P.7``.
    """
    names = list(names)
    special = {stem for name in names if (stem := stem_of(name)) is not None and stem != name}
    lines: dict[OutputLine, int] = {}
    for name in names:
        members = SETS.get(name, (name,))
        for member in (each for each in members if each not in special):
            theirs = list(_lines(member, rel))
            for line in theirs or [OutputLine(label_of(measure), measure) for measure in others(member)]:
                stem = stem_of(line.label)
                lines[line] = len(ORDER) if stem is None else ORDER.index(stem)
    return sorted(lines, key=lambda line: lines[line])  # cut-offs are sorted already, name by name


def label_of(measure: Measure) -> str:
    """The name of a measure in trec_eval's layout: trec_eval's, or Mensura's if it has none."""
    return trec_eval_name(measure) or str(measure)


def trec_eval_name(measure: Measure) -> str | None:
    """Return the name of a measure in trec_eval, or ``None`` if it does not have it."""
    for name, known in TREC_EVAL.items():
        if measure == known:
            return name
    if isinstance(measure, IPrec) and measure.rel == 1:
        return f"iprec_at_recall_{measure.recall:.2f}"
    if isinstance(measure, Rprec) and measure == Rprec(multiple=measure.multiple):
        return f"Rprec_mult_{float(measure.multiple):.2f}"
    for name, (make, _) in TREC_EVAL_CUT.items():
        if measure.cutoff is not None and name not in FRACTIONS and measure == make(measure.cutoff):
            return f"{name}_{measure.cutoff}"
    return None


def _lines(name: str, rel: int | None) -> Iterator[OutputLine]:
    stem = stem_of(name)
    if stem is None:
        return
    text = name[len(stem) + 1 :]
    if stem == "rbp" and text and "=" not in text:  # ranx' rbp.95
        return
    if stem in ABOUT_RUNS:
        label = f"{stem}_{text}" if text else stem
        yield OutputLine(label, None, int(_number(text or "10", name)) if stem == "relstring" else 0)
    elif stem in TREC_EVAL_CUT:
        make, cuts = TREC_EVAL_CUT[stem]
        if text:
            cuts = tuple(sorted({_number(cut, name) for cut in text.split(",")}))
        for cut in cuts:
            whole = cut if stem in FRACTIONS else int(cut)
            yield OutputLine(f"{stem}_{whole:.2f}" if stem in FRACTIONS else f"{stem}_{whole}", _leveled(make(whole), rel))
    else:
        measure = TREC_EVAL[stem]
        label, measure = (f"{stem}_{text}", _with_parameters(measure, text, name)) if text else (stem, measure)
        yield OutputLine(label, measure if stem == "rbp" else _leveled(measure, rel))  # rbp has gains, and no relevance level


def _leveled(measure: Measure, rel: int | None) -> Measure:
    return measure if rel is None else with_rel(measure, rel)


def _with_parameters(measure: Measure, text: str, name: str) -> Measure:
    """Return a measure with the parameters after its name: numbers, or gains as 1=3,2=9."""
    fields: dict[str, Any]
    match measure:
        case Utility():
            worths = [_number(each, name) for each in text.split(",")]
            if len(worths) != 4:  # noqa: PLR2004 - the cells of a contingency table
                raise MeasureError(f"{name}: expected 4 numbers, got {len(worths)}, e.g. utility.1,-1,0,0")
            fields = dict(zip("abcd", worths, strict=True))
        case IPrec11():
            fields = {"at": tuple(sorted(_number(each, name) for each in text.split(",")))}
        case F():
            fields = {"beta": _number(text, name) ** 0.5}  # trec_eval does not square it
        case NDCG() | DCG() | NDCGRel() | RNDCG() | G() | RBP() | RBPResidual():
            pairs = dict(each.partition("=")[::2] for each in text.split(","))
            fields = {"p": _number(pairs.pop("p"), name)} if "p" in pairs and isinstance(measure, RBP | RBPResidual) else {}
            if not all(key.isdecimal() for key in pairs) or (pairs and isinstance(measure, RBP | RBPResidual)):
                raise MeasureError(f"{name}: {text!r} are not parameters that Mensura reads; write p=0.8, or gains as 1=3,2=9")
            fields |= {"gains": {int(key): _number(value, name) for key, value in pairs.items()}} if pairs else {}
        case _:
            raise MeasureError(f"{name}: trec_eval's {name[: -len(text) - 1]} has no parameters")
    return replace(measure, **fields)


def _number(text: str, name: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise MeasureError(f"{name}: {text!r} is not a number") from None
    return int(number) if number == int(number) else number
