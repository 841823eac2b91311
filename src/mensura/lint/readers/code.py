"""Python: averages of reciprocal ranks, tests in a loop without a correction, p-values without effect sizes, one split."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.lint.rule import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.document import Code

TESTS = {"ttest_rel", "ttest_ind", "wilcoxon", "mannwhitneyu", "permutation_test", "ttest_1samp", "binomtest"}
CORRECTIONS = re.compile(
    r"multipletests|bonferroni|holm|tukey|false_discovery_control|fdr|hochberg|dunnett|adjust_p|correct|len\(\w+\)\s*\*\s*p|mensura",
    re.IGNORECASE,
)
EFFECTS = re.compile(
    r"effect|cohen|hedges|cliff|confidence_interval|bootstrap|\bci\b|d_z|std\(|ddof|pingouin|mensura", re.IGNORECASE
)
FOLDS = re.compile(
    r"KFold|cross_val|StratifiedK|ShuffleSplit|LeaveOne|for \w*seed|for \w*(?:split|fold)|cross_validate", re.IGNORECASE
)
RECIPROCAL = re.compile(r"recip_?rank|reciprocal|\bmrr\b|\brrs?\b|1(?:\.0)?\s*/\s*\(?\w*rank", re.IGNORECASE)
EXPECTED = re.compile(r"\berrs?(?:_?\d+|_at_\d+|@\d+)?\b|ERR@", re.IGNORECASE)
MEANS = {"mean", "average", "fmean", "nanmean"}


def check_code(blocks: list[Code]) -> Iterator[Hit]:
    """Yield the hits in blocks of Python that belong together: a correction in one of them serves all."""
    calls = [call for block in blocks for call in _calls(block)]
    for call in calls:
        code = _averages(call.node)
        if code is not None:
            yield Hit(code, call.start, call.end, ast.unparse(call.node)[:60])
    tests = [call for call in calls if call.name in TESTS]
    looped = [call for call in tests if call.looped]
    family = looped or (tests if len(tests) > 2 else [])  # noqa: PLR2004 - three tests or more are a family
    splits = [call for call in calls if call.name == "train_test_split" and not call.looped]
    together = _without_comments("\n".join(block.text for block in blocks))
    for code, calls_of_kind, cure in (("M501", splits, FOLDS), ("M701", family, CORRECTIONS), ("M801", tests, EFFECTS)):
        if calls_of_kind and not cure.search(together):
            first = calls_of_kind[0]
            detail = f"{first.name} in a loop" if code == "M701" and first.looped else first.name
            yield Hit(code, first.start, first.end, detail)


@dataclass(frozen=True, slots=True)
class Call:
    """A call: its name, its span, and whether it is in a loop."""

    node: ast.Call
    name: str
    start: int
    end: int
    looped: bool


def _averages(node: ast.Call) -> str | None:
    """Return the code of the rule against a mean of reciprocal ranks, if the call is one."""
    if _name(node) not in MEANS:
        return None
    receiver = ast.unparse(node.func.value)[:500] if isinstance(node.func, ast.Attribute) else ""
    inside = " ".join([receiver, *(ast.unparse(argument)[:300] for argument in node.args)])
    if RECIPROCAL.search(inside):
        return "M101"
    return "M102" if EXPECTED.search(inside) and not re.search(r"error|\berr\b|std_?err", inside) else None


def _without_comments(source: str) -> str:
    return re.sub(r"#[^\n]*", "", source)


def _parse(source: str) -> ast.Module | None:
    """Return the tree, or ``None`` if this is not Python; lines of IPython's own are blanked."""
    plain = re.sub(r"^[ \t]*(?:[%!?]|>>> |\.\.\. )[^\n]*", lambda match: " " * len(match[0]), source, flags=re.MULTILINE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _calls(block: Code) -> Iterator[Call]:
    """Yield all calls of a block."""
    tree = _parse(block.text)
    if tree is None:
        return
    starts = [0]
    for line in block.text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    loops = (ast.For, ast.While, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.AsyncFor)
    stack: list[tuple[ast.AST, bool]] = [(tree, False)]
    while stack:
        node, looped = stack.pop()
        if isinstance(node, ast.Call):
            start = _offset(block.text, starts, node.lineno, node.col_offset)
            end = _offset(block.text, starts, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
            yield Call(node, _name(node), block.start + start, block.start + end, looped)
        inside = looped or isinstance(node, loops)
        stack += [(child, inside) for child in reversed(list(ast.iter_child_nodes(node)))]


def _name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""


def _offset(source: str, starts: list[int], line: int, column: int) -> int:
    """Return an offset in characters; the parser counts columns in bytes."""
    if line > len(starts):
        return len(source)
    start = starts[line - 1]
    text = source[start : starts[line] if line < len(starts) else len(source)]
    return start + len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "ignore"))
