"""Means alone, from files: those of an evaluation, whatever the engine and the cuts."""

from __future__ import annotations

import json

import pytest

import mensura
from mensura import pieces
from mensura.errors import InputError
from mensura.io import parts
from tests.cli.running import call
from tests.pieces.campaigns import campaign

MEASURES = ["AP", "nDCG@10", "RR", "P", "GM(AP)", "NumRel"]


@pytest.fixture
def files(tmp_path):
    qrels, runs = campaign(4, topics=80)
    (tmp_path / "qrels.txt").write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in qrels.items() for d, g in grades.items()))
    for system, rows in runs.items():
        (tmp_path / f"{system}.run").write_text("".join(f"{t} Q0 {d} 0 {s} {system}\n" for t, d, s in rows))
    return tmp_path


@pytest.mark.parametrize("topics", ["judged", "run"])
@pytest.mark.parametrize("stretch", [300, 1 << 26])
def test_means_are_those_of_an_evaluation(files, monkeypatch, topics, stretch):
    monkeypatch.setattr(parts, "STRETCH", stretch)
    runs = [files / "one.run", files / "two.run"]
    whole = mensura.evaluate(files / "qrels.txt", runs, MEASURES, topics=topics)
    alone = pieces.means(files / "qrels.txt", runs, MEASURES, topics=topics)
    assert alone.means() == whole.means()
    assert alone.remarks == whole.remarks


@pytest.mark.parametrize("form", ["csv", "json"])
def test_the_command_writes_the_same_bytes(files, form):
    words = ["evaluate", str(files / "qrels.txt"), str(files / "*.run"), "-f", form, "-m", "AP", "-m", "RR"]
    assert call([*words, "--means-only"]) == call(words)


def test_the_table(files):
    text = call(["evaluate", str(files / "qrels.txt"), str(files / "*.run"), "--means-only", "-m", "AP"]).stdout
    assert "Means over 80 of 80 topics, 2 runs" in text


@pytest.mark.parametrize(
    "option",
    [
        ["-q"],
        ["--interval"],
        ["--scheduler", "tcp://x"],
        ["-f", "latex"],
        ["--topics", "both"],
        ["--drop-self"],
        ["--ties", "rank"],
    ],
)
def test_options_that_need_values_are_refused(files, option):
    done = call(["evaluate", str(files / "qrels.txt"), str(files / "*.run"), "--means-only", *option])
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("stretch", [300, 1 << 26])
def test_topics_that_are_not_together_are_shuffled(files, monkeypatch, stretch):
    lines = (files / "one.run").read_text().splitlines(keepends=True)
    (files / "one.run").write_text("".join(lines[::2] + lines[1::2]))
    runs = [files / "two.run", files / "one.run"]
    whole = mensura.evaluate(files / "qrels.txt", runs, MEASURES)
    monkeypatch.setattr(parts, "STRETCH", stretch)
    alone = pieces.means(files / "qrels.txt", runs, MEASURES)
    assert alone.means() == whole.means()
    assert alone.remarks == whole.remarks


def test_errors_are_those_of_an_evaluation(files):
    for text, problem in (("", "is empty"), ("t1 Q0 d 0 x tag\n", "is not a finite number"), ("z Q0 d 0 1 tag\n", "is judged")):
        (files / "bad.run").write_text(text)
        messages = []
        for how in (pieces.means, mensura.evaluate):
            with pytest.raises(InputError, match=problem) as raised:
                how(files / "qrels.txt", files / "bad.run", "AP")
            messages.append(raised.value.problem)
        assert messages[0] == messages[1]


def test_several_formats(files):
    (files / "rows.csv").write_text("qid,docno,score\nt1,d1,2\nt1,d2,1\n")
    runs = [files / "rows.csv", files / "one.run"]
    whole = mensura.evaluate(files / "qrels.txt", runs, ["AP", "RR"])
    assert json.dumps(pieces.means(files / "qrels.txt", runs, ["AP", "RR"]).means()) == json.dumps(whole.means())
