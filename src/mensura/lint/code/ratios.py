"""Relative changes of means that a program computes: ``(new - old) / old``, wherever the values come from."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.flow import flow_of
from mensura.lint.code.program import Call, Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURE = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|bpref|recip_?rank|precision|recall|mean_?average_?precision|hit_?rate|hits?_?(?:@|at)_?\d*|p@\d+|p_at_\d+|hr@?\d+|arp)(?![a-z])",
    re.IGNORECASE,
)
# Values of other measures of the same evaluation, whose ratios mean something.
COST = re.compile(
    r"time|latenc|second|speed|memory|size|loss|param|token|cost|price|length|(?<![a-z])(?:lat|ms|sec|mb|gb|qps|ppl)(?![a-z])|perplex|throughput|energy|flops|count|storage|bytes"
    r"|popularity|rating|stock|return_|revenue|profit|growth|temperature|accuracy|(?<![a-z])f1|rouge|bleu|(?<![a-z])em(?![a-z])",
    re.IGNORECASE,
)
EVALUATED = re.compile(r"eval|metrics|arp_scores|effectiveness", re.IGNORECASE)  # functions that return measures
NAMED = re.compile(
    r"(?:eval_|main_|primary_)?(?:metric|measure)(?:_?name|_?key)?", re.IGNORECASE
)  # a name that stands for one measure or another
IMPROVED = re.compile(
    r"improv|gain|uplift|lift|relative|(?<![a-z])rel_|percent|pct|increase|change|boost|drop|delta|diff", re.IGNORECASE
)
DIFFERENCE = re.compile(r"(?:\w+_)?(?:diff(?:erence)?|delta|improvement|gain|change|drop)(?:_\w+)?", re.IGNORECASE)
EARLIER = re.compile(r"base|before|old|orig|initial|reference|(?<![a-z])ref|earlier|theirs|previous|prev", re.IGNORECASE)
GUARDS = re.compile(r"gate|check|toleran|assert|regress|converg|stop|sanity|valid", re.IGNORECASE)
WHOLE = re.compile(r"ideal|idcg|max|total|(?<![a-z])sum|(?<![a-z])n(?![a-z])|num|len|std|possible", re.IGNORECASE)
LONGEST = 60  # characters of a name
Change = tuple[list[ast.expr], ast.expr]  # what changes, and what the change is divided by


def check_ratios(program: Program) -> Iterator[Hit]:
    """Yield the first relative change of a measure's mean."""
    if not program.evaluates or program.detects:
        return
    changes = [(place, change) for place in program.places if (change := _change(program, place)) is not None]
    changes = [
        (place, change)
        for place, change in changes
        if not COST.search(ast.unparse(place.node)) and not GUARDS.search(place.function) and not WHOLE.search(_plain(change[1]))
    ]
    if not changes:
        return
    measured = _measured(program)
    for place, (values, below) in changes:
        inside = {id(node) for value in (*values, below) for node in ast.walk(value)}
        text = " ".join(map(ast.unparse, (*values, below)))
        if MEASURE.search(text) or not inside.isdisjoint(measured) or _is_told(program, place, text):
            yield Hit("M401", place.start, place.end, ast.unparse(place.node)[:60])
            return


def _measured(program: Program) -> set[object]:
    """All expressions that have the value of a measure, or its name, but not the costs that are kept beside it."""
    seeds, costs = [], []
    for place in program.places:
        node = place.node
        name = _named(node)
        if name and len(name) <= LONGEST and COST.search(name):
            costs.append(id(node))
        elif (
            (name and len(name) <= LONGEST and MEASURE.search(name))
            or (isinstance(node, ast.Subscript) and NAMED.fullmatch(name_of(node.slice)))
            or (isinstance(place, Call) and program.searches and EVALUATED.search(place.name))
        ):
            seeds.append(id(node))
    return set(flow_of(program).reach(seeds, without=costs))


def _named(node: ast.AST) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return text
        case ast.JoinedStr():
            return rendered(node)
    return name_of(node)


def _is_told(program: Program, place: ProgramNode, text: str) -> bool:
    """Return whether names tell that a result is compared with an earlier one, in a program that evaluates rankings."""
    told = [place.function, *(name for name, value in program.assigned.items() if value is place.node)]
    return (
        program.searches
        and EARLIER.search(text) is not None
        and re.search("score|metric|result|effect", text) is not None
        and any(map(IMPROVED.search, told))
    )


def _change(program: Program, place: ProgramNode) -> Change | None:
    """Return the parts of a relative change: ``(a - b) / b``, ``a / b - 1``, ``1 - a / b``, ``difference / b``, or ``frame.pct_change()``."""
    match place.node:
        case ast.BinOp(left=left, op=ast.Div(), right=below) if not (base := _plain(below)).replace(".", "").isdigit():
            for difference in _differences(program, place.function, left):
                if base in {_plain(difference.right), _plain(difference.left)}:
                    return [difference.left, difference.right], below
            if DIFFERENCE.fullmatch(name_of(left)) and EARLIER.search(base):
                return [left], below
        case ast.BinOp(left=ast.BinOp(left=new, op=ast.Div(), right=below), op=ast.Sub(), right=ast.Constant(value=1)):
            return None if isinstance(below, ast.Constant) else ([new], below)
        case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.BinOp(left=new, op=ast.Div(), right=below)):
            return None if isinstance(below, ast.Constant) else ([new], below)
        case ast.Call(func=ast.Attribute(value=values, attr="pct_change")):
            return [values], values
    return None


def _differences(program: Program, function: str, node: ast.expr) -> Iterator[ast.BinOp]:
    """Yield the differences that an expression is, or a multiple of it, or that a name was assigned."""
    match node:
        case ast.BinOp(op=ast.Sub()):
            yield node
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for part in (left, right):
                yield from _differences(program, function, part)
        case ast.Call(func=ast.Name(id="abs" | "float" | "round"), args=[inner, *_]):
            yield from _differences(program, function, inner)
        case ast.Name(id=name):
            for value in program.assignments.get((function, name)) or program.assignments.get(("", name), []):
                if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
                    yield value


def _plain(node: ast.expr) -> str:
    """The text of a value without what guards a divisor against zero: ``max(old, 1e-9)``, ``abs(old)``, ``(old + eps)``, ``old or 1``."""
    match node:
        case ast.Call(func=ast.Name(id="abs" | "max" | "float"), args=args):
            return next((_plain(arg) for arg in args if not isinstance(arg, ast.Constant)), "")
        case ast.BinOp(left=left, op=ast.Add()):
            return _plain(left)
        case ast.BoolOp(values=[first, *_]) | ast.IfExp(body=first):
            return _plain(first)
    return ast.unparse(node)
