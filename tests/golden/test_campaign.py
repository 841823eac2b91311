"""The golden campaign, which the project carries: values against trec_eval, tests of significance against R (``make.py``)."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from mensura import evaluate
from mensura.stats import adjust, anova, difference_intervals, friedman, kruskal_wallis, paired_t, rank_sum, sign_test, signed_rank
from mensura.stats.arrays import make_pairs, make_table
from tests.cli.running import mensura
from tests.golden.make import FOLDER, NAMES, SIMULATED

MEASURES = ("map", "P_5", "ndcg_cut_10")


@pytest.fixture(scope="module")
def evaluation():
    return evaluate(FOLDER / "qrels.txt", sorted((FOLDER / "runs").iterdir()), NAMES, compat="trec_eval-9")


@pytest.fixture(scope="module")
def theirs():
    """trec_eval's values, {measure: {(system, topic): value}}."""
    with (FOLDER / "trec_eval.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: {(row["system"], row["topic"]): float(row[name]) for row in rows} for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_trec_eval(evaluation, theirs, name):
    ours = {(row["system"], row["topic"]): row["value"] for row in evaluation[name].rows()}
    assert len(ours) == 90
    assert ours == pytest.approx(theirs[name], rel=1e-12)


def test_the_simulator_makes_the_same_campaign(tmp_path):
    mensura("simulate", "-o", tmp_path, *SIMULATED)
    for path in ["qrels.txt", *(f"runs/sys{number}.txt" for number in range(1, 7))]:
        assert (tmp_path / path).read_bytes() == (FOLDER / path).read_bytes()


def test_it_is_small():
    assert sum(path.stat().st_size for path in Path(FOLDER).rglob("*") if path.is_file()) < 300_000


@pytest.fixture(scope="module")
def r():
    """R's numbers, {(measure, what): {(first, second): value}}."""
    numbers = defaultdict(dict)
    with (FOLDER / "significance.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            numbers[row["measure"], row["what"]][row["first"], row["second"]] = float(row["value"])
    return numbers


def values(theirs, name):
    """[system, topic]."""
    systems, topics = ({key[side]: None for key in theirs[name]} for side in (0, 1))
    return list(systems), np.array([[theirs[name][system, topic] for topic in topics] for system in systems])


def by_pair(systems, numbers):
    pairs = make_pairs(len(systems))
    return {
        (systems[first], systems[second]): number
        for first, second, number in zip(pairs.first.tolist(), pairs.second.tolist(), np.asarray(numbers).tolist(), strict=True)
    }


@pytest.mark.parametrize("name", MEASURES)
def test_pairs_are_those_of_r(theirs, r, name):
    systems, table = values(theirs, name)
    outcomes = {
        "paired t: p": paired_t(table).p,
        "signed-rank (normal): p": signed_rank(table, exact=0).p,
        "rank-sum (normal): p": rank_sum(table, exact=0).p,
        "sign: p": sign_test(table).p,
        "y ~ topic + system (Tukey): p": anova(table).family_p,
        "y ~ system (Tukey): p": anova(table, topics=False).family_p,
    }
    for what, p in outcomes.items():
        assert by_pair(systems, p) == pytest.approx(r[name, what], rel=1e-6, abs=1e-9), what
    # R gives the numbers of the t-test to all digits; those of the studentised range to fewer
    assert by_pair(systems, outcomes["paired t: p"]) == pytest.approx(r[name, "paired t: p"], rel=1e-11)


@pytest.mark.parametrize("name", MEASURES)
def test_intervals_are_those_of_r(theirs, r, name):
    systems, table = values(theirs, name)
    intervals = difference_intervals(make_table(table), method="t")
    assert by_pair(systems, intervals.low) == pytest.approx(r[name, "paired t: low"], rel=1e-10, abs=1e-14)
    assert by_pair(systems, intervals.high) == pytest.approx(r[name, "paired t: high"], rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "hochberg", "BH", "BY"])
@pytest.mark.parametrize("name", MEASURES)
def test_corrections_are_those_of_r(theirs, r, name, correction):
    systems, table = values(theirs, name)
    adjusted = adjust(paired_t(table).p, correction.lower())
    assert by_pair(systems, adjusted) == pytest.approx(r[name, f"paired t ({correction}): p"], rel=1e-11)


@pytest.mark.parametrize("name", MEASURES)
def test_omnibus_tests_are_those_of_r(theirs, r, name):
    _, table = values(theirs, name)
    for what, key, outcome in (
        ("y ~ topic + system", "F", anova(table)),
        ("y ~ system", "F", anova(table, topics=False)),
        ("Friedman", "statistic", friedman(table)),
        ("Kruskal-Wallis", "statistic", kruskal_wallis(table)),
    ):
        assert outcome.omnibus.statistic == pytest.approx(r[name, f"{what}: {key}"]["", ""], rel=1e-10), what
        assert outcome.omnibus.p == pytest.approx(r[name, f"{what}: p"]["", ""], rel=1e-9), what


@pytest.mark.parametrize("name", MEASURES)
def test_means_are_those_of_r(evaluation, r, name):
    scores = evaluation[name]
    means = {(system, ""): mean for system, mean in zip(scores.systems, scores.mean().tolist(), strict=True)}
    assert means == pytest.approx(r[name, "mean"], rel=1e-12)
