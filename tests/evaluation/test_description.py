"""A collection described: counted by hand, and by sets of documents."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import judge, read_qrels, read_run
from mensura.evaluation.description import Description, describe

QRELS = {"a": {"d1": 2, "d2": 1, "d3": 0}, "b": {"d1": 0, "d4": 0}, "c": {"d5": 1}}
RUNS = [
    read_run({"a": {"d1": 3.0, "d3": 3.0, "x": 1.0}, "c": {"y": 1.0, "d5": 0.5}, "z": {"d1": 1.0}}, name="one"),
    read_run({"a": {"d2": 2.0, "d1": 1.0}, "b": {"d4": 1.0}, "c": {"d5": 2.0}}, name="two"),
]


def test_counts_by_hand():
    qrels = read_qrels(QRELS)
    about = describe(qrels, judge(qrels, RUNS), name="small")
    assert (about.judgments, about.grades, about.without_relevant) == (6, (3, 2, 1), ("b",))
    assert (about.relevant.least, about.relevant.median, about.relevant.greatest) == (0, 1, 2)
    assert [(topic.judged, topic.relevant) for topic in about.topics] == [(3, 2), (2, 0), (1, 1)]
    one, two = about.runs
    assert (one.topics, one.missing, one.extra, one.tied) == (2, 1, 1, 1)
    assert (one.lengths.least, one.lengths.greatest) == (2, 3)
    assert dict(one.unjudged) == pytest.approx({3: 2 / 5})
    assert dict(two.unjudged) == {3: 0}
    assert dict(about.overlap) == pytest.approx({3: (1 / 2 + 0 + 1) / 3})
    assert dict(one.overlap) == dict(about.overlap)


def test_judgments_alone_and_reading_back():
    about = describe(read_qrels(QRELS))
    assert about.runs == () == about.overlap
    assert Description.from_json(about.to_json()) == about
    assert next(iter(about.rows())) == {"topic": "a", "judged": 3, "relevant": 2, "grade_0": 1, "grade_1": 1, "grade_2": 1}


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sets(st.integers(0, 30), min_size=0, max_size=25), min_size=3, max_size=3), min_size=2, max_size=5))
def test_overlap_is_that_of_sets(lists):
    """Brute force: two lists share a proportion of the shorter one, a missing list shares nothing."""
    qrels = read_qrels({topic: {"d0": 1} for topic in "abc"})
    runs = []
    for one in filter(any, lists):
        scored = {topic: {f"d{each}": 100.0 - each for each in held} for topic, held in zip("abc", one, strict=True) if held}
        runs.append(read_run(scored, name=str(len(runs))))
    kept = [[sorted(held) for held in one] for one in lists if any(one)]
    if len(runs) < 2:
        return
    about = describe(qrels, judge(qrels, runs))
    for depth, mean in about.overlap:
        pairs = []
        for first in range(len(kept)):
            for second in range(first):
                for one, two in zip(kept[first], kept[second], strict=True):
                    both = set(one[:depth]) & set(two[:depth])
                    pairs.append(len(both) / min(len(one[:depth]), len(two[:depth])) if one and two else 0)
        assert mean == pytest.approx(sum(pairs) / len(pairs))
