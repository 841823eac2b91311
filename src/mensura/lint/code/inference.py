"""Tests of significance in a program: families without a correction, p-values without sizes, unpaired tests of paired topics."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import FUNCTIONS, Call, Program, ProgramNode, name_of, rendered
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRED = {"ttest_rel", "wilcoxon", "ttest_1samp", "binomtest", "binom_test", "permutation_test", "mcnemar"}
UNPAIRED = {"ttest_ind", "mannwhitneyu", "ranksums", "ttest_ind_from_stats"}
TESTS = PAIRED | UNPAIRED
P_VALUE = re.compile(r"(?:\w+_)?(?:p_?val(?:ue)?s?|pvs?)(?:_\w+)?", re.IGNORECASE)
P = re.compile(r"p|p_?\w{0,12}|\w{1,12}_p", re.IGNORECASE)  # may stand for a p-value, if it is computed like one
HELPERS = re.compile(  # tests of somebody's own module, by their names
    r"(?:\w+_)?(?:t_?test|ttest|wilcoxon|mcnemar|permutation|randomi[sz]ation|sign)(?:_(?:rel|test|paired|p_?values?|p))*|(?:\w+_)?(?:paired|significance|bootstrap|statistical|hypothesis)_tests?(?:_\w+)?",
    re.IGNORECASE,
)
TAIL = {"sf", "cdf"}  # of a distribution
LEVELS = {0.1, 0.05, 0.025, 0.01, 0.005, 0.001}
ALPHA = re.compile(r"(?:\w+_)?(?:alpha|level|threshold)|sig_?level", re.IGNORECASE)
CORRECTIONS = re.compile(
    r"multipletests|multitest|bonferroni|holm|tukey|false_discovery_control|fdr|hochberg|dunnett|adjust(?:ed)?_?p|p_?adjust|corrected|correction|sidak",
    re.IGNORECASE,
)
EFFECTS = re.compile(
    r"effect_?size|cohen|hedges|cliff|confidence_?interval|bootstrap|(?<![a-z])ci(?![a-z])|d_z|pingouin|glass", re.IGNORECASE
)
SIZES = re.compile(  # differences that are computed beside a p-value
    r"(?:mean|avg|average|median|observed|obs|score|metric|abs|absolute|relative|rel|pct|percent)_?(?:diff\w*|delta\w*|gain\w*|change)"
    r"|(?:diff\w*|delta)_(?:mean|avg|median|pct)",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(r"[\w ]*(?:diff|difference|delta|Δ|improvement|gain)[\w ]*", re.IGNORECASE)  # as the name of a value
TOLD = re.compile(
    r"(?:diff\w*|delta|Δ|improvement|gain)[^{}%]{0,25}(?:\{\}|%[-+.\d]*[fgs])", re.IGNORECASE
)  # in a text with values
FEW = 2  # runs and measures that need no correction together
MANY = 2  # tests that make a family


def check_inference(program: Program) -> Iterator[Hit]:
    """Yield the hits of the rules for tests. A correction, or an effect size, anywhere in the program serves all of its tests."""
    words = program.words
    corrected = any(CORRECTIONS.search(word) for word in words)
    sized = any(EFFECTS.search(word) or SIZES.fullmatch(word) for word in words) or any(map(_tells, program.places))
    tests = (
        [call for call in program.calls if _test(program, call) in TESTS and _is_scipy(program, call)] if program.retrieves else []
    )
    if not corrected:
        yield from _families(program, tests)
    if tests and not sized:
        yield Hit("M801", tests[0].start, tests[0].end, tests[0].name)
    for call in tests:
        if _test(program, call) in UNPAIRED - {"ttest_ind_from_stats"}:  # the last has no values that could be paired
            yield Hit("M703", call.start, call.end, call.name)
    yield from _experiments(program, corrected)


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


# Programs that speak only of runs or topics may be about anything.
SUBJECTS = {
    "query", "queries", "qid", "qids", "retrieval", "retriever", "retrieved", "rerank", "reranker", "reranking", "bm25", "trec",
    "splade", "colbert", "recommender", "recommendation", "recommendations", "recsys",
}  # fmt: skip


def _test(program: Program, call: Call) -> str:
    """Return the name of a function, or the name that it was imported from: ``from scipy.stats import ttest_rel as paired``."""
    if isinstance(call.node.func, ast.Name):
        origin, _, name = program.imports.get(call.name, "").rpartition(".")
        return name if origin.startswith("scipy") else call.name
    return call.name


def _is_scipy(program: Program, call: Call) -> bool:
    """Return whether a test is called, not a method of the program's own."""
    if isinstance(call.node.func, ast.Name):
        return call.node.func.id in program.imports or not any(
            isinstance(place.node, FUNCTIONS) and place.node.name == call.name for place in program.places
        )
    root = call.receiver.partition(".")[0]
    return root in program.imports or root == "stats"


def _families(program: Program, tests: list[Call]) -> Iterator[Hit]:
    """Tests that are repeated: in a loop, in a function that is called in a loop or several times, or of several pairs."""
    sites: list[tuple[ProgramNode, str, str]] = [
        (test, test.name, ast.unparse(ast.Tuple(test.node.args[:2], ast.Load()))) for test in tests
    ]
    if program.evaluates or program.pieces & SUBJECTS:
        sites += [(place, told, told) for place in program.places if (told := _site(program, place))]
    repeated = _Family(program, sites).repeated()
    if repeated is not None:
        place, told = repeated
        yield Hit("M701", place.start, place.end, told)


def _site(program: Program, place: ProgramNode) -> str:
    """Return a name for a test of the program's own: a p-value that is computed, a test of another module, a level of significance."""
    match place.node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_p(name, value):
            return name
        case ast.Return(value=ast.expr() as value) if HELPERS.fullmatch(place.function) and _is_p("p_value", value):
            return place.function
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[right]) if _is_level(right):
            name = _name(left)
            if P_VALUE.fullmatch(name) and (place.looped or not isinstance(left, ast.Name)):
                return name
    if isinstance(place, Call) and HELPERS.fullmatch(place.name) and place.name not in TESTS:
        root = name_of(place.node.func) if isinstance(place.node.func, ast.Name) else place.receiver.partition(".")[0]
        origin = program.imports.get(root, "").partition(".")[0]
        spoken = any(P_VALUE.fullmatch(word) or word.startswith("significan") for word in program.words)
        if origin and origin not in {"scipy", "sklearn", "numpy"} and spoken:
            return place.name
    return ""


def _name(node: ast.expr) -> str:
    """Return the name of a value, or its key: ``row["p_value"]`` and ``test.pvalue`` have one."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return text
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(text)), *_]):
            return text
    return name_of(node)


def _is_level(node: ast.expr) -> bool:
    return (isinstance(node, ast.Constant) and node.value in LEVELS) or ALPHA.fullmatch(name_of(node)) is not None


def _is_p(name: str, value: ast.expr) -> bool:
    """Return whether a name is that of a p-value, and its value is computed: a share of draws, or the tail of a distribution."""
    if not (P_VALUE.fullmatch(name) or P.fullmatch(name)):
        return False
    explicit = P_VALUE.fullmatch(name) is not None
    for node in ast.walk(value):
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                more = all(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add) for each in (left, right))
                if explicit or more:
                    return True
            case ast.Call(func=func, args=args):
                told = name_of(func)
                compared = [func.value, *args] if isinstance(func, ast.Attribute) else args
                if told in {"mean", "sum", "average"} and any(isinstance(each, ast.Compare) for each in compared):
                    return True
                if told in TAIL and (explicit or len(name) == 1):
                    return True
    return False


class _Family:
    """Numbers of tests that a program makes when a function of it is called: none, one, or a family."""

    def __init__(self, program: Program, sites: list[tuple[ProgramNode, str, str]]) -> None:
        self.sites: dict[str, list[tuple[ProgramNode, str, str]]] = {}
        for site in sites:
            self.sites.setdefault(site[0].function, []).append(site)
        self.calls: dict[str, list[Call]] = {}
        for call in program.calls:
            self.calls.setdefault(call.function, []).append(call)
        self.weights: dict[str, int] = {}

    def weight(self, function: str) -> int:
        """Return the number of tests that a call of a function makes, up to a family of them."""
        if function not in self.weights:
            self.weights[function] = 0  # a function that calls itself
            self.weights[function] = min(self._count(function)[0], MANY)
        return self.weights[function]

    def _count(self, function: str) -> tuple[int, ProgramNode | None, str]:
        pairs: dict[str, dict[str, int]] = {}
        places: dict[str, ProgramNode] = {}
        for place, name, told in self.sites.get(function, []):
            pairs.setdefault(name, {})[told] = MANY if place.looped else 1
            places.setdefault(name, place)
        for call in self.calls.get(function, []):
            if call.name not in pairs and call.name != function and (call.name in self.sites or call.name in self.calls):
                weight = self.weight(call.name)
                if weight:
                    told = ast.unparse(ast.Tuple([*call.node.args, *(each.value for each in call.node.keywords)], ast.Load()))
                    known = pairs.setdefault(f"{call.name}()", {})
                    known[told] = max(known.get(told, 0), MANY if call.looped else weight)
                    places.setdefault(f"{call.name}()", call)
        sums = {name: sum(told.values()) for name, told in pairs.items()}
        if not sums:
            return 0, None, ""
        most = max(sums, key=lambda name: sums[name])
        return sums[most], places[most], most

    def repeated(self) -> tuple[ProgramNode, str] | None:
        """Return the place of the first test that is made many times, in the function that repeats it, and a word about it."""
        for function in dict.fromkeys([*self.sites, *self.calls]):
            count, place, name = self._count(function)
            if count >= MANY and place is not None:
                return place, f"{name} in a loop" if place.looped else f"{name}, {count} tests"
        return None


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
