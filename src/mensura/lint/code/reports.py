"""Means that a program reports: values that are printed, formatted or stored under the name of a mean."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import FUNCTIONS, Call, Program, name_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

# Names that say mean: MRR is one, whoever computed it; rr and ap are values of one topic.
LABELS = {
    "M101": re.compile(r"(?<![a-z])(?:mrr|mean[ _]reciprocal[ _]rank)(?:[ _]?(?:@|at|cut)?[ _]?(?:\d+|k|\{\}|%d))?(?:[ _]?score)?", re.IGNORECASE),
    "M201": re.compile(
        r"(?<![A-Za-z])(?:MAP|mAP|map(?=@|_at_|_cut_|_score|_k\b)|[Mm]ean[ _][Aa]verage[ _][Pp]recision)(?:[ _]?(?:@|at|cut)?[ _]?(?:\d+|k|\{\}|%d))?(?:[ _]?score)?"
    ),
}  # fmt: skip
AFTER = re.compile(r"[ \t]*(?:\([^()]{0,30}\)|(?:is|was|of)\b)?[ \t]*[:=→\-]*[ \t*`|]*")  # between a name and its value
PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[-+ 0-9.]*[fgse]")
WRITERS = {"print", "info", "debug", "warning", "write", "log", "echo", "append", "log_metric", "add_scalar", "add_row"}
ONE_TOPIC = re.compile(
    r"reciprocal_?rank|average_?precision", re.IGNORECASE
)  # a row of a topic that is named for the mean over all
AXES = {"xlabel", "ylabel", "set_xlabel", "set_ylabel"}  # what a chart shows
NAMED_FOR = re.compile(
    r"^_*(?:(?:mean|avg|average|test|val|valid|dev|best|final|total|compute|calculate|calc|get|eval|evaluate|cal)_)?"
)
DETECTION = re.compile(r"iou|bbox|bounding_?box|detections?|mask_?rcnn|coco|yolo\w*", re.IGNORECASE)


def reported(program: Program) -> Iterator[Hit]:
    """Yield values that are reported as a mean of reciprocal ranks or of average precision."""
    if not program.retrieves or any(DETECTION.fullmatch(word) for word in program.words):
        return
    yield from _defined(program)
    for place in program.places:
        if place.function.startswith("test_"):
            continue  # the test of a measure
        for code, label in LABELS.items():
            if _reports(place.node, label) or (isinstance(place, Call) and _calls(place, label)):
                yield Hit(code, place.start, place.end, ast.unparse(place.node)[:60])


def _defined(program: Program) -> Iterator[Hit]:
    """Functions that are named for the mean and return one."""
    functions = {place.node.name: place for place in program.places if isinstance(place.node, FUNCTIONS)}
    for place in program.places:
        node = place.node
        if isinstance(node, ast.Return) and node.value is not None and place.function in functions and _is_mean(node.value):
            for code, label in LABELS.items():
                if _is_name(place.function, label):
                    yield Hit(code, functions[place.function].start, place.end, f"{place.function}()")


def _reports(node: ast.AST, label: re.Pattern[str]) -> bool:
    """Return whether a value has the name of the mean in a formatted string, as a key beside a quotient, or where it is read."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text)), ctx=ast.Load()):
            return label.fullmatch(text.rpartition("/")[2]) is not None
        case ast.JoinedStr():
            return any(part.format_spec is not None for part in _named_parts(node, label))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return _formats(text, label)
        case ast.Dict(keys=keys, values=values):
            return any(
                isinstance(key, ast.Constant)
                and isinstance(key.value, str)
                and label.fullmatch(key.value)
                and (_is_mean(value) or (isinstance(value, ast.Call) and ONE_TOPIC.search(name_of(value.func)) is not None))
                for key, value in zip(keys, values, strict=True)
            )
        case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(text)))], value=value):
            return label.fullmatch(text) is not None and _is_mean(value)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="mean"), args=[])):
            return _is_name(name, label)
    return False


def _named_parts(node: ast.JoinedStr, label: re.Pattern[str]) -> Iterator[ast.FormattedValue]:
    """Yield the values in a formatted string that stand after the name of the mean, or have it."""
    for at, part in enumerate(node.values):
        if isinstance(part, ast.FormattedValue):
            before = node.values[at - 1] if at else None
            text = before.value if isinstance(before, ast.Constant) and isinstance(before.value, str) else ""
            if _ends(text, label) or _is_named(part.value, label):
                yield part


def _calls(call: Call, label: re.Pattern[str]) -> bool:
    """Return whether a call prints or formats a value after the name of the mean, or names the axis of a chart for it."""
    if call.name == "format" and isinstance(call.node.func, ast.Attribute) and isinstance(call.node.func.value, ast.Constant):
        return isinstance(text := call.node.func.value.value, str) and _formats(text, label)
    if call.name in AXES and call.node.args:
        first = call.node.args[0]
        return isinstance(first, ast.Constant) and isinstance(first.value, str) and label.fullmatch(first.value.strip()) is not None
    if call.name not in WRITERS:
        return False
    if any(isinstance(each, ast.JoinedStr) and any(_named_parts(each, label)) for each in call.node.args):
        return True
    if call.name == "print" and any(isinstance(each, ast.Name) and _is_name(each.id, label) for each in call.node.args):
        return True
    for name, value in zip(call.node.args, call.node.args[1:], strict=False):
        told = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
        if not isinstance(value, ast.Constant) and (_formats(told, label) or _ends(told, label)):
            return True
    return False


def _ends(text: str, label: re.Pattern[str]) -> bool:
    """Return whether a text ends with the name and what may be between a name and its value."""
    return any(AFTER.fullmatch(text, match.end()) for match in label.finditer(text))


def _formats(text: str, label: re.Pattern[str]) -> bool:
    """Return whether a template has a placeholder right after the name."""
    for match in label.finditer(text):
        between = AFTER.match(text, match.end())
        if PLACEHOLDER.match(text, between.end() if between else match.end()):
            return True
    return False


def _is_named(node: ast.expr, label: re.Pattern[str]) -> bool:
    """Return whether an expression is named for the mean: ``mrr``, ``result.mrr``, ``scores["mrr"]``, and times a hundred."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return label.fullmatch(text) is not None
        case ast.BinOp(left=left, op=ast.Mult()):
            return _is_named(left, label)
        case ast.Name() | ast.Attribute():
            return _is_name(name_of(node), label)
    return False


def _is_name(name: str, label: re.Pattern[str]) -> bool:
    """Return whether a name is the mean's, perhaps after a verb or the name of a part of the data."""
    return any(label.fullmatch(each) for each in (name.lstrip("_"), NAMED_FOR.sub("", name)))


def _is_mean(node: ast.expr) -> bool:
    """Return whether an expression may be a mean: a quotient of a sum, or the call of a mean, rounded or not."""
    match node:
        case ast.BinOp(left=left, op=ast.Div()):
            return not isinstance(left, ast.Constant)
        case ast.BinOp(left=left, op=ast.Mult()):
            return _is_mean(left)
        case ast.IfExp(body=body):
            return _is_mean(body)
        case ast.Call(func=func, args=args):
            name = name_of(func)
            return bool(re.search(r"mean|average|avg", name)) or (name in {"round", "float"} and bool(args) and _is_mean(args[0]))
    return False
