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
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|err|bpref|recip_?rank|precision|recall|mean_?average_?precision|hit_?rate|p_?@?\d+|r_?@?\d+)(?![a-z])",
    re.IGNORECASE,
)
PLACES = re.compile(r"\.(\d+)[fg]")
DATASETS = {"get_dataset", "load", "download_and_unzip", "from_ir_datasets", "load_dataset", "IRDSDataset"}


def check_digits(program: Program) -> Iterator[Hit]:
    """Yield the first number with too many decimals, if the topics are known to be few."""
    topics = _topics(program)
    if not topics:
        return
    most = allowed(topics)
    for place in program.places:
        node = place.node
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            places = PLACES.search(ast.unparse(node.format_spec))
            if places is not None and int(places[1]) > most and MEASURE.search(ast.unparse(node.value)):
                yield _hit(program, node, int(places[1]), topics)
                return
        if isinstance(place, Call):
            decimals = _rounded(place)
            if decimals > most:
                yield Hit("M301", place.start, place.end, f"{decimals} decimals, over {topics} topics")
                return


def _hit(program: Program, node: ast.AST, decimals: int, topics: int) -> Hit:
    where = program.place[id(node)]
    return Hit("M301", where.start, where.end, f"{decimals} decimals, over {topics} topics")


def _rounded(call: Call) -> int:
    """Decimals that a call rounds a measure to: ``round(ndcg, 4)``, ``Experiment(…, round={"map": 4})``."""
    if call.name == "round" and isinstance(call.node.func, ast.Name) and len(call.node.args) == 2:  # noqa: PLR2004 - a value and its decimals
        value, places = call.node.args
        return _number(places) if MEASURE.search(ast.unparse(value)) else 0
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
    names = [text for call in program.calls if call.name in DATASETS for text in strings(call.node)]
    for name, value in program.assigned.items():
        if re.search(r"dataset|collection|corpus", name, re.IGNORECASE):
            names += [text for text in strings(value) if len(text) < 40]  # noqa: PLR2004 - a name, not a text
    sizes = [known_topics(name.replace("_", "-")) for name in names]
    return max((size for size in sizes if size), default=0)
