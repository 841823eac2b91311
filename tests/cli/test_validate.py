"""``mensura validate``: an honest choice among variants, against a loop written out here."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from mensura import JudgedRuns
from mensura.errors import StatisticsError
from mensura.evaluation.evaluation import score
from mensura.stats import cross_validate, validate
from mensura.stats.validation import Choice, make_folds
from tests.cli.running import mensura


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    mensura("simulate", "-o", folder, "--systems", "5", "--topics", "20", "--documents", "60", "--seed", "3")
    return folder / "qrels.txt", str(folder / "runs" / "*.txt")


def values_of(campaign, measure):
    reader = csv.DictReader(io.StringIO(mensura("evaluate", *campaign, "-m", measure, "-q", "-f", "csv").stdout))
    rows = [row for row in reader if row["topic"] != "all"]
    systems, topics = sorted({row["system"] for row in rows}), sorted({row["topic"] for row in rows})
    found = {(row["system"], row["topic"]): float(row["value"]) for row in rows}
    return systems, np.array([[found[system, topic] for topic in topics] for system in systems])


@pytest.mark.parametrize(("measure", "sign"), [("AP", 1), ("MFR@10", -1)])
def test_each_fold_is_tested_with_the_best_of_the_others(campaign, measure, sign):
    systems, values = values_of(campaign, measure)
    document = json.loads(mensura("validate", *campaign, "-m", measure, "--folds", "4", "--repeats", "3", "-f", "json").stdout)
    (choice,) = document["choices"]
    scores, chosen = [], []
    for repeat in range(3):
        tested = np.empty(20)
        for fold in make_folds(20, 4, 0, repeat):
            others = np.setdiff1d(np.arange(20), fold)
            best = int(np.argmax(sign * values[:, others].sum(axis=1)))
            chosen.append(best)
            tested[fold] = values[best, fold]
        scores.append(tested.mean())
    validation = choice["validation"]
    assert validation["score"] == pytest.approx(np.mean(scores))
    assert validation["by_repeat"] == pytest.approx(scores)
    assert np.ravel(validation["chosen"]).tolist() == chosen
    assert choice["split_deviation"] == pytest.approx(np.std(scores, ddof=1))
    means = values.mean(axis=1)
    assert choice["best"] == systems[int(np.argmax(sign * means))]
    assert validation["apparent"] == pytest.approx(means[int(np.argmax(sign * means))])
    assert sign * (validation["apparent"] - validation["score"]) >= 0


def test_the_order_of_files_does_not_matter(campaign):
    qrels, pattern = campaign
    folder = qrels.parent / "runs"
    runs = sorted(folder.glob("*.txt"))
    forth = mensura("validate", qrels, *runs, "-m", "AP", "-f", "csv").stdout
    assert forth == mensura("validate", qrels, *runs[::-1], "-m", "AP", "-f", "csv").stdout
    assert forth == mensura("validate", qrels, pattern, "-m", "AP", "-f", "csv").stdout
    assert forth.count("\n") == 1 + 5 * 10


def test_variants_that_do_not_differ_look_better_than_they_are():
    """Twenty variants of chance: the apparent value is the best of twenty means, the honest one is near their mean."""
    grades = (np.random.default_rng(1).random((20, 40, 10)) < 0.5).astype(np.int8)
    choice = validate(score(JudgedRuns.from_grades(grades, [[40, 30]] * 40), ["P@10"]).scores[0])
    assert choice.validation.apparent > 0.52
    assert abs(choice.validation.score - 0.5) < 0.02
    assert choice.validation.optimism > 0.01
    assert Choice.from_json(choice.to_json()).chosen == choice.chosen


def test_the_table_has_both_values(campaign):
    text = mensura("validate", *campaign, "-m", "AP").stdout
    for said in (
        "5 variants, 20 topics, 5 folds, 10 repetitions",
        "honest",
        "apparent",
        "single folds",
        "has the best mean over all 20 topics; report the honest",
    ):
        assert said in text


@pytest.fixture
def plan(campaign, tmp_path):
    path = tmp_path / "plan.toml"
    mensura(
        *("plan", "new", path, "--goal", "which variant", "--qrels", campaign[0], "--run", campaign[1]),
        *("--system", "sys1", "--system", "sys3", "--system", "sys4", "--primary", "P@10"),
    )
    return path


def test_folds_of_a_plan_are_used(campaign, plan):
    done = mensura("validate", *campaign, "--plan", plan, status=2)
    assert "names no folds" in done.stderr
    plan.write_text(plan.read_text().replace("# folds = 5", "folds = 4"))
    (choice,) = json.loads(mensura("validate", *campaign, "--plan", plan, "-f", "json").stdout)["choices"]
    assert np.array(choice["validation"]["by_fold"]).shape == (10, 4)
    assert (choice["measure"], choice["names"]) == ("P@10", ["sys1", "sys3", "sys4"])
    assert "decides about folds" in mensura("validate", *campaign, "--plan", plan, "--folds", "3", status=2).stderr


def test_compare_says_that_it_does_not_use_folds(campaign, plan):
    plan.write_text(plan.read_text().replace("# folds = 5", "folds = 4"))
    mensura("plan", "lock", plan)
    assert "folds = 4 of the plan is not used by compare" in mensura("compare", *campaign, "--plan", plan).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--folds", "21"), "expected between 2 and 20 folds for 20 topics, got 21"),
        (("-m", "GM(AP)"), "GM(AP) is a geometric mean"),
        (("-m", "NumRelRet"), "is a sum"),
    ],
)
def test_errors(campaign, words, said):
    assert said in mensura("validate", *campaign, *words, status=2).stderr


def test_one_topic_cannot_be_split():
    with pytest.raises(StatisticsError, match="a cross-validation needs at least 2 topics, got 1"):
        cross_validate([[0.1], [0.2]])


def test_one_variant_is_not_a_choice(campaign):
    one = campaign[0].parent / "runs" / "sys1.txt"
    assert "at least 2 variants, got 1" in mensura("validate", campaign[0], one, status=2).stderr


def test_topics_that_do_not_count_are_refused():
    judged = JudgedRuns.from_grades(np.zeros((2, 6, 3), dtype=np.int8), [[3, 3]] * 6)
    scores = score(judged, ["P@3"]).scores[0]
    scores = replace(scores, counted=scores.counted & (np.arange(12).reshape(2, 6) > 0))
    with pytest.raises(StatisticsError, match="every topic must count"):
        validate(scores)
