"""Orders of documents with equal scores: by id, by rank, and expected values against all permutations."""

from __future__ import annotations

import math
from itertools import groupby, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import Evaluator, JudgedRuns, MeasureError, MensuraError, ScaleError, compare, evaluate, judge, parse_measure, score
from tests.cli.running import mensura

EXPECTED = [
    *("P@3", "P", "P(rel=2)@4", "R@3", "R(capped=True)@4", "Success@1", "Success@3", "RR", "RR@2", "RR(rel=2)@3", "AP", "AP@3"),
    *("AP(rel=2)@4", "AP(capped=True)@2", "DCG@3", "DCG(base=2)", "nDCG", "nDCG@2", "nDCG(dcg='exp-log2')@4", "RBP(p=0.8)@3"),
    *("RBP(p=0.5, gains={1: 0.5, 2: 1})", "RBP(p=0.9, gains='grade')@4", "ERR", "ERR@2", "ERR(max_grade=4)@4", "GM(AP)"),
]
REFUSED = [
    "F@3",
    "bpref",
    "Rprec",
    "MFR",
    "EFR",
    "IPrec11",
    "Judged@3",
    "infAP",
    "SetAP",
    "G",
    "INST",
    "Compat",
    "Acorr@3",
    "ADM@3",
]


def orders(groups):
    """All lists that put the documents of each group into some order."""
    for choice in product(*(permutations(group) for group in groups)):
        yield [grade for group in choice for grade in group]


@settings(max_examples=60, deadline=None)
@given(
    documents=st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 3)), min_size=1, max_size=7),
    unseen=st.lists(st.integers(0, 2), min_size=4, max_size=4),
)
@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@pytest.mark.parametrize("name", EXPECTED)
def test_expected_values_are_means_over_all_permutations(name, documents, unseen):
    """At most 5040 orders: each is one list of grades, scored without ties."""
    ranked = sorted(enumerate(documents), key=lambda each: -each[1][0])
    groups = [[grade for _, (_, grade) in group] for _, group in groupby(ranked, key=lambda each: each[1][0])]
    truth = {f"d{at}": grade for at, (_, grade) in enumerate(documents) if grade >= 0}
    truth |= {f"x{grade}{number}": grade for grade, count in enumerate(unseen) for number in range(count)} | {"z": 3}
    run = {f"d{at}": float(rank) for at, (rank, _) in enumerate(documents)}
    measure = parse_measure(name)
    expected = score(judge({"q": truth}, {"run": {"q": run}}, ties="expected"), [measure]).scores[0].values[0, 0]
    lists = [*orders(groups)]
    base = [sum(grade == value for value in truth.values()) for grade in range(4)]
    values = measure.score(JudgedRuns.from_grades([[row] for row in lists], [base]))[:, 0].tolist()
    assert expected == pytest.approx(math.fsum(values) / len(values), rel=1e-12, abs=1e-14)


def test_a_large_group_against_mcsherry_and_najork():
    """All 1000 documents tie, 10 of them relevant: P@10 is 10/1000, RR the mean of 1 / first rank over all places."""
    truth = {"q": {f"d{number}": 1 for number in range(10)}}
    run = {"q": {f"d{number}": 1.0 for number in range(1000)}}
    values = evaluate(truth, {"run": run}, ["P@10", "RR", "AP"], ties="expected")
    first = sum(math.comb(1000 - rank, 9) / rank for rank in range(1, 992)) / math.comb(1000, 10)
    found = sum(0.01 / rank * (1 + (rank - 1) * 9 / 999) for rank in range(1, 1001)) / 10
    assert values["P@10"].values[0, 0] == pytest.approx(0.01, rel=1e-12)
    assert values["RR"].values[0, 0] == pytest.approx(first, rel=1e-10)
    assert values["AP"].values[0, 0] == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize("name", REFUSED)
def test_other_measures_are_refused(name):
    with pytest.raises(MeasureError, match="has no expected value over the orders of equal scores; use ties='id' or 'rank'"):
        evaluate({"q": {"a": 1}}, {"run": {"q": {"a": 1.0, "b": 1.0}}}, [name], ties="expected")


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
def test_expected_values_have_no_scale_and_no_exact_order():
    evaluation = evaluate({"q": {"a": 1}}, {"run": {"q": {"a": 1.0, "b": 1.0}}}, ["AP@3"], ties="expected")
    with pytest.raises(ScaleError, match="expected values"):
        evaluation["AP@3"].on_interval_scale()
    with pytest.raises(MensuraError, match="ties='expected'"):
        evaluate({"q": {"a": 1}}, {"run": {"q": {"a": 1.0, "b": 1.0}}}, ["AP@3"], ties="expected", judged_only=True)


TRUTH = {"q": {"b": 1}}
LINES = "q Q0 c 2 1.0 mine\nq Q0 b 1 1.0 mine\nq Q0 a 3 1.0 mine\n"


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@pytest.mark.parametrize(("ties", "value"), [("id", 1 / 2), ("rank", 1.0), ("expected", (1 + 1 / 2 + 1 / 3) / 3)])
def test_files(tmp_path, ties, value):
    """By id falling c, b, a; the file gives b the first rank, though its line is the second."""
    (tmp_path / "qrels.txt").write_text("q 0 b 1\n")
    (tmp_path / "run.txt").write_text(LINES)
    (table,) = evaluate(tmp_path / "qrels.txt", tmp_path / "run.txt", ["RR"], ties=ties)
    assert table.values[0, 0] == pytest.approx(value)
    done = mensura("evaluate", tmp_path / "qrels.txt", tmp_path / "run.txt", "-m", "RR", "--ties", ties, "-f", "csv")
    assert float(done.stdout.splitlines()[1].split(",")[2]) == pytest.approx(value)


@pytest.mark.filterwarnings("ignore::mensura.MensuraWarning")
@pytest.mark.parametrize("order", ["abc", "bca", "cba"])
def test_lists_in_memory_keep_their_order(order):
    run = {"q": dict.fromkeys(order, 1.0)}
    rows = [("q", document, 1.0) for document in order]
    for each in (run, rows, {"q": [(document, 1.0) for document in order]}):
        (table,) = evaluate(TRUTH, {"run": each}, ["RR"], ties="rank")
        assert table.values[0, 0] == 1 / (order.index("b") + 1)
    assert Evaluator(TRUTH, "RR", ties="rank").means(run)["RR"] == 1 / (order.index("b") + 1)
    assert Evaluator(TRUTH, "RR", ties="expected").means(run)["RR"] == pytest.approx(11 / 18)


@pytest.mark.parametrize("bad", ["x", None])
def test_unknown_orders_are_refused(bad):
    with pytest.raises(MensuraError, match=r"ties=.* is unknown; use 'id', 'rank', 'expected'"):
        judge(TRUTH, {"run": {"q": {"a": 1.0}}}, ties=bad)


def test_comparisons_know_ties():
    truth = {"q": {"b": 1}, "r": {"b": 1}, "s": {"b": 1}}
    runs = {name: {topic: dict.fromkeys(order, 1.0) for topic in truth} for name, order in (("one", "abc"), ("two", "bca"))}
    (same,) = compare(truth, runs, "RR", test="t", ties="expected")
    assert same.mean.tolist() == pytest.approx([11 / 18] * 2)
    (other,) = compare(truth, runs, "RR", test="t", ties="rank")
    assert other.mean.tolist() == [0.5, 1.0]
