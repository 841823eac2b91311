"""300 planted errors and 300 correct texts in every format: at least 95 of 100 errors are found, and nothing in correct texts."""

from __future__ import annotations

import pytest

from mensura.lint.engine import Options, lint_document, lint_text
from mensura.lint.sources import read_binary
from tests.lint.formats import BINARIES, TEXTS
from tests.lint.planted import cases

COUNT = 300
SEED = 20261118
NUMBERS = Options(select=("N",))


def findings(case, kind):
    if kind in TEXTS:
        return lint_text(TEXTS[kind](case), kind, f"x.{kind}", NUMBERS)
    return lint_document(read_binary(BINARIES[kind](case), kind, f"x.{kind}"), NUMBERS)


@pytest.mark.parametrize("kind", [*TEXTS, *BINARIES])
def test_planted_errors_are_found(kind):
    planted = cases(COUNT, SEED, wrong=True)
    missed = [case for case in planted if not findings(case, kind)]
    assert len(missed) <= 0.05 * COUNT, [(case.code, case.sentence or case.table) for case in missed[:5]]


@pytest.mark.parametrize("kind", [*TEXTS, *BINARIES])
def test_nothing_is_found_in_correct_texts(kind):
    for case in cases(COUNT, SEED, wrong=False):
        assert findings(case, kind) == [], case
