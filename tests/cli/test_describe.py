"""``mensura describe``: a small collection by hand, and TREC-8 as FACTS and NIST count it."""

from __future__ import annotations

import json

import pytest

from mensura import judge
from mensura.evaluation.description import overlaps
from tests.cli.running import mensura

QRELS = "a 0 d1 2\na 0 d2 1\na 0 d3 0\nb 0 d1 0\nb 0 d4 0\nc 0 d5 1\n"
RUN = "a Q0 d1 1 3 one\na Q0 x 2 1 one\nc Q0 d5 1 1 one\n"


@pytest.fixture
def folder(write):
    write("qrels.txt", QRELS)
    write("one.txt", RUN)
    return write("two.txt", RUN.replace("one", "two").replace(" x ", " d2 ")).parent


def test_counts_by_hand(folder):
    about = json.loads(mensura("describe", "qrels.txt", "one.txt", "two.txt", "-f", "json", cwd=folder).stdout)
    assert (about["judgments"], about["grades"], about["without_relevant"]) == (6, [3, 2, 1], ["b"])
    assert [run["missing"] for run in about["runs"]] == [1, 1]
    assert [run["unjudged"] for run in about["runs"]] == [[[2, pytest.approx(1 / 3)]], [[2, 0]]]
    assert about["overlap"] == [[2, pytest.approx((1 / 2 + 0 + 1) / 3)]]


def test_for_people(folder):
    text = mensura("describe", "qrels.txt", "one.txt", "two.txt", cwd=folder).stdout
    assert "qrels.txt: 3 topics, 6 judgments, 2 runs" in text
    assert "1 topic without relevant documents: b" in text
    assert "50.0\u00a0% of the first 2" in text
    markdown = mensura("describe", "qrels.txt", "-f", "markdown", cwd=folder).stdout
    assert "| relevant documents | 0 | 0.5 | 1 | 1.5 | 2 | 1 |" in markdown
    assert "a,3,2,1,1,1" in mensura("describe", "qrels.txt", "-f", "csv", cwd=folder).stdout


def test_bad_input_is_one_sentence(folder):
    assert "there is no such file" in mensura("describe", "nowhere.txt", cwd=folder, status=2).stderr


def test_trec_8(data):
    """FACTS section 10: recall bases 6 … 347, median 70.5; NIST's file has 86 830 judgments, 4728 of them relevant."""
    about = json.loads(mensura("describe", data / "trec8" / "qrels.txt", "-f", "json").stdout)
    assert (len(about["topics"]), about["judgments"], about["grades"][1]) == (50, 86830, 4728)
    assert (about["relevant"]["least"], about["relevant"]["median"], about["relevant"]["greatest"]) == (6, 70.5, 347)


def test_runs_are_read_once(tmp_path, monkeypatch):
    mensura("simulate", "-o", tmp_path, "--systems", "3", "--topics", "4", "--documents", "40")

    def read_again(_):
        raise AssertionError("the runs are read again")

    monkeypatch.setattr("mensura.judged.documents.read_again", read_again)
    assert "Documents that two runs share" in mensura("describe", tmp_path / "qrels.txt", str(tmp_path / "runs" / "*.txt")).stdout


def test_progress_is_told_for_each_depth_and_topic(tmp_path):
    mensura("simulate", "-o", tmp_path, "--systems", "3", "--topics", "4", "--documents", "40", "--depth", "20")
    judged = judge(tmp_path / "qrels.txt", str(tmp_path / "runs" / "*.txt"))
    calls = []
    overlaps(judged, lambda done, of: calls.append((done, of)))
    assert calls == [(done, 4) for done in range(1, 5)]  # one depth, 10, as the lists have 20 documents
