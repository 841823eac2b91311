"""The scale of a measure: one answer, whoever is asked."""

from __future__ import annotations

import csv
import dataclasses
import io
from itertools import product

import numpy as np
import pytest

from mensura import RBP, JudgedRuns, P, compare, parse_measure, register, score
from mensura.cli import run_command
from mensura.lint.readers.plans import check_plan
from mensura.measures import REGISTRY, Measure
from mensura.report import report
from mensura.scales import Leaderboard, Properties, ScaleFacts, leaderboard, properties, scale_facts
from mensura.scales.facts import bases_among, facts_for
from mensura.scales.order.verdicts import Proven, holds
from mensura.scales.proofs import QUESTIONS
from mensura.stats.methods import METHODS
from mensura.web.jobs.tasks import prove

PARAMETERS = {
    "ADM": ["(srs='rank', retrieved=10)", "(srs='rank', retrieved=1000)", "(srs='rank', retrieved=10, urs='ends')"],
    "Acorr": ["(h='1/i')"],
    "DCG": ["(base=2)", "(base=10)", "(dcg='exp-log2')", "(gains={1: 1, 2: 3, 3: 4})"],
    "ERR": ["(max_grade=4)"],
    "F": ["(beta=2.0)", "(rel=2)"],
    "RBP": ["(p=0.5)", "(p=0.3)", "(p=0.5, rel=2)", "(p=0.5, gains={1: 0.2, 2: 0.3, 3: 1})", "(p=0.5, gains={1: 0.5, 2: 1})"],
    "nDCG": ["(base=2)", "(dcg='exp-log2')"],
}
STEMS = [
    stem
    for name in sorted(set(REGISTRY) - {"GM", "Median", "IPrec", "Hole"})  # Hole is computed from documents
    for stem in [name, *(name + each for each in PARAMETERS.get(name, ["(rel=2)"] if hasattr(REGISTRY[name], "rel") else []))]
]
NAMES = [f"{stem}@{cut}" for stem, cut in product(STEMS, (1, 3, 5, 10)) if stem.split("(")[0] != "NumRel"]
NAMES += ["NumRel", "IPrec@0.3", "GM(AP@5)", "GM(P@5)", "Median(P@5)", "P", "AP", "RBP(p=0.5)", "nDCG", "RR", "MFR"]
GRADES = [(0, 1), (0, 1, 2), (0, 1, 2, 3)]


def judged_with(grades):
    """Four systems, five topics, every grade among their documents."""
    rng = np.random.default_rng(len(grades))
    return JudgedRuns.from_grades(rng.integers(0, len(grades), (4, 5, 10)).astype(np.int8), np.tile([30] * len(grades), (5, 1)))


@pytest.mark.parametrize("grades", GRADES)
def test_properties_and_the_page_say_the_same(grades):
    for name in NAMES:
        measure = parse_measure(name)
        facts = scale_facts(measure, None, grades)
        if measure.scale_obstacle is not None:
            assert facts.type == ("ratio" if measure.aggregation == "sum" else "ordinal"), name
            continue
        if facts.length > 5:  # properties search for long; the spacing is asked about at the same length all the same
            facts = scale_facts(parse_measure(name.replace("@10", "@4")), 4, grades)
            measure = parse_measure(name.replace("@10", "@4"))
        assert properties(measure, facts.length, grades).scale.name == facts.type, name
        assert (facts.type in {"ratio", "interval"}) == isinstance(properties(measure, facts.length, grades).equispaced, Proven), (
            name
        )
    name = "RBP(p=0.5, gains={1: 0.2, 2: 0.3, 3: 1})@5"
    assert prove(lambda *_: None, name, 5, grades)["scale"] == scale_facts(parse_measure(name), None, grades).type


@pytest.mark.parametrize("grades", GRADES)
def test_comparisons_and_reports_say_the_same(grades):
    judged = judged_with(grades)
    measures = [
        parse_measure(name) for name in NAMES if not name.startswith(("ADM@", "Median", "Accuracy"))
    ]  # no scores here; not compared
    remarks = {made.measure: made.remarks for made in compare(score(judged, measures), test="t")}
    for measure in measures:
        facts = facts_for(measure, judged)
        alone = scale_facts(measure, facts.length, grades if measure.graded else (0, 1))
        bases = bases_among(measure, judged.recall_base) if measure.uses_recall_base else None
        assert facts == dataclasses.replace(alone, recall_bases=bases, per_topic=alone.per_topic and bases != 1)
        spoken = any("assumes an interval scale" in text for text in remarks[measure])
        assert spoken == (facts.type in {"ordinal", "nominal"}), measure
        assert any("changes from topic to topic" in text for text in remarks[measure]) == (not spoken and facts.per_topic), measure
    some = [measure for measure in measures if measure.cutoff == 3]
    for change in report(judged, some, samples=20).scales:
        assert change.facts == facts_for(change.measure, judged)
        assert change.same == (change.facts.type in {"ratio", "interval"} and not change.facts.per_topic)


def test_the_list_of_measures_says_the_same(capsys):
    names = [name for name in NAMES if not name.startswith(("GM", "Median"))]
    assert run_command(["measures", "--format", "csv", *names]) == 0
    for name, row in zip(names, csv.DictReader(io.StringIO(capsys.readouterr().out)), strict=True):
        assert row["scale"] == scale_facts(parse_measure(name)).type, name


@pytest.mark.parametrize("name", ["P@1", "RR@2", "AP@3", "nDCG@4"])
def test_measures_with_a_small_cutoff_are_shown(capsys, name):
    assert run_command(["measures", name]) == 0
    assert name in capsys.readouterr().out


@pytest.mark.parametrize("name", ["AP@10", "P@10", "RBP(p=0.5)@10", "RBP(p=0.8)@10", "MFR@10", "bpref"])
def test_the_linter_says_the_same(name):
    plan = f'primary = "{name}"\ntest = "t"\n'
    spoken = any(hit.code == "M103" for hit in check_plan(plan, "plan.toml"))
    assert spoken == (scale_facts(parse_measure(name)).type in {"ordinal", "nominal"})


@pytest.mark.parametrize(
    ("name", "grades", "scale"),
    [
        # P4 §IV-B: P, R and F are interval scales, RBP only with p = 1/2, AP, DCG and ERR are not. They count, so 0 is none.
        ("P@10", (0, 1), "ratio"), ("R@10", (0, 1), "ratio"), ("F@10", (0, 1), "ratio"), ("P(rel=2)@10", (0, 1, 2), "ratio"),
        ("RBP(p=0.5)@10", (0, 1), "interval"), ("RBP(p=0.8)@10", (0, 1), "ordinal"), ("RBP(p=0.3)@10", (0, 1), "ordinal"),
        ("RBP(p=0.5)@30", (0, 1, 2, 3), "interval"), ("RBP(p=0.5, rel=2)@30", (0, 1, 2, 3), "interval"),
        ("AP@10", (0, 1), "ordinal"), ("nDCG@10", (0, 1), "ordinal"), ("ERR@10", (0, 1), "ordinal"), ("RR@10", (0, 1), "ordinal"),
        # P3 §2.1 and P4, Example 9: the rank of the first relevant document is an effort, which is none at 0.
        ("MFR@10", (0, 1), "ratio"), ("EFR@10", (0, 1), "ratio"),
        ("NumRelRet@10", (0, 1), "ratio"), ("NumRet", (0, 1), "ratio"), ("NumRel", (0, 1), "ratio"), ("Success@5", (0, 1), "ratio"),
        # the same values as P@1, up to a factor
        ("RR@1", (0, 1), "ratio"), ("AP@1", (0, 1), "ratio"), ("nDCG@1", (0, 1), "ratio"), ("ERR@1", (0, 1), "ratio"),
        # the first ten ranks are not discounted: DCG is the number of relevant documents there, or the sum of their grades
        ("DCG(base=10)@10", (0, 1), "ratio"), ("DCG(base=10)@10", (0, 1, 2), "interval"), ("DCG(base=10)@11", (0, 1), "ordinal"),
        # P4 §IV-B: graded RBP is an interval scale for p = G/(G + 1), G being the smallest gap between gains: here 1/4
        ("RBP(p=0.2, gains={1: 0.25, 2: 0.5, 3: 0.75, 4: 1})@5", (0, 1, 2, 3, 4), "interval"),
        ("RBP(p=0.3, gains={1: 0.25, 2: 0.5, 3: 0.75, 4: 1})@5", (0, 1, 2, 3, 4), "ordinal"),
        ("RBP(p=0.5, gains={1: 0.2, 2: 0.3, 3: 1})@5", (0, 1), "interval"),
        ("RBP(p=0.5, gains={1: 0.2, 2: 0.3, 3: 1})@5", (0, 1, 2, 3), "ordinal"),
        ("GM(P@5)", (0, 1), "ratio"), ("GM(AP@5)", (0, 1), "ordinal"),
        ("DCG(gains={1: 0})@5", (0, 1), "nominal"),
        ("ADM@5", (0, 1), "ordinal"), ("IPrec11@5", (0, 1), "ordinal"), ("Judged@5", (0, 1), "ordinal"),
    ],
)  # fmt: skip
def test_types(name, grades, scale):
    assert scale_facts(parse_measure(name), None, grades).type == scale


def test_runs_at_hand_are_asked_about_at_their_length():
    """DCG with base 20 counts the relevant documents of the first 20 ranks, but these runs are longer."""
    measure = parse_measure("DCG(base=20)")
    deep = JudgedRuns.from_grades(np.zeros((2, 3, 50), dtype=np.int8), [[5, 5]] * 3)
    assert scale_facts(measure).type == "ratio"
    assert facts_for(measure, deep).type == "ordinal"
    assert facts_for(measure, deep.cut(20)).type == "ratio"


def test_the_answer_has_its_reason_and_its_runs():
    facts = scale_facts(P() @ 4)
    assert str(facts) == "P@4 is on a ratio scale: its values are proportional to a number of documents"
    assert facts.proof == "the 5 values are equally far apart: 1/4"
    assert (facts.length, facts.grades, facts.per_topic) == (4, (0, 1), False)
    assert scale_facts(parse_measure("R@4")).per_topic
    assert "follow one another at unequal distances" in scale_facts(parse_measure("RR@4")).proof
    assert scale_facts(parse_measure("RBP(p=0.5)"), 3).length == 3


def test_own_measures_are_ordinal_until_proven(monkeypatch):
    monkeypatch.delitem(REGISTRY, "Mine", raising=False)

    @register
    class Mine(Measure):
        """Somebody's measure."""

        name = "Mine"

        def score(self, judged):
            return (judged.grades > 0).sum(axis=2).astype(float)

    facts = scale_facts(Mine())
    assert (facts.type, facts.reason) == ("ordinal", "nothing is proven about the spacing of its values")
    monkeypatch.delitem(REGISTRY, "Mine")


@pytest.mark.parametrize("measure", [P() @ 5, RBP(p=0.8) @ 10, parse_measure("R@3")])
def test_the_answer_is_saved_and_read_back(measure):
    facts = scale_facts(measure)
    assert ScaleFacts.from_json(facts.to_json()) == facts
    (row,) = facts.rows()
    assert (row["measure"], row["type"], row["grades"]) == (str(measure), facts.type, "0,1")


def test_every_test_names_a_scale_that_exists():
    assert {method.scale for method in METHODS.values()} <= {"ordinal", "interval", "ratio"}


@pytest.mark.parametrize("name", ["RBP(p=0.5)@4", "AP@4", "DCG@3", "IPrec11@3"])
def test_properties_are_saved_and_read_back(name):
    made = properties(parse_measure(name))
    again = Properties.from_json(made.to_json())
    assert again.to_dict() == made.to_dict()
    assert (again.scale, again.length) == (made.scale, made.length)
    assert [holds(answer) for answer in again.answers().values()] == [holds(answer) for answer in made.answers().values()]
    assert [str(answer) for answer in again.answers().values()] == [str(answer) for answer in made.answers().values()]
    assert [row["property"] for row in made.rows()] == list(QUESTIONS)


def test_a_leaderboard_is_saved_and_read_back():
    board = leaderboard(parse_measure("AP@10"), judged_with((0, 1)))
    again = Leaderboard.from_json(board.to_json())
    assert again.values.tolist() == board.values.tolist()
    assert again.ranks.tolist() == board.ranks.tolist()
    assert list(again.rows()) == list(board.rows())
    assert len(list(board.rows())) == 6
    assert set(next(board.rows())) == {"better", "worse", "verdict"}
