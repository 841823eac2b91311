"""Measures that a program chooses by one name: in settings, defaults and options, and by the evaluators of sentence-transformers."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.flow import flow_of
from mensura.lint.code.listed import OFFERS
from mensura.lint.code.program import Call, Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTING = re.compile(
    r"(?:\w+_)?(?:metric|measure)s?(?:_(?:name|key|to_optimi[sz]e|for_best_model|for_selection|for_early_stopping))?|monitor|main_score|optimi[sz]e_(?:for|metric)",
    re.IGNORECASE,
)
# A measure with what settings write before it: "eval_dev_cosine_mrr@10", "val/map".
MEANS = {
    "M101": re.compile(r"(?:.*[_/:. -])?(?:mrr|recip_?rank|mean_?reciprocal_?rank)(?:[@_]?(?:at_?|cut_?)?\w*)?", re.IGNORECASE),
    "M201": re.compile(
        r"(?:.*[_/:. -])?(?:map|mean_?average_?precision)(?:@\w+|_(?:at|cut)_\w+|_?\d+|_score)?|.*(?<![A-Za-z])MAP(?:@\w+)?",
        re.IGNORECASE,
    ),
}
OTHERS = re.compile(r"loss|(?<![a-z])val_?ap(?![a-z])|bbox|iou|feature|heat|attention", re.IGNORECASE)
EVALUATOR = re.compile(r"\w*(?:InformationRetrieval|Reranking|NanoBEIR)\w*Evaluator")
DEPTHS = {"M101": "mrr_at_k", "M201": "map_at_k"}
LONGEST = 60  # characters of a name


def chosen(program: Program) -> Iterator[Hit]:
    """Yield the measures that a program is told to compute, or to choose by."""
    if not program.retrieves or program.detects or "mensura" in program.libraries:
        return
    runs = any(
        isinstance(place.node, ast.Expr) and isinstance(place.node.value, ast.Call) and not place.function
        for place in program.places
    )
    for place in program.places:
        for name, value in _settings(place, runs=runs):
            text = rendered(value)
            if not SETTING.fullmatch(name) or OFFERS.search(name) or not 0 < len(text) <= LONGEST or OTHERS.search(text):
                continue
            for code, pattern in MEANS.items():
                if pattern.fullmatch(text) and (code == "M101" or program.searches):
                    where = program.place.get(id(value), place)
                    yield Hit(code, where.start, where.end, text)
    if "sentence_transformers" in program.roots:
        yield from _evaluators(program)


def _settings(place: ProgramNode, *, runs: bool) -> Iterator[tuple[str, ast.expr]]:
    """Yield names and values: of keywords, of keys, of constants, of options, and of parameters if the program runs something."""
    match place.node:
        case ast.Call(args=[ast.Constant(value=str(option)), *_], keywords=keywords) if name_of(place.node.func) == "add_argument":
            name = option.lstrip("-").replace("-", "_")
            yield from ((name, keyword.value) for keyword in keywords if keyword.arg == "default")
        case ast.Call(keywords=keywords):
            yield from ((keyword.arg or "", keyword.value) for keyword in keywords)
        case ast.Dict(keys=keys, values=values):
            yield from ((rendered(key), value) for key, value in zip(keys, values, strict=True))
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, value
        case ast.FunctionDef(args=arguments) if runs:
            defaults = arguments.defaults
            yield from (
                (argument.arg, default)
                for argument, default in zip(arguments.args[len(arguments.args) - len(defaults) :], defaults, strict=False)
            )


def _evaluators(program: Program) -> Iterator[Hit]:
    """Evaluators that are told the depths of a mean, or whose results are printed or read."""
    for call in program.calls:
        if not EVALUATOR.fullmatch(call.name):
            continue
        told = [code for code, keyword in DEPTHS.items() if _is_given(call.argument(keyword))]
        shown = _is_shown(program, call)
        for code in DEPTHS if shown and "CE" not in call.name else told:
            yield Hit(code, call.start, call.end, f"{call.name}()")


def _is_given(node: ast.expr | None) -> bool:
    return node is not None and not (isinstance(node, ast.List | ast.Tuple) and not node.elts)


def _is_shown(program: Program, call: Call) -> bool:
    """Return whether the evaluator is called, and what it returns is printed or read."""
    flow = flow_of(program)
    reached = flow.reach([id(call.node)])
    results = [id(other.node) for other in program.calls if id(other.node.func) in reached]
    shown = flow.reach(results)
    return bool(results) and any(
        (isinstance(place, Call) and place.name == "print" and any(id(each) in shown for each in place.node.args))
        or (isinstance(place.node, ast.Subscript | ast.FormattedValue) and id(place.node.value) in shown)
        for place in program.places
    )
