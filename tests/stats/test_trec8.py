"""The significant pairs of P4, tables 5 and 6, on TREC-8, to the unit."""

from __future__ import annotations

import pytest

from mensura import evaluate
from mensura.stats import run_test, signed_rank

# P4, tables 5 and 6, T08_30: the column Sig of P and RR, in the order of the tables
TESTS = ("sign", "rank-sum", "signed-rank", "t", "anova", "kruskal", "anova-topics", "friedman")
SIGNIFICANT = {
    "P@30": dict(zip(TESTS, (5153, 4276, 5644, 5633, 1923, 1740, 3362, 2595), strict=True)),
    "RR@30": dict(zip(TESTS, (4074, 3951, 4578, 4582, 1691, 1500, 2232, 1813), strict=True)),
}


@pytest.fixture(scope="module")
def trec8(data):
    folder = data / "trec8"
    return evaluate(folder / "qrels.txt", sorted((folder / "runs").iterdir()), ["P@30", "RR@30"], compat="trec_eval-9")


@pytest.mark.parametrize("measure", SIGNIFICANT)
@pytest.mark.parametrize("test", TESTS)
def test_the_counts_of_the_paper(trec8, measure, test):
    assert trec8[measure].values.shape == (129, 50)
    outcome = signed_rank(trec8[measure].values, exact=15) if test == "signed-rank" else run_test(test, trec8[measure].values)
    assert outcome.significant(0.05) == SIGNIFICANT[measure][test]
