"""Relative changes of means that a program computes: ``(new - old) / old``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.code.program import Program

MEASURE = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|bpref|recip_?rank|precision|recall|mean_?average_?precision|hit_?rate|p@\d+|p_at_\d+)(?![a-z])",
    re.IGNORECASE,
)
LATENCY = re.compile(r"time|latency|seconds|speed|memory|size|loss|params|tokens|cost|price", re.IGNORECASE)


def check_ratios(program: Program) -> Iterator[Hit]:
    """Yield the first relative change of a measure's mean."""
    if not program.evaluates:
        return
    for place in program.places:
        node = place.node
        if isinstance(node, ast.BinOp) and _is_change(node):
            text = ast.unparse(node)
            if MEASURE.search(text) and not LATENCY.search(text):
                yield Hit("M401", place.start, place.end, text[:60])
                return


def _is_change(node: ast.BinOp) -> bool:
    """Return whether an expression is a relative change: ``(a - b) / b``, ``a / b - 1``, ``1 - a / b``."""
    match node:
        case ast.BinOp(left=ast.BinOp(right=old, op=ast.Sub()), op=ast.Div(), right=below):
            return ast.unparse(old) == _plain(below)
        case ast.BinOp(left=ast.BinOp(op=ast.Div(), right=below), op=ast.Sub(), right=ast.Constant(value=1)):
            return not isinstance(below, ast.Constant)
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.BinOp(op=ast.Div(), right=below)):
            return not isinstance(below, ast.Constant)
    return False


def _plain(node: ast.expr) -> str:
    """The text of a divisor without what guards it against zero: ``max(old, 1e-9)``, ``abs(old)``, ``(old + eps)``."""
    match node:
        case ast.Call(func=ast.Name(id="abs" | "max" | "float"), args=args):
            return next((_plain(arg) for arg in args if not isinstance(arg, ast.Constant)), "")
        case ast.BinOp(left=left, op=ast.Add()):
            return _plain(left)
    return ast.unparse(node)
