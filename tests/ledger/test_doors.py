"""No test escapes the ledger: whichever door it is made through."""

from __future__ import annotations

import pytest

from mensura import evaluate, judge
from mensura.errors import LedgerError, StatisticsError
from mensura.ledger import Ledger
from mensura.plans import parse_plan, template
from mensura.plans.families import compare_as_planned, families
from mensura.report import report
from mensura.stats import compare
from mensura.study import study
from mensura.study.example import example
from mensura.web.jobs.campaign import evaluate_campaign
from tests.stats.test_compare import campaign

MEASURES = ["P@10", "AP@10"]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return example(8, systems=4, topics=6, documents=80, depth=20).write(tmp_path_factory.mktemp("campaign"))


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A ledger that is kept."""
    monkeypatch.setenv("MENSURA_LEDGER", str(tmp_path / "ledger.sqlite"))
    return tmp_path / "ledger.sqlite"


def counted(path):
    """Number of tests by scale."""
    with Ledger(path) as ledger:
        entries = ledger.entries()
    return {scale: sum(entry.tests for entry in entries if entry.scale == scale) for scale in ("original", "interval")}


def test_python(files, path):
    evaluation = evaluate(files[0], files[1], MEASURES)
    compare(evaluation, test="t")
    assert counted(path) == {"original": 12, "interval": 0}
    compare(evaluation, test="t", scale="interval")
    assert counted(path) == {"original": 12, "interval": 12}
    assert {each.family.prior_tests for each in compare(evaluation, test="sign", prior_tests="auto")} == {24}
    assert {each.family.prior_tests for each in compare(evaluation, test="t", prior_tests="auto")} == {0}  # made again


def test_both_scales_are_made_at_once(files, path):
    comparisons = compare(evaluate(files[0], files[1], MEASURES), test="t", scale="both", prior_tests="auto")
    assert [(str(each.measure), each.scale) for each in comparisons] == [
        (measure, scale) for scale in ("original", "interval") for measure in MEASURES
    ]
    assert {each.family.prior_tests for each in comparisons} == {0}
    assert counted(path) == {"original": 12, "interval": 12}


def test_a_plan(files, path):
    judged = judge(*files)
    plan = parse_plan(template(systems=judged.systems[:3], primary=["P@10"], secondary=["AP"], test="t"), path)
    comparisons = compare_as_planned(plan, families(plan, judged, ("P@10", "RR")), "auto", {})
    assert {each.family.prior_tests for each in comparisons} == {0}
    assert counted(path)["original"] == 3 + 3 + (6 * 3 - 6)


def test_a_report(files, path):
    report(judge(*files), ["P@10", "AP@10"], test="t")
    assert counted(path) == {"original": 12, "interval": 12}  # one family of both measures on either scale


def test_the_web_page(files, path):
    qrels, runs = files
    question = {
        "files": [(str(file), str(file)) for file in (qrels, *runs)],
        "seed": None,
        "measures": ["AP"],
        "compat": "trec_eval-10",
        "topics": "judged",
        "compare": {"test": "t"},
        "report": None,
    }
    evaluate_campaign(lambda *_: None, question)
    assert counted(path) == {"original": 6, "interval": 0}


def test_a_study(files, path):
    tested = study(judge(*files), ["P", "RR"], [5, 10], ["t", "sign"])
    assert counted(path) == {"original": 2 * 2 * 2 * 6, "interval": 2 * 2 * 2 * 6}
    study(judge(*files), ["P", "RR"], [5, 10], ["t", "sign"])
    assert counted(path)["original"] == 48  # the same study again adds nothing
    assert tested.remarks == ()


def test_a_ledger_that_fails_loses_no_result(files, path):
    path.write_text("not a ledger")
    evaluation = evaluate(files[0], files[1], "P@10")
    (comparison,) = compare(evaluation, test="t")
    assert any("not counted in the ledger" in remark for remark in comparison.remarks)
    (remark,) = study(evaluation.judged, ["P"], [5], ["t"]).remarks
    assert "not counted in the ledger" in remark
    with pytest.raises(LedgerError, match="not a ledger"):  # the number of earlier tests was asked for
        compare(evaluation, test="t", prior_tests="auto")


def test_a_comparison_that_fails_counts_nothing(files, path):
    with pytest.raises(StatisticsError, match="does not fit"):
        compare(evaluate(files[0], files[1], "P@10"), test="t", correction="tukey")
    assert not path.exists()


def test_nothing_is_counted_without_a_ledger(files, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MENSURA_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    compare(evaluate(files[0], files[1], "P@10"), test="t")
    assert not list(tmp_path.rglob("*.sqlite"))
    compare(evaluate(files[0], files[1], "P@10"), test="t", prior_tests="auto")  # begins one
    assert counted(tmp_path / "mensura" / "ledger.sqlite")["original"] == 6


def test_tests_without_a_collection_or_a_ledger(files, monkeypatch):
    with pytest.raises(LedgerError, match="MENSURA_LEDGER turns it off"):
        compare(evaluate(files[0], files[1], "P@10"), prior_tests="auto")
    monkeypatch.setenv("MENSURA_LEDGER", "never.sqlite")
    with pytest.raises(LedgerError, match="no judgments; give their number"):
        compare(campaign(["P@10"]), prior_tests="auto")
