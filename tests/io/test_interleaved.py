"""Runs whose topics are not together: the same judged runs, remarks and faults as from the same lines topic by topic."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura import InputError, judge
from mensura.io import reading

QRELS = "".join(f"{topic} 0 d{doc} {doc % 3}\n" for topic in ("q", "p", "a-topic-of-a-long-name-1", "r") for doc in range(9))
TOPICS = ["q", "p", "a-topic-of-a-long-name-1", "a-topic-of-a-long-name-2", "unjudged"]
DOCUMENTS = [
    *(f"d{number}" for number in range(9)),
    "q",
    "p",
    *("x" * size for size in (15, 16, 17, 33, 126, 127, 128, 255, 256, 700)),
]
SCORES = [
    *("3", "2.5", "1.00000001", "1", "1.00000002", "-7", "0", "-0", "838.8607", "-838.8608", "-0.1", "1e300", "-1e-300"),
    *("9007199254740993", "9007199254740992", "2251799813685248.5", "0.30000000000000004", "1e15", "999999999999999"),
]
SAME = ("grades", "retrieved", "ties", "scores", "extra", "intake", "systems")

rows = st.lists(
    st.tuples(
        st.sampled_from(TOPICS),
        st.sampled_from(DOCUMENTS),
        st.sampled_from(["1", "2", "10", "007", "123456789", "1234567890", "x"]),
        st.sampled_from(SCORES)
        | st.decimals(-99, 99, places=4).map(str)
        | st.floats(allow_nan=False, allow_infinity=False).map(str),
        st.sampled_from(["tag", "tag", "tag", "tag 7"]),
    ),
    min_size=1,
    max_size=60,
    unique_by=lambda row: row[:2],
)


def line(row):
    topic, document, rank, score, tag = row
    return f"{topic} Q0 {document} {rank} {score} {tag}\n"


def together(lines):
    """The same lines topic by topic; those of a topic stay in their order."""
    topics: dict[str, list[str]] = {}
    for each in lines:
        topics.setdefault(each.split()[0], []).append(each)
    return [each for some in topics.values() for each in some]


def judged(folder, lines, *, packed=False, **options):
    """The judged run of a file, or its error."""
    path = folder / ("run.txt.gz" if packed else "run.txt")
    text = "".join(lines).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    try:
        return judge(folder / "qrels.txt", path, scores=True, **options)
    except InputError as error:
        return error


def assert_same(one, other):
    for name in SAME:
        values = getattr(one, name)
        if isinstance(values, np.ndarray):
            np.testing.assert_array_equal(values, getattr(other, name))
            if values.dtype == np.float64:  # 0 and -0 are equal, but not the same
                np.testing.assert_array_equal(np.signbit(values), np.signbit(getattr(other, name)))
        else:
            assert values == getattr(other, name), name
    assert one.own == other.own


@given(
    rows=rows.filter(lambda rows: any(row[0] in {"q", "p", TOPICS[2]} for row in rows)),
    stretch=st.sampled_from([20, 100, 1000, 1 << 24]),
    threads=st.sampled_from([1, 3]),
    options=st.fixed_dictionaries(
        {},
        optional={
            "compat": st.just("trec_eval-9"),
            "ties": st.just("rank"),
            "depth": st.integers(1, 4),
            "drop_self": st.just(value=True),
        },
    ),
    packed=st.booleans(),
)
@settings(deadline=None, max_examples=200)
def test_lines_in_any_order_are_those_lines_topic_by_topic(rows, stretch, threads, options, packed):
    lines = [line(row) for row in rows]
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        (folder / "qrels.txt").write_text(QRELS)
        expected = judged(folder, together(lines), threads=1, **options)
        patch.setattr(reading, "STRETCH", stretch)
        assert_same(judged(folder, lines, threads=threads, packed=packed, **options), expected)


@given(
    rows=rows,
    faults=st.lists(st.tuples(st.integers(0, 60), st.sampled_from(["q Q0 d 1\n", "p Q0 d 1 nan t\n", "q Q0 \x01 1 1 t\n", None]))),
    stretch=st.sampled_from([20, 100, 1 << 24]),
)
@settings(deadline=None, max_examples=200)
def test_faults_are_those_of_the_lines(rows, faults, stretch):
    lines = [line(row) for row in rows]
    wrong = {}
    for at, fault in faults:
        lines.insert(min(at, len(lines)), fault or lines[at % len(lines)])
    documents = set()
    for number, each in enumerate(lines, start=1):
        columns = each.split()
        if len(columns) < 6:
            wrong[number] = "expected 6 columns"
        elif columns[4] == "nan":
            wrong[number] = "is not a finite number"
        elif "\x01" in each:
            wrong[number] = "not text"
        elif (columns[0], columns[2]) in documents:
            wrong[number] = "is listed twice"
        else:
            documents.add((columns[0], columns[2]))
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        (folder / "qrels.txt").write_text(QRELS)
        patch.setattr(reading, "STRETCH", stretch)
        outcome = judged(folder, lines, threads=2)
    if not wrong:
        assert not isinstance(outcome, InputError) or "no topic of this run is judged" in str(outcome)
        return
    found = getattr(outcome, "faults", [outcome])
    assert [fault.line for fault in found] == sorted(wrong)[:5]
    assert all(wrong[fault.line] in fault.problem for fault in found)


@pytest.mark.parametrize("form", ["{}", "{:.4f}", "{:.6f}", "{:.3g}", "{:.0f}"])
def test_a_long_file_by_rank_and_by_score(tmp_path, monkeypatch, form):
    """Blocks and slabs of piles are filled, and every stretch has every topic; scores have few digits or many."""
    rng = random.Random(1)  # noqa: S311 - lines in any order, nothing secret
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d{doc} {doc % 4}\n" for topic in range(40) for doc in range(0, 900, 3)))
    lines = [
        (topic, rank, 900 - rank - rng.random(), f"{topic} Q0 d{doc:0{1 + doc % 30}} {rank} {form} tag\n")
        for topic in range(45)
        for rank, doc in enumerate(rng.sample(range(900), 700))
    ]
    grouped = [text.format(score) for _, _, score, text in lines]
    by_rank = [text.format(score) for _, _, score, text in sorted(lines, key=lambda each: each[1])]
    by_score = [text.format(score) for _, _, score, text in sorted(lines, key=lambda each: -each[2])]
    halves = grouped[::2] + grouped[1::2]
    for order in (by_rank, by_score, halves):
        expected = judged(tmp_path, together(order), threads=1)
        for stretch, threads in itertools.product((1 << 16, 1 << 24), (1, 2)):
            monkeypatch.setattr(reading, "STRETCH", stretch)
            assert_same(judged(tmp_path, order, threads=threads), expected)


def test_standard_input(tmp_path, monkeypatch):
    (tmp_path / "qrels.txt").write_text(QRELS)
    lines = [line((topic, f"d{rank}", str(rank), str(-rank), "tag")) for rank in range(9) for topic in ("q", "p", "s")]
    expected = judged(tmp_path, together(lines))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(lines).encode())))
    assert_same(judge(tmp_path / "qrels.txt", "-", scores=True), expected)


def test_a_few_topics_in_two_stretches(tmp_path, monkeypatch):
    """Stretches that were judged by themselves, because each topic was together in them, are read again."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    half = [line((topic, f"d{rank}", str(rank), str(-rank), "tag")) for topic in ("q", "p", "s") for rank in range(4)]
    rest = [line((topic, f"d{rank}", str(rank), str(-rank), "tag")) for topic in ("r", "s", "q") for rank in range(4, 9)]
    expected = judged(tmp_path, together(half + rest), threads=1)
    monkeypatch.setattr(reading, "STRETCH", sum(map(len, half)))
    assert_same(judged(tmp_path, half + rest, threads=2), expected)


def test_a_first_score_that_is_infinite_as_float32(tmp_path, monkeypatch):
    """Ranks and scores of the stretches before and after it do not contradict each other."""
    (tmp_path / "qrels.txt").write_text(QRELS)
    scores = {"q": ["3", "-1e39", "3"], "p": ["3", "3"]}
    lines = [
        line((topic, f"d{at}", "1", scores[topic][at], "tag")) for topic, at in [("q", 0), ("p", 0), ("p", 1), ("q", 1), ("q", 2)]
    ]
    expected = judged(tmp_path, together(lines), threads=1, compat="trec_eval-9")
    monkeypatch.setattr(reading, "STRETCH", 20)
    assert_same(judged(tmp_path, lines, threads=3, compat="trec_eval-9"), expected)
