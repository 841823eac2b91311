"""Decimals of means for measures that look at documents, with more runs than are tried for them."""

from __future__ import annotations

import pytest

from mensura.cli import run_command
from mensura.measures.judgments import Hole
from mensura.measures.names import parse_measure
from tests.stats.test_compare import campaign

RUNS = 10


@pytest.fixture
def files(tmp_path):
    """Graded judgments of two topics, and more runs than the eight whose documents are tried."""
    lines = [f"q{topic} 0 d{number} {(number + topic) % 3}\n" for topic in range(3) for number in range(12)]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for system in range(RUNS):
        ranked = [(topic, (number * 5 + system) % 12) for topic in range(3) for number in range(10 - system // 2)]
        rows = [f"q{topic} Q0 d{number} 0 {100 - at} s{system}\n" for at, (topic, number) in enumerate(ranked)]
        (tmp_path / f"s{system}.txt").write_text("".join(rows))
    return tmp_path


@pytest.mark.parametrize("measure", ["Hole@5", "ADM(documents='pool')@5", "GM(AP)"])
def test_more_runs_than_are_tried(files, capsys, measure):
    words = ["evaluate", str(files / "qrels.txt"), *(str(files / f"s{system}.txt") for system in range(RUNS)), "-m", measure]
    assert run_command(words) == 0
    assert len([line for line in capsys.readouterr().out.splitlines() if " s" in f" {line}" and "." in line]) == RUNS


def test_a_measure_of_documents_is_computed_once(files, capsys, monkeypatch):
    scored = []
    score = Hole.score

    def counted(self, judged):
        scored.append(1)
        return score(self, judged)

    monkeypatch.setattr(Hole, "score", counted)
    assert run_command(["evaluate", str(files / "qrels.txt"), *(str(files / f"s{at}.txt") for at in range(2)), "-m", "Hole@5"]) == 0
    capsys.readouterr()
    assert len(scored) == 1


def test_a_measure_of_grades_is_not_computed_from_documents():
    assert parse_measure("Hole@5").from_documents
    assert parse_measure("Median(Hole@5)").from_documents
    assert not any(scores.measure.from_documents for scores in campaign(["P@10", "GM(AP)"]).scores)
