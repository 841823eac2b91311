"""Ranking and judging: the order, ties, depth, duplicates; the same for every way of cutting the input."""

import itertools

import numpy as np
import pytest

from mensura._core.judge import Judge
from mensura._core.parts import scatter
from mensura.io.trec import Fault
from tests.core.judging import feed, index, outcome, run, stretch

QRELS = index(b"q 0 a 1\nq 0 b 2\nq 0 c 3\nq 0 d 4\nq 0 z 0\np 0 a 1\np 0 b 0\nr 0 a 1\n")


def grades(*rows, **options):
    return outcome(feed(QRELS, run(*(("q", *row) for row in rows)), **options))[b"q"].grades


def test_scores_fall_whatever_the_order_of_lines():
    for order in itertools.permutations([("a", 4), ("b", 3.5), ("c", -1), ("d", -1e9)]):
        assert grades(*order) == [1, 2, 3, 4]


def test_equal_scores_fall_by_document():
    for order in itertools.permutations([("a", "1"), ("b", "1.0"), ("c", "10e-1"), ("d", "2")]):
        assert grades(*order) == [4, 3, 2, 1]


def test_documents_compare_by_bytes():
    docs = [b"\xff", b"\xc3\xa9", b"z", b"ab", b"a!", b"a", b"B", b"10", b"1", b"!"]
    judgments = index(b"".join(b"q 0 %b %d\n" % (doc, rank) for rank, doc in enumerate(docs)))
    for shift in range(len(docs)):
        rows = docs[shift:] + docs[:shift]
        assert outcome(feed(judgments, run(*(("q", doc, 1) for doc in rows))))[b"q"].grades == list(range(len(docs)))


@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 1000, 1025, 5000])
@pytest.mark.parametrize("levels", [1, 3, 100_000])
def test_sorting_lists_of_every_size(size, levels):
    rng = np.random.default_rng(size)
    rows = [(b"d%d" % doc, int(score)) for doc, score in enumerate(rng.integers(0, levels, size))]
    judgments = index(b"".join(b"q 0 %b %d\n" % (doc, row % 120) for row, (doc, _) in enumerate(rows)))
    expected = sorted(range(size), key=lambda row: (rows[row][1], rows[row][0]), reverse=True)
    judged = outcome(feed(judgments, run(*(("q", *row) for row in rows))))[b"q"]
    assert judged.grades == [row % 120 for row in expected]
    assert judged.scores == [rows[row][1] for row in expected]


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize(
    "scores",
    [
        [0.0, -0.0, 5e-324, -5e-324, 1e-300, -1e300, 1e300],
        [1.0 + step * 2**-52 for step in range(40)],
        [1e9, *(step * 1e-12 for step in range(90))],
        [-1.7e308, 1.7e308, *([3.5] * 60)],
        [2.0**step for step in range(-1000, 1000, 25)],
        [-(2.0**step) for step in range(-1000, 1000, 25)],
    ],
)
def test_sorting_scores_of_every_kind(scores, single):
    """Signed zeros, neighbours, clusters and outliers; the oracle is Python's sort."""
    rng = np.random.default_rng(len(scores))
    rows = [(b"d%d" % row, scores[row % len(scores)]) for row in rng.permutation(max(3 * len(scores), 200)).tolist()]
    judgments = index(b"".join(b"q 0 %b %d\n" % (doc, row % 120) for row, (doc, _) in enumerate(rows)))
    with np.errstate(over="ignore"):
        values = [float(np.float32(score)) if single else score for _, score in rows]
    expected = sorted(range(len(rows)), key=lambda row: (values[row], rows[row][0]), reverse=True)
    judged = outcome(feed(judgments, run(*(("q", doc, repr(score)) for doc, score in rows)), single=single))[b"q"]
    assert judged.grades == [row % 120 for row in expected]


def test_float32_makes_ties():
    rows = [("a", "16777217"), ("b", "16777216")]  # 2**24 + 1 is no float32
    assert grades(*rows) == [1, 2]
    assert grades(*rows, single=True) == [2, 1]


def test_float32_of_what_is_too_large_for_it():
    rows = [("a", "2e39"), ("b", "1e39"), ("c", "1e38"), ("d", "-1e300")]
    judged = outcome(feed(QRELS, run(*(("q", *row) for row in rows)), single=True))[b"q"]
    assert judged.grades == [2, 1, 3, 4]
    assert judged.scores == [np.inf, np.inf, float(np.float32(1e38)), -np.inf]


@pytest.mark.parametrize("depth", range(1, 6))
def test_depth(depth):
    judged = outcome(feed(QRELS, run(("q", "c", 2), ("q", "a", 4), ("q", "b", 3), ("q", "x", 1)), depth=depth))[b"q"]
    assert judged.grades == [1, 2, 3, -1][:depth]
    assert judged.scores == [4, 3, 2, 1][:depth]
    assert judged.retrieved == 4


@pytest.mark.parametrize(
    ("rows", "depth", "tie"),
    [
        ([("a", 3), ("b", 2), ("c", 1)], 0, 0),
        ([("a", 3), ("b", 2), ("c", 2)], 0, 2),
        ([("a", 1), ("b", 2), ("c", 2)], 0, 1),
        ([("z", 3), ("x", 3), ("c", 2)], 0, 0),  # grade 0 and not judged: nobody can tell
        ([("a", 3), ("b", 2), ("c", 2)], 2, 2),  # the cut goes through the tie
        ([("a", 3), ("b", 2), ("c", 2)], 1, 0),
        ([("a", 3), ("z", 2), ("x", 2), ("y", 2), ("b", 2)], 2, 2),
        ([("x", 3), ("y", 3), ("a", 2), ("b", 2)], 0, 3),
    ],
)
def test_the_first_tie_that_decides(rows, depth, tie):
    assert outcome(feed(QRELS, run(*(("q", *row) for row in rows)), depth=depth))[b"q"].tie == tie


@pytest.mark.parametrize("topic", ["q", "unjudged"])
def test_a_document_twice_in_a_topic(topic):
    text = run((topic, "a", 3), (topic, "b", 2), (topic, "a", 1), (topic, "c", 0))
    judge = feed(QRELS, text)
    assert judge.fault == Fault.DUPLICATE
    assert text[: judge.fault_at].count(b"\n") == 2


def test_a_document_twice_in_different_topics():
    judge = feed(QRELS, run(("q", "a", 3), ("p", "a", 3), ("x", "a", 3), ("y", "a", 3)))
    assert judge.fault == 0
    assert set(outcome(judge)) == {b"q", b"p"}
    assert list(judge.extra) == [b"x", b"y"]


@pytest.mark.parametrize("topic", ["q", "unjudged"])
def test_scattered_topics_are_noticed(topic):
    judge = feed(QRELS, run((topic, "a", 3), ("p", "a", 3), (topic, "b", 2)))
    assert judge.fault == Fault.SCATTERED_TOPIC


TEXTS = {
    "plain": run(("q", "a", 3), ("q", "b", 2), ("p", "b", 1), ("x", "b", 1), ("r", "c", 2), ("r", "a", 9)),
    "one topic": run(("q", "a", 3), ("q", "b", 2), ("q", "c", 1)),
    "one line": run(("q", "a", 3)),
    "no last line feed": run(("q", "a", 3), ("p", "b", 2), ("r", "b", 2), ("r", "a", 3))[:-1],
    "mark": b"\xef\xbb\xbf" + run(("q", "a", 3), ("p", "b", 2), ("p", "a", 2), ("r", "a", 3)),
    "mark, first topic goes on": b"\xef\xbb\xbf" + run(("q", "a", 3), ("q", "b", 2), ("p", "a", 2), ("r", "a", 3)),
    "comments": b"# start\n\n"
    + run(("q", "a", 3))
    + b"#\n"
    + run(("q", "b", 2))
    + b"\r\n# p\n \t\n"
    + run(("p", "b", 2), ("r", "a", 1))
    + b"# end",
    "messy": b"\tq  Q0 a 1 3 t\r\n  q\tQ0\tb\t1\t2\tt\tu\r\n p Q0 b 1 2 t \r\n\r\nx Q0 b 1 2 t\nr Q0 a 1 2 t\r",
    "topics that begin alike": run(
        ("q", "a", 3), ("qq", "b", 2), ("qqqqqqqqq", "b", 2), ("qqqqqqqq", "b", 2), ("p", "b", 2), ("pp", "b", 2)
    ),
}


def merged(judges):
    made, extra = {}, []
    for judge in judges:
        assert judge.fault == 0
        part = outcome(judge)
        assert not made.keys() & part.keys()
        made |= part
        extra += judge.extra
    return made, extra


@pytest.mark.parametrize("text", list(TEXTS.values()), ids=list(TEXTS))
def test_two_stretches_of_every_size(text, write):
    path = write("run", text)
    whole = merged([stretch(QRELS, path)])
    assert whole[0]
    for cut in range(1, len(text) + 1):
        assert merged([stretch(QRELS, path, 0, cut), stretch(QRELS, path, cut)]) == whole, cut


@pytest.mark.parametrize("text", list(TEXTS.values()), ids=list(TEXTS))
@pytest.mark.parametrize("size", [1, 2, 3, 7, 13])
def test_many_stretches(text, size, write):
    path = write("run", text)
    bounds = [*range(0, len(text), size), -1]
    assert merged(stretch(QRELS, path, *bound) for bound in itertools.pairwise(bounds)) == merged([stretch(QRELS, path)])


@pytest.mark.parametrize("text", list(TEXTS.values()), ids=list(TEXTS))
def test_chunks_of_every_size(text):
    whole = merged([feed(QRELS, text)])
    for size in range(1, len(text) + 1):
        assert merged([feed(QRELS, *(text[at : at + size] for at in range(0, len(text), size)))]) == whole


def test_reading_and_feeding_agree_on_a_file_of_many_buffers(write):
    rows = [(b"t%d" % (row // 700), b"doc-%d" % (row * 7919 % 100_003), row * 31 % 1009) for row in range(40_000)]
    judgments = index(
        b"".join(b"t%d 0 doc-%d %d\n" % (topic, doc, doc % 4) for topic in range(0, 58, 2) for doc in range(0, 100_003, 97))
    )
    text = run(*rows)
    assert len(text) > 3 * (1 << 18)
    path = write("run", text)
    whole = merged([feed(judgments, text)])
    assert len(whole[0]) == 29
    assert merged([stretch(judgments, path)]) == whole
    assert merged([feed(judgments, *(text[at : at + 65_537] for at in range(0, len(text), 65_537)))]) == whole
    bounds = [*range(0, len(text), 99_991), -1]
    assert merged(stretch(judgments, path, *bound) for bound in itertools.pairwise(bounds)) == whole


@pytest.mark.parametrize("cut", [1, 20, 40])
def test_a_fault_in_a_later_stretch_is_where_it_is(cut, write):
    text = run(("q", "a", 3), ("p", "b", 2), ("r", "b", 2)) + b"s Q0 b\n"
    judge = stretch(QRELS, write("run", text), cut)
    assert (judge.fault, judge.fault_at) == (Fault.MISSING_COLUMN, text.rindex(b"s"))


@pytest.mark.parametrize("head", [b"", run(("q", "a", 1))])
def test_a_line_without_end(head, write):
    text = head + b"q Q0 " + b"x" * (3 << 20)
    for judge in (
        feed(QRELS, text),
        feed(QRELS, *(text[at : at + 99_999] for at in range(0, len(text), 99_999))),
        stretch(QRELS, write("run", text)),
    ):
        assert judge.fault in {Fault.LINE_TOO_LONG, Fault.MISSING_COLUMN}
        assert judge.fault_at == len(head)


@pytest.mark.parametrize("more", [0, 1])
def test_the_longest_line(more, write):
    start = b"q Q0 a 1 1 "
    text = start + b"t" * ((1 << 20) - len(start) - 1 + more) + b"\n" + run(("q", "b", 1))
    for judge in (feed(QRELS, text), stretch(QRELS, write("run", text))):
        assert judge.fault == (Fault.LINE_TOO_LONG if more else 0)


def test_empty_streams():
    for text in (b"", b"\n", b"# only this", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"):
        judge = feed(QRELS, text)
        assert (judge.fault, judge.tag, judge.topics(), judge.width) == (0, None, [], 0)


def test_a_descriptor_that_cannot_be_read():
    judge = Judge(QRELS)
    judge.read(-1)
    assert judge.fault == Fault.READ_FAILED


def test_misuse_is_refused():
    judge = feed(QRELS, run(("q", "a", 3), ("q", "b", 2)))
    for misuse in (judge.finish, lambda: judge.feed(b"x"), lambda: judge.read(0)):
        with pytest.raises(ValueError, match="has read its run"):
            misuse()
    with pytest.raises(ValueError, match="narrow"):
        scatter(judge, np.empty((3, 1), np.int8), np.empty(3, np.int32), np.empty(3, np.int32))
    with pytest.raises(ValueError, match="negative"):
        Judge(QRELS, -1)
    lean = Judge(QRELS)
    with pytest.raises(ValueError, match="no scores"):
        scatter(lean, np.empty((3, 1), np.int8), np.empty(3, np.int32), np.empty(3, np.int32), np.empty((3, 1)))
