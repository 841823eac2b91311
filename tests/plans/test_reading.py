"""Plans as files: what is right, and what is said about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import PlanError
from mensura.plans import Hypothesis, parse_plan, read_plan, template

TEXT = template(systems=("bm25", "rm3", "bert"), baseline="bm25", primary=["ndcg_cut_10"], secondary=["AP", "P@10"])


def test_the_template_is_a_plan():
    plan = parse_plan(template(), Path("plan.toml"))
    assert plan.systems == ("one", "other")
    assert (plan.baseline, plan.actor, plan.folds, plan.smallest_effect, plan.hypotheses) == (None, None, None, None, ())
    assert (plan.test, plan.correction, plan.alpha, plan.samples, plan.seed) == ("bootstrap-t", "auto", 0.05, 10_000, 0)
    assert plan.pairs() == {frozenset(("one", "other"))}


def test_a_plan_with_a_baseline():
    plan = parse_plan(TEXT, Path("plan.toml"))
    assert plan.primary == ("nDCG@10",)  # as Mensura writes it
    assert plan.secondary == ("AP", "P@10")
    assert plan.pairs() == {frozenset(("bm25", "rm3")), frozenset(("bm25", "bert"))}
    assert plan.hypotheses == (Hypothesis("rm3", "bm25", "nDCG@10"),)


def test_everything_that_is_in_comments_can_be_filled_in():
    text = TEXT.replace('# actor = "…"', 'actor = "A. Nonymous"').replace("# folds", "folds").replace("# smallest", "smallest")
    plan = parse_plan(text.replace('# because = "…"', 'because = "it knows more words"'), Path("plan.toml"))
    assert (plan.actor, plan.folds, plan.smallest_effect) == ("A. Nonymous", 5, 0.02)
    assert plan.hypotheses[0].because == "it knows more words"


text = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(str.strip)


@settings(max_examples=60, deadline=None)
@given(text, text, st.lists(text, min_size=2, max_size=4, unique=True))
def test_any_text_comes_back(goal, qrels, systems):
    plan = parse_plan(template(goal=goal, qrels=qrels, runs=systems, systems=systems, baseline=systems[0]), Path("plan.toml"))
    assert (plan.goal, plan.qrels, plan.systems, plan.runs) == (goal.strip(), qrels, tuple(systems), tuple(systems))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("alpha = 0.05", "alfa = 0.05", "alfa", "unknown key 'alfa' in [analysis]; the keys are test, correction"),
        ("version = 1", 'version = 1\ngaol = "x"', "gaol", "unknown key 'gaol' in a plan"),
        ("version = 1", "version = 2", "version = 2", "version 2"),
        ("version = 1\n", "", None, "a plan must say 'version'"),
        ('goal = "Which of the two systems ranks better?"', 'goal = " "', "goal", "goal is empty"),
        ('primary = ["ndcg_cut_10"]', 'primary = ["nGCD@10"]', "primary", "nGCD"),
        ('primary = ["ndcg_cut_10"]', "primary = []", "primary", "at least 1"),
        ('primary = ["ndcg_cut_10"]', 'primary = "AP"', "primary", "primary must be a list"),
        ('primary = ["ndcg_cut_10"]', 'primary = ["AP", "map"]', "primary", "names a measure twice"),
        ('primary = ["ndcg_cut_10"]', 'primary = ["AP"]', "secondary", "AP cannot be primary and secondary"),
        ('test = "bootstrap-t"', 'test = "z"', "test", "unknown test 'z'"),
        ('test = "bootstrap-t"', "test = 7", "test", "test must be a text"),
        ('correction = "auto"', 'correction = "tukey"', "correction", "does not fit the studentised bootstrap test"),
        ('correction = "auto"', 'correction = "scheffe"', "correction", "unknown correction 'scheffe'"),
        ('scale = "original"', 'scale = "both"', "scale", "original or interval"),
        ("alpha = 0.05", "alpha = 5", "alpha", "between 0 and 1"),
        ("alpha = 0.05", "alpha = true", "alpha", "alpha must be a number"),
        ("# smallest_effect = 0.02", "smallest_effect = 0", "smallest", "larger than 0"),
        ("# folds = 5", "folds = 1", "folds", "at least 2"),
        ("seed = 0", "seed = -1", "seed", "at least 0"),
        ('baseline = "bm25"', 'baseline = "bm26"', "baseline", "'bm26' is none of the systems"),
        ('systems = ["bm25", "rm3", "bert"]', 'systems = ["bm25"]', "systems", "at least 2"),
        ('systems = ["bm25", "rm3", "bert"]', 'systems = ["bm25", "bm25"]', "systems", "twice"),
        ('better = "rm3"', 'better = "rm4"', "[[hypotheses]]", "a comparison that is not planned"),
        ('better = "rm3"', 'better = "rm3"\nworst = "x"', "worst", "unknown key 'worst' in [hypotheses]"),
        ('better = "rm3"', 'better = "rm3"\nmeasure = "RR"', "[[hypotheses]]", "not planned"),
        ("seed = 0", "seed = ", "seed", "is not valid TOML"),
        ("[analysis]", "[analyses]", "[analyses]", "unknown key 'analyses' in a plan"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path, old, new, line, message):
    assert TEXT.count(old) == 1
    path = tmp_path / "plan.toml"
    path.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(PlanError) as caught:
        read_plan(path)
    assert message in str(caught.value)
    if line is None:
        assert caught.value.line is None
    else:
        assert line in path.read_text(encoding="utf-8").splitlines()[caught.value.line - 1]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(PlanError, match="could not be read"):
        read_plan(tmp_path / "plan.toml")
    (tmp_path / "plan.toml").write_bytes(b'goal = "\xff"')
    with pytest.raises(PlanError, match="not valid UTF-8"):
        read_plan(tmp_path / "plan.toml")
