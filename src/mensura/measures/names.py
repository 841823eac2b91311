"""From names to measures: Mensura's own, and those of trec_eval, ir_measures, ranx, BEIR and MTEB.

Mensura's names are the field's: ``P@10``, ``AP``, ``nDCG(dcg='exp-log2')@10``, ``RBP(p=0.8)@20``, ``GM(AP)``. ``str(measure)``
gives them back.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
from typing import TYPE_CHECKING, Any

from mensura.errors import MeasureError
from mensura.measures import registry
from mensura.measures.base import Measure
from mensura.measures.trec_eval_names import ABOUT_RUNS, ORDER, SETS, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mensura.measures.trec_eval import OutputLine

    REGISTRY: dict[str, type[Measure]]


def __getattr__(name: str) -> Any:
    """``REGISTRY``: all measures by their names, imported now."""
    if name != "REGISTRY":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for home in registry.HOMES.values():
        importlib.import_module(f"mensura.measures.{home}")
    return registry.REGISTRY


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
    "hit_rate": "Success",
    "hitrate": "Success",
    "r_precision": "Rprec",
    "r_cap": "R",
    "recall_cap": "R",
    "compatibility": "Compat",
    "qmeasure": "Q",
}
WHOLE_NAMES = {"gmap": "GM(AP)"}
OF_SUBTOPICS = {
    *("alpha_dcg", "α_dcg", "alpha_ndcg", "α_ndcg", "err_ia", "nerr_ia", "nrbp", "nnrbp", "ap_ia", "map_ia", "p_ia", "strecall"),
}
"""Measures of ir_measures that read the second column of judgments."""
THEIRS = {"max_rel": "max_grade"}
"""Parameters of ir_measures that have another name here."""


def parse_measures(names: str | Measure | Iterable[str | Measure], *, rel: int | None = None) -> list[Measure]:
    """Return measures by their names, each once.

    A name may stand for several: ``AP, P@10``, ``official`` and ``all_trec`` (trec_eval's sets), ``P.5,10`` (trec_eval's cut-offs).

    Parameters
    ----------
    names
        Names or measures.
    rel
        The lowest grade that counts as relevant, for names that do not say ``rel=`` themselves.

    Examples
    --------
    >>> parse_measures(["AP", "ndcg_cut.10,20", "P_5"])
    [AP, nDCG@10, nDCG@20, P@5]
    """
    measures: dict[Measure, None] = {}
    for each in [names] if isinstance(names, str | Measure) or not hasattr(names, "__iter__") else names:
        if isinstance(each, Measure):
            measures[each] = None
            continue
        name = each if isinstance(each, str) else _object_name(each)
        for measure in _several(name.strip(), None if re.search(r"\brel\s*=", name) else rel):
            measures[measure] = None
    return list(measures)


def _object_name(measure: Any) -> str:
    """Return the name of a measure of ir_measures; its ERR is gdeval's, with 4 as the highest grade."""
    if not isinstance(getattr(measure, "NAME", None), str):
        raise MeasureError(f"expected a measure or its name, got {measure!r}; write e.g. 'nDCG@10'")
    name = str(measure)
    return name.replace("ERR", "ERR(max_grade=4)", 1) if measure.NAME == "ERR" else name


def parse_measure(name: str | Measure) -> Measure:
    """Return a measure by its name: Mensura's, trec_eval's, ir_measures', ranx', BEIR's or MTEB's.

    Examples
    --------
    >>> parse_measure("RBP(p=0.8)@20")
    RBP(p=0.8)@20
    >>> parse_measure("map_cut_10")
    AP@10
    """
    if isinstance(name, Measure):
        return name
    measures = parse_measures([name])
    if len(measures) != 1:
        raise MeasureError(f"{name} stands for {len(measures)} measures; name one")
    return measures[0]


def measures_of_lines(names: Iterable[str], rel: int | None = None) -> list[OutputLine]:
    """Return what trec_eval prints for its names, and Mensura's measures under their own."""
    from mensura.measures.trec_eval import trec_eval_lines

    return trec_eval_lines(names, lambda name: parse_measures(name, rel=rel), rel)


def _several(name: str, rel: int | None) -> list[Measure]:
    if name in SETS or stem_of(name) is not None:  # trec_eval's table imports nearly all measures
        from mensura.measures.trec_eval import from_trec_eval

        theirs = from_trec_eval(name, rel)
        if theirs:
            return theirs
    ours = _own(name)
    return ours if rel is None else [_with_rel(measure, rel) for measure in ours]


def _with_rel(measure: Measure, rel: int) -> Measure:
    from mensura.measures.geometric import with_rel

    return with_rel(measure, rel)


def _own(name: str) -> list[Measure]:
    folded = name.lower()
    if folded in WHOLE_NAMES:
        return [_expression(WHOLE_NAMES[folded])]
    if mteb := re.fullmatch(r"(\w+)_at_(\d+)", name):  # MTEB's ndcg_at_10
        return [_expression(f"{mteb[1]}@{mteb[2]}")]
    if level := re.fullmatch(r"(.+)-l(\d+)", name):  # ranx' ndcg@10-l2
        return [_at_level(measure, int(level[2]), name) for measure in _own(level[1])]
    if re.match(r"r-precision($|@)", folded):
        return [_expression("Rprec" + name[len("r-precision") :])]
    if re.match(r"hits($|@)", folded):
        raise MeasureError(f"{name} of ranx is a mean of counts, which NumRelRet adds up; take P@10, which is hits@10 / 10")
    ranx = re.fullmatch(r"rbp(\.\d+)", folded)
    if ranx:
        raise MeasureError(
            f"{name} of ranx takes the grades themselves as gains; write RBP(p=0{ranx[1]}) for relevant or not, or say what each "
            f"grade gains, as in RBP(p=0{ranx[1]}, gains={{1: 1/2, 2: 1}})"
        )
    return [_expression(part) for part in _parts(name)]


def _at_level(measure: Measure, rel: int, name: str) -> Measure:
    """Return the measure that ranx means by a relevance level: lower grades gain nothing, the others what they gained."""
    from mensura.measures.gain import CumulatedGain

    if not isinstance(measure, CumulatedGain):
        return _with_rel(measure, rel)
    if measure.dcg != "log2":
        raise MeasureError(f"{name}: say what each grade gains, as in nDCG(gains={{1: 0, 2: 3, 3: 7}})@10")
    return dataclasses.replace(measure, gains=tuple((grade, 0) for grade in range(1, rel))) if rel > 1 else measure


def _parts(name: str) -> list[str]:
    """``AP, P@10`` is two names."""
    try:
        tree = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [name]
    return [ast.unparse(part) for part in tree.elts] if isinstance(tree, ast.Tuple) else [name]


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


class _Fractions(ast.NodeTransformer):
    """Divisions of whole numbers, replaced by constants that are fractions: p=1/3 is exactly a third."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        match node:
            case ast.BinOp(ast.Constant(int(above)), ast.Div(), ast.Constant(int(below))) if below:
                from fractions import Fraction

                fraction: Any = Fraction(above, below)
                return ast.copy_location(ast.Constant(fraction), node)
        return node


def _literal(tree: ast.expr, name: str) -> Any:
    try:
        return ast.literal_eval(_Fractions().visit(tree))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise MeasureError(f"{name}: {ast.unparse(tree)!r} is not a value; write numbers as 0.8 and words as 'exp-log2'") from None


def _make(name: str, stem: str, arguments: list[ast.expr], parameters: dict[str, Any], cutoff: object) -> Measure:
    stem, parameters = _translated(name, stem, parameters)
    cls = _class(stem)
    if cls is None:
        raise _unknown(name)
    known = [field.name for field in dataclasses.fields(cls) if field.init and field.name != "cutoff"]
    for parameter in parameters:
        if parameter not in known:
            raise MeasureError(f"{name}: {cls.name} has no parameter {parameter!r}; it has {', '.join(known) or 'none'}")
    example = getattr(cls, "example", None)  # of a measure of another measure
    if len(arguments) != (0 if example is None else 1):
        needed = "write parameters by name, e.g. RBP(p=0.8)" if example is None else f"{cls.name} needs a measure, e.g. {example}"
        raise MeasureError(f"{name}: {needed}")
    try:
        measure = cls(*(_expression(ast.unparse(argument)) for argument in arguments), **parameters)
        return measure if cutoff is None else measure @ cutoff  # type: ignore[operator]
    except TypeError as error:
        raise MeasureError(f"{name}: {error}") from error


def _class(stem: str) -> type[Measure] | None:
    """Return the class of a name, in small or large letters; its module is imported now."""
    known = [*registry.HOMES, *registry.REGISTRY]
    folded = {each.lower(): each for each in known}
    name = stem if stem in known else folded.get(ALIASES.get(stem.lower(), stem).lower(), "")
    if name not in registry.REGISTRY and name in registry.HOMES:
        importlib.import_module(f"mensura.measures.{registry.HOMES[name]}")
    return registry.REGISTRY.get(name)


def _translated(name: str, stem: str, parameters: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return names of other tools, and their parameters, as Mensura's; refuse those with another meaning."""
    folded = stem.lower()
    if folded in OF_SUBTOPICS:
        raise MeasureError(f"{name} needs the subtopics of judgments, which Mensura does not read; use ir_measures itself")
    if parameters.get("judged_only"):
        raise MeasureError(f"{name}: leave documents without judgment out of the lists, with --judged-only or judged_only=True")
    if parameters.get("min_rel"):
        raise MeasureError(f"{name}: min_rel={parameters['min_rel']} is not read here; the lowest grade is 0")
    if folded == "setf" and parameters.get("beta", 1) != 1:
        weight = float(parameters["beta"])
        raise MeasureError(
            f"{name}: SetF of ir_measures and set_F of trec_eval do not square beta, van Rijsbergen's F does; "
            f"write F(beta={weight**0.5:.6g}) for their value"
        )
    ours = {THEIRS.get(key, key): value for key, value in parameters.items() if key not in {"judged_only", "min_rel"}}
    if folded == "sdcg" and ours.get("dcg") == "log2":
        del ours["dcg"]
    if folded in {"r_cap", "recall_cap"}:  # BEIR's and MTEB's
        ours = {"capped": True} | ours
    if stem == "NumRet" and "rel" in ours:  # what ir_measures calls NumRelRet
        stem = "NumRelRet"
    if folded in {"ndcg_burges", "dcg_burges"}:  # ranx' names for exponential gain
        stem, ours = stem[: -len("_burges")], ours | {"dcg": "exp-log2"}
    return stem, ours


def _unknown(name: str) -> MeasureError:
    import difflib

    ours = {**registry.HOMES, **registry.REGISTRY}
    known = [*(each for each in ORDER if each not in ABOUT_RUNS), *ours]
    stem = re.split(r"[@(]", name, maxsplit=1)[0]
    folded = {word.lower(): word for word in known}
    near = [folded[word] for word in difflib.get_close_matches(stem.lower(), folded, n=3)]
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(sorted(ours, key=str.lower))}"
    return MeasureError(f"unknown measure {name!r}; {hint}")
