"""Files as columns: lines, white space, faults and where they are."""

import re
from pathlib import Path

import pytest

from mensura._core.columns import Columns
from mensura._core.names import Names
from mensura.io.trec import Fault
from tests.core.judging import PADDING


def rows(text: bytes, *, is_run: bool) -> list[tuple[bytes, bytes, float]]:
    columns = Columns(text + PADDING, is_run)
    assert columns.fault == 0
    names = columns.topics.as_list()
    return [
        (names[topic], text[start : start + length], value)
        for topic, start, length, value in zip(*map(memoryview, columns.take()), strict=True)
    ]


RUN_LINES = [
    b"q Q0 d 1 2.5 t\n",
    b"q\tQ0\td\t1\t2.5\tt\n",
    b"  q   Q0 \t d\t\t1  2.5   t  \n",
    b"q Q0 d 1 2.5 t\r\n",
    b"q Q0 d 1 2.5 t \t\r\n",
    b"q Q0 d 1 2.5 t and more\n",
    b"q Q0 d not-read 2.5 t\n",
    b"\xef\xbb\xbfq Q0 d 1 2.5 t\n",
    b"# comment\n\n \t \n\r\n#\nq Q0 d 1 2.5 t\n# \x00 anything\xff\n\n",
    b"\xef\xbb\xbf# ir_metadata.start\n# platform:\n#   os: x\n# ir_metadata.end\nq Q0 d 1 2.5 t\n",
]


@pytest.mark.parametrize("text", RUN_LINES)
def test_white_space_and_comments_of_runs(text):
    assert rows(text, is_run=True) == [(b"q", b"d", 2.5)]


@pytest.mark.parametrize(
    "text", [b"q 0 d -2\n", b"\tq\t0\td\t-2\t\n", b" q  0  d  -02 \r\n", b"#\n\nq 0 d -2\n\n", b"\xef\xbb\xbfq 0 d -2\n"]
)
def test_white_space_and_comments_of_qrels(text):
    assert rows(text, is_run=False) == [(b"q", b"d", -2.0)]


@pytest.mark.parametrize("size", range(1, 26))
def test_tokens_of_every_size_around_the_words_that_are_scanned(size):
    name = bytes(range(0x80, 0x80 + size))
    text = b"%b 0 %b 1\n%b! 0 !%b 2\n" % (name, name, name, name)
    assert rows(text, is_run=False) == [(name, name, 1.0), (name + b"!", b"!" + name, 2.0)]


@pytest.mark.parametrize("byte", sorted(set(range(0x21, 0x100)) - {0x7F}))
def test_every_other_byte_may_be_in_an_identifier(byte):
    name = b"a%c" % byte
    assert rows(b"%b 0 %b 1\n" % (name, name), is_run=False) == [(name, name, 1.0)]


@pytest.mark.parametrize("byte", sorted(set(range(0x20)) - {9, 10}))
@pytest.mark.parametrize("at", range(14))
def test_control_bytes_are_unreadable_wherever_they_are(byte, at):
    line = b"q Q0 d 1 2.5 t"
    text = b"p Q0 d 1 1 t\n" + line[:at] + b"%c" % byte + line[at:] + b"\n"
    columns = Columns(text + PADDING, is_run=True)
    assert columns.fault in {Fault.UNREADABLE_BYTE, Fault.NOT_A_NUMBER}
    assert columns.fault_at == 13


FAULTS = [
    (b"q Q0 d 1 2.5\n", True, Fault.MISSING_COLUMN),
    (b"q Q0 d 1\r\n", True, Fault.MISSING_COLUMN),
    (b"q\n", True, Fault.MISSING_COLUMN),
    (b"q Q0 d 1 x t\n", True, Fault.NOT_A_NUMBER),
    (b"q Q0 d 1 1e999 t\n", True, Fault.NOT_FINITE),
    (b"q Q0 d 1 1 t\rx\n", True, Fault.UNREADABLE_BYTE),
    (b"q Q0 d 1 1 t more \x00\n", True, Fault.UNREADABLE_BYTE),
    (b"q 0 d\n", False, Fault.MISSING_COLUMN),
    (b"q 0 d 1 x\n", False, Fault.EXTRA_COLUMN),
    (b"q 0 d 1.0\n", False, Fault.NOT_A_GRADE),
    (b"q 0 d x\n", False, Fault.NOT_A_GRADE),
    (b"q 0 d -\n", False, Fault.NOT_A_GRADE),
    (b"q 0 d 1-\n", False, Fault.NOT_A_GRADE),
    (b"q 0 d 128\n", False, Fault.GRADE_TOO_LARGE),
    (b"q 0 d -128\n", False, Fault.GRADE_TOO_LARGE),
    (b"q 0 d 99999999999999999999\n", False, Fault.GRADE_TOO_LARGE),
    (b"q 0 d 1\r \n", False, Fault.UNREADABLE_BYTE),
    (b"q\x000 d 1\n", False, Fault.UNREADABLE_BYTE),
    (b"q Q0 d 1 1 " + b"t" * (1 << 20) + b"\n", True, Fault.LINE_TOO_LONG),
]


@pytest.mark.parametrize(("line", "is_run", "fault"), FAULTS, ids=lambda value: repr(value)[:30])
def test_faults(line, is_run, fault):
    good = b"p 0 d 1 1 t\n" if is_run else b"p 0 d 1\n"
    columns = Columns(good + b"# c\n" + line + good + PADDING, is_run)
    assert (columns.fault, columns.fault_at, columns.count) == (fault, len(good) + 4, 1)


@pytest.mark.parametrize(("grade", "value"), [(b"127", 127), (b"-127", -127), (b"+3", 3), (b"-0", 0), (b"0000000000000001", 1)])
def test_grades(grade, value):
    assert rows(b"q 0 d %b\n" % grade, is_run=False) == [(b"q", b"d", value)]


def test_the_tag_is_that_of_the_first_line():
    assert Columns(b"#\nq 0 d 1 1 first x\nq 0 e 1 1 second\n" + PADDING, is_run=True).tag == b"first"


def test_columns_are_taken_once():
    columns = Columns(b"q 0 d 1\n" + PADDING, is_run=False)
    columns.take()
    with pytest.raises(ValueError, match="taken"):
        columns.take()


@pytest.mark.parametrize("text", [b"", b"\n" * 15, b"q 0 d 1" + PADDING[:15], b"q 0 d 1 " + b"x" * 16])
def test_text_without_padding_is_refused(text):
    with pytest.raises(ValueError, match="padded"):
        Columns(text, is_run=False)


def test_names_are_numbered_in_order():
    names = [b"%d" % (number * 7919 % 100_003) for number in range(100_000)]
    assert Names.of(names).as_list() == names
    assert len(Names.of([])) == 0


def test_names_must_differ():
    with pytest.raises(ValueError, match="repeat"):
        Names.of([b"a", b"b", b"a"])


def test_names_with_prefixes_and_zeros():
    names = [b"\0" * size for size in range(20)] + [b"a" * size for size in range(1, 20)]
    assert Names.of(names).as_list() == names


def test_faults_have_the_numbers_of_the_core():
    """The core's own list is compiled away: its source has to say the same as the names that messages are chosen by."""
    source = (Path(__file__).resolve().parents[2] / "src" / "mensura" / "_core" / "text.pxd").read_text(encoding="utf-8")
    listed = source.split("cdef enum Fault:")[1].split("\n\n")[0]
    numbers = {name: int(number) for name, number in re.findall(r"^    (\w+) = (\d+)$", listed, re.MULTILINE)}
    assert numbers == {"NO_FAULT": 0, **Fault.__members__}
