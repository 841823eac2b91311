"""Scores of one measure: places, facts, rows and frames, against values by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mensura import JudgedRuns, Scores, parse_measure, score
from mensura.errors import ScaleError
from mensura.evaluation.scores import places_of

ROWS = [[[1, 0], [0, 0]], [[0, 1], [1, 1]], [[1, 1], [0, 0]]]


@pytest.fixture
def judged() -> JudgedRuns:
    return JudgedRuns.from_grades(ROWS, [[9, 2], [9, 3]])


def scored(judged: JudgedRuns, name: str) -> Scores:
    return score(judged, name).scores[0]


def test_scores_have_the_name_of_their_measure(judged):
    assert scored(judged, "P(rel=2)@2").name == "P(rel=2)@2"


def test_places_of_one_system(judged):
    assert scored(judged.first(1), "AP").places().tolist() == [1]
    assert scored(judged.first(1), "AP").places().dtype == np.int64


def test_places_are_exact_where_there_are_ranks():
    """The last rank adds 0.7 · 0.3^39 ≈ 3e-21 to 0.7, which doubles do not see."""
    first = [1] + [0] * 39
    scores = scored(JudgedRuns.from_grades([[first], [[*first[:-1], 1]]], [[40, 2]]), "RBP(p=0.3)@40")
    assert scores.places().tolist() == [2, 1]
    assert replace(scores, judged=None).places().tolist() == [1, 1]
    assert replace(scores, judged=JudgedRuns.without_ranks(scores.systems, scores.topics)).places().tolist() == [1, 1]


def test_saved_scores_are_read_back(judged):
    scores = scored(judged, "P@2")
    saved = Scores.from_dict(scores.to_dict())
    assert (saved.measure, saved.systems, saved.topics, saved.judged) == (scores.measure, scores.systems, scores.topics, None)
    assert saved.values.tolist() == scores.values.tolist()
    assert saved.counted.tolist() == scores.counted.tolist()
    assert saved.counted.dtype == np.bool_


def test_places_count_the_better_ones(judged):
    assert scored(judged, "P@2").mean().tolist() == [0.25, 0.75, 0.5]
    assert scored(judged, "P@2").places().tolist() == [3, 1, 2]
    assert scored(judged, "MFR@2").places().tolist() == [2, 1, 2]  # means 2, 1.5 and 2, and lower is better


def test_counts_have_the_places_of_their_sums(judged):
    """A system of which one topic counts has the higher mean, 2 against 3 / 2, and the lower sum."""
    counts = scored(judged, "NumRelRet@2")
    one_topic = np.array([[True, True], [True, True], [True, False]])
    some = replace(counts, counted=one_topic)
    assert some.topics_counted.tolist() == [2, 2, 1]
    assert some.mean().tolist() == [0.5, 1.5, 2.0]
    assert some.aggregate().tolist() == [1.0, 3.0, 2.0]
    assert some.places().tolist() == [3, 1, 2]


@pytest.mark.parametrize("direction", ["P@2", "MFR@2"])
def test_doubles_that_differ_by_rounding_share_a_place(direction):
    """2⁻⁴⁰ of the larger mean, which is 3."""
    measure = parse_measure(direction)
    near, far = 3 * (1 - 2.0**-40), 3 * (1 - 2.0**-39.5)
    best = 1 if measure.direction == "higher" else 2
    assert places_of(measure, np.array([near, 3.0])).tolist() == [1, 1]
    assert places_of(measure, np.array([far, 3.0])).tolist() == [3 - best, best]
    assert places_of(measure, np.array([-3 * (1 - 2.0**-41), -3.0])).tolist() == [1, 1]
    assert places_of(measure, np.array([np.nan, 3.0, 2.0])).tolist() == ([3, 1, 2] if best == 1 else [3, 2, 1])
    assert places_of(measure, np.array([])).tolist() == []


def test_scale_facts_are_those_of_the_judged_runs(judged):
    facts = scored(judged, "R@2").facts
    assert facts is not None
    assert (facts.type, facts.recall_bases) == ("ratio", 2)
    assert replace(scored(judged, "R@2"), judged=None).facts is None


def test_ranks_need_judged_runs(judged):
    with pytest.raises(ScaleError, match="no judged runs"):
        replace(scored(judged, "AP@2"), judged=None).on_interval_scale()
    ranks = scored(judged, "P@2").on_interval_scale()
    assert ranks.ranks is not None
    assert ranks.ranks.tolist() == [[2, 1], [2, 3], [3, 1]]
    assert ranks.universe == "all"


def test_rows_and_frames(judged):
    counted = np.array([[True, True], [True, False], [True, True]])
    scores = replace(scored(judged, "P@2"), counted=counted)
    rows = [("1", "1", 0.5), ("1", "2", 0.0), ("2", "1", 0.5), ("3", "1", 1.0), ("3", "2", 0.0)]
    expected = [{"system": system, "topic": topic, "measure": "P@2", "value": value} for system, topic, value in rows]
    assert list(scores.rows()) == expected
    assert scores.to_pandas().to_dict("records") == expected
    assert scores.to_polars().to_dicts() == expected
    wide = scores.to_pandas(wide=True)
    assert list(wide.columns) == ["topic", "1", "2", "3"]
    assert wide["topic"].tolist() == ["1", "2"]
    assert wide["3"].tolist() == [1.0, 0.0]
    assert np.isnan(wide["2"].tolist()[1])
    assert scores.to_polars(wide=True).columns == list(wide.columns)


@pytest.mark.parametrize(("name", "order"), [("P@2", ["2", "1"]), ("MFR@2", ["2", "1"])])
def test_the_chart_has_the_hardest_topic_first(judged, name, order):
    """Topic 2 has the lower precision and the higher rank of its first relevant document."""
    text = str(scored(judged, name).charts()["topics"]())
    assert text.index(f"'{order[0]}'") < text.index(f"'{order[1]}'")


def test_a_line_for_a_reader(judged):
    assert repr(scored(judged, "P@2")) == "Scores(P@2: 3 systems × 2 topics)"
    assert scored(judged, "P@2").view().tables
