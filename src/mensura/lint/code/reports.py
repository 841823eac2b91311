"""Means that a program reports: values that are printed, formatted or stored under the name of a mean."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from mensura.lint.code.listed import RANKED
from mensura.lint.code.program import FUNCTIONS, Call, Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

CUT = r"(?:[ _]?(?:@|at|cut)[ _]?(?:\{\}|%[ds]|[nN]\b)|[ _]?(?:@|at|cut)?[ _]?(?:\d+|[kK](?![A-Za-z])))?(?:[ _]?score)?"
# Names that say mean: MRR is one, whoever computed it; rr and ap are values of one topic.
LABELS = {
    "M101": re.compile(rf"(?<![a-z])(?:mrr|(?:mean|average|avg)[ _]reciprocal[ _]rank){CUT}", re.IGNORECASE),
    "M201": re.compile(rf"(?<![A-Za-z])(?:MAP|mAP|map(?=@|_at_|_cut_|_score|_k\b)|[Mm]ean[ _][Aa]verage[ _][Pp]recision){CUT}"),
}
# trec_eval's names in small letters, where other measures are beside them.
SMALL = {LABELS["M101"]: re.compile(r"recip_?rank"), LABELS["M201"]: re.compile(r"map")}
# What a line of print may call the mean over all topics; the same name inside of a loop is that of one topic.
SPOKEN = re.compile(r"(?<![a-z])(?<!mean )(?<!mean_)reciprocal rank", re.IGNORECASE)
AFTER = re.compile(r"[ \t]*(?:\([^()]{0,30}\)|(?:is|was|of)\b)?[ \t]*[:=→\-|]*[ \t*`|]*")  # between a name and its value
FIELD = re.compile(r"\{[^{}]*\}")  # of a template
PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[-+ 0-9.]*[fgse]")
WRITES = re.compile(
    r"print|log(?!ical|in|out)|write|echo|report|show|display|info|debug|warning|success|append|record|metric|scalar|add_row|cell|text|title|caption"
    r"|markdown|emit|push|summar|dump|save|tabulate",
    re.IGNORECASE,
)
ONE_TOPIC = re.compile(
    r"reciprocal_?rank|average_?precision", re.IGNORECASE
)  # a row of a topic that is named for the mean over all
OF_ONE = re.compile(
    r"(?:per|each|single|one|for|by)_?(?:query|topic|question|user|sample|item|example|row)|(?:score|evaluate|eval)_(?:query|topic|question|row|example|case)"
)
AXES = {"xlabel", "ylabel", "set_xlabel", "set_ylabel", "title", "set_title", "suptitle"}  # what a chart shows
HEADERS = {
    "columns",
    "fieldnames",
    "headers",
    "header",
    "label",
    "title",
    "y",
    "xlabel",
    "ylabel",
}  # keywords that name what a table or a chart shows
ROWS = {"writerow", "add_column", "add_columns", "add_row", "DictWriter"}
NAMED_FOR = re.compile(
    r"^_*(?:(?:mean|avg|average|test|val|valid|dev|best|final|total|overall|macro|compute|calculate|calc|get|eval|evaluate|cal)_)?"
)
MAPS = re.compile(r"(?:mean_?|avg_?)?m?aps?(?:_\w+)?", re.IGNORECASE)  # beside the key "MAP"
FOR_SYSTEM = re.compile(r"_(?:score|value|mean|avg|result|res|[a-z]|\d+)s?$")


def reported(program: Program) -> Iterator[Hit]:
    """Yield values that are reported as a mean of reciprocal ranks or of average precision."""
    if not program.retrieves or program.detects:
        return
    yield from _defined(program)
    for place in program.places:
        if place.function.startswith("test_"):
            continue  # the test of a measure
        for code, label in LABELS.items():
            if code == "M201" and not program.searches:
                continue
            if _reports(place, label, program) or (isinstance(place, Call) and _calls(place, label, program)):
                yield Hit(code, place.start, place.end, ast.unparse(place.node)[:60])
        if isinstance(place, Call) and not place.looped and _speaks(place):
            yield Hit("M101", place.start, place.end, ast.unparse(place.node)[:60])


def _defined(program: Program) -> Iterator[Hit]:
    """Functions that are named for the mean and return one."""
    functions = {place.node.name: place for place in program.places if isinstance(place.node, FUNCTIONS)}
    for place in program.places:
        node = place.node
        if isinstance(node, ast.Return) and node.value is not None and place.function in functions and _is_mean(node.value):
            for code, label in LABELS.items():
                if _is_name(place.function, label):
                    yield Hit(code, functions[place.function].start, place.end, f"{place.function}()")


def _reports(place: ProgramNode, label: re.Pattern[str], program: Program) -> bool:
    """Return whether a value has the name of the mean in a formatted string, as a key, or where it is read."""
    match place.node:
        case (
            ast.Subscript(slice=ast.Constant(value=str(text)), ctx=ast.Load())
            | ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(text)), *_])
        ):
            name = text.rpartition("/")[2]
            if isinstance(place, Call) and any(
                isinstance(each, ast.Constant) and isinstance(each.value, bool) for each in place.node.args
            ):
                return False  # a switch
            return label.fullmatch(name) is not None or (program.ranks and SMALL[label].fullmatch(name) is not None)
        case ast.AugAssign(target=ast.Subscript(slice=key)):
            return _is_key(key, label)
        case ast.JoinedStr() as text:
            return any(part.format_spec is not None for part in _named_parts(text, label))
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            return _formats(text, label)
        case ast.Dict(keys=keys, values=values):
            beside = any(RANKED.fullmatch(rendered(key)) for key in keys)
            pairs = zip(keys, values, strict=True)
            named = [
                (key, value) for key, value in pairs if _is_key(key, label) or (beside and SMALL[label].fullmatch(rendered(key)))
            ]
            alone = OF_ONE.search(place.function) is not None
            return any(
                _is_value(value, label) and not (_is_named(value, label) and (alone or _is_function(value, program)))
                for _, value in named
            )
        case ast.DictComp(key=key, value=value):
            return _is_key(key, label) and not isinstance(value, ast.Constant)
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
            return _is_key(key, label) and (_is_mean(value) or (_is_named(value, label) and not OF_ONE.search(place.function)))
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="mean"), args=[])):
            return _is_name(name, label)
    return False


def _is_function(node: ast.expr, program: Program) -> bool:
    root = node.value if isinstance(node, ast.Attribute) else node
    return isinstance(root, ast.Name) and root.id in program.functions


def _is_key(node: ast.expr | None, label: re.Pattern[str]) -> bool:
    """Return whether the key of a dictionary is the name of the mean: ``"mrr"``, ``f"mrr@{k}"``, ``"test/mrr"``."""
    return label.fullmatch(rendered(node).rpartition("/")[2]) is not None


def _is_value(value: ast.expr, label: re.Pattern[str]) -> bool:
    """Return whether an expression may be the value of the mean: a mean, a name for it, or a measure of one topic by its function."""
    named = isinstance(value, ast.Call) and ONE_TOPIC.search(name_of(value.func)) is not None
    of_map = "MAP" in label.pattern and isinstance(value, ast.Name | ast.Attribute) and MAPS.fullmatch(name_of(value)) is not None
    return _is_mean(value) or named or of_map or _is_named(value, label)


def _named_parts(node: ast.JoinedStr, label: re.Pattern[str]) -> Iterator[ast.FormattedValue]:
    """Yield the values in a formatted string that stand after the name of the mean, or have it."""
    before = ""
    for part in node.values:
        value = part.value if isinstance(part, ast.FormattedValue) and not isinstance(part.value, ast.Constant) else None
        if isinstance(part, ast.FormattedValue) and value is not None and (_ends(before, label) or _is_named(value, label)):
            yield part
        before += rendered(part)


def _calls(call: Call, label: re.Pattern[str], program: Program) -> bool:
    """Return whether a call prints or formats a value after the name of the mean, or names a column or the axis of a chart for it."""
    if call.name == "format" and isinstance(call.node.func, ast.Attribute):
        return _formats(rendered(program.resolved(call.node.func.value)), label)
    if call.name in AXES and call.node.args:
        return _is_key(call.node.args[0], label)
    if _is_headed(call, label):
        return True
    if not WRITES.search(call.name) or call.name[:1].isupper():
        return False
    return _is_written(call, label)


def _is_headed(call: Call, label: re.Pattern[str]) -> bool:
    """Return whether a column of a table, or the legend of a chart, has the name of the mean."""
    heads = [keyword.value for keyword in call.node.keywords if keyword.arg in HEADERS]
    heads += call.node.args if call.name in ROWS else []
    for head in heads:
        for each in head.elts if isinstance(head, ast.List | ast.Tuple) else [head]:
            if label.fullmatch(rendered(each).strip(" ↑%")) is not None:
                return True
    return False


def _is_written(call: Call, label: re.Pattern[str]) -> bool:
    """Return whether a call is given a value and its name, in one text or in two arguments."""
    arguments = call.node.args
    if any(isinstance(each, ast.JoinedStr) and any(_named_parts(each, label)) for each in arguments):
        return True
    if call.name == "print" and any(isinstance(each, ast.Name) and _is_name(each.id, label) for each in arguments):
        return True
    if any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add) and _formats(rendered(each), label) for each in arguments):
        return True
    for each in arguments:
        if isinstance(each, ast.Dict) and call.name != "append":
            pairs = zip(each.keys, each.values, strict=True)
            if any(_is_key(key, label) and not isinstance(value, ast.Constant) for key, value in pairs):
                return True
    for name, value in pairwise(arguments):
        told = rendered(name)
        if not isinstance(value, ast.Constant) and (_formats(told, label) or _ends(told, label)):
            return True
    return False


def _speaks(call: Call) -> bool:
    """Return whether a call prints a number after “reciprocal rank”, outside of the loop over topics."""
    if not WRITES.search(call.name) or call.name[:1].isupper() or OF_ONE.search(call.function):
        return False
    first, *others = [*call.node.args, None, None][:2]
    told = rendered(first)
    value = others[0]
    return _formats(told, SPOKEN) or (value is not None and not isinstance(value, ast.Constant) and _ends(told, SPOKEN))


def _ends(text: str, label: re.Pattern[str]) -> bool:
    """Return whether a text ends with the name and what may be between a name and its value."""
    return any(AFTER.fullmatch(text, match.end()) for match in label.finditer(text))


def _formats(text: str, label: re.Pattern[str]) -> bool:
    """Return whether a template has a placeholder right after the name."""
    text = FIELD.sub("{}", text)
    for match in label.finditer(text):
        between = AFTER.match(text, match.end())
        if PLACEHOLDER.match(text, between.end() if between else match.end()):
            return True
    return False


def _is_named(node: ast.expr, label: re.Pattern[str]) -> bool:
    """Return whether an expression is named for the mean: ``mrr``, ``result.mrr``, ``scores["mrr"]``, ``scores.get("mrr", 0)``, times a hundred."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return label.fullmatch(text.rpartition("/")[2]) is not None
        case ast.Subscript(slice=ast.JoinedStr() as key):
            return _is_key(key, label)
        case ast.Call(func=ast.Attribute(attr="get"), args=[key, *_]):
            return _is_key(key, label)
        case ast.Call(func=ast.Name(id="float" | "round" | "str"), args=[inner, *_]):
            return _is_named(inner, label)
        case ast.Call(func=ast.Attribute(attr="item" | "mean", value=inner), args=[]):
            return _is_named(inner, label)
        case ast.BinOp(left=left, op=ast.Mult()):
            return _is_named(left, label)
        case ast.Name() | ast.Attribute():
            return _is_name(name_of(node), label)
    return False


def _is_name(name: str, label: re.Pattern[str]) -> bool:
    """Return whether a name is the mean's, perhaps after a verb or the name of a part of the data, or before that of a system."""
    bare = NAMED_FOR.sub("", name)
    return any(label.fullmatch(each) for each in (name.lstrip("_"), bare, FOR_SYSTEM.sub("", bare)))


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
