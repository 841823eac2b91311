"""Relative changes of means that a program computes: ``(new - old) / old``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import strings
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.code.program import Program, ProgramNode

MEASURE = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|bpref|recip_?rank|precision|recall|mean_?average_?precision|hit_?rate|p@\d+|p_at_\d+)(?![a-z])",
    re.IGNORECASE,
)
LATENCY = re.compile(r"time|latency|seconds|speed|memory|size|loss|params|tokens|cost|price", re.IGNORECASE)


IMPROVED = re.compile(r"improv|gain|uplift|lift|relative|(?<![a-z])rel_|percent|pct|increase|change|boost", re.IGNORECASE)
OTHERS = re.compile(r"price|stock|return|revenue|profit|growth|temperature|accuracy|f1|rouge|bleu", re.IGNORECASE)


def check_ratios(program: Program) -> Iterator[Hit]:
    """Yield the first relative change of a measure's mean."""
    if not program.evaluates:
        return
    for place in program.places:
        node = place.node
        if isinstance(node, ast.BinOp) and _is_change(node, program):
            text = ast.unparse(node)
            if not LATENCY.search(text) and (MEASURE.search(text) or _is_measured(program, place)):
                yield Hit("M401", place.start, place.end, text[:60])
                return


def _is_measured(program: Program, place: ProgramNode) -> bool:
    """Return whether a relative change is one of a measure, by the arguments of its function or by the names that a loop goes through."""
    text = ast.unparse(place.node)
    if OTHERS.search(text):
        return False
    for call in program.calls:
        if place.function and call.name == place.function and IMPROVED.search(place.function):
            told = " ".join(ast.unparse(each) for each in (*call.node.args, *(keyword.value for keyword in call.node.keywords)))
            if MEASURE.search(told) and not LATENCY.search(told):
                return True
    inside = {node.id for node in ast.walk(place.node) if isinstance(node, ast.Name)}
    for other in program.places:
        loop = other.node
        if isinstance(loop, ast.For | ast.comprehension) and inside & {
            name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)
        }:
            listed = program.resolved(loop.iter)
            if isinstance(listed, ast.List | ast.Tuple | ast.Set) and any(MEASURE.search(name) for name in strings(listed)):
                return True
    return False


def _is_change(node: ast.BinOp, program: Program) -> bool:
    """Return whether an expression is a relative change: ``(a - b) / b``, ``a / b - 1``, ``1 - a / b``, or ``difference / b``."""
    match node:
        case ast.BinOp(left=ast.Name() as name, op=ast.Div(), right=below):
            difference = program.resolved(name)
            match difference:
                case ast.BinOp(op=ast.Sub(), right=old):
                    return ast.unparse(old) == _plain(below)
            return False
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
