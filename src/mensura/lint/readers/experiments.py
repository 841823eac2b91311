"""Experiments of RecBole and of elliot in YAML: measures that they average, and tests without a correction.

Only a few keys matter, and their places: the lines are read as they are, without a parser of all of YAML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.code.configured import names_of
from mensura.lint.code.listed import NAMED
from mensura.lint.rule import UNREADABLE, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYS = re.compile(
    r"^(?P<indent>[ ]*)(?P<key>metrics|valid_metric|simple_metrics|complex_metrics|validation_metric|paired_ttest|wilcoxon_test)[ ]*:"
    r"[ ]*(?P<value>[^\n#]*)",
    re.MULTILINE,
)
FRAMEWORK = re.compile(
    r"^[ ]*(?:valid_metric|eval_args|eval_setting|USER_ID_FIELD|ITEM_ID_FIELD|simple_metrics|complex_metrics|validation_metric|top_?k|cutoffs)[ ]*:",
    re.MULTILINE,
)
TRUE = {"true", "yes", "on"}
TESTS = {"paired_ttest", "wilcoxon_test"}
CORRECTED = re.compile(r"bonferroni|holm|tukey|correction", re.IGNORECASE)


def check_experiment(text: str) -> Iterator[Hit]:
    """Yield the hits in the settings of an experiment; nothing in settings of something else."""
    if not FRAMEWORK.search(text):
        return
    for match in KEYS.finditer(text):
        if match["key"] in TESTS:
            if match["value"].strip().lower() in TRUE and not CORRECTED.search(text):
                yield Hit("M701", *match.span("key"), f"{match['key']} of all pairs and measures")
            continue
        for name in names_of(text, match):
            for code, pattern in NAMED.items():
                if pattern.fullmatch(name[0]):
                    yield Hit(code, *name.span(), name[0])


def check_yaml(text: str) -> Iterator[Hit]:
    """Yield the hit of a text that is not YAML, if PyYAML is there to say so."""
    try:
        import yaml
    except ImportError:
        return
    try:
        for _ in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        start = sum(len(line) + 1 for line in text.split("\n")[: mark.line]) if mark is not None else 0
        yield Hit(UNREADABLE, min(start, len(text)), min(start, len(text)), f"is not YAML: {error.problem or error.context}")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        yield Hit(UNREADABLE, 0, 0, f"is not YAML: {str(error).partition(chr(10))[0]}")
