"""Choices of a program: one split of the topics, and parameters that are tuned on the topics that they are tested on."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from mensura.lint.code.averages import EVALUATIONS
from mensura.lint.code.program import Call, Program, name_of
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
