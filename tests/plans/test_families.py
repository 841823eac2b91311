"""Planned and exploratory comparisons, each family corrected by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mensura import judge
from mensura.errors import PlanError
from mensura.evaluation.evaluation import score
from mensura.plans import HypothesisVerdict, parse_plan, template, verdicts
from mensura.plans.families import compare_as_planned, families
from mensura.stats import adjust, compare, paired_t
from mensura.stats.comparison import Question, compare_families
from mensura.study.example import example


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    qrels, runs = example(8, systems=5, topics=20).write(tmp_path_factory.mktemp("campaign"))
    return judge(qrels, runs)


def planned(judged, measures=(), prior=0, change=lambda text: text, **options):
    same = {"systems": ("sysA", "sysB", "sysC"), "primary": ["P@10"], "secondary": ["AP", "RR"], "test": "t"}
    text = template(**same | options)
    plan = parse_plan(change(text), Path("plan.toml"))
    return plan, compare_as_planned(plan, families(plan, judged, tuple(measures)), prior, {})


def p_values(judged, measures, pairs):
    """By the t-test itself, pair by pair."""
    values = [score(judged, measure).scores[0].values for measure in measures]
    at = judged.systems.index
    return np.array([[paired_t(row[[at(a), at(b)]]).p[0] for a, b in pairs] for row in values])


TRIO = [("sysA", "sysB"), ("sysA", "sysC"), ("sysB", "sysC")]


def test_families_are_corrected_by_themselves(judged):
    _, found = planned(judged.only(("sysA", "sysB", "sysC")), prior=2)
    assert [(str(made.measure), made.role) for made in found] == [("P@10", "primary"), ("AP", "secondary"), ("RR", "secondary")]
    assert found[0].corrected_p.tolist() == adjust(p_values(judged, ["P@10"], TRIO), "holm", prior_tests=2)[0].tolist()
    expected = adjust(p_values(judged, ["AP", "RR"], TRIO), "holm", prior_tests=2)
    assert [made.corrected_p.tolist() for made in found[1:]] == expected.tolist()
    assert [made.family.size for made in found] == [5, 8, 8]


def test_the_advice_is_on_every_planned_measure(judged):
    """It asked the last family for the measures of the first one."""
    _, found = planned(judged.only(("sysA", "sysB", "sysC")))
    assert [each.measure for each in found.advice] == ["P@10", "AP", "RR"]
    assert "Reading P@10" in str(found)


def test_everything_else_is_exploratory_and_one_family(judged):
    _, found = planned(judged, ["AP", "nDCG@10"])
    explored = {str(made.measure): made for made in found if made.role == "exploratory"}
    assert list(explored) == ["P@10", "AP", "RR", "nDCG@10"]
    everyone = [(a, b) for at, a in enumerate(judged.systems) for b in judged.systems[at + 1 :]]
    rest = [pair for pair in everyone if pair not in TRIO]
    assert [(pair.first, pair.second) for pair in explored["AP"].pairs()] == rest
    assert [(pair.first, pair.second) for pair in explored["nDCG@10"].pairs()] == everyone
    p = [*(p_values(judged, [name], rest)[0] for name in ("P@10", "AP", "RR")), p_values(judged, ["nDCG@10"], everyone)[0]]
    expected = adjust(np.concatenate(p), "holm")
    assert np.concatenate([made.corrected_p for made in explored.values()]) == pytest.approx(expected, rel=1e-9)
    assert str(explored["AP"].family) == "Holm, 31 tests (10 pairs × 4 measures − 9 planned)"
    assert explored["AP"].groups == ()
    assert explored["nDCG@10"].groups != ()


def test_planned_results_do_not_depend_on_what_else_is_looked_at(judged):
    for test in ("randomised-tukey", "anova-topics", "t"):
        _, alone = planned(judged.only(("sysA", "sysB", "sysC")), test=test)
        _, among = planned(judged, ["nDCG@10", "R@100"], test=test)
        for one, other in zip(alone, among, strict=False):
            assert one.corrected_p.tolist() == other.corrected_p.tolist()
            assert one.pair_low.tolist() == other.pair_low.tolist()


def test_leaving_nothing_out_changes_nothing(judged):
    evaluation = score(judged, ["P@10", "AP"])
    for test in ("randomised-tukey", "sign"):
        other = compare_families([Question(evaluation, test=test, left_out={"P@10": (), "RR": _all(judged)})])
        for one, two in zip(compare(evaluation, test=test), other, strict=True):
            assert one.corrected_p.tolist() == two.corrected_p.tolist()
    assert len(compare_families([Question(evaluation, left_out=dict.fromkeys(["P@10", "AP"], _all(judged)))])) == 0


def _all(judged):
    return [frozenset((a, b)) for a in judged.systems for b in judged.systems if a != b]


def test_a_planned_system_that_is_not_there(judged):
    with pytest.raises(PlanError, match="compares sysC too"):
        planned(judged.only(("sysA", "sysB")))


def test_a_baseline_holds_for_what_is_explored_too(judged):
    _, found = planned(judged, ["nDCG@10"], baseline="sysA", test="dunnett")
    assert {pair.second for made in found for pair in made.pairs()} == {"sysA"}
    assert [len(made.corrected_p) for made in found] == [2, 2, 2, 2, 2, 2, 4]


def hypothesis(better, worse, because=""):
    return lambda text: text + f'\n[[hypotheses]]\nbetter = "{better}"\nworse = "{worse}"\nmeasure = "AP"\n{because}'


def test_hypotheses_are_judged(judged):
    means = score(judged, "AP")["AP"].mean()
    best, worst = judged.systems[int(means.argmax())], judged.systems[int(means.argmin())]

    def says(better, worse, *change):
        edit = hypothesis(better, worse)
        plan, found = planned(judged, change=lambda text: edit(text.replace(*change) if change else text), systems=(best, worst))
        (verdict,) = verdicts(plan, found)
        return verdict

    assert says(best, worst).pair.corrected_p < 0.05  # else there is nothing to judge
    assert says(best, worst).says == "supported"
    assert says(worst, best).says == "contradicted"
    assert says(worst, best, "# smallest_effect = 0.02", "smallest_effect = 1").says == "too small to matter"
    assert says(best, worst, "alpha = 0.05", "alpha = 1e-9").says == "undecided"


def test_verdicts_come_back_from_plain_data(judged):
    plan, comparisons = planned(judged, baseline="sysA")
    for verdict in verdicts(plan, comparisons):
        assert HypothesisVerdict.from_json(verdict.to_json()) == verdict
    assert verdicts(plan, comparisons)
