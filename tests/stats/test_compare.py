"""Whole comparisons: families over measures, remarks about scales, groups, intervals."""

from __future__ import annotations

import numpy as np
import pytest

from mensura import evaluate
from mensura.errors import StatisticsError
from mensura.evaluation.evaluation import score
from mensura.judged.runs import JudgedRuns
from mensura.measures.names import parse_measures
from mensura.render.comparisons import as_table
from mensura.render.numbers import fixed, p_equation
from mensura.stats import METHODS, adjust, anova, compare, max_t, paired_t, run_test
from mensura.stats.groups import find_groups


def campaign(measures, systems=5, topics=20, seed=1, relevant=(30,)):
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.15, 0.6, systems)[:, None, None]
    difficulty = rng.uniform(0.5, 1.0, (1, topics, 1))
    grades = (rng.uniform(0, 1, (systems, topics, 20)) < quality * difficulty).astype(np.int8)
    bases = [[200, relevant[topic % len(relevant)]] for topic in range(topics)]
    return score(JudgedRuns.from_grades(grades, bases), parse_measures(measures))


def test_all_measures_are_one_family():
    evaluation = campaign(["P@10", "AP", "RR"])
    made = compare(evaluation, test="t", correction="holm", prior_tests=12)
    p = np.stack([paired_t(scores.values).p for scores in evaluation.scores])
    expected = adjust(p, "holm", prior_tests=12)
    for comparison, row in zip(made, expected, strict=True):
        assert comparison.corrected_p == pytest.approx(row, rel=1e-9)  # topics are added up in another order
        assert comparison.family.size == 10 * 3 + 12
        assert str(comparison.family) == "Holm, 42 tests (10 pairs × 3 measures + 12 earlier)"


def test_families_of_pairs_share_alpha_among_measures():
    evaluation = campaign(["P@10", "AP"])
    made = compare(evaluation, test="anova-topics")
    for comparison, scores in zip(made, evaluation.scores, strict=True):
        assert comparison.corrected_p == pytest.approx(np.minimum(1, 2 * anova(scores.values).family_p))
    (single,) = compare(campaign(["P@10"]), test="anova-topics", prior_tests=5)
    assert single.corrected_p == pytest.approx(np.minimum(1, 1.5 * anova(campaign(["P@10"])["P@10"].values).family_p))


def test_max_t_for_the_t_test():
    evaluation = campaign(["P@10"])
    (made,) = compare(evaluation, test="t", correction="maxT", samples=500, seed=3)
    names = sorted(range(20), key=lambda topic: evaluation.judged.topics[topic])
    assert made.corrected_p.tolist() == max_t(evaluation["P@10"].values[:, names], samples=500, seed=3).tolist()


@pytest.mark.parametrize("test", METHODS)
def test_every_test_makes_a_comparison(test):
    evaluation = campaign(["P@10"])
    (made,) = compare(evaluation, test=test, baseline="1" if test == "dunnett" else None, samples=200)
    assert made.method.name == test
    assert (made.pair_low <= made.outcome.estimate).all()
    assert (made.outcome.estimate <= made.pair_high).all()
    if test != "bootstrap-t":  # whose p is of another statistic: the plain t of the pair alone
        assert (made.corrected_p >= made.outcome.p - 1e-12).all()
    assert made.mean == pytest.approx(evaluation["P@10"].mean())
    assert repr(made).startswith("Comparison(P@10: 5 systems × 20 topics")


def test_the_default_is_blocked_by_topic_and_corrected():
    (made,) = compare(campaign(["P@10"]), samples=300)
    assert made.method.name == "bootstrap-t"
    assert made.method.paired
    assert made.family.correction == "maxT"


def test_a_test_says_what_its_measure_does_not_meet():
    evaluation = campaign(["P@10", "RR@10", "R@10", "AP@10"], relevant=(30, 40))
    by_test = {test: compare(evaluation, test=test, samples=100) for test in ("t", "sign", "kruskal")}
    said = {
        test: ["".join(remark for remark in comparison.remarks if not remark.startswith("intervals are")) for comparison in made]
        for test, made in by_test.items()
    }
    assert said["t"][0] == ""
    assert "RR@10 is on an ordinal scale" in said["t"][1]
    assert "changes from topic to topic" in said["t"][2]
    assert 'scale="interval"' in said["t"][3]
    assert said["sign"] == ["", "", "", ""]  # compares values of the same topic, and only their order
    assert "changes from topic to topic" in said["kruskal"][2]
    assert said["kruskal"][1] == ""


def test_a_remark_on_scales_is_shown_once():
    text = as_table(compare(campaign(["RR@10", "AP@10", "P@10"]), test="t"), 0)
    assert text.count("[M103]") == 1
    assert "(the same for AP@10)" in " ".join(text.split())


def test_pairs_by_name_and_by_number():
    (made,) = compare(campaign(["P@10"]), test="t")
    forth, back = made["1", "5"], made["5", "1"]
    assert forth.estimate == -back.estimate
    assert forth.interval == (-back.interval[1], -back.interval[0])
    assert (forth.wins, forth.losses) == (back.losses, back.wins)
    assert forth.corrected_p == back.corrected_p
    assert len(list(made.pairs())) == 10
    assert repr(forth).startswith("Pair(1 − 5 = −0.")
    assert f"], {p_equation(forth.p)}, corrected {p_equation(forth.corrected_p)}, d_z = {fixed(forth.d_z, 2)}, " in repr(forth)
    with pytest.raises(KeyError, match="unknown system 'nobody'; there are 1, 2, 3, 4, 5"):
        made["1", "nobody"]


def test_groups_hold_no_significant_pair_and_every_system():
    (made,) = compare(campaign(["P@10"], systems=8), test="t", correction="none")
    different = made.outcome.pairs.square(made.significant.astype(float), 0.0) > 0
    assert {system for group in made.groups for system in group} == set(range(8))
    for group in made.groups:
        assert not different[np.ix_(group, group)].any()
    assert made.ranking[0] == made.groups[0][0]


def test_groups_by_hand():
    different = np.zeros((4, 4), dtype=bool)
    different[0, 2] = different[2, 0] = different[0, 3] = different[3, 0] = different[1, 3] = different[3, 1] = True
    assert find_groups([0, 1, 2, 3], different) == [(0, 1), (1, 2), (2, 3)]
    assert find_groups([0, 1, 2, 3], np.zeros((4, 4), dtype=bool)) == [(0, 1, 2, 3)]
    assert find_groups([3, 1], ~np.eye(4, dtype=bool)) == [(3,), (1,)]


def test_lower_is_better_turns_the_ranking_round():
    (made,) = compare(campaign(["MFR@20"]), test="sign")
    assert made.ranking == np.argsort(made.mean, kind="stable").tolist()


def test_a_baseline():
    (made,) = compare(campaign(["P@10"]), test="dunnett", baseline="3")
    assert made.groups == ()
    assert {made.systems[system] for system in made.outcome.pairs.second.tolist()} == {"3"}
    assert made.family.size == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "z"}, "unknown test 'z'"),
        ({"correction": "sidak"}, "unknown correction 'sidak'"),
        ({"test": "t", "correction": "tukey"}, "does not fit the paired t-test"),
        ({"test": "sign", "correction": "maxT"}, "does not fit the sign test"),
        ({"test": "randomised-tukey", "correction": "holm"}, "corrected by max-T already"),
        ({"test": "randomised-tukey", "correction": "none"}, "corrected by max-T already"),
        ({"correction": None}, "unknown correction None"),
        ({"correction": "fdr"}, "did you mean 'bh'"),
        ({"test": "wilcoxon"}, "did you mean 'signed-rank'"),
        ({"baseline": ["1", "nobody"]}, "unknown baseline 'nobody'"),
        ({"samples": 10**14}, "expected at most 100000000 random draws"),
        ({"interval": "bca"}, "do not hold simultaneously"),
        ({"baseline": "nobody"}, "unknown baseline 'nobody'"),
        ({"test": "dunnett"}, "baseline"),
        ({"alpha": 5}, "confidence level"),
        ({"prior_tests": -1}, "at least 0 prior tests, got -1"),
    ],
)
def test_errors(options, message):
    with pytest.raises(StatisticsError, match=message):
        compare(campaign(["P@10"]), **{"samples": 50} | options)


def test_systems_must_share_their_topics(write):
    write("q", "1 0 a 1\n2 0 a 1\n3 0 b 1\n")
    first = write("x.run", "1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n")
    second = write("y.run", "1 Q0 a 1 2 y\n3 Q0 a 1 2 y\n")
    evaluation = evaluate(first.parent / "q", [first, second], "AP", topics="run")
    with pytest.raises(StatisticsError, match="different topics count"):
        compare(evaluation)


def test_results_are_the_same_for_a_seed():
    evaluation = campaign(["P@10", "AP"])
    one, two = (compare(evaluation, seed=4, samples=500, threads=threads) for threads in (1, 3))
    for a, b in zip(one, two, strict=True):
        assert a.corrected_p.tobytes() == b.corrected_p.tobytes()
        assert a.pair_low.tobytes() == b.pair_low.tobytes()


def test_run_test_matches_the_functions():
    values = campaign(["P@10"])["P@10"].values
    assert run_test("t", values).p.tolist() == paired_t(values).p.tolist()


def test_an_interval_scale_that_is_the_measure_itself_changes_nothing():
    # P@k is its own interval scale up to an affine map (P4 §VI): all tests agree, and no remark is left.
    evaluation = campaign(["P@10"])
    for test in METHODS:
        options = {"test": test, "baseline": "1" if test == "dunnett" else None, "samples": 200}
        (original,), (interval,) = compare(evaluation, **options), compare(evaluation, scale="interval", **options)
        assert interval.corrected_p == pytest.approx(original.corrected_p, rel=1e-9)
        assert not [remark for remark in interval.remarks if "[M103]" in remark]
        assert interval.name == "P@10 (interval scale)"


def test_rank_tests_within_topics_do_not_see_the_scale():
    evaluation = campaign(["RR@10"])
    for test in ("sign", "friedman", "nemenyi", "kruskal", "rank-sum"):
        (original,), (interval,) = compare(evaluation, test=test), compare(evaluation, test=test, scale="interval")
        assert interval.corrected_p.tolist() == original.corrected_p.tolist()


def test_tests_without_a_correction_are_remarked():
    evaluation = campaign(["P@10"])
    (made,) = compare(evaluation, test="t", correction="none")
    assert any("[M701]" in remark for remark in made.remarks)
    (made,) = compare(evaluation, test="t")
    assert not any("[M701]" in remark for remark in made.remarks)
