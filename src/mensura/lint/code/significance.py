"""Tests of significance in a program: those of libraries, those that it writes by hand, and the calls that return their p-values."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.code.program import Call, Program, ProgramNode, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRED = {"ttest_rel", "wilcoxon", "ttest_1samp", "binomtest", "binom_test", "permutation_test", "mcnemar"}
UNPAIRED = {"ttest_ind", "mannwhitneyu", "ranksums", "ttest_ind_from_stats"}
TESTS = PAIRED | UNPAIRED
OTHERS = {
    "f_oneway",
    "kruskal",
    "friedmanchisquare",
    "chi2_contingency",
    "fisher_exact",
    "brunnermunzel",
    "proportions_ztest",
    "ztest",
}
MODULES = {"stats", "st", "ss", "sps", "scipy_stats"}  # names that scipy.stats has in programs that import it elsewhere
P_VALUE = re.compile(r"(?:\w+_)?(?:p_?val(?:ue)?s?|pvs?)(?:_\w+)?", re.IGNORECASE)
P = re.compile(r"p_?(?:one|two|exact|left|right|raw|perm\w*|boot\w*|adj)?(?:_?(?:sided|tailed))?|(?:\w+_)?p", re.IGNORECASE)
HELPERS = re.compile(  # tests of somebody's own module, by their names
    r"(?:\w+_)?(?:t_?test|ttest|wilcoxon|mcnemar|permutation|randomi[sz]ation|sign|sign_?flip)(?:_(?:rel|test|paired|exact|p_?values?|p))+"
    r"|(?:\w+_)?(?:t_?test|ttest|wilcoxon|mcnemar)"
    r"|(?:\w+_)?(?:paired|significance|bootstrap|statistical|hypothesis)_tests?(?:_\w+)?",
    re.IGNORECASE,
)
TEST_NAMED = re.compile(
    r"test|wilcoxon|mcnemar|permut|randomi[sz]|sign_?flip|bootstrap|signific|p_?val|(?:^|_)p$|(?<![a-z])exact|binom", re.IGNORECASE
)
# Functions whose p-value is not one of a comparison, and functions that only hand on a value that is already there.
CORRELATIONS = {
    "spearmanr", "pearsonr", "kendalltau", "weightedtau", "pointbiserialr", "linregress", "somersd", "theilslopes", "shapiro", "normaltest", "levene",
    "bartlett", "kstest", "ks_2samp", "anderson", "jarque_bera", "skewtest", "kurtosistest", "adfuller", "het_breuschpagan", "corr", "corrcoef", "correlation",
}  # fmt: skip
HANDED = re.compile(
    r"get|load\w*|read\w*|loads|float|int|str|round|min|max|abs|format\w*|fmt\w*|pop|array|asarray|list|dict|tuple|sorted|zip|DataFrame|Series|items|values|next"
    r"|parse\w*|corr\w*|adjust\w*|holm\w*|bonferroni\w*|multipletests|fdr\w*|to_\w+|item|clip|where|nan_to_num|append|tolist|split|add_argument|getattr|sum|mean"
    r"|[A-Z]\w*|field|Field|bool|len|any|all|copy|strip|replace|quantile|percentile|sqrt|log\w*|exp|random|uniform|zeros\w*|ones\w*|empty\w*|full\w*|linspace|arange",
)
TAIL = {"sf", "cdf", "erfc"}  # of a distribution
LEVELS = {0.1, 0.05, 0.025, 0.01, 0.005, 0.001}
ALPHA = re.compile(r"(?:\w+_)?(?:alpha|level|threshold)|sig_?level", re.IGNORECASE)
DRAWN = re.compile(
    r"perm|shuff|draw|boot|iter|trial|resampl|random|round|(?<![a-z])(?:B|b|R|n|total|reps?|sim\w*)(?![a-z])|count|1\d*0+\b"
)
OBSERVED = re.compile(r"obs|actual|real|orig|true|stat|base|diff|delta|(?<![a-z])(?:t|d|T|D)(?![a-z])", re.IGNORECASE)
RESAMPLES = {
    "permutation", "permuted", "shuffle", "choice", "choices", "randint", "integers", "random", "rand", "sample", "product", "combinations", "getrandbits",
    "binomial", "randn", "random_sample", "rademacher", "permutations", "default_rng",
}  # fmt: skip
REPEATS = {
    "map",
    "starmap",
    "apply",
    "imap",
    "imap_unordered",
    "submit",
    "delayed",
    "vectorize",
    "parallel_apply",
    "progress_apply",
}
MANY = 2  # tests that make a family
PAIR = 2  # arguments of a comparison


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """A place where a test is made: a name for it, a text that two calls with the same values share, and whether it computes a p-value."""

    place: ProgramNode
    name: str
    told: str
    computes: bool = True
    weight: int = 1


def library_tests(program: Program) -> list[Call]:
    """The calls of tests of SciPy and statsmodels, also by another name."""
    tests = [call for call in program.calls if test_name(program, call) in TESTS | OTHERS and _is_library(program, call)]
    dropped = {id(_statistic(place.node)) for place in program.places} if tests else set()
    return [call for call in tests if id(call.node) not in dropped]


def _statistic(node: ast.AST) -> ast.expr | None:
    """Return an expression of which a program takes the statistic of a test only, if it is one."""
    match node:
        case ast.Attribute(attr="statistic", value=value) | ast.Subscript(slice=ast.Constant(value=0), value=value):
            return value
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id="_"), *_])], value=value):
            return value
    return None


def test_name(program: Program, call: Call) -> str:
    """Return the name of a function, or the name that it was imported from: ``from scipy.stats import ttest_rel as paired``."""
    if isinstance(call.node.func, ast.Name):
        origin, _, name = program.imports.get(call.name, "").rpartition(".")
        return name if origin.startswith(("scipy", "statsmodels")) else call.name
    return call.name


def _is_library(program: Program, call: Call) -> bool:
    """Return whether a test is called, not a method of the program's own."""
    if isinstance(call.node.func, ast.Name):
        return call.node.func.id in program.imports or call.name not in program.defined
    root = call.receiver.partition(".")[0]
    return root in program.imports or root in MODULES


def sites(program: Program, tests: list[Call]) -> list[Site]:
    """All tests of a program; those that it makes by other means than a library only if it speaks of retrieval."""
    every = [Site(test, test.name, _told(test.node.args[:2])) for test in tests]
    spoken = any(P_VALUE.fullmatch(word) or word.startswith("significan") for word in program.words)
    known = {id(test.node) for test in tests}
    draws = _Draws(program)
    for place in program.places:
        if id(place.node) not in known:
            every += _sites(program, place, draws, spoken=spoken)
    return every


def _told(arguments: list[ast.expr]) -> str:
    return ast.unparse(ast.Tuple(arguments, ast.Load()))


class _Draws:
    """Functions that draw at random or go through all signs, and what they count: draws that are at least what was observed."""

    def __init__(self, program: Program) -> None:
        self.functions = {call.function for call in program.calls if call.name in RESAMPLES} | {
            place.function
            for place in program.places
            if isinstance(place.node, ast.BinOp) and isinstance(place.node.op, ast.RShift | ast.LShift | ast.BitAnd | ast.BitXor)
        }
        self.counts: set[tuple[str, str]] = set()
        for place in program.places:
            match place.node:
                case ast.If(test=test, body=[ast.AugAssign(target=ast.Name(id=name), op=ast.Add()), *_]) if _exceeds(test):
                    self.counts.add((place.function, name))
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if any(map(_exceeds, ast.walk(value))):
                    self.counts.add((place.function, name))

    def is_p(self, name: str, value: ast.expr, function: str) -> bool:
        """Return whether a value is computed as a p-value is: a share of draws, or the tail of a distribution."""
        drawn = function in self.functions
        explicit = P_VALUE.fullmatch(name) is not None
        loose = P.fullmatch(name) is not None
        for node in ast.walk(value):
            match node:
                case ast.BinOp(left=left, op=ast.Div(), right=right):
                    more = all(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add) for each in (left, right))
                    counted = any(isinstance(each, ast.Name) and (function, each.id) in self.counts for each in ast.walk(left))
                    if explicit or (drawn and (counted or (loose and more and DRAWN.search(ast.unparse(right))))):
                        return True
                case ast.Call(func=func, args=args):
                    told = name_of(func)
                    compared = [func.value, *args] if isinstance(func, ast.Attribute) else args
                    comparisons = [each for each in compared if isinstance(each, ast.Compare)]
                    shared = told in {"mean", "sum", "average"} and comparisons
                    if shared and (explicit or (loose and drawn and any(map(_exceeds, comparisons)))):
                        return True
                    if explicit and told in {"comb", "binom"}:
                        return True
                    if told in TAIL and (explicit or (loose and len(name) == 1)):
                        return True
        return False


def _exceeds(node: ast.AST) -> bool:
    """Return whether a comparison is one with something that was observed."""
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.GtE | ast.Gt | ast.LtE | ast.Lt)
        and any(OBSERVED.search(ast.unparse(each)) for each in (node.left, node.comparators[0]))
    )


def _sites(program: Program, place: ProgramNode, draws: _Draws, *, spoken: bool) -> Iterator[Site]:
    if isinstance(place, Call):
        if place.name == "ttest" and "repro_eval" in program.roots:  # of all measures at once
            yield Site(place, place.name, place.name, weight=MANY)
        elif HELPERS.fullmatch(place.name) and spoken and _is_foreign(program, place):
            yield Site(place, place.name, _told([*place.node.args, *(each.value for each in place.node.keywords)]))
    elif isinstance(place.node, ast.stmt):
        yield from _stated(program, place, draws)
    else:
        yield from _told_by(program, place)


def _stated(program: Program, place: ProgramNode, draws: _Draws) -> Iterator[Site]:
    """A p-value that a statement computes or returns, or is given by a call."""
    match place.node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if draws.is_p(name, value, place.function):
            yield Site(place, name, name)
        case ast.Return(value=ast.expr() as value):
            if draws.is_p("p_value" if HELPERS.fullmatch(place.function) else "", value, place.function):
                yield Site(place, place.function, place.function)
        case ast.Assign(targets=[target], value=ast.Call() as call) if _names_p(target, call):
            yield from _called(program, call)


def _told_by(program: Program, place: ProgramNode) -> Iterator[Site]:
    """A call whose result is used as a p-value: under its key, by its attribute, or against a level of significance."""
    match place.node:
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(value, ast.Call) and isinstance(key, ast.Constant) and P_VALUE.fullmatch(str(key.value)):
                    yield from _called(program, value)
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()], comparators=[right]) if _is_level(right):
            if P_VALUE.fullmatch(_name(left)) and (place.looped or not isinstance(left, ast.Name)):
                yield Site(place, _name(left), _name(left), computes=False)
        case ast.Subscript(ctx=ast.Load(), value=value) | ast.Attribute(ctx=ast.Load(), value=value):
            source = program.assigned_in(place.function, value)
            if (
                P_VALUE.fullmatch(_name(place.node))
                and isinstance(source, ast.Call)
                and len(source.args) + len(source.keywords) >= PAIR
            ):
                yield from _called(program, source)


def _names_p(target: ast.expr, call: ast.Call) -> bool:
    """Return whether the result of a call, or a part of it, is named as a p-value."""
    tested = TEST_NAMED.search(name_of(call.func)) is not None
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    return any(P_VALUE.fullmatch(name) or (tested and P.fullmatch(name)) for name in map(_name, parts))


def _called(program: Program, call: ast.Call) -> Iterator[Site]:
    """The site of a call that returns a p-value, if it is not a library's test, nor one that hands a value on."""
    name = name_of(call.func)
    place = program.place.get(id(call))
    if place is None or not name or not (call.args or call.keywords):
        return
    if name in TESTS | OTHERS | CORRELATIONS or HANDED.fullmatch(name):
        return
    yield Site(place, name, _told([*call.args, *(each.value for each in call.keywords)]))


def _is_foreign(program: Program, call: Call) -> bool:
    """Return whether a function is imported from a module that is neither SciPy's nor one of machine learning."""
    root = call.node.func.id if isinstance(call.node.func, ast.Name) else call.receiver.partition(".")[0]
    origin = program.imports.get(root, "").partition(".")[0]
    return bool(origin) and origin not in {"scipy", "sklearn", "numpy", "torch"}


def _name(node: ast.AST) -> str:
    """Return the name of a value, or its key: ``row["p_value"]`` and ``test.pvalue`` have one."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            return text
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(text)), *_]):
            return text
    return name_of(node)


def _is_level(node: ast.expr) -> bool:
    return (isinstance(node, ast.Constant) and node.value in LEVELS) or ALPHA.fullmatch(name_of(node)) is not None
