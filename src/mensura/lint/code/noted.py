"""Results that people write down in a program: values of means in comments, and in names and tables of numbers."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import TYPE_CHECKING

from mensura.lint.code.program import Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURES = {
    "M101": r"mrr|mean[ _]reciprocal[ _]rank|recip_?rank",
    "M201": r"map|mean[ _]average[ _]precision",
}
# The name of the mean, perhaps with a cut-off or the name of a system, and its value with three decimals or more.
WRITTEN = {
    code: re.compile(
        rf"(?<![a-z])(?P<name>{names})(?![a-z])(?:@?\d+)?(?:[_ ](?:\w{{1,20}}[_ ]?){{0,3}}?)?\s*(?:=|:|\bis\b|\bof\b|->|→|\||(?<=MRR)|(?<=MAP)|(?<=@\d)|(?<=@\d\d))\s*(?P<value>0?\.\d{{3,}})",
        re.IGNORECASE,
    )
    for code, names in MEASURES.items()
}
NAMES = {code: re.compile(rf"(?:\w+_)?(?:{names})(?:[@_]?\d+)?(?:s|_\w+)?", re.IGNORECASE) for code, names in MEASURES.items()}
IN_EXAMPLE = re.compile(r"\be\.?g\b|example|expected|should|assert|>>>|paper|published|report|target|threshold|todo", re.IGNORECASE)
OTHER = re.compile(
    r"target|threshold|expect|weight|gold|limit|minimum|tolerance|_to_|_fn|delta|paper|published|reported|mapping|remap|std|n?dcg|recall|loss",
    re.IGNORECASE,
)
DECIMALS = 3
ROW = 2  # numbers that make a row of results


def noted(program: Program) -> Iterator[Hit]:
    """Yield results that are written down: ``# MAP = 0.2453``, ``map_bm25 = 0.2453``, ``{"MRR": [0.312, 0.344]}``."""
    if not program.searches or program.detects:
        return
    yield from _commented(program)
    for place in program.places:
        if not place.function.startswith("test_"):
            yield from _assigned(place)


def _commented(program: Program) -> Iterator[Hit]:
    for block in program.blocks:
        if not any(pattern.search(block.text) for pattern in WRITTEN.values()):
            continue
        for start, text in _comments(block.text):
            for code, pattern in WRITTEN.items():
                match = pattern.search(text)
                if match is not None and not IN_EXAMPLE.search(text):
                    yield Hit(code, block.start + start + match.start(), block.start + start + match.end(), match[0])


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a program, with their offsets; those before a place that is not Python."""
    starts = [0, *(match.end() for match in re.finditer("\n", source))]
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield starts[token.start[0] - 1] + token.start[1], token.string
    except (tokenize.TokenError, SyntaxError, IndexError):
        return


def _assigned(place: ProgramNode) -> Iterator[Hit]:
    match place.node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pairs = [(name, value)]
        case ast.Dict(keys=keys, values=values):
            pairs = [(rendered(key), value) for key, value in zip(keys, values, strict=True)]
        case ast.Call(keywords=keywords) if name_of(place.node.func) == "dict":
            pairs = [(keyword.arg or "", keyword.value) for keyword in keywords]
        case _:
            return
    for name, value in pairs:
        for code, pattern in NAMES.items():
            if pattern.fullmatch(name.replace(" ", "_")) and not OTHER.search(name) and _is_result(value):
                yield Hit(code, place.start, place.end, f"{name} = {ast.unparse(value)}"[:60])


def _is_result(node: ast.expr) -> bool:
    """Return whether an expression is a number with decimals that nobody chooses, or a row of such numbers."""
    match node:
        case ast.Constant(value=float(value)):
            return 0 < value < 1 and len(repr(value).partition(".")[2]) >= DECIMALS
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return (
                len(elements) >= ROW
                and any(_is_result(each) for each in elements)
                and all(isinstance(each, ast.Constant) for each in elements)
            )
    return False
