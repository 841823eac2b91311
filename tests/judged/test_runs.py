"""Parts and versions of judged runs: some systems, some ranks, two grades."""

from __future__ import annotations

import numpy as np
import pytest

import mensura
from mensura import AP, JudgedRuns, P, judge
from mensura.errors import DepthError, InputError

QRELS = {"1": {"a": 2, "b": 0, "c": 1, "d": -1}, "2": {"a": 1, "e": 3}}
RUNS = {
    "one": {"1": {"a": 9, "b": 8, "c": 7, "x": 6}, "2": {"e": 1}},
    "two": {"1": {"x": 9, "c": 8, "d": 7}, "2": {"a": 5, "e": 4, "y": 3}, "3": {"a": 1}},
    "three": {"2": {"y": 2, "a": 1}},
}


@pytest.fixture
def judged() -> JudgedRuns:
    return judge(QRELS, RUNS, scores=True)


def same(one: JudgedRuns, other: JudgedRuns) -> None:
    """All that a measure can see is the same."""
    assert (one.systems, one.topics, one.extra) == (other.systems, other.topics, other.extra)
    for name in ("grades", "retrieved", "ties", "recall_base", "scores"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name == "scores"), name
    assert np.array_equal((AP() @ 2).score(one), (AP() @ 2).score(other))
    assert listed(one) == listed(other)


def listed(judged: JudgedRuns) -> list[list[list[str]]]:
    """The documents by system and topic."""
    documents = judged.documents()
    names = [documents.of_topic(topic) for topic in range(judged.shape[1])]
    return [
        [[names[t][number] for number in row.tolist() if number >= 0] for t, row in enumerate(rows)] for rows in documents.number
    ]


@pytest.mark.parametrize("names", [("three", "one"), ("two",), ("one", "two", "three"), ()])
def test_only_some_systems_are_as_if_only_they_had_been_judged(judged: JudgedRuns, names: tuple[str, ...]) -> None:
    AP().score(judged)  # what is kept of the hits of all systems must not reach the part
    judged.documents()
    part = judged.only(names)
    if names:
        whole = judge(QRELS, {name: RUNS[name] for name in names}, scores=True)
        pad = judged.length - whole.length
        whole = whole if not pad else whole.cut(judged.length)
        same(part, whole)
    else:
        assert part.shape == (0, 2)


def test_first_systems_are_those_of_their_names(judged: JudgedRuns) -> None:
    same(judged.first(2), judged.only(("one", "two")))
    same(judged.first(9), judged)
    assert judged.first(0).systems == ()


def test_a_part_knows_its_documents_and_their_origin(judged: JudgedRuns) -> None:
    part = judged.only(("three",))
    assert part.origin is not None
    assert len(part.origin[1]) == 1
    assert part.documents().number.shape == part.grades.shape


def test_an_unknown_system_is_said() -> None:
    with pytest.raises(InputError, match="unknown system 'four'; these judged runs are of one, two"):
        judge(QRELS, {name: RUNS[name] for name in ("one", "two")}).only(("one", "four"))


def test_a_cut_is_as_if_judged_to_that_depth(judged: JudgedRuns) -> None:
    judged.documents()
    short = judged.cut(2)
    same(short, judge(QRELS, RUNS, scores=True, depth=2))
    assert short.depth == 2
    with pytest.raises(DepthError, match="AP needs all ranks"):
        AP().score(short)
    assert np.array_equal((P() @ 2).score(short), (P() @ 2).score(judged))
    with pytest.raises(DepthError, match="a cut at rank 3 needs 3 ranks"):
        short.cut(3)


def test_a_cut_after_the_longest_list_pads(judged: JudgedRuns) -> None:
    long = judged.cut(6)
    assert long.length == 6
    assert (long.grades[:, :, 4:] == -1).all()
    assert long.scores is not None
    assert np.isnan(long.scores[:, :, 4:]).all()


@pytest.mark.parametrize("rel", [1, 2, 3])
def test_binary_runs_are_those_of_binary_judgments(judged: JudgedRuns, rel: int) -> None:
    judged.hits(1)
    two = judged.binary(rel)
    whole = judge(
        {topic: {doc: grade if grade < 0 else int(grade >= rel) for doc, grade in docs.items()} for topic, docs in QRELS.items()},
        RUNS,
        scores=True,
    )
    same(two, whole)
    assert two.origin is not None
    assert whole.origin is not None
    assert two.origin[0].to_dict() == whole.origin[0].to_dict()
    assert two.max_grade == 1
    measure = mensura.parse_measure("nDCG(dcg='exp-log2')@3")
    assert np.array_equal(measure.score(two), measure.score(whole))


@pytest.mark.parametrize("rel", [0, 4])
def test_a_grade_that_nothing_has_is_refused(judged: JudgedRuns, rel: int) -> None:
    with pytest.raises(InputError, match=f"rel={rel} is not a grade of relevant documents; expected 1 to 3"):
        judged.binary(rel)


def test_other_grades_of_the_same_documents(judged: JudgedRuns) -> None:
    numbers = judged.documents()
    AP().score(judged)
    other = judged.regraded(np.zeros_like(judged.grades))
    assert not AP().score(other).any()
    assert other.documents() is numbers
    with pytest.raises(InputError, match="expected grades of shape"):
        judged.regraded(judged.grades[:1])


def test_parts_of_runs_without_documents() -> None:
    plain = JudgedRuns.from_grades([[[1, 0, 2]], [[0, 0, 1]]], [[3, 2, 1]])
    assert plain.only(("2",)).grades.tolist() == [[[0, 0, 1]]]
    assert plain.binary(2).cut(3).grades.tolist() == [[[0, 0, 1]], [[0, 0, 0]]]
    assert plain.binary(2).recall_base.tolist() == [[5, 1]]


def test_lengths_of_lists_by_hand(judged: JudgedRuns) -> None:
    """Lists of 4 and 1, 3 and 3, and 2 documents; the third run misses a topic, which is not a list."""
    assert judged.lengths_differ == (1, 4)
    assert judged.only(["two"]).lengths_differ is None
    assert JudgedRuns.without_ranks(("a",), ("1", "2")).lengths_differ is None
    assert judged.lengths(None).tolist() == [4, 1, 3, 3, 0, 2]
    assert judged.lengths(3).tolist() == [3] * 6


def test_systems_by_name(judged: JudgedRuns) -> None:
    assert judged.by_name().systems == ("one", "three", "two")
    assert judged.by_name(2).systems == ("one", "three")


def test_relevant_documents_that_a_measure_sees(judged: JudgedRuns) -> None:
    """Topic 1 has grades 2, 0, 1, – and –, 1, negative; topic 2 has 3 and 1, 3, –."""
    rows = np.array([0, 1, 2, 3, 4, 5])
    assert list(judged.found(P() @ 10, rows)) == [
        ([1, 3], [2, 1]),
        ([1], [3]),
        ([2], [1]),
        ([1, 2], [1, 3]),
        ([], []),
        ([2], [1]),
    ]
    assert list(judged.found(P() @ 1, rows[3:4], rel=2)) == [([], [])]
    seen = judged.within(P() @ 2)
    assert (seen.row.tolist(), seen.rank.tolist(), seen.nth.tolist()) == (
        [0, 1, 2, 3, 3, 5],
        [1, 1, 2, 1, 2, 2],
        [1, 1, 1, 1, 2, 1],
    )


def test_recall_bases_capped_by_the_ranks_that_count(judged: JudgedRuns) -> None:
    """Both topics have two relevant documents, of which a list of one document cannot hold both."""
    assert judged.recall_divisor(1, None, capped=False).tolist() == [2] * 6
    assert judged.recall_divisor(1, None, capped=True).tolist() == [2, 1, 2, 2, 0, 2]
    assert judged.recall_divisor(2, 1, capped=True).tolist() == [1] * 6
    assert judged.recall_divisor(1, 1, capped=True).tolist() == [1] * 6
