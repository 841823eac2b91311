"""Looking documents up: many topics, many documents, look-alikes, and identifiers whose hashes collide."""

import subprocess
import sys

import numpy as np
import pytest

from mensura._core.judge import Judge
from mensura._core.judgments import Judgments
from mensura._core.names import Names
from mensura._core.parts import judge_columns
from tests.core.judging import feed, index, outcome, run


def test_every_document_of_every_topic():
    rng = np.random.default_rng(1)
    grades = {
        b"t%d" % topic: {b"d%d" % doc: int(rng.integers(-1, 5)) for doc in range(int(rng.integers(1, 60)))} for topic in range(3000)
    }
    judgments = index(
        b"".join(b"%b 0 %b %d\n" % (topic, doc, grade) for topic, docs in grades.items() for doc, grade in docs.items())
    )
    lists = {topic: [b"d%d" % doc for doc in range(65)] for topic in grades}
    judge = feed(judgments, run(*((topic, doc, 100 - rank) for topic, docs in lists.items() for rank, doc in enumerate(docs))))
    assert {topic: judged.grades for topic, judged in outcome(judge).items()} == {
        topic: [{-1: -2}.get(grades[topic][doc], grades[topic][doc]) if doc in grades[topic] else -1 for doc in docs]
        for topic, docs in lists.items()
    }


def test_a_large_topic():
    docs = [b"clueweb12-%07d" % doc for doc in range(50_000)]
    judgments = index(b"".join(b"q 0 %b %d\n" % (doc, rank % 3) for rank, doc in enumerate(docs)))
    judge = feed(judgments, run(*(("q", doc, -rank) for rank, doc in enumerate(docs))))
    assert outcome(judge)[b"q"].grades == [rank % 3 for rank in range(50_000)]


@pytest.mark.parametrize("size", range(1, 26))
def test_documents_that_differ_in_one_byte(size):
    judged, other = b"x" * size, b"x" * (size - 1) + b"y"
    judge = feed(
        index(b"q 0 %b 2\n" % judged), run(("q", judged, 4), ("q", other, 3), ("q", judged + b"x", 2), ("q", b"y" + judged, 1))
    )
    assert outcome(judge)[b"q"].grades == [2, -1, -1, -1]


def test_grades_of_one_topic_are_not_those_of_another():
    judge = feed(
        index(b"p 0 d 1\nq 0 e 2\np 0 f 3\n"), run(("p", "d", 3), ("p", "e", 2), ("p", "f", 1), ("q", "d", 3), ("q", "e", 2))
    )
    assert {topic: judged.grades for topic, judged in outcome(judge).items()} == {b"p": [1, -1, 3], b"q": [-1, 2]}


def test_negative_grades_are_pooled_but_not_judged():
    judge = feed(index(b"q 0 a -1\nq 0 b -127\nq 0 c 0\n"), run(("q", "a", 4), ("q", "b", 3), ("q", "c", 2), ("q", "d", 1)))
    assert outcome(judge)[b"q"].grades == [-2, -2, 0, -1]


@pytest.mark.parametrize(
    ("qrels", "row"),
    [
        (b"q 0 a 1\nq 0 a 1\n", 1),
        (b"q 0 a 1\np 0 a 1\nq 0 b 0\nq 1 a 0\n", 3),
        (b"q 0 a 1\np 0 a 1\n", -1),
        (b"q 0 a 1\nq 0 aa 1\n", -1),
    ],
)
def test_duplicates(qrels, row):
    assert index(qrels).duplicate == row


# The hash starts from this constant, combines it with each word by xor and multiplies. A first word equal to it gives zero, and
# words of zeros leave it there: these identifiers (which only a table can hold, not a file) have one hash.
START = (0x9E3779B97F4A7C15).to_bytes(8, "little")
ZERO = (0).to_bytes(8, "little")


def test_identifiers_of_the_same_hash_are_told_apart():
    docs = [START, START + ZERO, START + ZERO * 2, START + ZERO * 3]
    text = b"".join(docs) + b"\n" * 16
    length = np.array([len(doc) for doc in docs], np.int32)
    start = np.array([0, 8, 24, 48], np.int64)
    grades = np.array([0.0, 1.0, 2.0, 3.0])
    judgments = Judgments(Names.of([b"q"]), text, np.zeros(4, np.int32), start, length, grades)
    assert judgments.duplicate == -1
    judge = Judge(judgments, 0, single=False, keep_scores=True)
    judge_columns(judge, text, start, length, -grades, np.arange(4), np.array([0, 4]), np.zeros(1, np.int32))
    assert outcome(judge)[b"q"].grades == [0, 1, 2, 3]


def test_ids_that_are_counted_up_are_read_with_any_key():
    """Ids as q100000, q100001, … are a lattice in the hash, which some keys make narrow: this one maps all of them to few slots."""
    script = """if True:
        import os
        keys = iter((1, 1, (1 << 40) - 7))  # the last one and the size of the ids add up to a power of two
        os.urandom = lambda size: next(keys).to_bytes(size, "little")
        from mensura._core.names import Names, hash_key
        assert hash_key() == (1, 1, (1 << 40) - 7)
        ids = [f"q{number}" for number in range(100_000, 110_000)]
        assert len(Names.of([each.encode() for each in ids])) == 10_000
        from mensura import evaluate
        run = {each: float(-number) for number, each in enumerate(ids)}
        assert evaluate({"t": dict.fromkeys(ids, 1)}, {"t": run}, "AP").means() == {"run": {"AP": 1.0}}
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
