"""Judgments, runs, and the many ways to write them into files."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Grades = dict[bytes, dict[bytes, int]]
Scores = dict[bytes, dict[bytes, bytes]]  # as they are written

MARK = b"\xef\xbb\xbf"


def names() -> st.SearchStrategy[bytes]:
    """Identifiers: a few letters (so that some begin alike), text in any script, any bytes."""
    few = st.text("ab", min_size=1, max_size=10).map(str.encode)
    usual = st.integers(0, 9999).map(b"FT911-%d".__mod__)
    script = st.text(st.characters(min_codepoint=0x21, exclude_categories=["Cs"]), min_size=1, max_size=6).map(str.encode)
    any_bytes = st.lists(st.integers(0x21, 0xFF), min_size=1, max_size=20).map(bytes)
    return st.one_of(few, usual, script, any_bytes).filter(lambda name: not re.search(rb"\x7f|\xc2[\x80-\x9f]", name))


def topics() -> st.SearchStrategy[bytes]:
    """Identifiers that do not begin a comment, or look like a byte order mark."""
    return st.one_of(st.integers(1, 500).map(b"%d".__mod__), names()).filter(lambda name: not name.startswith((b"#", MARK)))


def scores() -> st.SearchStrategy[bytes]:
    """Numbers as they are written: ties, signs, exponents, few digits and many."""
    tied = st.sampled_from(["1", "1.0", "10e-1", "2", "0", "-0", "+1", ".5", "0.5", "5e-1", "1.", "-3"])
    short = st.decimals(-100, 100, places=4).map(str)
    exact = st.floats(allow_nan=False, allow_infinity=False).map(repr)
    digits = st.tuples(st.integers(-(10**40), 10**40), st.integers(0, 10**40), st.integers(-99, 99)).map(
        "{0[0]}.{0[1]}E{0[2]}".format
    )
    return st.one_of(tied, tied, short, exact, digits).map(str.encode)


def grades() -> st.SearchStrategy[int]:
    return st.one_of(st.integers(-2, 4), st.integers(-127, 127))


def choices(values: Sequence[int], shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[np.int8]]:
    """Arrays of a few values. They are drawn as one text of bytes, which takes a tenth of the time of a list of integers."""
    few = np.array(values, dtype=np.int8)
    size = math.prod(shape)
    return st.binary(min_size=size, max_size=size).map(lambda text: few[np.frombuffer(text, np.uint8) % len(few)].reshape(shape))


@dataclass(frozen=True)
class Campaign:
    """Judgments and a run: some topics are missing from the run, some have no judgments."""

    qrels: Grades
    run: Scores


@st.composite
def campaigns(draw: st.DrawFn, most: int = 4) -> Campaign:
    """Small campaigns whose judgments and run share topics and documents."""
    documents = draw(st.lists(names(), min_size=1, max_size=12, unique=True))
    known = draw(st.lists(topics(), min_size=1, max_size=most, unique=True))
    judged = draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    listed = draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    some = st.sampled_from(documents)
    return Campaign(
        {topic: draw(st.dictionaries(some, grades(), min_size=1)) for topic in judged},
        {topic: draw(st.dictionaries(some, scores(), min_size=1)) for topic in listed},
    )


@dataclass(frozen=True)
class Layout:
    """A way to write rows into a file; ``seed`` decides everything that is not written down here."""

    seed: int
    messy: bool
    scattered: bool

    def qrels(self, qrels: Grades) -> bytes:
        """A qrels file."""
        rows = [(topic, doc, b"%d" % grade) for topic, docs in qrels.items() for doc, grade in docs.items()]
        return self._file([[topic, b"0", doc, grade] for topic, doc, grade in rows])

    def run(self, run: Scores) -> bytes:
        """A run file."""
        rows = [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]
        return self._file(
            [[topic, b"Q0", doc, b"%d" % rank, score, b"tag"] for rank, (topic, doc, score) in enumerate(rows)], more=True
        )

    def _file(self, rows: list[list[bytes]], *, more: bool = False) -> bytes:
        rng = np.random.default_rng(self.seed)
        if self.scattered:
            rows = [rows[at] for at in rng.permutation(len(rows))]
        if not self.messy:
            return b"".join(b" ".join(row) + b"\n" for row in rows)

        def pick(*options: bytes) -> bytes:
            return options[int(rng.integers(len(options)))]

        text = pick(b"", MARK)
        for row in rows:
            text += pick(b"", b"", b"", b"# comment \xff\n", b"\n", b" \t\r\n", b"#\r\n") + pick(b"", b"", b" ", b"\t ")
            for column in row:
                text += column + pick(b" ", b"\t", b"  ", b" \t", b"\t\t ")
            text += (pick(b"", b"", b"x 1 y") if more else b"") + pick(b"\n", b"\r\n", b" \n")
        return text[: len(text) - int(rng.integers(2))]


def layouts() -> st.SearchStrategy[Layout]:
    return st.builds(Layout, seed=st.integers(0, 1 << 32), messy=st.booleans(), scattered=st.booleans())


def mutations() -> st.SearchStrategy[list[tuple[int, int, int]]]:
    """Kinds of damage to a file, their places and bytes. See :func:`damaged`."""
    return st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1 << 16), st.integers(0, 255)), min_size=1, max_size=3)


SPECIAL = [b"\n", b"\r", b" ", b"\t", b"\x00", b"#", b"-", b"+", b"e", b".", b"9", b"_", b"nan", b"\xff", b"\x0b", MARK]
SPECIAL += [b"\x7f", b"\xc2\x9b"]


def damaged(text: bytes, mutation: list[tuple[int, int, int]]) -> bytes:
    """A file with bytes flipped, removed, inserted, or cut off; lines swapped or repeated; a column removed."""
    for kind, place, byte in mutation:
        at = place % (len(text) + 1)
        lines = text.splitlines(keepends=True) or [b""]
        line = place % len(lines)
        match kind:
            case 0:
                text = text[:at] + bytes([byte]) + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + 1 + byte % 4 :]
            case 2:
                text = text[:at] + SPECIAL[byte % len(SPECIAL)] + text[at:]
            case 3:
                text = text[:at]
            case 4:
                other = byte % len(lines)
                lines[line], lines[other] = lines[other], lines[line]
                text = b"".join(lines)
            case 5:
                text = b"".join(lines[: line + 1] + lines[line:])
            case 6:
                columns = lines[line].split()
                del columns[byte % max(len(columns), 1) : byte % max(len(columns), 1) + 1]
                text = b"".join([*lines[:line], b" ".join(columns) + b"\n", *lines[line + 1 :]])
            case _:
                text = text[:at] + SPECIAL[byte % len(SPECIAL)] + text[at + 1 :]
    return text
