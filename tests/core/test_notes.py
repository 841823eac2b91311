"""Notes that a judge takes on its way: tags, columns after them, ranks against scores, ties as float32, equal rankings."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura._core.columns import Columns
from mensura._core.objects import repeated
from tests.core.judging import PADDING, feed, index

DOCS = [f"d{number}" for number in range(12)]
QRELS = index("".join(f"{topic} 0 {doc} {number % 3}\n" for topic in "pq" for number, doc in enumerate(DOCS)).encode())
TAGS = [
    "t",
    "u",
    "bm25rm3",
    "bm25rm4",
    "bm25-rm3",
    "bm25-tuned-1",
    "bm25-tuned-2",
    "bm25-of-a-long-name-1",
    "bm25-of-a-long-name-2",
]

lines = st.lists(
    st.tuples(
        st.sampled_from(["1", "2", "9", "10", "11", "0", "007", "100000000", "99999999", "-1", "x", "1.5"]),
        st.sampled_from([3.0, 2.5, 1.00000001, 1.0, 1.00000002, -7.0]),
        st.sampled_from(TAGS),
        st.sampled_from(["\n", "\r\n", " \n", " 7\n", "\t7 8\r\n"]),
    ),
    min_size=1,
    max_size=len(DOCS),
)


def text(topics):
    return "".join(
        f"{topic} Q0 {DOCS[place]} {rank} {score!r} {tag}{end}"
        for topic, rows in topics.items()
        for place, (rank, score, tag, end) in enumerate(rows)
    ).encode()


def crossed(rows):
    """Whether a rank and a score rise or fall together between neighbouring lines; ranks with more than eight digits are not."""
    pairs = [(int(rank) if rank.isdigit() else None, score) for rank, score, _, _ in rows]
    steps = itertools.pairwise(pairs)
    return any(one[0] is not None and two[0] is not None and (two[0] - one[0]) * (two[1] - one[1]) > 0 for one, two in steps)


def near(rows):
    """Whether documents of different grade share a score as float32, and not all of those have one score."""
    groups = {}
    for place, (_, score, _, _) in enumerate(rows):
        groups.setdefault(np.float32(score), []).append((score, place % 3))
    return any(len({score for score, _ in group}) > 1 and len({grade for _, grade in group}) > 1 for group in groups.values())


@given(st.fixed_dictionaries({"p": lines, "q": lines}))
def test_notes_against_plain_python(topics):
    judge = feed(QRELS, text(topics))
    rows = [row for lines in topics.values() for row in lines]
    tags = list(dict.fromkeys(tag for _, _, tag, _ in rows))
    assert judge.tag == tags[0].encode()
    assert judge.other_tag == (tags[1].encode() if len(tags) > 1 else None)
    assert judge.wide == any(end.strip() for _, _, _, end in rows)
    assert judge.near_ties == sum(map(near, topics.values()))
    if not any(len(rank) > 8 or rank == "007" for rank, _, _, _ in rows):
        assert judge.crossed == sum(map(crossed, topics.values()))


@pytest.mark.parametrize("cut", [1, 3, 7, 64])
def test_notes_do_not_depend_on_pieces(cut):
    rows = {topic: [(str(place), 9.0 - place, "t" if place < 9 else "u", "\n") for place in range(12)] for topic in "pq"}
    data = text(rows)
    whole, cuts = feed(QRELS, data), feed(QRELS, *(data[at : at + cut] for at in range(0, len(data), cut)))
    for name in ("tag", "other_tag", "wide", "crossed", "near_ties", "fingerprint"):
        assert getattr(whole, name) == getattr(cuts, name)


def fingerprint(**topics):
    rows = "".join(
        f"{topic} Q0 {doc} 1 {100 - rank} t\n" for topic, docs in topics.items() for rank, doc in enumerate(docs.split())
    )
    return feed(QRELS, rows.encode()).fingerprint


def test_runs_with_one_fingerprint_rank_the_same_documents():
    same = [fingerprint(p="d1 d2", q="d3"), fingerprint(q="d3", p="d1 d2"), fingerprint(p="d1 d2", q="d3", unjudged="d9")]
    assert len(set(same)) == 1
    others = [
        fingerprint(p="d2 d1", q="d3"),
        fingerprint(p="d1 d2", q="d4"),
        fingerprint(p="d3", q="d1 d2"),
        fingerprint(p="d1", q="d2 d3"),
        fingerprint(p="d1 d2"),
        fingerprint(p="d1 d2 d4", q="d3"),
    ]
    assert len({*same, *others}) == 1 + len(others)


def test_the_fingerprint_is_of_the_kept_ranks():
    """A tie that goes on after the last kept rank is judged too, but is not part of it."""
    short = b"p Q0 d2 1 5 t\np Q0 d1 2 4 t\n"
    assert feed(QRELS, short, depth=2).fingerprint == feed(QRELS, short + b"p Q0 d0 3 4 t\n", depth=2).fingerprint


def test_columns_pass_over_lines_with_faults():
    data = b"q Q0 a 1 2 t\nq Q0 b\nq Q0 c 2 nan t\nq Q0 a 3 1 t\nq Q0 d 4 0 t\n"
    columns = Columns(data + PADDING, is_run=True, tolerant=True)
    assert (columns.fault, columns.count, columns.fault_count) == (0, 3, 2)
    assert [at for _, at in columns.faults] == [data.index(b"q Q0 b"), data.index(b"q Q0 c")]
    topic, start, length, _ = columns.take()
    assert repeated(data + PADDING, topic, start, length, 1) == ([1], 1)
