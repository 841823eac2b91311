"""The parts of a report are what the library says."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mensura import compare, judge, score
from mensura.errors import MensuraError
from mensura.render.comparisons import spoken
from mensura.render.report.sections.by_topic import differences, hardest
from mensura.report import report
from mensura.scales.facts import facts_for
from mensura.stats import correlate

from .campaigns import judged, large, small


def test_comparisons_are_those_of_compare():
    made = small()
    for mine, theirs in zip(made.comparisons, compare(made.evaluation, samples=500), strict=True):
        assert mine.corrected_p.tolist() == theirs.corrected_p.tolist()
        assert mine.mean.tolist() == theirs.mean.tolist()
        assert mine.groups == theirs.groups


def test_interval_scales_are_those_of_compare():
    made = small()
    theirs = compare(made.evaluation, scale="interval", samples=500)
    for change, own, interval in zip(made.scales, made.comparisons, theirs, strict=True):
        if change.interval is not None:  # the others are P@10, below
            assert change.interval.corrected_p.tolist() == interval.corrected_p.tolist()
            assert change.interval.mean.tolist() == interval.mean.tolist()
            assert change.interval.decimals == interval.decimals
            assert change.interval.remarks == interval.remarks
            assert set(change.lost) == {at for at in range(28) if own.significant[at] and not interval.significant[at]}
            assert set(change.gained) == {at for at in range(28) if interval.significant[at] and not own.significant[at]}
    assert [change.same for change in made.scales] == [False, False, True]


def test_what_is_equally_spaced_needs_no_second_comparison():
    """P@10 on both scales, really computed: the same decisions, the same order."""
    (change,) = (each for each in small().scales if each.same)
    assert change.interval is None
    (own,) = compare(score(judged(), "P@10"), samples=500)
    (interval,) = compare(score(judged(), "P@10"), scale="interval", samples=500)
    assert own.significant.tolist() == interval.significant.tolist()
    assert own.ranking == interval.ranking
    assert np.allclose(own.corrected_p, interval.corrected_p)


@pytest.mark.parametrize(
    ("measure", "grade", "equal"), [("P@10", 3, True), ("R@10", 1, False), ("AP@10", 1, False), ("RR@10", 1, False)]
)
def test_which_measures_are_equally_spaced(measure, grade, equal):
    runs = judged(systems=2, topics=3)
    assert facts_for(score(runs, measure).measures[0], runs).equally_spaced is equal


def test_order_changes_are_counted_twice():
    """Pairs that change order, from signs of mean differences, are the reversed verdicts, from exact sums."""
    for made in (small(), large()):
        for change, board in zip(made.scales, made.boards, strict=True):
            if change.interval is not None:
                assert change.swapped == board.counts()["reversed"]


@pytest.mark.parametrize(("measure", "tau"), [("AP@10", 0.8240), ("AP@20", 0.8195)])
def test_kendalls_tau_on_trec_8(data, measure, tau):
    """FACTS.md, section 3: τ_b between the means of AP and of its exact ranks, in the order of trec_eval 9."""
    runs = judge(data / "trec8" / "qrels.txt", str(data / "trec8" / "runs" / "*"), depth=20, compat="trec_eval-9")
    made = report(runs, measure, samples=20)
    assert round(made.scales[0].tau, 4) == tau


def test_topics_that_not_all_runs_have_can_be_left_out():
    runs = judged()
    retrieved = runs.retrieved.copy()
    retrieved[0, :5] = 0
    fewer = dataclasses.replace(runs, retrieved=retrieved)
    made = report(fewer, ["AP@10"], topics="both", samples=100)
    assert len(made.comparisons[0].topics) == 25
    assert made.boards[0].values.shape == (8, 25)
    assert round(made.scales[0].tau, 12) == round(correlate(made.boards[0].values, made.boards[0].ranks).overall, 12)
    assert "25 topics (those of 30 judged topics that every run has" in made.methods()
    assert "25 topics" in made.html()


def test_hardest_topics_come_first():
    evaluation = score(judged(), ["AP@10", "MFR@10"])
    for scores, sign in zip(evaluation.scores, (1, -1), strict=True):
        found = hardest(evaluation, scores)
        means = [sign * topic.mean for topic in found]
        assert means == sorted(means)
        assert sorted(topic.number for topic in found) == list(range(30))
        worst = found[0]
        column = scores.values[:, worst.number]
        assert worst.mean == pytest.approx(sum(column) / 8)
        assert worst.best_value == (max(column) if sign > 0 else min(column))


def test_differences_favour_the_first_system_first():
    scores = score(judged(), "MFR@10").scores[0]
    found = differences(scores, 2, 5)
    gains = [row["second"] - row["first"] for row in found]  # lower is better
    assert gains == sorted(gains, reverse=True)
    assert all(row["difference"] == row["first"] - row["second"] for row in found)
    assert {row["better"] for row in found} <= {"first", "second", "none"}
    assert all((row["better"] == "first") == (gain > 0) for row, gain in zip(found, gains, strict=True))


def test_notes_are_those_of_the_comparison():
    """Each remark has its code, and one sentence about a scale is said at both doors."""
    made = small()
    assert {remark.coded for remark in made.evaluation.remarks} <= set(made.warnings)
    assert set(spoken(made.comparisons)) <= set(made.warnings)


def test_findings_name_the_leader_and_who_is_not_told_apart():
    made = small()
    first = made.comparisons[0]
    pairs = [pair for pair in first.pairs() if first.systems[first.ranking[0]] in {pair.first, pair.second}]
    alike = sum(pair.corrected_p >= 0.05 for pair in pairs)
    assert made.findings[0].startswith(f"{first.systems[first.ranking[0]]} has the highest mean")
    assert f"from {alike} other systems" in made.findings[0]
    assert "has the lowest mean" in large().findings[0]
    assert "No exact interval scale is available" in large().findings[1]


def test_systems_that_are_all_the_same():
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"b": 1.0}}
    made = report(judge({"1": {"a": 1}, "2": {"b": 1}}, {"A": run, "B": run}), ["AP@5", "RR@5"], samples=50)
    assert "0 of 1 pair" in made.findings[0]
    assert made.html()


def test_errors():
    with pytest.raises(MensuraError, match="topics='run'"):
        report(judged(systems=2, topics=3), "AP@5", topics="run")
    with pytest.raises(MensuraError, match="'rtf'"):
        small().methods("rtf")


def test_the_best_on_a_topic_is_named_alone_only_where_it_is():
    """By hand: no system finds anything for n, a and b tie on t, and a alone is best on o."""
    qrels = {"n": {"x": 0}, "t": {"x": 1}, "o": {"x": 1}}
    runs = {
        "a": {"n": {"x": 1.0}, "t": {"x": 2.0, "y": 1.0}, "o": {"x": 2.0, "y": 1.0}},
        "b": {"n": {"x": 1.0}, "t": {"x": 2.0, "y": 1.0}, "o": {"y": 2.0, "x": 1.0}},
        "c": {"n": {"x": 1.0}, "t": {"y": 2.0, "x": 1.0}, "o": {"y": 2.0, "x": 1.0}},
    }
    for name in ("MFR@5", "RR@5"):
        evaluation = score(judge(qrels, runs), [name])
        assert {topic.name: topic.best for topic in hardest(evaluation, evaluation.scores[0])} == {
            "n": "all tie",
            "t": "a and 1 more",
            "o": "a",
        }
