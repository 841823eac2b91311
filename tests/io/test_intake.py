"""Intake: all faults of all files in one error, runs that are left out, and remarks on the others."""

from __future__ import annotations

import gzip
import json

import pytest

from mensura import InputError, MensuraWarning, compare, evaluate, judge, read_run
from mensura.errors import IntakeError
from mensura.io import intake
from tests.cli.running import mensura

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"
GOOD = "q1 Q0 d1 1 7.5 a\nq1 Q0 d2 2 6.5 a\nq2 Q0 d1 1 3 a\n"
BAD = "q1 Q0 d1 1 7.5 a\nq1 Q0 d2 2 nan a\n# a comment\n\nq1 Q0 d1 3 1 a\nq2 Q0\n"
FAULTS = [(2, "the score 'nan'"), (5, "document 'd1' is listed twice"), (6, "expected 6 columns")]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "bad.run").write_text(BAD)
    return tmp_path


def test_every_fault_of_every_file_is_listed(files):
    with gzip.open(files / "other.run.gz", "wt") as file:
        file.write("q1 Q0 d1 1 x a\n" * 9)
    (files / "table.csv").write_text("qid,docno,score\nq1,d1,inf\n")
    with pytest.raises(IntakeError) as caught:
        judge("qrels.txt", ["good.run", "bad.run", "none.run", "other.run.gz", "table.csv"])
    error = caught.value
    assert error.count == 3 + 1 + 9 + 1
    assert [
        (fault.line, fault.problem[: len(problem)]) for fault, (_, problem) in zip(_of(error, "bad.run"), FAULTS, strict=True)
    ] == FAULTS
    assert [fault.problem for fault in _of(error, "none.run")] == ["there is no such file"]
    assert [fault.line for fault in _of(error, "other.run.gz")] == [1, 2, 3, 4, 5]
    assert "other.run.gz: … and 4 more" in str(error)
    assert len(_of(error, "table.csv")) == 1


def _of(error, source):
    return [fault for fault in error.faults if fault.source == source]


def test_a_very_large_file_gives_its_first_fault(files, monkeypatch):
    """Looking for all of them takes three times the memory that the file has bytes: 3.2 GB for one of 1.1 GB."""
    monkeypatch.setattr(intake, "LARGEST", len(BAD) - 1)
    with pytest.raises(InputError) as caught:
        judge("qrels.txt", ["good.run", "bad.run"])
    assert (caught.value.line, caught.value.problem[:15]) == FAULTS[0]
    assert not isinstance(caught.value, IntakeError)


def test_faults_of_judgments_come_with_those_of_the_runs(files):
    (files / "qrels.txt").write_text(QRELS + "q2 0 d1 1\nq2 0 d9 high\n")
    with pytest.raises(IntakeError, match=r"5 faults in 2 files") as caught:
        judge("qrels.txt", ["good.run", "bad.run"])
    assert [fault.line for fault in _of(caught.value, "qrels.txt")] == [4, 5]


def test_one_fault_is_its_own_error(files):
    (files / "bad.run").write_text(BAD.splitlines()[1] + "\n")
    with pytest.raises(InputError) as caught:
        judge("qrels.txt", ["good.run", "bad.run"])
    assert type(caught.value) is InputError
    assert caught.value.line == 1


def test_bad_runs_are_left_out_and_named(files):
    with pytest.warns(
        MensuraWarning, match=r"1 run is left out because of faults: bad.run: the score 'nan' .* \(line 2\), and 2 more"
    ):
        evaluation = evaluate("qrels.txt", ["bad.run", "good.run"], "AP", skip_bad_runs=True)
    assert evaluation.means() == {"a": {"AP": 1.0}}
    assert evaluation.judged.documents().number.shape[0] == 1
    with pytest.raises(IntakeError):
        judge("qrels.txt", ["bad.run"], skip_bad_runs=True)


def test_an_object_that_cannot_be_read_is_a_bad_run_too(files):
    runs = {"one": {"q1": {"d1": 1.0}}, "two": {"q1": {"d1": float("nan")}}}
    judged = judge("qrels.txt", runs, skip_bad_runs=True)
    assert judged.systems == ("one",)
    assert "must be a finite number" in judged.left_out[0]


def test_the_command_says_so_beside_the_numbers_and_in_the_record(files):
    assert "3 faults in 1 file" in mensura("evaluate", "qrels.txt", "good.run", "bad.run", status=2).stderr
    shown = mensura("evaluate", "qrels.txt", "good.run", "bad.run", "--skip-bad-runs").stdout
    assert "1 run is left out because of faults: bad.run" in " ".join(shown.split())
    done = mensura("evaluate", "qrels.txt", "good.run", "bad.run", "--skip-bad-runs", "-f", "json", "-o", "out.json")
    assert "bad.run" in done.stderr
    assert "--skip-bad-runs" in json.dumps(json.loads((files / "out.json").read_text())["record"])


ODD = {
    "two tags": GOOD.replace("6.5 a", "6.5 b"),
    "columns after the tag": GOOD.replace("6.5 a", "6.5 a 7"),
    "ranks and scores": "q1 Q0 d1 1 1 a\nq1 Q0 d2 2 2 a\n",
    "ties as float32": "q1 Q0 d1 1 1.00000001 a\nq1 Q0 d2 2 1.00000002 a\n",
}


@pytest.mark.parametrize("kind", ODD)
def test_what_a_reader_should_know(files, kind):
    (files / "odd.run").write_text(ODD[kind])
    with pytest.warns(MensuraWarning):
        kinds = [remark.kind for remark in evaluate("qrels.txt", ["odd.run"], "AP").remarks]
    assert kind in kinds
    plain = [remark.kind for remark in evaluate("qrels.txt", ["good.run"], "AP").remarks]
    assert not {*plain} & {*ODD, "identical runs"}


@pytest.mark.parametrize("door", [lambda path: path, read_run], ids=["file", "object"])
def test_facts_of_a_file_whose_topics_are_in_several_places(files, door):
    (files / "odd.run").write_text("q1 Q0 d1 1 7.5 a\nq2 Q0 d1 1 3 a\nq1 Q0 d2 2 6.5 b 7\n")
    intake = judge("qrels.txt", [door("odd.run")]).intake[0]
    assert (intake.tags, intake.wide) == (("a", "b"), True)


def test_ranks_that_rise_while_scores_fall_are_fine_in_any_order_of_lines(files):
    (files / "reversed.run").write_text("".join(reversed(GOOD.splitlines(keepends=True))))
    assert not evaluate("qrels.txt", ["reversed.run"], "AP").remarks


def test_identical_runs(files):
    (files / "same.run").write_text(GOOD.replace(" a\n", " b\n").replace("7.5", "8"))
    (files / "differ.run").write_text("q1 Q0 d2 1 7.5 c\nq1 Q0 d1 2 6.5 c\nq2 Q0 d1 1 3 c\n")
    with pytest.warns(MensuraWarning, match="2 runs rank the same documents as another one: a, b"):
        evaluate("qrels.txt", ["good.run", "same.run", "differ.run"], "AP")


@pytest.mark.parametrize("names", [["a", "b", "c", "d"], ["d", "c", "b", "a"]])
def test_groups_of_identical_runs_are_in_the_order_of_their_names_whatever_that_of_the_files(files, names):
    other = "q1 Q0 d2 1 7.5 a\nq1 Q0 d1 2 6.5 a\nq2 Q0 d1 1 3 a\n"
    for name, text in zip("abcd", (GOOD, GOOD, other, other), strict=True):
        (files / f"{name}.run").write_text(text.replace(" a\n", f" {name}\n"))
    with pytest.warns(MensuraWarning, match="4 runs rank the same documents as another one: a, b; c, d"):
        evaluate("qrels.txt", [f"{name}.run" for name in names], "AP")


def test_runs_are_named_in_the_order_of_their_names_whatever_that_of_the_files(files):
    names = ["sys10", "sys2", "b", "ab"]
    for name in names:
        (files / f"{name}.run").write_text(GOOD.replace(" a\n", f" {name}\n"))
    with pytest.warns(MensuraWarning, match="another one: ab, b, sys10, …|another one: ab, b, sys10, sys2"):
        evaluate("qrels.txt", [f"{name}.run" for name in names], "AP")


def test_a_run_without_a_judged_topic_is_a_bad_run_too(files):
    (files / "lost.run").write_text("q9 Q0 d1 1 1 lost\n")
    with pytest.raises(IntakeError, match=r"4 faults in 2 files") as caught:
        judge("qrels.txt", ["good.run", "bad.run", "lost.run"])
    assert "no topic of this run is judged: it has 'q9'" in _of(caught.value, "lost.run")[0].problem
    judged = judge("qrels.txt", ["lost.run", "good.run"], skip_bad_runs=True)
    assert judged.systems == ("a",)


def test_a_file_that_is_cut_off_does_not_hide_the_faults_of_others(files):
    with gzip.open(files / "cut.run.gz", "wt") as file:
        file.write(GOOD * 9999)
    (files / "cut.run.gz").write_bytes((files / "cut.run.gz").read_bytes()[:-20])
    (files / "qrels.txt").write_text("q1 0 d1\n")
    with pytest.raises(IntakeError) as caught:
        judge("qrels.txt", ["bad.run", "cut.run.gz"])
    assert [fault.source for fault in caught.value.faults] == ["qrels.txt", "bad.run", "bad.run", "bad.run", "cut.run.gz"]


def test_compare_goes_on_without_bad_runs(files):
    (files / "other.run").write_text("q1 Q0 d2 1 7.5 b\nq1 Q0 d1 2 6.5 b\nq2 Q0 d1 1 3 b\n")
    with pytest.warns(MensuraWarning, match="1 run is left out because of faults: bad.run"):
        compared = compare("qrels.txt", ["bad.run", "good.run", "other.run"], "AP", skip_bad_runs=True)
    assert len(compared.pairs()) == 1


@pytest.mark.parametrize(
    "command", [("meaning",), ("describe",), ("study", "-o", "out", "--lengths", "5"), ("report", "-o", "page.html")]
)
def test_every_command_says_which_runs_it_left_out(files, command):
    (files / "other.run").write_text("q1 Q0 d2 1 7.5 b\nq1 Q0 d1 2 6.5 b\nq2 Q0 d1 1 3 b\n")
    name, *options = command
    done = mensura(name, "qrels.txt", "good.run", "bad.run", "other.run", "--skip-bad-runs", *options)
    assert done.stderr.count("1 run is left out because of faults: bad.run") == 1


def test_lint_lists_every_fault_of_a_run(files):
    shown = mensura("lint", "bad.run", "good.run", "--select", "S002,D101", status=1).stdout
    lines = [line.split(":")[1] for line in shown.splitlines() if line.startswith("bad.run")]
    assert sorted(lines) == ["2", "5", "6"]
