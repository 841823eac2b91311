r"""Places: the offset of a character in a document as file, page, line and column.

A document may consist of several files (``\input``), of text that stands elsewhere (an expanded macro stands where it is called) or of
text that a reader took out of a binary file (a page of a PDF). Rules see one text; only reports ask for places.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mensura.lint.suppress import Suppression


class Place(NamedTuple):
    """Line and column of a character, from 1; lines count from the top of a page where a file has pages (0: it has none)."""

    line: int
    column: int
    page: int = 0


class Lines:
    """Lines and columns of offsets in a text; ``pages`` are the offsets at which pages begin."""

    def __init__(self, text: str, pages: tuple[int, ...] = ()) -> None:
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.length = len(text)
        self.pages = pages

    def place(self, offset: int) -> Place:
        """Return line, column and page."""
        offset = min(max(offset, 0), self.length)
        line = bisect_right(self.starts, offset) - 1
        column = offset - self.starts[line] + 1
        page = bisect_right(self.pages, offset)
        if not page:
            return Place(line + 1, column)
        return Place(line - bisect_right(self.starts, self.pages[page - 1]) + 2, column, page)

    def at(self, offset: int) -> tuple[int, int]:
        """Return line and column."""
        place = self.place(offset)
        return place.line, place.column


@dataclass(eq=False)
class TextFile:
    """A file of a document: its name, its text, the syntax of its comments, and where its pages and cells begin."""

    path: str
    text: str
    syntax: str = "other"
    pages: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()  # of a notebook
    hidden: list[tuple[int, int]] = field(default_factory=list)  # spans in which a comment is an example
    comments: list[Suppression] | None = None  # suppressions, where a reader had to look for them itself

    @cached_property
    def lines(self) -> Lines:
        """Lines and columns of its offsets."""
        return Lines(self.text, self.pages)

    def label(self, offset: int) -> str:
        """Return the cell of a notebook at an offset, for people; nothing for other files."""
        cell = bisect_right(self.cells, offset)
        return f"cell {cell}" if cell else ""


class Piece(NamedTuple):
    """A stretch of a document: where it begins, the file and the offset it comes from, and whether its characters follow each other there."""

    start: int
    file: int
    origin: int
    straight: bool = True


@dataclass(eq=False)
class PlaceMap:
    """The files of a document, and the pieces of them in the order of the document."""

    files: list[TextFile]
    pieces: list[Piece]

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self.pieces]

    def origin(self, offset: int) -> tuple[int, int]:
        """Return the number of the file, and the offset in it, of a character of the document."""
        number = bisect_right(self._starts, offset) - 1
        if number < 0:
            return 0, 0
        piece = self.pieces[number]
        return piece.file, piece.origin + (offset - piece.start if piece.straight else 0)

    def span(self, start: int, end: int) -> tuple[int, int, int]:
        """Return the file of a stretch, and where it begins and ends there; one that ends in another file is cut to its first character."""
        file, begin = self.origin(start)
        other, last = self.origin(max(end - 1, start))
        return file, begin, last + 1 if other == file and last >= begin else begin + 1

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int, Piece]]:
        """Yield the stretches of pieces between two offsets."""
        number = max(bisect_right(self._starts, start) - 1, 0)
        while start < end:
            last = number + 1 >= len(self.pieces)
            stop = end if last else min(end, self.pieces[number + 1].start)
            yield start, stop, self.pieces[number]
            start, number = stop, number + 1

    @staticmethod
    def single(file: TextFile) -> PlaceMap:
        """Return the map of a document that is one file, character by character."""
        return PlaceMap([file], [Piece(0, 0, 0)])


class Assembly:
    """A text that is put together from pieces of files."""

    def __init__(self, files: Iterable[TextFile] = ()) -> None:
        self.files = list(files)
        self.parts: list[str] = []
        self.pieces: list[Piece] = []
        self.length = 0

    def add(self, text: str, file: int, origin: int, *, straight: bool = True) -> None:
        """Append a piece; one that is not ``straight`` stands as a whole at ``origin``."""
        if not text:
            return
        last = self.pieces[-1] if self.pieces else None
        follows = last is not None and last.file == file and last.straight and last.origin + self.length - last.start == origin
        if not (straight and follows):
            self.pieces.append(Piece(self.length, file, origin, straight))
        self.parts.append(text)
        self.length += len(text)

    @property
    def text(self) -> str:
        """All pieces, one after the other."""
        return "".join(self.parts)

    def places(self) -> PlaceMap:
        """Return the map of the text."""
        return PlaceMap(self.files, self.pieces or [Piece(0, 0, 0)])
