"""Digits that a program prints: four and more decimals of a mean over few topics."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import Call, Program, strings
from mensura.lint.rule import Hit
from mensura.lint.topics import allowed, known_topics

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURE = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|err|bpref|recip_?rank|precision|recall|mean_?average_?precision|hits?_?rate|hits?(?=@|_at)|p_?@?\d+|r_?@?\d+)(?![a-z])",
    re.IGNORECASE,
)
RANKED = re.compile(r"(?<![a-z])(?:n?dcg|mrr|map|recip_?rank|bpref|(?:hits?|hr|recall|precision)(?:_at|@))", re.IGNORECASE)
PLACES = re.compile(r"\.(\d+)[fg]")
MILLION = 6  # decimals: no collection has the topics for them
COUNTED = re.compile(
    r"(?:n|num|number_of|max|sample|n_sample)_?(?:test_?|eval_?)?(?:topics|quer(?:y|ies)|questions)|(?:topics|quer(?:y|ies)|questions)_?(?:count|limit|n)",
    re.IGNORECASE,
)
LABEL = 30  # characters before a value that may name it
DATASETS = {"get_dataset", "load", "download_and_unzip", "from_ir_datasets", "load_dataset", "IRDSDataset"}


def check_digits(program: Program) -> Iterator[Hit]:
    """Yield the first number with too many decimals, if the topics are known to be few."""
    topics = _topics(program)
    if not topics and not program.searches:
        return
    most = allowed(topics) if topics else MILLION - 1
    for place in program.places:
        decimals = 0
        if isinstance(place, Call):
            decimals = _rounded(place) if topics or place.name == "format" else 0  # a data file may have all digits
        elif topics or not place.function.startswith("_"):
            decimals = _formatted(place.node)
        if decimals > most and (topics or RANKED.search(ast.unparse(place.node))):
            yield Hit(
                "M301", place.start, place.end, f"{decimals} decimals, over {topics} topics" if topics else f"{decimals} decimals"
            )
            return


def _formatted(node: ast.AST) -> int:
    """Decimals of a measure in a formatted string: ``f"nDCG {value:.4f}"``, ``"nDCG %.4f" % value``."""
    match node:
        case ast.JoinedStr(values=values):
            for at, part in enumerate(values):
                if isinstance(part, ast.FormattedValue) and part.format_spec is not None:
                    places = PLACES.search(ast.unparse(part.format_spec))
                    before = values[at - 1] if at else None
                    label = str(before.value)[-LABEL:] if isinstance(before, ast.Constant) else ""
                    if places is not None and MEASURE.search(f"{label} {ast.unparse(part.value)}"):
                        return int(places[1])
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            places = PLACES.search(text)
            if places is not None and MEASURE.search(f"{text} {ast.unparse(right)}"):
                return int(places[1])
    return 0


def _rounded(call: Call) -> int:
    """Decimals that a call rounds a measure to: ``round(ndcg, 4)``, ``np.round(ndcg, 4)``, ``Experiment(…, round={"map": 4})``."""
    if call.name in {"round", "around"} and call.node.args:  # round(value, 4), np.round(value, 4), frame.round(4)
        return _number(call.argument("decimals", len(call.node.args) - 1)) if MEASURE.search(ast.unparse(call.node)) else 0
    if call.name == "Experiment":
        chosen = call.argument("round")
        if isinstance(chosen, ast.Dict):
            return max(
                (
                    _number(value)
                    for key, value in zip(chosen.keys, chosen.values, strict=True)
                    if any(map(MEASURE.search, strings(key)))
                ),
                default=0,
            )
        return _number(chosen)
    if call.name == "format" and isinstance(call.node.func, ast.Attribute):
        text = next(strings(call.node.func.value), "")
        spec = PLACES.search(text)
        return int(spec[1]) if spec is not None and MEASURE.search(f"{text} {' '.join(map(ast.unparse, call.node.args))}") else 0
    return 0


def _number(node: ast.expr | None) -> int:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0


def _topics(program: Program) -> int:
    """The number of topics of the collections that the program names: the largest, or 0 if one is not known."""
    stated = [
        value.value
        for name, value in program.assigned.items()
        if COUNTED.fullmatch(name) and isinstance(value, ast.Constant) and type(value.value) is int and value.value > 1
    ]
    if stated:
        return max(stated)
    names = [text for call in program.calls if call.name in DATASETS for text in strings(call.node)]
    for name, value in program.assigned.items():
        if re.search(r"dataset|collection|corpus", name, re.IGNORECASE):
            names += [text for text in strings(value) if len(text) < 40]  # noqa: PLR2004 - a name, not a text
    sizes = [known_topics(name.replace("_", "-")) for name in names]
    return max((size for size in sizes if size), default=0)
