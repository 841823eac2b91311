"""Python: everything that rules find in a program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.code import program
from mensura.lint.code.averages import check_averages
from mensura.lint.code.digits import check_digits
from mensura.lint.code.inference import check_inference
from mensura.lint.code.program import Program
from mensura.lint.code.ratios import check_ratios
from mensura.lint.code.selection import check_selection
from mensura.lint.code.splits import check_splits
from mensura.lint.rule import UNREADABLE, Hit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mensura.lint.readers.document import Code
    from mensura.lint.topics import StatedTopics

CHECKS = (check_averages, check_digits, check_inference, check_selection, check_splits, check_ratios)
CUES = re.compile(
    r"mrr|recip|average[ _]precision|dcg|qrels|(?<![a-z])m?aps?(?![a-z])|(?<![a-z])e?rrs?(?:[@_]?\d+)?(?![a-z])|ttest|wilcoxon|mannwhitney|ranksums|mcnemar|p_?val|permut|trec_?eval|recall|metric|measure"
    r"|Experiment|train_test_split|mean_ap|mapk|rank|RetrievalEvaluator|BEIREvaluator",
    re.IGNORECASE,
)


def check_code(
    blocks: list[Code], settings: Callable[[str], str | None] | None = None, topics: Callable[[], StatedTopics] | None = None
) -> Iterator[Hit]:
    """Yield the hits in blocks of Python that belong together: a correction in one of them serves all.

    A program without any word of the field is not parsed, and one that tests software has no hits; ``settings`` returns the text of a file that it loads,
    and ``topics`` those of the document around it.
    """
    if not any(CUES.search(block.text) for block in blocks):
        return
    whole = Program(blocks, settings, topics)
    if whole.tests:
        return
    for check in CHECKS:
        yield from check(whole)


def check_syntax(text: str) -> Iterator[Hit]:
    """Yield the hit of a program that is not Python."""
    fault = program.fault(text)
    if fault is not None:
        start = min(sum(len(line) + 1 for line in text.split("\n")[: max((fault.lineno or 1) - 1, 0)]), len(text))
        yield Hit(UNREADABLE, start, start, f"is not Python: {fault.msg}")
