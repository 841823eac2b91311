"""Digits that a program prints: more decimals of a mean than its topics support."""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import TYPE_CHECKING

from mensura.lint.code.counts import collections, counted
from mensura.lint.code.program import Call, Program, ProgramNode, strings
from mensura.lint.rule import Hit
from mensura.lint.topics import allowed, decide

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURE = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|m?ap|rr|err|bpref|recip_?rank|precision|recall|mean_?average_?precision|hits?_?rate|hits?(?=@|_at)|success(?=@|_at|_rate))(?![a-z])|(?<![a-z])[pr](?:(?:[@_]|_at_)\d+|(?:5|10|20|30|50|100)(?!\d))(?![a-z])",
    re.IGNORECASE,
)
RANKED = re.compile(r"(?<![a-z])(?:n?dcg|mrr|map|recip_?rank|bpref|(?:hits?|hr|recall|precision)(?:_at|@))", re.IGNORECASE)
METRICS = re.compile(
    r"(?:\w+[._])?(?:metrics?|measures?|summary|summaries|agg|aggregated?|means|averages|eval_metrics)(?:_\w+)?", re.IGNORECASE
)
RESULTS = re.compile(
    r"(?:\w+[._])?(?:metrics|measures|results?|summary|agg|aggregated?|means|averages|eval\w*)(?:_\w+)?\.items\(\)", re.IGNORECASE
)
OTHER = re.compile(
    r"loss|time\b|latency|second|(?<![a-z])(?:ms|lr|std|var|ci|low|high|lower|upper|t|p|tau|rho|alpha|beta|lambda|k1|b)(?![a-z@_])|p_?-?val|weight|threshold|similar",
    re.IGNORECASE,
)
OF_ONE = re.compile(r"(?<![a-z])(?:qid|(?:query|topic|question|user)_?id)(?![a-z])", re.IGNORECASE)  # in a line about one topic
ONE_TOPIC = re.compile(r"q|qid|query|query_id|topic|topic_id|question|user|user_id|example|case|sample|item", re.IGNORECASE)
PLACES = re.compile(r"\.(?P<places>\d+)(?P<kind>[fg%])")
FIELD = re.compile(r"%(?!%)[-+ 0#]*\d*(?:\.(?P<places>\d+))?(?P<kind>[a-z])")
MILLION = 6  # decimals: no collection has the topics for them
FEWEST = 3  # decimals that may be too many
LABEL = 30  # characters before a value that may name it
FRAMES = {
    "to_string",
    "to_markdown",
    "to_latex",
    "to_html",
    "tabulate",
    "set_option",
    "set_printoptions",
}  # calls that print all numbers alike
FRAMED = {"float_format", "floatfmt", "precision"}  # their keywords
FORMATS = (ast.Call, ast.JoinedStr, ast.BinOp, ast.Assign)  # that may format a number
HUNDRED = 100


def check_digits(program: Program) -> Iterator[Hit]:
    """Yield the first number with too many decimals, if the topics are known to be few."""
    precise = [number for number in _precise(program) if number[1] >= FEWEST]
    named = collections(program) if precise else []
    if not precise or not (named or program.searches):
        return
    known = decide((size for _, size in counted(program)), named)
    if program.topics is not None and not known.stated:
        around = program.topics()
        known = around if around.stated or not known.topics else known
    for place, decimals, measure, sure in precise:
        if known.topics and decimals > allowed(known.topics, measure if known.stated else ""):
            yield Hit("M301", place.start, place.end, f"{decimals} decimals, over {known.topics} topics")
            return
        if not known.topics and sure and decimals >= MILLION and RANKED.search(ast.unparse(place.node)):
            yield Hit("M301", place.start, place.end, f"{decimals} decimals")
            return


def _precise(program: Program) -> Iterator[tuple[ProgramNode, int, str, bool]]:
    """Yield the places that format measures, with the decimals, the names, and whether they are for people whatever the topics are."""
    apart = [*_single_topics(program), *program.offered]
    stored = {
        id(each)
        for place in program.places
        if isinstance(place.node, ast.Dict)
        for value in place.node.values
        for each in ast.walk(value)
        if isinstance(each, ast.Call)
    }
    means: set[tuple[str, str]] | None = None
    for place in program.places:
        if not isinstance(place.node, FORMATS) or id(place.node) in stored:
            continue
        if any(start <= place.start < end for start, end in apart):
            continue
        means = _means(program) if means is None else means
        sure = place.name == "format" if isinstance(place, Call) else not place.function.startswith("_")  # a data file may have all
        for decimals, measure in _printed(place, program, {name for function, name in means if function == place.function}):
            yield place, decimals, measure, sure


def _single_topics(program: Program) -> list[tuple[int, int]]:
    """Spans of loops over topics, in which a value is that of one."""
    return [
        (place.start, place.end)
        for place in program.places
        if isinstance(place.node, ast.For | ast.AsyncFor)
        and any(ONE_TOPIC.fullmatch(name.id) for name in ast.walk(place.node.target) if isinstance(name, ast.Name))
    ]


def _means(program: Program) -> set[tuple[str, str]]:
    """Functions and their names for what a program calls its metrics or its results: ``for name, value in metrics.items()``."""
    names: set[tuple[str, str]] = set()
    for place in program.places:
        match place.node:
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                pairs = [(target, value)]
            case ast.ListComp(generators=loops) | ast.GeneratorExp(generators=loops) | ast.DictComp(generators=loops):
                pairs = [(loop.target, loop.iter) for loop in loops]
            case ast.Assign(targets=[ast.Name() as target], value=ast.Subscript(value=value)):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            written = ast.unparse(value)
            if METRICS.fullmatch(written.removeprefix("sorted(").rstrip(")")) or RESULTS.fullmatch(written):
                names |= {(place.function, name.id) for name in ast.walk(target) if isinstance(name, ast.Name)}
    return names


def _printed(place: ProgramNode, program: Program, means: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the decimals of measures that a node formats, and their names."""
    if isinstance(place, Call):
        yield from _called(place, program)
        return
    match place.node:
        case ast.JoinedStr(values=values) if any(isinstance(value, ast.FormattedValue) and value.format_spec for value in values):
            if not OF_ONE.search(ast.unparse(place.node)):
                yield from _formatted(values, means)
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
            arguments = right.elts if isinstance(right, ast.Tuple) else [right]
            at = 0
            for number, spec in enumerate(FIELD.finditer(text)):
                if spec["places"] and spec["kind"] in "fg":
                    value = arguments[number] if number < len(arguments) else right
                    yield from _value(text[at : spec.start()], value, int(spec["places"]), means)
                at = spec.end()
        case ast.Assign(targets=[ast.Attribute(attr="float_format")], value=value) if program.evaluates:
            yield _places(value), ""


def _formatted(values: list[ast.expr], means: set[str]) -> Iterator[tuple[int, str]]:
    """Decimals of measures in a formatted string: ``f"nDCG {value:.4f}"``, ``f"{name}: {value:.2%}"``."""
    label = ""
    for part in values:
        if isinstance(part, ast.Constant):
            label += str(part.value)
        elif isinstance(part, ast.FormattedValue):
            spec = PLACES.search(ast.unparse(part.format_spec)) if part.format_spec is not None else None
            if isinstance(part.value, ast.Constant):
                label += str(part.value.value)
            elif spec is not None:
                yield from _value(label, part.value, int(spec["places"]) + 2 * (spec["kind"] == "%"), means)
                label = ""


def _value(label: str, value: ast.expr, places: int, means: set[str]) -> Iterator[tuple[int, str]]:
    """Yield the decimals of a value as a fraction and its names, if these are those of a measure."""
    written = ast.unparse(value)
    near = label[-LABEL:]
    named = MEASURE.search(f"{near} {written}") is not None
    looped = any(isinstance(name, ast.Name) and name.id in means for name in ast.walk(value))
    if (named or looped) and not OTHER.search(re.split(r"[|,;]", near)[-1]) and not OTHER.search(written):
        yield places + 2 * _percent(value), f"{near} {written}"


def _percent(node: ast.expr) -> bool:
    """Return whether a value is multiplied by a hundred."""
    return any(
        isinstance(side, ast.Constant) and side.value == HUNDRED
        for each in ast.walk(node)
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Mult)
        for side in (each.left, each.right)
    )


def _called(call: Call, program: Program) -> Iterator[tuple[int, str]]:
    """Decimals that a call rounds to: ``round(ndcg, 4)``, ``frame.round(4)``, ``frame.to_string(float_format="%.4f")``."""
    if call.name in {"round", "around"} and call.node.args:
        written = ast.unparse(call.node)
        if MEASURE.search(written):
            yield _number(call.argument("decimals", len(call.node.args) - 1)) + 2 * _percent(call.node.args[0]), written
    elif call.name == "Experiment":
        yield from _experiment(call)
    elif call.name == "format" and isinstance(call.node.func, ast.Attribute):
        yield from _template(next(strings(call.node.func.value), ""), call.node)
    elif call.name in FRAMES and program.evaluates:
        chosen = [keyword.value for keyword in call.node.keywords if keyword.arg in FRAMED]
        if call.name == "set_option" and any(re.search("float_format|precision", text) for text in strings(call.argument("", 0))):
            chosen += call.node.args[1:]
        for value in chosen:
            yield _number(value) or _places(value), ""


def _experiment(call: Call) -> Iterator[tuple[int, str]]:
    """Decimals of PyTerrier's table: ``Experiment(…, round=4)``, ``Experiment(…, round={"map": 4})``."""
    chosen = call.argument("round")
    if not isinstance(chosen, ast.Dict):
        yield _number(chosen), ""
        return
    for key, value in zip(chosen.keys, chosen.values, strict=True):
        yield from ((_number(value), name) for name in strings(key) if MEASURE.search(name))


def _template(text: str, call: ast.Call) -> Iterator[tuple[int, str]]:
    """Decimals of measures in a template: ``"nDCG {:.4f}".format(value)``."""
    try:
        fields = [] if OF_ONE.search(ast.unparse(call)) else [field for field in Formatter().parse(text) if field[1] is not None]
    except ValueError:
        return
    for number, (before, name, spec, _) in enumerate(fields):
        places = PLACES.search(spec or "")
        if places is not None:
            value = call.args[number] if number < len(call.args) and not name else call
            yield from _value(before, value, int(places["places"]) + 2 * (places["kind"] == "%"), set())


def _places(node: ast.expr) -> int:
    """The decimals of a format for all numbers: ``"%.4f"``, ``"{:.4f}".format``, ``lambda x: f"{x:.4f}"``."""
    spec = PLACES.search(ast.unparse(node))
    return int(spec["places"]) if spec is not None else 0


def _number(node: ast.expr | None) -> int:
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0
