"""Tests of significance in a program: families without a correction, p-values without sizes, unpaired tests of paired topics."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.program import FUNCTIONS, Call, Program, name_of
from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

PAIRED = {"ttest_rel", "wilcoxon", "ttest_1samp", "binomtest", "permutation_test"}
UNPAIRED = {"ttest_ind", "mannwhitneyu", "ranksums", "ttest_ind_from_stats"}
TESTS = PAIRED | UNPAIRED
CORRECTIONS = re.compile(
    r"multipletests|multitest|bonferroni|holm|tukey|false_discovery_control|fdr|hochberg|dunnett|adjust(?:ed)?_?p|p_?adjust|corrected|correction|sidak",
    re.IGNORECASE,
)
EFFECTS = re.compile(
    r"effect_?size|cohen|hedges|cliff|confidence_?interval|bootstrap|(?<![a-z])ci(?![a-z])|d_z|pingouin|glass", re.IGNORECASE
)
FEW = 2  # runs and measures that need no correction together


def check_inference(program: Program) -> Iterator[Hit]:
    """Yield the hits of the rules for tests. A correction, or an effect size, anywhere in the program serves all of its tests."""
    words = program.words
    corrected = any(CORRECTIONS.search(word) for word in words)
    sized = any(EFFECTS.search(word) for word in words)
    tests = [call for call in program.calls if call.name in TESTS and _is_scipy(program, call)] if program.retrieves else []
    if not corrected:
        yield from _families(program, tests)
    if tests and not sized:
        yield Hit("M801", tests[0].start, tests[0].end, tests[0].name)
    for call in tests:
        if call.name in UNPAIRED and call.name != "ttest_ind_from_stats":  # which has no values that could be paired
            yield Hit("M703", call.start, call.end, call.name)
    yield from _experiments(program, corrected)


def _is_scipy(program: Program, call: Call) -> bool:
    """Return whether a test is called, not a method of the program's own."""
    if isinstance(call.node.func, ast.Name):
        return call.node.func.id in program.imports or not any(
            isinstance(place.node, FUNCTIONS) and place.node.name == call.name for place in program.places
        )
    root = call.receiver.partition(".")[0]
    return root in program.imports or root == "stats"


def _families(program: Program, tests: list[Call]) -> Iterator[Hit]:
    """Tests in a loop, in a function that is called in a loop, or of several pairs."""
    if not tests:
        return
    calls: dict[str, list[Call]] = {}
    for call in program.calls:
        calls.setdefault(call.name, []).append(call)
    looped = [test for test in tests if test.looped or _is_repeated(test.function, calls, set())]
    if looped:
        yield Hit("M701", looped[0].start, looped[0].end, f"{looped[0].name} in a loop")
        return
    pairs = {ast.unparse(ast.Tuple(test.node.args[:2], ast.Load())) for test in tests}
    if len(pairs) > 1:
        yield Hit("M701", tests[0].start, tests[0].end, f"{len(pairs)} tests")


def _is_repeated(function: str, calls: dict[str, list[Call]], seen: set[str]) -> bool:
    """Return whether a function is called in a loop, or with several arguments, by itself or by its callers."""
    if not function or function in seen:
        return False
    seen.add(function)
    callers = calls.get(function, [])
    arguments = {ast.unparse(ast.Tuple(call.node.args, ast.Load())) for call in callers}
    return len(arguments) > 1 or any(call.looped or _is_repeated(call.function, calls, seen) for call in callers)


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
