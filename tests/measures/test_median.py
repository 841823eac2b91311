"""Medians over topics: values of topics are those of the measure, systems have the value in the middle."""

from __future__ import annotations

from fractions import Fraction
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import Evaluator, JudgedRuns, ScaleError, TopicMedian, compare, evaluate, parse_measure, score
from mensura.measures.exact import exact_values, mean_codes
from mensura.report import report
from mensura.scales import interval_scale, leaderboard
from mensura.study import study
from tests.cli.running import call

# P3 §2.1: the first relevant document at ranks 1, 2, 4 and 2, 2, 2
P3 = JudgedRuns.from_grades([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], [[0, 1, 0, 0]] * 3], [[3, 1]] * 3)


def test_of_ranks_and_of_their_reciprocals_on_the_example_of_p3():
    evaluation = score(P3, ["Median(MFR)", "Median(RR)", "RR"])
    assert evaluation["Median(MFR)"].mean().tolist() == [2.0, 2.0]
    assert evaluation["Median(RR)"].mean().tolist() == evaluation["Median(RR)"].aggregate().tolist() == [0.5, 0.5]
    assert evaluation["Median(RR)"].places().tolist() == [1, 1]
    assert evaluation["Median(RR)"].values.tolist() == evaluation["RR"].values.tolist()
    assert (parse_measure("Median(MFR)").direction, parse_measure("Median(RR)").direction) == ("lower", "higher")


@settings(max_examples=60)
@given(data=st.data(), systems=st.integers(1, 4), topics=st.integers(1, 7))
def test_is_the_median_of_the_topics_that_count(data, systems, topics):
    values = np.array(data.draw(st.lists(st.lists(st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 1.0]), min_size=topics, max_size=topics),
                                         min_size=systems, max_size=systems)))  # fmt: skip
    counted = np.array(data.draw(st.lists(st.lists(st.booleans(), min_size=topics, max_size=topics),
                                          min_size=systems, max_size=systems)))  # fmt: skip
    medians = parse_measure("Median(AP)").mean(values, counted)
    expected = [median(row[kept].tolist()) if kept.any() else np.nan for row, kept in zip(values, counted, strict=True)]
    assert medians.tolist() == pytest.approx(expected, rel=1e-15, nan_ok=True)
    assert parse_measure("Median(AP)").mean(values).tolist() == pytest.approx(np.median(values, axis=1).tolist(), rel=1e-15)


def test_a_value_that_is_not_a_number_is_not_passed_over():
    values = np.array([[0.1, np.nan, 0.3, 0.2, 0.4]])
    assert np.isnan(parse_measure("Median(AP)").mean(values)).all()
    assert parse_measure("Median(AP)").mean(values, ~np.isnan(values)).tolist() == [0.25]


@settings(max_examples=40)
@given(
    grades=st.lists(st.lists(st.lists(st.integers(0, 1), min_size=5, max_size=5), min_size=4, max_size=4), min_size=5, max_size=5)
)
def test_places_are_in_the_order_of_medians_as_fractions(grades):
    judged = JudgedRuns.from_grades(np.array(grades, dtype=np.int8), [[9, 7], [9, 5], [9, 6], [9, 11]])
    measure = parse_measure("Median(AP)")
    medians = [median(row) for row in exact_values(measure, judged).tolist()]
    order = sorted(set(medians))
    codes = mean_codes(measure, judged, np.ones(judged.shape, dtype=np.bool_))
    assert codes.tolist() == [order.index(each) for each in medians]
    assert all(isinstance(each, Fraction) for each in medians)


def test_equal_fractions_with_different_doubles_share_a_place():
    """(1/10 + 1/2) / 2 and (1/5 + 2/5) / 2 of P@10 are both 3/10; in doubles, .1 + .5 and .2 + .4 differ in the last bit."""
    assert (0.1 + 0.5) / 2 != (0.2 + 0.4) / 2
    rows = [[[1] * relevant + [0] * (10 - relevant) for relevant in pair] for pair in ((1, 5), (2, 4))]
    scores = score(JudgedRuns.from_grades(rows, [[20, 10]] * 2), "Median(P@10)")["Median(P@10)"]
    assert scores.places().tolist() == [1, 1]


def test_the_scale_of_topics_is_that_of_the_measure():
    scale, own = interval_scale("Median(RR@4)"), interval_scale("RR@4")
    assert (scale.steps, scale.rank([[0, 1, 0, 0]]).tolist()) == (own.steps, own.rank([[0, 1, 0, 0]]).tolist())


def test_a_cut_off_is_that_of_the_measure():
    assert str(parse_measure("Median(RR)@10")) == str(parse_measure("Median(RR@10)")) == "Median(RR@10)"
    assert TopicMedian(parse_measure("RR")) @ 10 == parse_measure("Median(RR@10)")


def test_a_prepared_evaluator_has_the_same():
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1}, "3": {"c": 1}, "4": {"d": 1}}
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}, "3": {"a": 3.0, "b": 2.0, "c": 1.0}}
    names = ["Median(RR)", "Median(AP)", "Median(MFR)"]
    assert Evaluator(qrels, names[:2]).means(run) == evaluate(qrels, {"mine": run}, names[:2]).means()["mine"]
    assert evaluate(qrels, {"mine": run}, names).means()["mine"]["Median(RR)"] == pytest.approx((1 / 2 + 1 / 3) / 2)


REFUSED = r"Median\(RR@4\) is a median, not a mean; take RR@4 itself, e.g. in compare with --test sign"


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda measure: compare(score(P3, [measure, "RR"]), test="sign"), id="compare"),
        pytest.param(lambda measure: compare(score(P3, measure), scale="interval"), id="compare on the interval scale"),
        pytest.param(lambda measure: report(P3, [measure]), id="report"),
        pytest.param(lambda measure: study(P3, [measure], [3]), id="study"),
        pytest.param(lambda measure: leaderboard(parse_measure(measure), P3), id="meaning"),
        *(
            pytest.param(
                lambda measure, each=each: score(P3, measure).scores[0].on_interval_scale(universe=each), id=f"ranks: {each}"
            )
            for each in ("all", "attainable", "observed", "independent")
        ),
    ],
)
def test_what_is_about_means_refuses_and_says_what_to_do(ask):
    with pytest.raises(ScaleError, match=REFUSED):
        ask("Median(RR@4)")


@pytest.mark.parametrize("form", ["table", "csv", "json", "trec_eval", "latex", "markdown"])
def test_every_format_shows_it(form, tmp_path):
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 d{topic} 1\n" for topic in (1, 2, 3)))
    ranks = {1: 1, 2: 2, 3: 4}
    lines = [
        f"{t} Q0 {f'd{t}' if rank == at else f'x{rank}'} {rank} {-rank} A\n" for t, at in ranks.items() for rank in range(1, 5)
    ]
    (tmp_path / "A.txt").write_text("".join(lines))
    command = ["evaluate", str(tmp_path / "qrels"), str(tmp_path / "A.txt"), "-m", "Median(MFR)", "-m", "Median(RR)", "-f", form]
    done = call(command)
    assert done.returncode == 0, done.stderr
    assert "Median(MFR)" in done.stdout
    assert "0.5" in done.stdout
    refused = call(["meaning", *command[1:-2]])
    assert refused.returncode == 2
    assert refused.stderr.startswith("mensura: Median(MFR) is a median, not a mean; take MFR itself")
    assert refused.stderr.count("\n") == 1
