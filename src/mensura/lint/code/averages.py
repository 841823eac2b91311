"""Measures that a program averages: named in the calls of the field's libraries, or computed by hand."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.chosen import chosen
from mensura.lint.code.configured import configured
from mensura.lint.code.flow import flow_of
from mensura.lint.code.listed import NAMED, commanded, listed
from mensura.lint.code.noted import noted
from mensura.lint.code.program import FUNCTIONS, Call, Program, ProgramNode, name_of, strings
from mensura.lint.code.reports import reported
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.code.flow import Node

# Calls that evaluate, with the keyword and the position of the measures. A receiver or an import must tell that they are the library's.
EVALUATIONS = {
    "Experiment": (("eval_metrics",), 3, {"pyterrier"}),
    "GridSearch": (("metric",), -1, {"pyterrier"}),
    "KFoldGridSearch": (("metric",), -1, {"pyterrier"}),
    "GridScan": (("metrics",), 4, {"pyterrier"}),
    "Evaluate": (("metrics",), 2, {"pyterrier"}),
    "evaluate": (("metrics", "metric"), 2, {"ranx", "pyterrier", "beir"}),
    "compare": (("metrics",), 2, {"ranx"}),
    "optimize_fusion": (("metric",), -1, {"ranx"}),
    "evaluate_custom": (("metric",), 3, {"beir"}),
    "calc_aggregate": (("measures",), 0, {"ir_measures"}),
    "iter_calc": (("measures",), 0, {"ir_measures"}),
    "calc": (("measures",), 0, {"ir_measures"}),
    "evaluator": (("measures",), 0, {"ir_measures"}),
    "RelevanceEvaluator": (("measures",), 1, {"pytrec_eval"}),
    "Config": (("config_dict",), 2, {"recbole"}),
    "run_recbole": (("config_dict",), -1, {"recbole"}),
}
SETTINGS = {"metrics", "metric", "valid_metric", "main_metric", "measures", "eval_metrics", "evaluation_metrics", "simple_metrics"}
RECIPROCAL = re.compile(
    r"(?<![a-z])(?:mrrs?(?![a-z])|rrs?(?=[_@]?(?:scores?|values?|list|sum|total|all|at|k|\d+)?s?(?![a-z_])))|recip(?:rocal)?_?ranks?",
    re.IGNORECASE,
)
PRECISION = re.compile(
    r"(?<![a-z])(?:maps?|aps?)_?(?:score|k|at|list|values?|sum|total|all)?s?(?![a-z])|(?:mean_?)?av(?:era)?ge?_?prec(?:ision)?s?(?![a-z])",
    re.IGNORECASE,
)
PLAIN = re.compile(r"av(?:era)?ge?_?prec", re.IGNORECASE)
PLAIN_RECALL = re.compile(r"(?:\w+_)?av(?:era)?ge?_?rec(?:all)?s?(?:_\w+)?", re.IGNORECASE)
EXPECTED = re.compile(r"(?<![a-z])errs?(?:_?(?:at)?_?@?\d+)(?![a-z])|expected_?reciprocal", re.IGNORECASE)
FUSION = re.compile(r"rrf|fus(?:e|ion)|error|std_?err|stderr", re.IGNORECASE)
MEAN = re.compile(
    r"_*(?:[a-z]+_)?(?:f|nan)?(?:mean|avg|average)(?:_of|_values?|_scores?|_or_\w+)?", re.IGNORECASE
)  # also a function of the program's own
MEANS = {"mean", "average", "fmean", "nanmean"}  # of a data frame's columns
OTHER = re.compile(r"n?dcg|recall|f1|f_?score|auc|loss|time|latency|hits?_|success|error|weight|discount", re.IGNORECASE)
COMPUTED = {  # functions of a program's own that compute the mean, by their names
    "M101": re.compile(r"(?:\w*_)?(?:mrr|mean_?reciprocal_?rank)s?(?:_\w*)?|\w+MRR|MRR\w*|get_reciprocal_rank", re.IGNORECASE),
    "M201": re.compile(r"(?-i:MAP)|(?:\w*_)?(?:mapk|map_at_\w+|map_?score|mean_?average_?precision)(?:_\w*)?|(?:compute|calc|calculate|get|eval|evaluate)_map(?:_\w*)?|mean_ap(?:_\w*)?", re.IGNORECASE),
}  # fmt: skip
RANKED = re.compile(
    r"/ *\(?(?:1(?:\.0)? *\+ *)?(?:float\(|int\()?(?:\w*(?:rank|pos|idx|index|place|hit)\w*|[ijrn]\b)", re.IGNORECASE
)
NAMES = re.compile(r"[A-Za-z_@][\w@.]*")
ONE_TOPIC = {  # functions of one topic, by their names
    "M101": re.compile(r"(?:\w+_)?(?:reciprocal_?rank|recip_?rank|rr)(?:_?(?:at_?)?(?:k|n|\d+)|_score|_at_\w+)?", re.IGNORECASE),
    "M102": re.compile(r"(?:\w+_)?(?:expected_reciprocal_rank\w*|err(?:_?at_?\w+|_score|_?k))", re.IGNORECASE),
    "M201": re.compile(r"(?:\w+_)?(?:(?<!mean_)average_?precision|av(?:era)?ge?_?prec(?:ision)?|ap)(?:_?(?:at_?)?(?:k|n|\d+)|_score|_at_\w+)?", re.IGNORECASE),
}  # fmt: skip
COUNT = re.compile(r"len\(|(?<![a-z])n(?![a-z])|num|count|total|size|quer|topic|user|sample|question|shape", re.IGNORECASE)
RELEVANT = re.compile(r"relevan|(?<![a-z])rels?(?![a-z])|gold|hits?(?![a-z])|positive|min\(|recall_base|norm", re.IGNORECASE)


def check_averages(program: Program) -> Iterator[Hit]:
    """Yield the measures that are averaged, each place once; not those that a library offers, which its callers report."""
    seen: set[tuple[str, int]] = set()
    ways = (_named, listed, chosen, commanded, _settings, _by_hand, _followed, _unpacked, _aggregated, reported, noted)
    for hit in (hit for way in ways for hit in way(program)):
        offered = any(start <= hit.start < end for start, end in program.offered)
        if (hit.code, hit.start) not in seen and not offered:
            seen.add((hit.code, hit.start))
            yield hit


def _named(program: Program) -> Iterator[Hit]:
    """Measures in the calls of libraries."""
    for call in program.calls:
        known = EVALUATIONS.get(call.name)
        if known is None or not _belongs(program, call, known[2]):
            continue
        keywords, position, _ = known
        values = [call.argument(keyword) for keyword in keywords]
        chosen = next((value for value in values if value is not None), call.argument("", position))
        chosen = program.resolved(chosen)
        listed = [(chosen, name) for name in configured(program, chosen)] if chosen is not None else []
        for node, name in listed or _measures(program, chosen):
            for code, pattern in NAMED.items():
                if pattern.fullmatch(name):
                    yield _hit(program, code, node, call, name)


def _belongs(program: Program, call: Call, libraries: set[str]) -> bool:
    """Return whether a call is the library's: imported from it, called on its module, or as telling as ``Experiment``."""
    if not program.libraries & libraries:
        return False
    func = call.node.func
    if isinstance(func, ast.Name):
        origin = program.imports.get(func.id, "")
        return origin.partition(".")[0] in libraries or not origin
    root = call.receiver.partition(".")[0].partition("(")[0]
    origin = program.imports.get(root, "")
    return not origin or origin.partition(".")[0] in libraries


def _measures(program: Program, node: ast.AST | None, within: tuple[str, ...] = ()) -> Iterator[tuple[ast.AST, str]]:
    """Yield the names of measures in an argument: strings, names and ``RR @ 10`` alike; names that were assigned are followed."""
    if node is None:
        return
    inside: list[ast.expr] = []
    match node:
        case ast.Constant(value=str(text)):
            yield node, text
        case ast.Name(id=name) if name in program.assigned:
            if name.isupper():
                yield node, name
            if name not in within:
                yield from _measures(program, program.assigned[name], (*within, name))
        case ast.Attribute() | ast.Name():
            yield node, name_of(node)
        case ast.Call(func=func, args=inside):
            yield node, name_of(func)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            inside = [value for key, value in pairs if isinstance(key, ast.Constant) and key.value in SETTINGS]
        case _:
            inside = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    for child in inside:
        yield from _measures(program, child, within)


def _settings(program: Program) -> Iterator[Hit]:
    """Measures in the settings of RecBole, Elliot and their like: ``{"metrics": ["Recall", "MRR"]}``."""
    if not program.libraries & {"recbole", "elliot", "cornac", "recpack", "lenskit"}:
        return
    for place in program.places:
        if isinstance(place.node, ast.Dict):
            for node, name in _measures(program, place.node):
                for code, pattern in NAMED.items():
                    if pattern.fullmatch(name):
                        yield _hit(program, code, node, place, name)


def _by_hand(program: Program) -> Iterator[Hit]:
    """Sums and means of reciprocal ranks and of average precision, and calls of functions that are named for them."""
    if program.detects:
        return
    defined = {place.node.name: place for place in program.places if isinstance(place.node, FUNCTIONS)}
    for place in program.places:
        node = place.node
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            target = ast.unparse(node.target)
            if (
                _is_reciprocal(node.value)
                and RECIPROCAL.search(f"{target} {place.function}")
                and not FUSION.search(f"{target} {place.function}")
            ):
                yield Hit("M101", place.start, place.end, ast.unparse(node)[:60])
        elif isinstance(place, Call):
            yield from _means(place, program)
            yield from _computed(place, defined, program)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and _is_sum(node.left):
            code = _kind(ast.unparse(node.left))
            if code == "M201" and isinstance(node.left, ast.Name) and "map" not in node.left.id.lower():
                continue  # the precision of one topic, divided by its relevant documents
            if code is not None:
                yield Hit(code, place.start, place.end, ast.unparse(node)[:60])


def _is_reciprocal(node: ast.expr) -> bool:
    """Return whether an expression has one over a rank."""
    return any(isinstance(each, ast.BinOp) and _is_one_over(each) for each in ast.walk(node))


def _is_one_over(node: ast.BinOp) -> bool:
    """Return whether an expression is one over a name: ``1 / (i + 1)`` and ``1.0 / rank``, not ``1 / (k + rank)`` as in fusion."""
    if not (isinstance(node.op, ast.Div) and isinstance(node.left, ast.Constant) and node.left.value == 1):
        return False
    below = node.right
    parts = [below.left, below.right] if isinstance(below, ast.BinOp) and isinstance(below.op, ast.Add) else [below]
    numbers = [part.value for part in parts if isinstance(part, ast.Constant)]
    names = [part for part in parts if not isinstance(part, ast.Constant)]
    if len(names) != 1:
        return False
    if isinstance(names[0], ast.Call):
        return name_of(names[0].func) in {"index", "float", "int"}
    return numbers in ([], [1], [1.0]) and not isinstance(names[0], ast.BinOp)


def _is_sum(node: ast.expr) -> bool:
    """Return whether an expression is a sum, or the name of one: ``total``, ``totals["mrr@10"]``."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    return (isinstance(node, ast.Call) and name_of(node.func) in {"sum", "fsum"}) or isinstance(node, ast.Name)


def _followed(program: Program) -> Iterator[Hit]:
    """Means of values of one topic, wherever they come from: of reciprocals of ranks, and of functions that are named for a measure."""
    if not program.retrieves or program.detects:
        return
    codes = [code for code in ONE_TOPIC if code == "M101" or program.searches]  # classifiers have an average precision too
    seeds = {code: _seeds(program, code) for code in codes}
    for code in codes:
        if not seeds[code]:
            continue
        flow = flow_of(program)
        closed = [flow.variable(place.function, name) for place in program.places if _is_other(name := name_of(place.node))]
        closed += [("()", name) for name in flow.functions if _is_other(name)]
        reached = flow.reach(seeds[code], without=closed)
        for place in program.places:
            if _averages(program, place, reached):
                yield Hit(code, place.start, place.end, ast.unparse(place.node)[:60])


def _is_other(name: str) -> bool:
    return bool(name) and (OTHER.search(name) is not None or FUSION.search(name) is not None)


def _seeds(program: Program, code: str) -> list[int]:
    """The expressions that are values of a measure for one topic."""
    named = [name for name in program.functions if ONE_TOPIC[code].fullmatch(name)]
    handed = flow_of(program).callees(named) if named else {}
    return [
        id(place.node)
        for place in program.places
        if (isinstance(place, Call) and (_is_of_one_topic(program, place, code) or id(place.node) in handed))
        or (code == "M101" and _is_of_a_rank(place.node) and not FUSION.search(place.function))
    ]


def _is_of_one_topic(program: Program, call: Call, code: str) -> bool:
    learned = program.imports.get(call.name, "").startswith("sklearn") or call.receiver in {"metrics", "sklearn.metrics"}
    return ONE_TOPIC[code].fullmatch(call.name) is not None and (program.evaluates or not learned)


def _averages(program: Program, place: ProgramNode, reached: set[Node]) -> bool:
    """Return whether a mean is computed of what was reached: by a function, or as a sum that is divided by a number of topics."""
    match place.node:
        case ast.Call(func=func, args=args) if MEAN.fullmatch(name_of(func)):
            values = [*args, func.value] if isinstance(func, ast.Attribute) else args
            return any(id(each) in reached for each in values)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            if id(left) not in reached or not (_is_sum(left) or isinstance(left, ast.Subscript)):
                return False
            number = ast.unparse(right)
            return bool(COUNT.search(number)) and not RELEVANT.search(
                f"{number} {ast.unparse(program.assigned_in(place.function, right))}"
            )
    return False


def _is_of_a_rank(node: ast.AST) -> bool:
    """Return whether an expression is one over something that is named like a rank."""
    return isinstance(node, ast.BinOp) and _is_one_over(node) and RANKED.search(ast.unparse(node)) is not None


def _means(call: Call, program: Program) -> Iterator[Hit]:
    """A mean whose values are named for the measure, or are reciprocals of ranks."""
    if not MEAN.fullmatch(call.name):
        return
    receiver = call.receiver
    inside = " ".join([receiver, *(ast.unparse(argument) for argument in call.node.args)])[:500]
    code = _kind(inside)
    if code == "M201" and PLAIN.search(inside) and any(PLAIN_RECALL.fullmatch(word) for word in program.words):
        return  # the mean of precision, beside that of recall
    if code is None and any(_is_reciprocal(argument) and "rank" in ast.unparse(argument) for argument in call.node.args):
        code = "M101"
    if code is not None and (code != "M201" or program.searches):  # classifiers have an average precision too
        yield Hit(code, call.start, call.end, ast.unparse(call.node)[:60])


def _kind(text: str) -> str | None:
    """Return the code for the measure that values are named for, or nothing."""
    if any(RECIPROCAL.search(name) and not OTHER.search(name) for name in NAMES.findall(text)) and not FUSION.search(text):
        return "M101"
    if EXPECTED.search(text) and not FUSION.search(text):
        return "M102"
    return (
        "M201"
        if PRECISION.search(text) and not re.search(r"\bmap\(|heat_?map|feature_?map|attention|mapp|\.map\(", text, re.IGNORECASE)
        else None
    )


def _computed(call: Call, defined: dict[str, ProgramNode], program: Program) -> Iterator[Hit]:
    """A call of a function that is named for the mean, outside of that function."""
    for code, pattern in COMPUTED.items():
        if (
            pattern.fullmatch(call.name)
            and not pattern.fullmatch(call.function)
            and (call.name in defined or call.name in program.imports or program.evaluates)
            and (code == "M101" or program.searches)
            and (call.name != "get_reciprocal_rank" or "trectools" in program.libraries)
        ):
            if call.name[:1].isupper() and isinstance(call.node.func, ast.Name) and call.name not in {*program.imports, *defined}:
                continue  # a class of the program's own
            yield Hit(code, call.start, call.end, f"{call.name}()")


def _aggregated(program: Program) -> Iterator[Hit]:
    """Columns of a data frame that are aggregated by their means: ``agg(mrr=("mrr@10", "mean"))``, ``agg({"map": "mean"})``."""
    for call in program.calls:
        for name, function in _columns(call) if call.name in {"agg", "aggregate"} else ():
            if MEANS & {*strings(function), name_of(function)}:
                for code, pattern in NAMED.items():
                    if pattern.fullmatch(name) and (code == "M101" or program.searches):
                        yield Hit(code, call.start, call.end, f"the mean of {name}")


def _columns(call: Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the columns that a data frame aggregates, each with its function."""
    for value in (keyword.value for keyword in call.node.keywords):
        if isinstance(value, ast.Tuple) and len(value.elts) == 2:  # noqa: PLR2004 - a column and a function
            yield from ((name, value.elts[1]) for name in strings(value.elts[0]))
    for argument in call.node.args:
        if isinstance(argument, ast.Dict):
            pairs = zip(argument.keys, argument.values, strict=True)
            yield from ((name, value) for key, value in pairs if key is not None for name in strings(key))


def _unpacked(program: Program) -> Iterator[Hit]:
    """BEIR's ``ndcg, _map, recall, precision = evaluate(…)``, where the second is used."""
    if "beir" not in program.libraries:
        return
    for place in program.places:
        node = place.node
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and name_of(node.value.func) == "evaluate"):
            continue
        for target in node.targets:
            if (
                isinstance(target, ast.Tuple) and len(target.elts) in {3, 4} and isinstance(target.elts[1], ast.Name)
            ):  # without precision, or with it
                name = target.elts[1].id
                used = any(
                    isinstance(other.node, ast.Name) and other.node.id == name and isinstance(other.node.ctx, ast.Load)
                    for other in program.places
                )
                if used:
                    yield Hit("M201", place.start, place.end, f"{name} of evaluate()")


def _hit(program: Program, code: str, node: ast.AST, place: ProgramNode, name: str) -> Hit:
    """A hit at a node, or at the place that it was reached from."""
    where = program.place.get(id(node), place)
    return Hit(code, where.start, where.end, name)
