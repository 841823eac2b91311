"""``mensura scale`` and ``mensura evaluate --interval``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.cli.running import mensura


def scale(*arguments, **options):
    return json.loads(mensura("scale", *arguments, "--format", "json", **options).stdout)


def test_the_table_of_figure_4():
    """P4, figure 4: DCG with base 2, length 4; φ(3.131) = 12, φ(2.631) = 11, φ(2.5) = 10, φ(2.131) = 9, φ(1.5) = 6, …, φ(0) = 1."""
    found = scale("DCG(base=2)@4")
    assert {key: found[key] for key in ("measure", "length", "grades", "steps", "exact", "interval")} == {
        "measure": "DCG(base=2)@4",
        "length": 4,
        "grades": [0, 1],
        "steps": 12,
        "exact": True,
        "interval": False,
    }
    assert {round(row["value"], 3): row["rank"] for row in found["runs"]} == {
        3.131: 12,
        2.631: 11,
        2.5: 10,
        2.131: 9,
        2.0: 8,
        1.631: 7,
        1.5: 6,
        1.131: 5,
        1.0: 4,
        0.631: 3,
        0.5: 2,
        0.0: 1,
    }
    assert len(found["runs"]) == 16


@pytest.mark.parametrize(
    ("measure", "steps"),
    [
        # FACTS, section 3
        *(("DCG(base=2)@30", 805306368), ("DCG(base=2)@50", 844424930131968), ("DCG(base=2)@100", 752667543885511207138667528192)),
        *(("DCG(base=10)@15", 352), ("DCG(base=10)@50", 12094627905536), ("AP@10", 810), ("AP@15", 22646), ("AP@20", 644203)),
        *(("ERR@12", 4026), ("P@30", 31), ("RR@30", 31), ("RBP(p=0.8)@30", 2**30), ("RBP(p=0.5)@60", 2**60)),
    ],
)
def test_steps(measure, steps):
    assert scale(measure)["steps"] == steps


def test_runs_values_and_ties():
    found = scale("AP@5", "--run", "10100", "--run", "101", "--value", "5/3", "--value", "1.2")
    assert found["runs"][0]["rank"] == found["runs"][1]["rank"]
    assert found["runs"][0]["value"] == pytest.approx(5 / 3)
    assert found["values"][0]["rank"] == found["runs"][0]["rank"]
    assert [row["rank"] for row in scale("P@4", "--run", "1100", "--ties", "mid")["runs"]] == [8.5]  # 5 runs below, 6 with two
    graded = scale("nDCG@3", "--grades", "0,1,2", "--run", "210")
    assert graded["grades"] == [0, 1, 2]
    few = scale("AP@5", "--recall-base", "1", "--run", "00100")
    assert few["steps"] == 6
    assert few["runs"][0]["rank"] == 4


def test_bounds_are_called_bounds():
    found = scale("DCG(base=2)@100", "--run", "1" * 50)
    assert found["exact"] is False
    assert found["runs"][0]["rank"] is None
    assert 0 <= found["runs"][0]["high"] - found["runs"][0]["low"] <= 1e-4
    shown = mensura("scale", "AP@200", "--run", "11").stdout
    assert "ties counted; this is not the rank among values" in shown


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
def test_charts(tmp_path, ending):
    mensura("scale", "RR@4", "--chart", f"chart.{ending}", cwd=tmp_path)
    start = (tmp_path / f"chart.{ending}").read_bytes()[:400]
    assert {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}[ending] in start
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"chart.{ending}", f"chart.{ending}.record.json"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("AP@200",), "too many to count their distinct values; with 2 grades, lengths up to"),
        (("AP",), "AP has no cut-off"),
        (("bpref@60", "--recall-base", "5"), "name it too, e.g. --recall-base 0:20,1:5"),
        (("Rprec@60",), "give the recall base, e.g. --recall-base 1:9"),
        (("bpref@1000", "--recall-base", "0:900,1:300"), "give a smaller cut-off, e.g. bpref@100"),
        (("DCG@5", "--run", "0120"), "of the grades 0, 1 of this scale; write 1 for relevant documents, 0 for others"),
        (("DCG@5", "--run", "01x"), "write one digit for each document"),
        (("DCG@3", "--run", "01010"), "at most 3 ranks"),
        (("DCG@5", "--grades", "0;1"), "grades are whole numbers with commas"),
        (("DCG@5", "--recall-base", "x"), "write a number"),
        (("DCG@5", "--value", "x"), "write a decimal number or a fraction"),
        (("DCG@5", "--chart", "x.gif"), "must end in .svg, .png, .pdf or .html"),
    ],
)
def test_what_cannot_be_is_refused_at_once(arguments, says):
    assert says in mensura("scale", *arguments, status=2).stderr


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq1 0 c 2\nq2 0 a 1\n")
    (tmp_path / "run.txt").write_text("q1 Q0 a 1 3 r\nq1 Q0 b 2 2 r\nq1 Q0 c 3 1 r\nq2 Q0 b 1 1 r\nq2 Q0 a 2 0 r\n")
    return tmp_path


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_evaluate_with_ranks(files):
    run = ("evaluate", "qrels.txt", "run.txt", "-m", "RR@4", "P@4", "--interval")
    rows = table(mensura(*run, "-q", "-f", "csv", cwd=files).stdout)
    assert [(row["topic"], row["measure"], row["rank"], row["steps"]) for row in rows] == [
        *(("q1", "RR@4", "5", "5"), ("q2", "RR@4", "4", "5"), ("q1", "P@4", "3", "5"), ("q2", "P@4", "2", "5")),
    ]
    means = table(mensura(*run, "-f", "csv", cwd=files).stdout)
    assert [(row["mean_rank"], row["how"], row["of"]) for row in means] == [("4.5", "exact", "values"), ("2.5", "exact", "values")]
    document = json.loads(mensura(*run, "-q", "-f", "json", cwd=files).stdout)
    assert document["interval"][0]["steps"] == [5]
    assert document["interval"][0]["ranks"][0] == {"system": "r", "topic": "q1", "rank": 5}
    shown = mensura(*run, cwd=files).stdout
    assert "φ RR@4" in shown
    assert " 0.9 " in shown


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("IPrec@0.1", "takes none, so use a measure that does"),
        ("Utility", "how many documents were retrieved"),
        ("infAP", "which documents of the pool"),
        ("Accuracy", "has no value for some lists"),
        ("ADM", "depends on the scores of the system"),
        ("Median(AP)", "is a median, not a mean"),
        ("GM(AP)", "is a geometric mean"),
    ],
)
def test_a_cut_off_is_asked_for_only_where_it_helps(files, name, reason):
    said = mensura("evaluate", "qrels.txt", "run.txt", "-m", name, "--interval", status=2, cwd=files).stderr
    assert reason in said
    assert f"{name}@30" not in said


def test_attainable_and_refused(files):
    run = ("evaluate", "qrels.txt", "run.txt", "-f", "csv", "-q", "-m")
    rows = table(mensura(*run, "AP@4", "--universe", "attainable", cwd=files).stdout)
    assert [row["steps"] for row in rows] == ["10", "5"]  # 0, 4 values of one document, 6 of two, of which 0101 ties with 1000
    assert (
        "AP has no cut-off, and a scale is for runs of one length; name it, e.g. AP@30"
        in mensura(*run, "AP", "--interval", status=2, cwd=files).stderr
    )
    said = mensura("evaluate", "qrels.txt", "run.txt", "-f", "trec_eval", "-m", "AP@4", "--interval", status=2, cwd=files).stderr
    assert "no column for ranks" in said
