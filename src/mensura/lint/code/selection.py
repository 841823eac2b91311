"""Choices of a program: one split of the topics, and parameters that are tuned on the topics that they are tested on."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.averages import EVALUATIONS
from mensura.lint.code.program import Call, Program, ProgramNode, name_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

TOPICS = re.compile(r"topics?|quer(?:y|ies)|qids?|qrels?|questions?|users?|qid_list|(?:unique_)?query_ids?", re.IGNORECASE)
FOLDS = re.compile(
    r"K_?Fold|cross_val|Stratified|ShuffleSplit|LeaveOne|n_splits|n_folds|num_folds|^folds?$|_folds?$", re.IGNORECASE
)
TUNERS = {"GridSearch": (2, 3), "GridScan": (2, 3), "optimize_fusion": (0, -1)}
TUNED_TOPICS = {"GridSearch": ("topics", "qrels"), "GridScan": ("topics", "qrels"), "optimize_fusion": ("qrels", "qrels")}
EVALUATED_TOPICS = {"Experiment": ("topics", 1), "evaluate": ("qrels", 0), "compare": ("qrels", 0)}
TEST = re.compile(r"(?:^|_)test(?:_|$|ing)", re.IGNORECASE)


def check_selection(program: Program) -> Iterator[Hit]:
    """Yield one split of topics that a retrieval evaluation follows, and tuning on test topics."""
    if not program.retrieves:
        return
    folded = any(FOLDS.search(word) for word in program.words)
    splits = [call for call in program.calls if call.name == "train_test_split" and not call.looped and _splits_topics(call)]
    measured = [call for call in program.calls if call.name in EVALUATIONS or call.name in {"evaluate", "ndcg_score"}]
    for call in splits:
        if not folded and (any(other.start > call.start for other in measured) or not program.evaluates):
            yield Hit("M501", call.start, call.end, ast.unparse(call.node)[:60])
            break
    yield from _tuned(program)
    yield from _swept(program)


def _splits_topics(call: Call) -> bool:
    """Return whether topics are split: by the name of what is split."""
    for argument in call.node.args:
        for node in ast.walk(argument):
            if any(TOPICS.fullmatch(part) for part in (name_of(node), *name_of(node).split("_"))):
                return True
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and TOPICS.fullmatch(node.value):
                return True
    return False


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
EPOCHS = re.compile(r"epochs?|_?e|ep|it|iteration|step", re.IGNORECASE)
VALIDATION = {"val", "valid", "validation", "dev", "devset", "heldout", "holdout", "vali", "vad", "fold", "folds"}


def _swept(program: Program) -> Iterator[Hit]:
    """The best of many settings, or of many epochs, on topics that nothing says are others than those of the test."""
    if not program.searches or program.detects:
        return
    pieces = program.pieces
    swept = not pieces & HELD_OUT - {"eval"}
    watched = "test" in pieces and not pieces & VALIDATION
    if not (swept or watched):
        return
    for place in program.places:
        loop = place.node
        if not isinstance(loop, ast.For):
            continue
        names = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
        if swept and any(PARAMETERS.fullmatch(name) for name in names) and _is_grid(program, loop.iter):
            chosen = _chosen(loop) or _chosen_after(program, place)
            if chosen:
                yield Hit("M502", place.start, place.start + len("for"), f"the best {', '.join(names)} by {chosen}"[:60])
                return
        if watched and any(EPOCHS.fullmatch(name) for name in names):
            chosen = _chosen(loop)
            if chosen and any(TEST.search(name_of(node)) for node in ast.walk(loop) if isinstance(node, ast.Name | ast.Attribute)):
                yield Hit("M502", place.start, place.start + len("for"), f"the best epoch by {chosen}, on test data"[:60])
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
