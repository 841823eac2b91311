"""Choices of a program: parameters that are tuned on the topics that they are tested on."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.averages import EVALUATIONS
from mensura.lint.code.program import SHORT, Program, ProgramNode, name_of, pieces_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

TUNERS = {"GridSearch": (2, 3), "GridScan": (2, 3), "optimize_fusion": (0, -1)}
TUNED_TOPICS = {"GridSearch": ("topics", "qrels"), "GridScan": ("topics", "qrels"), "optimize_fusion": ("qrels", "qrels")}
EVALUATED_TOPICS = {"Experiment": ("topics", 1), "evaluate": ("qrels", 0), "compare": ("qrels", 0)}
TEST = re.compile(r"(?:^|_)test(?:_|$|ing)", re.IGNORECASE)


def check_selection(program: Program) -> Iterator[Hit]:
    """Yield parameters and epochs that are chosen by the topics of the test."""
    if not program.retrieves:
        return
    yield from _tuned(program)
    yield from _swept(program)
    yield from _watched(program)


def _tuned(program: Program) -> Iterator[Hit]:
    """A search over parameters on topics that are also those of the evaluation, or that are called test topics."""
    tested = set()
    for call in program.calls:
        known = EVALUATED_TOPICS.get(call.name)
        if known is not None and program.libraries & EVALUATIONS[call.name][2]:
            topics = call.argument(*known)
            if topics is not None:
                tested.add(ast.unparse(topics))
    for call in program.calls:
        if call.name in TUNERS and program.libraries & {"pyterrier", "ranx"}:
            keyword, _ = TUNED_TOPICS[call.name]
            topics = call.argument(keyword, TUNERS[call.name][0])
            if topics is None:
                continue
            name = ast.unparse(topics)
            if name in tested or TEST.search(name_of(topics)):
                yield Hit("M502", call.start, call.end, f"{call.name} on {name}"[:60])
        elif call.name == "fit" and program.libraries & {"pyterrier"} and len(call.node.args) >= FITTED:
            valid = call.node.args[2]
            if TEST.search(name_of(valid)) and not TEST.search(name_of(call.node.args[0])):
                yield Hit("M502", call.start, call.end, f"validated on {ast.unparse(valid)}"[:60])


FITTED = 3  # training topics and judgments, then those for validation

# Parameters of rankings that a sweep goes through.
PARAMETERS = re.compile(
    r"k_?1|b|alphas?|betas?|gammas?|lambdas?_?|lam|mu|w\d?|weights?|[wab]_?(?:bm25|dense|sparse|title|body)|(?:bm25|dense|sparse|title|body|lexical|semantic)_?w(?:eights?)?"
    r"|thresholds?|thresh|fb_?\w+|rrf_?k|params?|parameters?|combo|combination|config(?:uration)?|setting|hyper_?params?|k_?1_?val\w*|b_?val\w*|boosts?|(?:chunk|window)_?sizes?|top_?[nk]|smoothing",
    re.IGNORECASE,
)
GRIDS = re.compile(r"product|arange|linspace|ParameterGrid|frange")
BEST = re.compile(r"(?:\w+_)?(?:best|max|top|optimal)(?:_\w+)?", re.IGNORECASE)
MEASURED = re.compile(
    r"(?<![a-z])(?:n?dcg|mrr|map|m_?ap|bpref|recip_?rank|mean_?average_?precision|recall|precision|hit_?(?:rate|ratio|at)?|hr|p_?at|p@)s?(?![a-z])",
    re.IGNORECASE,
)
HELD_OUT = {
    "dev", "devset", "val", "valid", "validation", "train", "training", "trainset", "fold", "folds", "cv", "kfold", "heldout", "held", "holdout",
    "calibration", "calib", "tune", "tuning", "split", "splits", "eval",
}  # fmt: skip


def _swept(program: Program) -> Iterator[Hit]:
    """The best of many settings, on topics that nothing says are others than those of the test."""
    if not program.searches or program.detects:
        return
    if program.pieces & HELD_OUT - {"eval"}:
        return
    for place in program.places:
        loop = place.node
        if not isinstance(loop, ast.For):
            continue
        names = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
        if any(PARAMETERS.fullmatch(name) for name in names) and _is_grid(program, loop.iter):
            chosen = _chosen(loop) or _chosen_after(program, place)
            if chosen:
                yield Hit("M502", place.start, place.start + len("for"), f"the best {', '.join(names)} by {chosen}"[:60])
                return


def _is_grid(program: Program, node: ast.expr) -> bool:
    """Return whether a loop goes through values that somebody chose: a list of numbers, a range, or a product of such."""
    value = program.resolved(node)
    if isinstance(value, ast.List | ast.Tuple):
        return len(value.elts) > 1
    called = {name_of(each.func) for each in ast.walk(value) if isinstance(each, ast.Call)} if value is not None else set()
    inner = {name_of(each) for each in ast.walk(value)} if value is not None else set()
    return any(GRIDS.search(name) for name in called) or any(
        re.search(
            r"grid|values|candidates|range|options|params|alphas|betas|weights|thresholds|ks|combinations|configs",
            name,
            re.IGNORECASE,
        )
        for name in inner
    )


def _chosen(loop: ast.For) -> str:
    """Return the measure by which a loop keeps the best of what it tries: ``if ndcg > best:``."""
    for node in ast.walk(loop):
        match node:
            case ast.If(test=ast.Compare(left=left, ops=[ast.Gt() | ast.GtE()], comparators=[right])) if BEST.fullmatch(
                name_of(right) or ast.unparse(right).partition("[")[0]
            ):
                told = f"{ast.unparse(left)} {ast.unparse(right)}"
                measure = MEASURED.search(told)
                if measure is not None:
                    return measure[0]
                if isinstance(left, ast.Name):
                    for inner in ast.walk(loop):
                        if isinstance(inner, ast.Assign) and left.id in {name_of(target) for target in inner.targets}:
                            measure = MEASURED.search(ast.unparse(inner.value))
                            if measure is not None:
                                return measure[0]
    return ""


def _chosen_after(program: Program, place: ProgramNode) -> str:
    """Return the measure by which the best is picked from what a loop has collected: ``best = max(results, key=…)``."""
    collected = {
        name_of(node.func.value)
        for node in ast.walk(place.node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append"
    } - {""}
    for other in program.places:
        if other.start < place.end or other.function != place.function or not isinstance(other.node, ast.Assign):
            continue
        value = ast.unparse(other.node.value)
        picks = re.search(r"\bmax\(|argmax|idxmax|sorted\(|sort_values|nlargest", value)
        named = any(
            BEST.fullmatch(name_of(each))
            for target in other.node.targets
            for each in ast.walk(target)
            if isinstance(each, ast.Name)
        )
        if picks and named and any(re.search(rf"\b{re.escape(name)}\b", value) or "df" in value for name in collected):
            measure = MEASURED.search(value) or MEASURED.search(ast.unparse(place.node))
            if measure is not None:
                return measure[0]
    return ""


# ── the best by what is called a test ────────────────────────────────────────────────────────────────────────────────────────

TESTING = {"test", "testing", "testset", "tst"}
OTHERS = HELD_OUT - {"split", "splits", "eval", "train", "training", "trainset"}
SCORED = {
    "acc",
    "accuracy",
    "auc",
    "eval",
    "f1",
    "loss",
    "metric",
    "metrics",
    "result",
    "results",
    "score",
    "scores",
    "hit",
    "hits",
    "error",
    "rmse",
}
PICKS = {"argmax", "argmin", "idxmax", "idxmin", "nlargest", "nsmallest"}
EXTREMES = {"max", "min", "sorted"}
DEPTH = 4  # assignments that a value is followed through
STUDIES = {"optimize", "minimize", "maximize", "gp_minimize", "fmin", "differential_evolution", "basinhopping", "agent"}


def _watched(program: Program) -> Iterator[Hit]:
    """Parameters, epochs or models of which the best is kept by what they reach on data that are called the test's."""
    if not program.searches:
        return
    sources = _Sources(program)
    for place in program.places:
        match place.node:
            case ast.If(test=test) if place.looped:
                chosen = next((value for value in _kept_best(place.node, test) if sources.tests(value, place.function)), None)
            case ast.Assign(targets=[target], value=value) if _is_best(target) and (picked := _picked(value)) is not None:
                chosen = picked if sources.tests(picked, place.function) else None
            case ast.Call(func=function, args=args, keywords=keywords) if name_of(function) in STUDIES:
                handed = [*args, *(keyword.value for keyword in keywords)]
                objective = next((name_of(each) for each in handed if name_of(each) in program.defined), "")
                returned = [
                    each.node.value for each in program.places if isinstance(each.node, ast.Return) and each.function == objective
                ]
                chosen = next((value for value in returned if value is not None and sources.tests(value, objective)), None)
            case _:
                continue
        if chosen is not None:
            yield Hit("M502", place.start, place.start + 2, f"the best by {ast.unparse(chosen)}, on test data"[:60])
            return


def _kept_best(choice: ast.If, test: ast.expr) -> Iterator[ast.expr]:
    """Yield the value that a condition compares with the best so far, if its body keeps it: ``if hit > best: best = hit``."""
    for each in ast.walk(test):
        match each:
            case ast.Compare(left=left, ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()], comparators=[right]):
                for value, best in ((left, right), (right, left)):
                    kept = ast.unparse(best)
                    stored = [
                        ast.unparse(target)
                        for node in choice.body
                        for inner in ast.walk(node)
                        if isinstance(inner, ast.Assign)
                        for target in inner.targets
                    ]
                    if not isinstance(value, ast.Constant) and kept in stored and BEST.fullmatch(_base(best)):
                        yield value


def _base(node: ast.expr) -> str:
    """Return the name of a value, or of what it is an element of."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return name_of(node)


def _is_best(target: ast.expr) -> bool:
    return any(BEST.fullmatch(name_of(each)) for each in ast.walk(target) if isinstance(each, ast.Name | ast.Attribute))


def _picked(value: ast.expr) -> ast.expr | None:
    """Return what the best is picked of: ``np.argmax(scores)``, ``scores.idxmax()``, ``max(results, key=…)``."""
    for each in ast.walk(value):
        match each:
            case ast.Call(func=ast.Attribute(attr=name, value=inner), args=args) if name in PICKS:
                return args[0] if args and isinstance(inner, ast.Name) and inner.id in {"np", "numpy", "torch", "jnp"} else inner
            case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in EXTREMES:
                return inner
    return None


class _Sources:
    """Sources of values: the names that they are followed to, through assignments, loops, lists and the program's functions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values: dict[tuple[str, str], list[ast.expr]] = {}
        for place in program.places:
            match place.node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._note(place.function, target, value)
                case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value) if value is not None:
                    self._note(place.function, target, value)
                case ast.For(target=target, iter=value):
                    self._note(place.function, target, value)
                case ast.Call(func=ast.Attribute(attr="append" | "extend" | "update", value=target), args=[value]):
                    self._note(place.function, target, value)

    def _note(self, function: str, target: ast.expr, value: ast.expr) -> None:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            name = _base(each)
            if name:
                self.values.setdefault((function, name), []).append(value)

    def tests(self, value: ast.expr, function: str) -> bool:
        """Return whether a value is a measure's, on test data: of the data that it is computed from, those named first decide."""
        values, seen, told = [value], set(), set()
        for _ in range(DEPTH):
            names = {name for each in values for name in self._names(each)}
            told |= names
            pieces = {piece for name in names for piece in pieces_of(name)}
            if pieces & (TESTING | OTHERS):
                return not pieces & OTHERS and any(MEASURED.search(name) or SCORED & {*pieces_of(name)} for name in told)
            keys = [
                key for name in sorted(names) for key in ((function, name), ("", name)) if key in self.values and key not in seen
            ]
            seen |= {*keys}
            values = [inner for key in keys for inner in self.values[key]]
        return False

    def _names(self, value: ast.expr) -> set[str]:
        """Return the names, and the short strings, of an expression: not those of functions, but those in one that is called without arguments."""
        names = set()
        called = {id(each.func) for each in ast.walk(value) if isinstance(each, ast.Call)}
        for each in ast.walk(value):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and not (each.args or each.keywords):
                names |= self._globals(each.func.id)
            elif isinstance(each, ast.Constant) and isinstance(each.value, str) and len(each.value) <= SHORT:
                names |= {*re.split(r"\W+", each.value)}
            elif id(each) not in called:
                names.add(name_of(each))
        return names - {""}

    def _globals(self, name: str) -> set[str]:
        """Return the names in a function of the program that is called without arguments."""
        defined = self.program.defined.get(name)
        return {name_of(each) for each in ast.walk(defined.node)} - {""} if defined is not None else set()
