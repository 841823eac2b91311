"""A text as rules see it: sentences, tables and code, every character with its place in a file.

A reader masks everything but prose (markup, comments, code, quotations) by blanks, so that an offset into the masked text is an offset
into the text of the document. Where that text is not the text of one file, the document's places say where it comes from.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from mensura.lint.readers.places import Assembly, PlaceMap, TextFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.table import DocumentTable

GONE = "\x01"  # stands for a character of markup that parts no word; taken out at the end
SPELLED = re.compile(f"{GONE}+|[₀-₉](?:[₀-₉,]*[₀-₉])?")
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
BREAK, ROW, CELL = "\x1d", "\x1e", "\x1f"  # readers mark the end of a block, of a row of a table, and of a cell
ENDING = re.compile(rf"[{BREAK}.!?](?:(?<={BREAK}){BREAK}*|(?<=[.!?])['’”)\]]{{0,3}}(?=\s+[“(\[]?[A-Z0-9{BREAK}]))")
SHORT = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|Figs?|Tabs?|Secs?|Eqs?|Refs?|approx|resp|No|w\.r\.t|St|Dr|Prof|ca|incl|[A-Z])|^\d+)\.$"
)
LONGEST = 1500  # characters of a sentence
SMALL_WORD = re.compile(r"\b[a-z]{2,}\b")
LEAST_WORDS = 4  # of a sentence; labels of a plot have fewer
NEEDLESS = re.compile(r" (?:(?=[,;:)\]%!?]|\.(?!\d))|(?<=\( )|(?<=\b[A-Za-z] )(?=-[a-z]))")


@dataclass(eq=False)
class Sentence:
    """A sentence of the masked text."""

    start: int
    text: str

    @cached_property
    def normal(self) -> str:
        """The text with single blanks, and none where markup left one before a full stop, or in "$p$-value"."""
        return NEEDLESS.sub("", " ".join(self.text.split()))

    @cached_property
    def _places(self) -> list[int]:
        """Offset in the text of each character of the normal text."""
        places, text, at = [], self.text, 0
        for letter in self.normal:
            while text[at] != letter and not (letter == " " and text[at].isspace()):
                at += 1
            places.append(at)
            at += 1
        return places

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the file of a piece of the normal text."""
        return self.place(start), self.place(max(end - 1, start)) + 1

    def place(self, at: int) -> int:
        """Return the offset in the file of a character of the normal text."""
        return self.start + self._places[min(at, len(self._places) - 1)]


@dataclass(frozen=True, slots=True)
class Code:
    """Python code in a text; ``shown`` if it is an example on a page, which nobody runs there."""

    start: int
    text: str
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """A text that a program printed, with the ``code`` of its cell in a notebook; one that is not ``placed`` is not in the text there.

    A ``piece`` of code in a sentence is one too: who writes it there has chosen its digits. On a page an output may be an example; where
    the page says so it is a ``result``.
    """

    start: int
    text: str
    code: str = ""
    placed: bool = True
    piece: bool = False
    result: bool = False


@dataclass(eq=False)
class Document:
    """A text with its sentences, tables and code, and the places of its characters.

    ``text`` is the text of all files, one after the other, with macros expanded; ``plain`` is as long, with everything but prose blank.
    """

    text: str
    plain: str
    tables: list[DocumentTable] = field(default_factory=list)
    code: list[Code] = field(default_factory=list)
    places: PlaceMap = field(default_factory=lambda: PlaceMap.single(TextFile("", "")))
    outputs: list[Output] = field(default_factory=list)

    @property
    def is_picture(self) -> bool:
        """Whether it is at most one page and has no sentence: a figure, whose axes have numbers and names of measures."""
        return len(self.places.files[0].pages) <= 1 and not any(
            each.normal.endswith(".") and len(SMALL_WORD.findall(each.normal)) >= LEAST_WORDS for each in self.sentences
        )

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences of the prose."""
        return list(_split(self.plain))

    @cached_property
    def _mentions(self) -> dict[tuple[re.Pattern[str], bool], bool]:
        """Whether the text, or the prose alone, contains a pattern, for patterns that were asked for."""
        return {}

    def mentions(self, pattern: re.Pattern[str], *, prose: bool = False) -> bool:
        """Return whether a pattern is anywhere in the text, or in its ``prose``; looked for once, however many sentences ask."""
        known = self._mentions
        if (pattern, prose) not in known:
            known[pattern, prose] = pattern.search(self.plain if prose else self.text) is not None
        return known[pattern, prose]

    @cached_property
    def _low(self) -> tuple[str, list[int]]:
        """The sentences in small letters, one after the other, without the blanks between them, and the place where each begins."""
        lines = [_small(sentence.text) for sentence in self.sentences]
        return "\n".join(lines), list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0)) if lines else []

    @cached_property
    def _held(self) -> dict[str, frozenset[int]]:
        """Numbers of the sentences that contain a cue, for cues that were asked for."""
        return {}

    @cached_property
    def _starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]

    def number(self, sentence: Sentence) -> int:
        """Return the place of a sentence among the sentences."""
        return bisect_left(self._starts, sentence.start)

    def having(self, *cues: str, also: tuple[str, ...] = ()) -> list[Sentence]:
        """Return the sentences that contain one of ``cues`` (in small letters), and one of ``also``."""
        numbers = self._holding(cues)
        if also and numbers:
            numbers &= self._holding(also)
        return [self.sentences[number] for number in sorted(numbers)]

    def _holding(self, cues: tuple[str, ...]) -> set[int]:
        held = self._held
        for cue in cues:
            if cue not in held:
                held[cue] = self._find(cue)
        return set().union(*(held[cue] for cue in cues))

    def _find(self, cue: str) -> frozenset[int]:
        low, starts = self._low
        numbers = []
        at = low.find(cue)
        while at >= 0:
            number = bisect_right(starts, at) - 1
            numbers.append(number)
            at = low.find(cue, starts[number + 1]) if number + 1 < len(starts) else -1
        return frozenset(numbers)

    def matching(self, pattern: re.Pattern[str]) -> list[Sentence]:
        """Return the sentences in whose masked text a pattern matches."""
        starts = self._starts
        numbers = {bisect_right(starts, match.start()) - 1 for match in pattern.finditer(self.plain)}
        numbers.discard(-1)
        return [self.sentences[number] for number in sorted(numbers)]


def spelled(document: Document) -> Document:
    """Return a document without the characters of markup inside of words, and with raised and lowered digits as LaTeX writes them: ``t_49``."""
    edits = list(SPELLED.finditer(document.plain))
    if not edits:
        return document
    places, assembly = document.places, Assembly(document.places.files)
    plain: list[str] = []
    ends: list[int] = []  # of edits, and how far the text after them has moved
    moves = [0]

    def keep(start: int, end: int) -> None:
        plain.append(document.plain[start:end])
        for begin, stop, piece in places.runs(start, end):
            origin = piece.origin + (begin - piece.start if piece.straight else 0)
            assembly.add(document.text[begin:stop], piece.file, origin, straight=piece.straight)

    at = 0
    for edit in edits:
        keep(at, edit.start())
        at = edit.end()
        written = "" if edit[0][0] == GONE else "_" + edit[0].translate(SUBSCRIPTS)
        plain.append(written)
        assembly.add(written, *places.origin(edit.start()), straight=False)
        ends.append(at)
        moves.append(assembly.length - at)
    keep(at, len(document.plain))

    def moved(offset: int) -> int:
        return max(offset + moves[bisect_right(ends, offset)], 0)

    tables = [
        replace(
            table,
            rows=[[replace(cell, start=moved(cell.start), end=moved(cell.end)) for cell in row] for row in table.rows],
            caption=table.caption.replace(GONE, ""),
            start=moved(table.start),
            end=moved(table.end),
        )
        for table in document.tables
    ]
    code = [replace(block, start=moved(block.start)) for block in document.code]
    outputs = [replace(output, start=moved(output.start)) for output in document.outputs]
    return Document(assembly.text, "".join(plain), tables, code, assembly.places(), outputs)


def _small(text: str) -> str:
    """Return a text in small letters, as long as it is."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _split(plain: str) -> Iterator[Sentence]:
    at = 0
    for match in ENDING.finditer(plain):
        end = match.end()
        if match[0][0] != BREAK and SHORT.search(plain[max(at, match.start() - 7) : match.start() + 1]):
            continue
        yield from _pieces(at, plain[at : match.start() if match[0][0] == BREAK else end])
        at = end
    yield from _pieces(at, plain[at:])


def _pieces(start: int, text: str) -> Iterator[Sentence]:
    """Yield a sentence, in pieces if it is too long, so that no pattern has to look far."""
    while text and not text.isspace():
        cut = len(text) if len(text) <= LONGEST else text.rfind(" ", 1, LONGEST) + 1 or LONGEST
        yield Sentence(start, text[:cut])
        start, text = start + cut, text[cut:]
