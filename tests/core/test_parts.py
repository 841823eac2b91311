"""Judges of parts: cut out of a stream, frozen and restored, laid out topic by topic."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import mensura
from mensura._core.judge import Judge
from mensura._core.parts import cut, freeze, is_done, scatter, scatter_rows, thaw

QRELS = mensura.read_qrels({f"q{number}": {"d1": 1, "d2": 2} for number in range(9)})
TEXT = "".join(f"q{topic} Q0 d{document} 0 {9 - document} tag\n" for topic in range(12) for document in range(1, 4)).encode()


def judge(**options):
    return Judge(QRELS.index, **options)


def laid_out(judges):
    """Grades and lengths of all topics, from several judges."""
    grades = np.full((9, 3), -1, dtype=np.int8)
    retrieved, ties = np.zeros(9, dtype=np.int32), np.zeros(9, dtype=np.int32)
    for each in judges:
        scatter(each, grades, retrieved, ties)
    return grades.tolist(), retrieved.tolist(), ties.tolist(), sorted(topic for each in judges for topic in each.extra)


def whole():
    one = judge()
    one.feed(TEXT)
    one.finish()
    return one


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_cut_parts_of_a_stream_meet(size):
    """Every way to cut the text once or twice, fed in chunks of ``size``."""
    expected = laid_out([whole()])
    for first in range(0, len(TEXT) + 2, 5):
        for second in (first, min(first + 40, len(TEXT))):
            judges = []
            for start, stop in ((0, first), (first, second), (second, -1)):
                if stop == start:
                    continue
                part = judge()
                cut(part, start, stop)
                at = max(start - 1, 0)
                while at < len(TEXT) and not is_done(part):
                    part.feed(TEXT[at : at + size])
                    at += size
                part.finish()
                assert part.fault == 0
                judges.append(part)
            assert laid_out(judges) == expected


@pytest.mark.parametrize("options", [{}, {"keep_scores": True}, {"keep_documents": True}, {"depth": 2, "keep_scores": True}])
def test_frozen_judges_are_restored(options):
    one = judge(**options)
    one.feed(TEXT)
    one.finish()
    other = thaw(judge(**options), pickle.loads(pickle.dumps(freeze(one))))  # noqa: S301 - our own
    assert laid_out([other]) == laid_out([one])
    assert (other.tag, other.width, other.topics(), freeze(other)) == (one.tag, one.width, one.topics(), freeze(one))
    with pytest.raises(ValueError, match="has read its run"):
        other.feed(b"x")


def test_faults_are_restored():
    one = judge()
    one.feed(b"q1 Q0 d1 0 x tag\n")
    other = thaw(judge(), freeze(one))
    assert (other.fault, other.fault_at) == (one.fault, one.fault_at)
    assert other.fault


def test_other_judgments_are_refused():
    few = mensura.read_qrels({"q1": {"d1": 1}})
    with pytest.raises(ValueError, match="other judgments"):
        thaw(Judge(few.index), freeze(whole()))
    with pytest.raises(ValueError, match="in another way"):
        thaw(judge(keep_scores=True), freeze(whole()))
    for place, bad in ((5, b"x" * 25), (6, b""), (9, b"abcd")):
        frozen = list(freeze(whole()))
        frozen[place] = bad
        with pytest.raises(ValueError, match="was judged"):
            thaw(judge(), tuple(frozen))


def test_rows_by_topic():
    one = whole()
    grades = np.full((len(one.topics()), 3), -1, dtype=np.int8)
    retrieved, ties = np.zeros(len(grades), dtype=np.int32), np.zeros(len(grades), dtype=np.int32)
    scatter_rows(one, grades, retrieved, ties)
    assert (grades.tolist(), retrieved.tolist()) == (laid_out([one])[0], laid_out([one])[1])
    with pytest.raises(ValueError, match="other rows"):
        scatter_rows(one, grades[:2], retrieved, ties)
    with pytest.raises(ValueError, match="no scores"):
        scatter_rows(one, grades, retrieved, ties, np.zeros((len(grades), 3)))


def test_a_judge_that_has_begun_is_not_cut():
    one = judge()
    one.feed(TEXT[:50])
    with pytest.raises(ValueError, match="has begun"):
        cut(one, 5, 9)
