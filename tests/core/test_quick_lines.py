"""Short lines are read by masks of 64 bytes, long and last ones column by column: both ways read the same, or find the same fault.

The last lines of a text are always read column by column; a comment after them makes room for the masks. The oracle is Python's own
``split`` and ``float``.
"""

import math
import struct
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mensura._core.columns import Columns
from tests.core.judging import PADDING, feed, index, outcome

COMMENT = b"#" + b"x" * 100 + b"\n"
GAPS = st.sampled_from([b" ", b"\t", b"  ", b" \t", b"        "])
ENDS = st.sampled_from([b"\n", b"\r\n", b" \n", b"\t\r\n", b"  \n"])
NAMES = st.sampled_from(
    [b"q", b"401", b"Q0", b"12345678", b"1102400", b"FT922-10578", b"LA010189-09959", b"d" * 17, "né".encode(), b"a#"]
)
NUMBERS = st.one_of(
    st.decimals(-1000, 1000, places=4, allow_nan=False, allow_infinity=False).map(lambda number: f"{number}".encode()),
    st.integers(-(10**9), 10**9).map(lambda number: b"%d" % number),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda number: repr(number).encode()),
    st.sampled_from([b"-0", b"0.", b".5", b"-.5", b"00000000", b"99999999", b"9999999.", b".9999999", b"+1", b"1e5", b"-99999999"]),
)
WRONG = st.sampled_from(
    [b".", b"-", b"1.2.3", b"nan", b"1,5", b"--1", b"1 2", b"\x01", b"d\x7f", b"x\x1by", b"\xc2\x9b", b"\x0b", b""]
)


def rows(text: bytes, *, is_run: bool) -> tuple[Any, ...]:
    """The rows of a text to the bit, or the fault and its place."""
    padded = text + PADDING
    columns = Columns(padded, is_run)
    if columns.fault:
        return columns.fault, columns.fault_at
    names, tag = columns.topics.as_list(), columns.tag
    topic, start, length, value = (memoryview(column).tolist() for column in columns.take())
    documents = [padded[at : at + size] for at, size in zip(start, length, strict=True)]
    return names, tag, topic, documents, [struct.pack("<d", number) for number in value]


@st.composite
def lines(draw, columns: int) -> bytes:
    """A line as files have them, or a broken one."""
    fields = [draw(NAMES) for _ in range(columns)]
    if columns == 6:
        fields[3:5] = [b"%d" % draw(st.integers(0, 10**6)), draw(NUMBERS)]
    else:
        fields[3] = draw(st.sampled_from([b"0", b"1", b"9", b"-1", b"12", b"+1", b"127", b"128", b"a"]))
    for _ in range(draw(st.sampled_from([0, 0, 0, 0, 1]))):
        fields[draw(st.integers(0, columns - 1))] = draw(WRONG)
    before = draw(st.sampled_from([b"", b"", b"", b" ", b"\t"]))
    between = draw(st.sampled_from([b" ", b" ", b"\t", None]))
    text = b"".join(field + (draw(GAPS) if between is None else between) for field in fields[:-1])
    return before + text + fields[-1] + draw(ENDS)


@pytest.mark.parametrize("columns", [4, 6])
@given(data=st.data())
def test_masks_read_what_columns_read(columns, data):
    text = b"".join(data.draw(st.lists(lines(columns), min_size=1, max_size=3)))
    slow = [rows(line + b"\n", is_run=columns == 6) for line in text.split(b"\n")[:-1]]
    quick = [rows(line + b"\n" + COMMENT, is_run=columns == 6) for line in text.split(b"\n")[:-1]]
    assert quick == slow
    assert rows(text + COMMENT, is_run=columns == 6)[0] == rows(text, is_run=columns == 6)[0]


@given(st.lists(st.tuples(NAMES, NAMES, NUMBERS, NAMES), min_size=1, max_size=9), GAPS, ENDS)
@example([(b"q", b"d", b"99999999", b"t"), (b"q", b"e", b"0.000001", b"t")], b" ", b"\n")
def test_as_python_splits(fields, gap, end):
    text = b"".join(gap.join([topic, b"Q0", doc, b"1", number, tag]) + end for topic, doc, number, tag in fields) + COMMENT
    names, tag, topics, documents, values = rows(text, is_run=True)
    split = [line.split() for line in text.splitlines()[:-1]]
    assert [names[topic] for topic in topics] == [line[0] for line in split]
    assert documents == [line[2] for line in split]
    assert values == [struct.pack("<d", float(line[4])) for line in split]
    assert tag == split[0][5]


def test_every_short_number():
    """All numbers of up to three digits with a point anywhere, and their negatives."""
    numbers = [f"{sign}{digits[:at]}{point}{digits[at:]}" for sign in ("", "-") for digits in map(str, [*range(1000), "000", "010"])
               for at in range(len(digits) + 1) for point in (".", "")]  # fmt: skip
    text = "".join(f"q Q0 d{row} 1 {number} t\n" for row, number in enumerate(numbers)).encode()
    values = rows(text + COMMENT, is_run=True)[4]
    assert values == [struct.pack("<d", float(number)) for number in numbers]


def test_a_repeated_document_is_found_wherever_it_is():
    """The first line that repeats a document, in lists of many lengths: a bit for each document, and a table for long lists."""
    judgments = index(b"q 0 d0 1\n")
    for count in (2, 3, 100, 1000, 4096, 4097, 20_000):
        for first, second in ((0, 1), (0, count - 1), (count // 2, count - 1)):
            names = [b"d%d" % number for number in range(count)]
            names[second] = names[first] if second != first else names[first - 1]
            text = [b"q Q0 %s %d %d t\n" % (name, rank, count - rank) for rank, name in enumerate(names)]
            judge = feed(judgments, b"".join(text))
            assert judge.fault == 8, (count, first, second)
            at = sum(map(len, text[: max(first, second)]))
            assert at <= judge.fault_at < at + len(text[max(first, second)])
        judge = feed(judgments, b"".join(b"q Q0 d%d %d %d t\n" % (number, number, count - number) for number in range(count)))
        assert judge.fault == 0
        assert outcome(judge)[b"q"].retrieved == count


def test_chunks_do_not_matter():
    """The same run fed whole and in pieces of every size: the last lines of a piece are read in the other way."""
    judgments = index(b"q1 0 a 1\nq2 0 b 2\n")
    documents = ((b"a", 3.25), (b"b", 2.5), (b"longer-name", math.pi))
    text = b"".join(b"q%d Q0 %s 1 %.3f run\n" % (topic, *document) for topic in (1, 2) for document in documents)
    whole = outcome(feed(judgments, text))
    for size in range(1, len(text)):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert outcome(feed(judgments, *pieces)) == whole
