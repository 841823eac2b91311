"""Tests of significance in a program: families without a correction, p-values without sizes, unpaired tests of paired topics."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from typing import TYPE_CHECKING

from mensura.lint.code.flow import flow_of
from mensura.lint.code.program import Call, Program, ProgramNode, name_of, rendered
from mensura.lint.code.significance import (
    ALPHA,
    LEVELS,
    MANY,
    OTHERS,
    P_VALUE,
    REPEATS,
    TESTS,
    UNPAIRED,
    Site,
    library_tests,
    sites,
    test_name,
)
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CORRECTIONS = re.compile(
    r"multipletests|multitest|bonferroni|(?<![a-z])holm|tukey|false_discovery_control|(?<![a-z])fdr|hochberg|dunnett|adjust(?:ed)?_?p|p_?adj|adj_?p|sidak|nemenyi|posthoc"
    r"|(?:multiple|family|fw|p|p_?val\w*|alpha|tests?|signif\w*|comparisons?)_?correct(?:ed|ion)|correct(?:ed|ion)_?(?:p|p_?val\w*|alpha|tests?|method|for|signif\w*)(?![a-z])|^correct(?:ed|ion)s?$",
    re.IGNORECASE,
)
EFFECTS = re.compile(
    r"effect_?size|cohen|hedges|cliff|confidence_?interval|bootstrap|(?<![a-z])ci(?:s|95|_?lo\w*|_?hi\w*)?(?![a-z])|d_z|pingouin|glass|rank_?biserial|vargha",
    re.IGNORECASE,
)
SIZES = re.compile(  # differences that are computed beside a p-value
    r"(?:mean|avg|average|median|observed|obs|score|metric|abs|absolute|relative|rel|pct|percent)_?(?:diff\w*|delta\w*|gain\w*|change)"
    r"|(?:diff\w*|delta)_(?:mean|avg|median|pct)",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(r"[\w ]*(?:diff|difference|delta|Δ|improvement|gain|gap)[\w ]*", re.IGNORECASE)  # as the name of a value
TOLD = re.compile(
    r"(?:diff(?!erent)\w*|delta|Δ|improvement|gain|gap)[^{}%]{0,25}(?:\{\}|%[-+.\d]*[fgs])", re.IGNORECASE
)  # in a text with values
WRITES = re.compile(
    r"print|log(?!ical|in|out)|write|echo|report|show|display|info|dump|save|to_(?:csv|json|latex|markdown|excel|html|string)|tabulate|text|title|table|add_row|emit|metric",
    re.IGNORECASE,
)
GROUPS = re.compile(
    r"(?<![a-z])(?:fe)?males?(?![a-z])|young|old(?:er)?(?![a-z])|group|hits?(?![a-z])|miss|correct|wrong|pos(?:itives?)?(?![a-z])|neg(?:atives?)?(?![a-z])|loss|treat|control|short|long|easy|hard|cluster",
    re.IGNORECASE,
)
FEW = 2  # runs and measures that need no correction together
# Programs that speak only of runs or topics may be about anything.
SUBJECTS = {
    "query", "queries", "qid", "qids", "retrieval", "retriever", "retrieved", "rerank", "reranker", "reranking", "bm25", "trec",
    "splade", "colbert", "recommender", "recommendation", "recommendations", "recsys",
}  # fmt: skip


def check_inference(program: Program) -> Iterator[Hit]:
    """Yield the hits of the rules for tests. A correction, or an effect size, anywhere in the program serves all of its tests."""
    words = program.words
    corrected = any(CORRECTIONS.search(word) for word in words) or any(map(_divides, program.places))
    sized = any(EFFECTS.search(word) or SIZES.fullmatch(word) for word in words) or any(map(_tells, program.places))
    tests = library_tests(program) if program.compares else []
    ranked = program.evaluates or bool(program.pieces & SUBJECTS)
    every = [site for site in sites(program, tests) if site.computes or ranked] if ranked or program.compares else []
    computed = [site for site in every if site.computes]
    if not corrected:
        repeated = _Family(program, every).repeated()
        if repeated is not None:
            place, told = repeated
            yield Hit("M701", place.start, place.end, told)
    if computed and not sized and (shown := _shown(program, computed)) is not None:
        yield Hit("M801", shown.place.start, shown.place.end, shown.name)
    for call in tests:
        if test_name(program, call) in UNPAIRED - {"ttest_ind_from_stats"} and not _of_groups(program, call):
            yield Hit("M703", call.start, call.end, call.name)  # values of statistics alone could not be paired
    picked = _picked(program, computed)
    if picked is not None:
        yield Hit("M602", picked.place.start, picked.place.end, picked.name)
    yield from _experiments(program, corrected)


def _values(site: Site) -> list[ast.expr]:
    """The expressions that have the p-value of a site."""
    match site.place.node:
        case ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
            return [value]
        case ast.expr() as value:
            return [value]
    return []


def _shown(program: Program, computed: list[Site]) -> Site | None:
    """Return the first test whose p-value is printed or written; a function that only returns one leaves that to its callers."""
    flow = flow_of(program)
    shows = [
        id(each)
        for call in program.calls
        if WRITES.search(call.name)
        for each in (*call.node.args, *(keyword.value for keyword in call.node.keywords), call.node.func)
    ]
    shows += [id(part.value) for place in program.places if isinstance(part := place.node, ast.FormattedValue | ast.Expr)]
    for site in computed:
        if not site.place.function or not flow.reach(map(id, _values(site))).isdisjoint(shows):
            return site
    return None


def _of_groups(program: Program, call: Call) -> bool:
    """Return whether an unpaired test compares parts of the topics, which nobody could pair: those of a mask, or of a filter."""
    for argument in call.node.args[:2]:
        for node in ast.walk(argument):
            value = program.assigned_in(call.function, node) if isinstance(node, ast.expr) else node
            match value:
                case ast.Subscript(slice=ast.Compare() | ast.UnaryOp(op=ast.Invert())):
                    return True
                case ast.ListComp(generators=[ast.comprehension(ifs=[_, *_]), *_]):
                    return True
            if GROUPS.search(name_of(node)):
                return True
    return False


def _picked(program: Program, computed: list[Site]) -> Site | None:
    """Return the first test of systems that were picked by their results: the best one, or the best two."""
    best: list[int] = []
    for place in program.places:
        match place.node:
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if _is_first(key):
                source = value.value if isinstance(value, ast.Attribute) and value.attr in {"iloc", "index", "values"} else value
                if _is_ranking(program, place.function, source):
                    best.append(id(place.node))
            case ast.Call(func=ast.Name(id="max"), keywords=keywords) if any(map(_is_result, keywords)):
                best.append(id(place.node))
            case ast.Call(func=ast.Attribute(attr="idxmax" | "nlargest")):
                best.append(id(place.node))
    if not best:
        return None
    reached = flow_of(program).reach(best)
    for site in computed:
        call = site.place.node
        if isinstance(call, ast.Call) and any(id(node) in reached for argument in call.args for node in ast.walk(argument)):
            return site
    return None


def _is_first(node: ast.expr) -> bool:
    """Return whether an index takes the first, or the first two."""
    match node:
        case ast.Constant(value=0 | 1):
            return True
        case ast.Slice(lower=None, upper=ast.Constant(value=1 | 2), step=None):
            return True
    return False


def _is_result(keyword: ast.keyword) -> bool:
    """Return whether the key of an order is a result, and not a time, a name or a length."""
    return keyword.arg == "key" and re.search(r"time|date|len\b|name|size|int\(|str\(|\bstat\b", ast.unparse(keyword.value)) is None


def _is_ranking(program: Program, function: str, node: ast.expr) -> bool:
    """Return whether an expression is a list of systems in the order of their results."""
    value = program.assigned_in(function, node)
    match value:
        case ast.Call(func=ast.Name(id="sorted"), keywords=keywords):
            return any(map(_is_result, keywords)) and any(each.arg == "reverse" for each in keywords)
        case ast.Call(func=ast.Attribute(attr="sort_values"), keywords=keywords):
            return any(each.arg == "ascending" for each in keywords)
        case ast.Call(func=ast.Attribute(attr="reset_index" | "head", value=inner)):
            return _is_ranking(program, function, inner)
        case ast.Call(func=ast.Attribute(attr="most_common" | "nlargest")):
            return True
    return False


def _divides(place: ProgramNode) -> bool:
    """Return whether a level is divided by the number of tests, or a p-value multiplied by it."""
    match place.node:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            level = ALPHA.fullmatch(name_of(left)) is not None or (isinstance(left, ast.Constant) and left.value in LEVELS)
            return level and not isinstance(right, ast.Constant)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return any(
                P_VALUE.fullmatch(name_of(one)) and (name_of(other) != "" or isinstance(other, ast.Call))
                for one, other in ((left, right), (right, left))
            )
    return False


def _tells(place: ProgramNode) -> bool:
    """Return whether a difference is reported: under a key, in a column, or in a text with its value."""
    match place.node:
        case ast.Dict(keys=keys):
            return any(DIFFERENCE.fullmatch(rendered(key)) for key in keys)
        case ast.Assign(targets=[ast.Subscript(slice=key)]):
            return DIFFERENCE.fullmatch(rendered(key)) is not None
        case ast.JoinedStr() | ast.BinOp() as text:
            return TOLD.search(rendered(text)) is not None
        case ast.Call(func=ast.Attribute(attr="format")) as text:
            return TOLD.search(rendered(text).replace("{:", "{}")) is not None
        case ast.Call(args=[ast.Constant(value=str(text)), _, *_]):
            return DIFFERENCE.fullmatch(text.strip(" :=")) is not None
    return False


class _Family:
    """Numbers of tests that a program makes when a function of it is called: none, one, or a family."""

    def __init__(self, program: Program, every: list[Site]) -> None:
        self.program = program
        self.calls: dict[str, list[Call]] = {}
        for call in program.calls:
            self.calls.setdefault(call.function, []).append(call)
        self._note([site for site in every if site.name not in program.defined or site.name == site.place.function])
        hidden = [site for site in every if site.name in program.defined and not self.weight(site.name)]
        self._note([*(site for each in self.sites.values() for site in each), *hidden])

    def _note(self, every: list[Site]) -> None:
        self.sites: dict[str, list[Site]] = {}
        for site in every:
            self.sites.setdefault(site.place.function, []).append(site)
        self.known = {id(site.place.node) for site in every}
        self.weights: dict[str, int] = {}

    def weight(self, function: str) -> int:
        """Return the number of tests that a call of a function makes, up to a family of them."""
        if function not in self.weights:
            self.weights[function] = 0  # a function that calls itself
            self.weights[function] = min(self._count(function)[0], MANY)
        return self.weights[function]

    @cached_property
    def _callees(self) -> Mapping[int, set[str]]:
        """The functions that calls of other names may call, if a test is handed on as a value."""
        names = {*self.sites, *TESTS, *OTHERS} - {""}
        called = {id(call.node.func) for call in self.program.calls}
        handed = any(name_of(place.node) in names and id(place.node) not in called for place in self.program.places)
        return flow_of(self.program).callees(names) if handed else {}

    def _tested(self, call: Call) -> int:
        """Return the number of tests that a call makes by the functions that it calls or repeats."""
        handed = [
            name_of(argument)
            for argument in (*call.node.args, *(keyword.value for keyword in call.node.keywords))
            if isinstance(argument, ast.Name | ast.Attribute)
        ]
        weights = [
            self.weight(name)
            for name in {call.name, *self._callees.get(id(call.node), ())}
            if name in self.sites or name in self.calls
        ]
        weights += [1 for name in self._callees.get(id(call.node), ()) if name in TESTS | OTHERS]
        if call.name in REPEATS and any(
            name in TESTS or ((name in self.sites or name in self.calls) and self.weight(name)) for name in handed
        ):
            weights.append(MANY)
        return max(weights, default=0)

    def _count(self, function: str) -> tuple[int, ProgramNode | None, str]:
        pairs: dict[str, dict[str, int]] = {}
        places: dict[str, ProgramNode] = {}

        def note(name: str, told: str, place: ProgramNode, weight: int) -> None:
            known = pairs.setdefault(name, {})
            known[told] = max(known.get(told, 0), MANY if place.looped else weight)
            places.setdefault(name, place)

        for site in self.sites.get(function, []):
            note(site.name, site.told, site.place, site.weight)
        for call in self.calls.get(function, []):
            if call.name not in pairs and (call.name != function or not function) and id(call.node) not in self.known:
                weight = self._tested(call)
                if weight:
                    told = ast.unparse(ast.Tuple([*call.node.args, *(each.value for each in call.node.keywords)], ast.Load()))
                    note(f"{call.name}()", told, call, weight)
        sums = {name: sum(told.values()) for name, told in pairs.items()}
        if not sums:
            return 0, None, ""
        most = max(sums, key=lambda name: sums[name])
        return sums[most], places[most], most

    def repeated(self) -> tuple[ProgramNode, str] | None:
        """Return the place of the first test that is made many times, in the function that repeats it, and a word about it."""
        for function in dict.fromkeys([*self.sites, *self.calls]):
            count, place, name = self._count(function)
            if count >= MANY and place is not None and (place.looped or not self._elsewhere(function, name)):
                return place, f"{name} in a loop" if place.looped else f"{name}, {count} tests"
        return None

    def _elsewhere(self, function: str, name: str) -> bool:
        """Return whether a function calls only one that repeats the test itself."""
        called = name.removesuffix("()")
        return self.weight(called) >= MANY and sum(call.name == called for call in self.calls.get(function, [])) == 1


def _experiments(program: Program, corrected: bool) -> Iterator[Hit]:  # noqa: FBT001 - mirrors its caller
    """PyTerrier's and ranx' comparisons: tests of several runs or measures without a correction."""
    for call in program.calls:
        if call.name == "Experiment" and "pyterrier" in program.libraries:
            baseline = call.argument("baseline")
            correction = call.argument("correction")
            tested = baseline is not None and not (isinstance(baseline, ast.Constant) and baseline.value is None)
            if not tested or (correction is not None and not _is_none(correction)):
                continue
            size = _size(program, call.argument("", 0), -1) * _size(program, call.argument("eval_metrics", 3), 0)
            if size != 1 and not corrected:
                yield Hit("M701", call.start, call.end, "Experiment with a baseline and no correction")
        elif call.name == "compare" and "ranx" in program.libraries and _is_ranx(program, call):
            test = program.resolved(call.argument("stat_test", 3))
            runs, measures = _size(program, call.argument("runs", 1), 0), _size(program, call.argument("metrics", 2), 0)
            named = str(test.value) if isinstance(test, ast.Constant) else "student"
            if named != "tukey" and (runs > FEW or measures > 1) and not corrected:
                yield Hit("M701", call.start, call.end, f"compare() with {named}, of all pairs and measures")


def _is_ranx(program: Program, call: Call) -> bool:
    func = call.node.func
    root = name_of(func) if isinstance(func, ast.Name) else call.receiver.partition(".")[0]
    return program.imports.get(root, "").startswith("ranx")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _size(program: Program, node: ast.expr | None, less: int) -> int:
    """Return the number of elements of a list, and ``less`` more; several if that cannot be told."""
    value = program.resolved(node)
    if isinstance(value, ast.List | ast.Tuple | ast.Set):
        return max(len(value.elts) + less, 1)
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return 1
    return FEW + 1
