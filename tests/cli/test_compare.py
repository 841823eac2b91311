"""``mensura compare``."""

from __future__ import annotations

import csv
import io
import json

import pytest

from mensura import evaluate
from mensura.stats import paired_t
from mensura.study.example import example

from .running import mensura


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    qrels, runs = example(8, systems=4, topics=15).write(folder)
    return qrels, runs


def test_a_table_for_a_person(campaign):
    qrels, runs = campaign
    text = mensura("compare", qrels, *runs, "-m", "P@10", "--test", "t").stdout
    assert "P@10: 4 systems, 15 topics" in text
    assert "Paired t-test; Holm, 6 tests (6 pairs × 1 measure); α = 0.05" in text
    assert "simultaneous 95\u00a0% CI" in text
    assert "of 6 pairs differ" in text


def test_csv_of_pairs_is_exact(campaign):
    qrels, runs = campaign
    done = mensura("compare", qrels, *runs, "-m", "P@10", "RR", "--test", "t", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 12
    expected = paired_t(evaluate(qrels, runs, "P@10")["P@10"].values).p.tolist()
    assert [float(row["p"]) for row in rows[:6]] == pytest.approx(expected, rel=1e-12)
    assert "RR is on an ordinal scale" in done.stderr


def test_csv_of_systems(campaign):
    qrels, runs = campaign
    done = mensura("compare", qrels, *runs, "-m", "P@10", "-f", "csv", "--rows", "systems", "--samples", "100")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["place"] for row in rows] == ["1", "2", "3", "4"]
    assert float(rows[0]["low"]) < float(rows[0]["mean"]) < float(rows[0]["high"])
    assert rows[0]["groups"].split()[0] == "a"


def test_json_has_everything(campaign):
    qrels, runs = campaign
    done = mensura(
        "compare", qrels, *runs, "-m", "AP", "--test", "anova-topics", "-f", "json", "--prior-tests", "4", "--alpha", "0.1"
    )
    (made,) = json.loads(done.stdout)["comparisons"]
    assert made["family"] == {
        "correction": "tukey",
        "sentence": "Tukey over pairs, Bonferroni over the rest, 10 tests (6 pairs × 1 measure + 4 earlier)",
        "controls": "family-wise error rate",
        "pairs": 6,
        "measures": 1,
        "prior_tests": 4,
        "size": 10,
    }
    assert made["alpha"] == 0.1
    assert made["omnibus"]["degrees"] == [3.0, 42.0]
    assert len(made["pairs"]) == 6
    assert {"d_z", "glass", "hedges", "cliff", "residual", "low", "high", "p", "corrected_p"} <= set(made["pairs"][0])
    assert made["remarks"]


def test_a_baseline(campaign):
    qrels, runs = campaign
    text = mensura("compare", qrels, *runs, "-m", "P@10", "--test", "dunnett", "--baseline", "sysA", "--pairs", "2").stdout
    assert "against the baseline" in text
    assert "Dunnett, 3 tests" in text
    assert "Shown: the first 2" in text


@pytest.mark.parametrize("picture", ["intervals", "differences", "p-values", "groups", "critical-difference"])
def test_pictures(campaign, tmp_path, picture):
    qrels, runs = campaign
    file = tmp_path / "chart.svg"
    words = ("-m", "P@10", "-m", "AP", "--test", "friedman", "--chart", file, "--picture", picture, "-o", tmp_path / "table.txt")
    mensura("compare", qrels, *runs, *words)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    for name in ("sysA", "sysB", "sysC", "sysD", "P@10", "AP"):
        assert name in text


def test_the_same_seed_gives_the_same_output(campaign):
    qrels, runs = campaign
    words = ("compare", qrels, *runs, "-m", "nDCG@10", "--samples", "500", "--seed", "7", "-f", "csv")
    assert mensura(*words, "--threads", "1").stdout == mensura(*words, "--threads", "3").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--test", "t", "--correction", "tukey"), "does not fit the paired t-test"),
        (("--baseline", "nobody"), "unknown baseline 'nobody'"),
        (("--chart", "chart.gif"), "cannot draw chart.gif"),
        (("--alpha", "7"), "argument --alpha"),
        (("--test", "z"), "argument --test"),
        (("--baseline", "sysA", "--chart", "cd.svg", "--picture", "critical-difference"), "leave the baseline out"),
    ],
)
def test_errors(campaign, tmp_path, words, message):
    qrels, runs = campaign
    assert message in mensura("compare", qrels, *runs, *words, status=2, cwd=tmp_path).stderr


def test_one_run_is_no_comparison(campaign):
    qrels, runs = campaign
    assert "at least 2 runs" in mensura("compare", qrels, runs[0], status=2).stderr


def test_both_scales_side_by_side(campaign):
    qrels, runs = campaign
    text = mensura("compare", qrels, *runs, "-m", "P@10", "--test", "t", "--scale", "both").stdout
    assert "P@10 (interval scale): 4 systems, 15 topics" in text
    assert "on the interval scale 0 of them are no longer significant and 0 others are" in " ".join(text.split())


@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_a_file_has_no_colours(campaign, command, tmp_path, monkeypatch):
    """A table that was written with -o from a terminal had the terminal's emphasis in it."""
    monkeypatch.setattr("mensura.render.text.colours", lambda: True)
    qrels, runs = campaign
    assert "\x1b[1m" in mensura(command, qrels, *runs, "-m", "P@10").stdout
    mensura(command, qrels, *runs, "-m", "P@10", "-o", tmp_path / "table.txt")
    assert "\x1b" not in (tmp_path / "table.txt").read_text(encoding="utf-8")
