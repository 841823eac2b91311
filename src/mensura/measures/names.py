"""From names to measures: Mensura's own, and those of trec_eval, ir_measures and ranx.

Mensura's names are the field's: ``P@10``, ``AP``, ``nDCG(dcg='exp-log2')@10``, ``RBP(p=0.8)@20``, ``GM(AP)``. ``str(measure)``
gives them back.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

from mensura.errors import MeasureError
from mensura.measures.average_precision import AP, InfAP
from mensura.measures.counts import NumRel, NumRelRet, NumRet
from mensura.measures.external import find_external
from mensura.measures.first import RR
from mensura.measures.gain import NDCG
from mensura.measures.geometric import GM
from mensura.measures.interpolated import LEVELS, IPrec, IPrec11
from mensura.measures.judgments import Bpref
from mensura.measures.precision import F, P, R, Rprec, Success
from mensura.measures.rbp import RBP
from mensura.measures.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mensura.measures.base import Measure

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

# trec_eval's names: those that stand for one measure, and those that take a cut-off behind "_" (or several behind ".")
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

# other spellings, folded to small letters
ALIASES = {
    "map": "AP",
    "mrr": "RR",
    "precision": "P",
    "recall": "R",
    "setp": "P",
    "setr": "R",
    "setf": "F",
    "f1": "F",
    "r-precision": "Rprec",
    "hit_rate": "Success",
    "hitrate": "Success",
}


def parse_measures(names: str | Iterable[str | Measure]) -> list[Measure]:
    """Measures by their names, each once.

    A name may stand for several: ``official`` and ``all_trec`` (trec_eval's sets), ``P.5,10`` (trec_eval's cut-offs).

    Examples
    --------
    >>> parse_measures(["AP", "ndcg_cut.10,20", "P_5"])
    [AP, nDCG@10, nDCG@20, P@5]
    """
    found: dict[Measure, None] = {}
    for name in [names] if isinstance(names, str) else names:
        for measure in _several(name.strip()) if isinstance(name, str) else [name]:
            found[measure] = None
    return list(found)


def parse_measure(name: str | Measure) -> Measure:
    """A measure by its name: Mensura's, trec_eval's, ir_measures' or ranx's.

    Examples
    --------
    >>> parse_measure("RBP(p=0.8)@20")
    RBP(p=0.8)@20
    >>> parse_measure("map_cut_10")
    AP@10
    """
    if not isinstance(name, str):
        return name
    measures = parse_measures(name)
    if len(measures) != 1:
        raise MeasureError(f"{name} stands for {len(measures)} measures: name one")
    return measures[0]


def with_rel(measure: Measure, rel: int) -> Measure:
    """The measure with another relevance level, if it has one."""
    import dataclasses

    if isinstance(measure, GM):
        return dataclasses.replace(measure, of=with_rel(measure.of, rel))
    if not hasattr(measure, "rel"):
        return measure
    parameters: dict[str, Any] = {"rel": rel}
    return dataclasses.replace(measure, **parameters)


def trec_eval_name(measure: Measure) -> str | None:
    """What trec_eval calls a measure, if it has it."""
    for name, known in TREC_EVAL.items():
        if measure == known:
            return name
    if isinstance(measure, IPrec) and measure.rel == 1:
        return f"iprec_at_recall_{measure.recall:.2f}"
    for name, make in TREC_EVAL_CUT.items():
        if measure.cutoff is not None and name != "iprec_at_recall" and measure == make(measure.cutoff):
            return f"{name}_{measure.cutoff}"
    return None


def _several(name: str) -> list[Measure]:
    if name in SETS:
        return [measure for member in SETS[name] for measure in _trec_eval(member)]
    stem, dot, cuts = name.partition(".")
    if dot and stem in TREC_EVAL_CUT and re.fullmatch(r"[\d.,]+", cuts):
        return [TREC_EVAL_CUT[stem](_number(cut, name)) for cut in cuts.split(",")]
    match = re.fullmatch(r"(\w+?)_(\d+(?:\.\d+)?)", name)
    if match and match[1] in TREC_EVAL_CUT:
        return [TREC_EVAL_CUT[match[1]](_number(match[2], name))]
    if name in TREC_EVAL:
        return [TREC_EVAL[name]]
    if name.lower() == "gmap":
        return [GM(AP())]
    return [_expression(name)]


def _trec_eval(name: str) -> list[Measure]:
    if name in TREC_EVAL:
        return [TREC_EVAL[name]]
    return [TREC_EVAL_CUT[name](cut) for cut in DEFAULT_CUTS.get(name, CUTOFFS)]


def _number(text: str, name: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise MeasureError(f"{name}: {text!r} is no cut-off") from None


def _rank(cutoff: float) -> int | Any:
    """A whole number as an int; anything else is left for the measure to refuse."""
    return int(cutoff) if cutoff == int(cutoff) else cutoff


def _expression(name: str) -> Measure:
    """``Name(parameter=value, …)@cutoff``, read as the Python expression that it is."""
    try:
        tree = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unknown(name) from None
    cutoff: Any = None
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        cutoff = _literal(tree.right, name)
        tree = tree.left
    arguments: list[ast.expr] = []
    parameters: dict[str, Any] = {}
    if isinstance(tree, ast.Call):
        arguments = tree.args
        for keyword in tree.keywords:
            if keyword.arg is None:
                raise _unknown(name)
            parameters[keyword.arg] = _literal(keyword.value, name)
        tree = tree.func
    if not isinstance(tree, ast.Name):
        raise _unknown(name)
    return _make(name, tree.id, arguments, parameters, cutoff)


def _literal(tree: ast.expr, name: str) -> Any:
    try:
        return ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise MeasureError(f"{name}: {ast.unparse(tree)!r} is no value; write numbers as 0.8 and words as 'exp-log2'") from None


def _make(name: str, stem: str, arguments: list[ast.expr], parameters: dict[str, Any], cutoff: object) -> Measure:
    import dataclasses

    if stem == "NumRet" and "rel" in parameters:  # what ir_measures calls NumRelRet
        stem = "NumRelRet"
    folded = {known.lower(): cls for known, cls in REGISTRY.items()}
    cls = REGISTRY.get(stem) or folded.get(ALIASES.get(stem.lower(), stem).lower())
    if cls is None:
        external = find_external(name)
        if external is None:
            raise _unknown(name)
        return external
    known = [field.name for field in dataclasses.fields(cls) if field.init and field.name != "cutoff"]
    for parameter in parameters:
        if parameter not in known:
            raise MeasureError(f"{name}: {cls.name} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}")
    if len(arguments) != (1 if cls is GM else 0):
        raise MeasureError(f"{name}: parameters are written by name, as in RBP(p=0.8); only GM takes a measure, as in GM(AP)")
    try:
        made = cls(*(_expression(ast.unparse(argument)) for argument in arguments), **parameters)
        return made if cutoff is None else made @ cutoff  # type: ignore[operator]
    except TypeError as error:
        raise MeasureError(f"{name}: {error}") from error


def _unknown(name: str) -> MeasureError:
    import difflib

    known = [*TREC_EVAL, *TREC_EVAL_CUT, *REGISTRY]
    stem = re.split(r"[@(]", name, maxsplit=1)[0]
    folded = {word.lower(): word for word in known}
    near = [folded[word] for word in difflib.get_close_matches(stem.lower(), folded, n=3)]
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(REGISTRY, key=str.lower))}"
    return MeasureError(f"there is no measure {name!r}: {hint}")
