"""Texts that were labelled apart from the rules: how many mistakes are found, and how many findings are mistakes.

Each line of labelled.jsonl has the text, its kind, and the codes of all rules that apply. The sets were written one after the
other, each before lint was run on it; docs/lint.md has the first figures of each.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.lint.linting import codes

ROWS = [json.loads(line) for line in (Path(__file__).parent / "labelled.jsonl").read_text(encoding="utf-8").splitlines()]


def test_precision_and_recall(capsys):
    right = extra = missed = 0
    for row in ROWS:
        found, wanted = set(codes(row["text"], row["kind"])), set(row["codes"])
        right, extra, missed = right + len(found & wanted), extra + len(found - wanted), missed + len(wanted - found)
    precision, recall = right / (right + extra), right / (right + missed)
    with capsys.disabled():
        print(f"\n{len(ROWS)} labelled texts: precision {precision:.3f}, recall {recall:.3f}")  # noqa: T201
    assert precision >= 0.95
    assert recall >= 0.9


def test_the_set_is_large_varied_and_hard():
    assert len(ROWS) >= 150
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert sum(not row["codes"] for row in ROWS) >= 0.4 * len(ROWS)
    assert {row["kind"] for row in ROWS} == {"latex", "markdown"}
    texts = {"M101", "M102", "M107", "M201", "M301", "M401", "M501", "M502", "M601", "M602", "M701", "M702", "M801", "M901", "M001"}
    assert {code for row in ROWS for code in row["codes"]} == texts
