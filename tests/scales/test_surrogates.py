"""One scale for topics of different recall base is a surrogate (P4 §VI-C), and it is called so wherever it is shown."""

from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest

from mensura import JudgedRuns, MeasureError, compare
from mensura.evaluation.evaluation import score
from mensura.measures import REGISTRY
from mensura.measures.names import parse_measure
from mensura.scales.facts import bases_among, facts_for, surrogate_remark
from mensura.study import study
from tests.cli.running import mensura

SYSTEMS, TOPICS, LENGTH = 4, 12, 6


def judged(bases):
    grades = np.random.default_rng(27).integers(0, 2, (SYSTEMS, len(bases), LENGTH)).astype(np.int8)
    return JudgedRuns.from_grades(grades, [[30, base] for base in bases])


DIFFERENT, SAME = judged([8, 9, 10, 11] * 3), judged([9] * TOPICS)


@pytest.mark.parametrize(("name", "bases"), [("AP@5", 4), ("nDCG@5", 4), ("R@5", 4)])
def test_recall_bases_are_counted(name, bases):
    measure = parse_measure(name)
    assert bases_among(measure, DIFFERENT.recall_base) == bases
    facts = facts_for(measure, DIFFERENT)
    assert (facts.per_topic, facts.recall_bases) == (True, bases)
    assert f"{bases} different ones here" in surrogate_remark(facts)


def test_topics_of_one_recall_base_have_one_scale():
    """P4 §IV-D4: for a fixed recall base, recall is an interval scale over topics too."""
    facts = facts_for(parse_measure("R@5"), SAME)
    assert (facts.type, facts.per_topic, facts.equally_spaced) == ("ratio", False, True)
    assert surrogate_remark(facts) is None
    assert surrogate_remark(facts_for(parse_measure("P@5"), DIFFERENT)) is None


def bound_to_the_recall_base():
    """Registered measures at cut-off 5 that have a measure without recall base to stand for them."""
    for name in sorted(REGISTRY):
        with contextlib.suppress(MeasureError):  # it takes no cut-off
            measure = parse_measure(f"{getattr(REGISTRY[name], 'example', name)}@5")
            if measure.without_recall_base is not None:
                yield measure


BOUND = list(bound_to_the_recall_base())


def test_measures_with_a_measure_without_recall_base():
    """NDCG has DCG and R has P; what is computed by rank from the recall base, as AP is, has none."""
    assert [str(measure) for measure in BOUND] == ["R@5", "nDCG@5"]


@pytest.mark.parametrize("measure", BOUND, ids=str)
def test_a_measure_without_recall_base_orders_a_topic_alike(measure):
    """Within a topic the two differ by a factor: nDCG = DCG / ideal, R = P · k / RB."""
    other = measure.without_recall_base
    assert not other.uses_recall_base
    mine, theirs = measure.score(DIFFERENT), other.score(DIFFERENT)
    for topic in range(TOPICS):
        found = theirs[:, topic] > 0
        factors = mine[found, topic] / theirs[found, topic]
        assert np.allclose(factors, factors[0])


def test_a_comparison_on_the_interval_scale_says_so():
    (free, bound, normalised) = compare(score(DIFFERENT, ["P@5", "AP@5", "nDCG@5"]), test="t", scale="interval")
    assert not any("surrogate" in remark for remark in free.remarks)
    assert any("AP@5 for all topics is a surrogate" in remark and "4 different ones" in remark for remark in bound.remarks)
    assert any("DCG@5 has one for all topics [M105]" in remark for remark in normalised.remarks)
    (same,) = compare(score(SAME, ["AP@5"]), test="t", scale="interval")
    assert not any("surrogate" in remark for remark in same.remarks)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign")
    mensura("simulate", "-o", folder, "--systems", "4", "--topics", "12", "--documents", "60", "--seed", "2")
    return folder / "qrels.txt", str(folder / "runs" / "*.txt")


def test_evaluate_says_so_with_the_alternative(campaign):
    table = " ".join(mensura("evaluate", *campaign, "-m", "AP@5", "-m", "P@5", "--interval").stdout.split())
    assert table.count("is a surrogate") == 1
    assert "mensura evaluate --universe attainable gives each topic its own scale" in table
    own = mensura("evaluate", *campaign, "-m", "AP@5", "--universe", "attainable")
    assert "surrogate" not in own.stdout + own.stderr


def test_evaluate_says_so_in_json_and_beside_csv(campaign):
    found = json.loads(mensura("evaluate", *campaign, "-m", "AP@5", "-m", "P@5", "--interval", "-f", "json").stdout)
    assert ["surrogate" in str(entry["surrogate"]) for entry in found["interval"]] == [True, False]
    assert "is a surrogate" in mensura("evaluate", *campaign, "-m", "AP@5", "--interval", "-f", "csv").stderr


@pytest.mark.parametrize("options", [("compare", "--scale", "interval"), ("compare", "--scale", "both"), ("meaning",)])
def test_other_commands_say_so(campaign, options):
    done = mensura(options[0], *campaign, "-m", "AP@5", *options[1:])
    assert "is a surrogate" in " ".join((done.stdout + done.stderr).split())
    done = mensura(options[0], *campaign, "-m", "P@5", *options[1:])
    assert "surrogate" not in done.stdout + done.stderr


def test_a_scale_is_called_a_surrogate_unless_it_is_that_of_a_topic():
    assert "surrogate for topics with different recall bases" in mensura("scale", "AP@4").stdout
    assert "surrogate" not in mensura("scale", "AP@4", "--recall-base", "3").stdout
    assert "surrogate" not in mensura("scale", "P@4").stdout
    assert json.loads(mensura("scale", "AP@4", "-f", "json").stdout)["surrogate"] is True


def test_a_study_and_a_report_say_so(campaign, tmp_path):
    done = mensura("study", *campaign, "-m", "AP", "P", "--lengths", "5", "--tests", "t", "-o", tmp_path / "study")
    assert "AP depends on the recall base: one scale for all topics is a surrogate" in " ".join(done.stdout.split())
    assert "surrogate" in (tmp_path / "study" / "summary.txt").read_text(encoding="utf-8")
    page = tmp_path / "report.html"
    mensura("report", *campaign, "-m", "AP@5", "-o", page)
    assert "surrogate" in page.read_text(encoding="utf-8")


def test_a_study_without_recall_base_needs_no_word():
    from mensura.render.studies import sentences

    assert not any("surrogate" in said for said in sentences(study(DIFFERENT, ["P", "RR"], [5], ["t"])))
