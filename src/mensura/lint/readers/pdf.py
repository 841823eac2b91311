"""PDF: the text of pages in the order in which it was set, and tables where words stand in clear columns.

PDFium (pypdfium2, Apache-2.0 or BSD) reads 12 pages in some tenths of a second. PyMuPDF's licence (AGPL) would bind those who ship
Mensura.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.lint.readers.document import BREAK, Document
from mensura.lint.readers.places import Assembly, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell, is_number

if TYPE_CHECKING:
    from collections.abc import Iterator

LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"}
HYPHEN = re.compile(r"[\x02\ufffe\u00ad]\n?|(?<=[a-z])-\n(?=[a-z])")
ODD = re.compile(r"[\x00-\x08\x0b-\x1c\ufffe\u00ad]|[ﬀﬁﬂﬃﬄﬅﬆ]")
BOLD = 600  # weight of a font
MOST_PAGES = 400
MOST_LETTERS = 40_000  # of a page
LEAST_ROWS = 2
GAP = 0.85  # of the size of letters: a wider one parts two cells
ENDS = {"", ".", "!", "?", ":"}  # of what is before a heading
LARGE = 1.15  # times the usual size of letters on a page
LONGEST_HEADING = 90  # characters of a line
CAPTION = re.compile(r"^\s*(?:Table|Tab\.)\s*\d+\s*[:.|]?", re.IGNORECASE)


@dataclass(slots=True)
class Letter:
    """A letter on a page: its box, its size, and whether it is bold."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    offset: int  # in the text of the file
    bold: bool = False
    apart: bool = False  # whether a blank is before it
    size: float = 0.0  # of its font


@dataclass(slots=True)
class Segment:
    """Letters of a line that stand together."""

    letters: list[Letter]

    @property
    def left(self) -> float:
        return self.letters[0].left

    @property
    def right(self) -> float:
        return max(letter.right for letter in self.letters)

    @property
    def text(self) -> str:
        """The words, with single blanks, and a circumflex before raised letters."""
        words: list[str] = []
        before: Letter | None = None
        for letter in self.letters:
            if before is not None:
                high = max(before.top - before.bottom, letter.top - letter.bottom)  # a full stop is low
                raised = letter.bottom > before.bottom + 0.3 * high and letter.top > before.top
                if letter.apart:
                    words.append(" ")
                elif raised and before.text[-1:].isdigit() and letter.text.isalnum():
                    words.append("^")
            words.append(letter.text)
            before = letter
        return " ".join("".join(words).split())


def read_pdf(data: bytes, path: str, *, scanned: bool = True) -> Document:
    """A PDF as a document: lines count on each page. One without text is refused as ``scanned``; a figure of one page may have none."""
    try:
        import pypdfium2
    except ImportError:
        raise InputError("is a PDF; reading it needs pypdfium2: pip install 'mensura[pdf]'", source=path) from None
    try:
        pdf = pypdfium2.PdfDocument(data)
    except (pypdfium2.PdfiumError, ValueError) as error:
        raise InputError(f"is not a PDF that can be read: {error}", source=path) from error
    try:
        if len(pdf) > MOST_PAGES:
            raise InputError(f"has {len(pdf)} pages; lint reads papers of up to {MOST_PAGES}", source=path)
        texts, starts, letters = [], [], []
        length = 0
        for number in range(len(pdf)):
            page = pdf[number]
            textpage = page.get_textpage()
            text, own = _page(textpage, pypdfium2.raw, length)
            textpage.close()
            page.close()
            starts.append(length)
            texts.append(text + "\f\n")
            letters.append(own)
            length += len(texts[-1])
    except (pypdfium2.PdfiumError, ValueError) as error:
        raise InputError(f"is not a PDF that can be read: {error}", source=path) from error
    finally:
        pdf.close()
    text = "".join(texts)
    if not text.strip("\f\n ") and (scanned or len(starts) > 1):
        raise InputError("has no text, only pictures of pages; recognise its text first (OCR)", source=path)
    return _document(TextFile(path, text, "none", pages=tuple(starts)), letters)


def _page(textpage: Any, raw: Any, start: int) -> tuple[str, list[Letter]]:
    """The text of a page, and its letters with their boxes."""
    count = min(textpage.count_chars(), MOST_LETTERS)
    box = [ctypes.c_double() for _ in range(4)]
    pointers = [ctypes.byref(each) for each in box]
    text: list[str] = []
    letters: list[Letter] = []
    length = 0
    bold, font, apart = False, -1.0, False
    for index in range(count):
        code = raw.FPDFText_GetUnicode(textpage, index)
        letter = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "  # noqa: PLR2004 - the ranges of Unicode
        if letter == "\r":
            continue
        letter = "Δ" if letter == "∆" else letter  # the sign of an increment, which fonts have for the Greek letter
        if not letter.isspace():
            raw.FPDFText_GetCharBox(textpage, index, *pointers)
            left, right, bottom, top = (each.value for each in box)
            size = raw.FPDFText_GetFontSize(textpage, index)
            if apart or letter.isdigit() or size != font:
                bold, font = _is_bold(textpage, raw, index), size
            letters.append(Letter(letter, left, right, bottom, top, start + length, bold, apart, size))
        apart = letter.isspace()
        text.append(letter)
        length += len(letter)
    return "".join(text), letters


def _is_bold(textpage: Any, raw: Any, index: int) -> bool:
    if raw.FPDFText_GetFontWeight(textpage, index) >= BOLD:
        return True
    name = ctypes.create_string_buffer(64)
    flags = ctypes.c_int()
    size = raw.FPDFText_GetFontInfo(textpage, index, name, 64, ctypes.byref(flags))
    return bool(size) and re.search(rb"[Bb]old|CMBX|BX\d|-?Bd\b|Demi|Black|Heavy", name.value) is not None


def _document(file: TextFile, pages: list[list[Letter]]) -> Document:
    """The text with words made whole, without its tables, and the tables."""
    tables: list[tuple[DocumentTable, list[tuple[int, int]]]] = []
    for letters in pages:
        tables += _tables(letters)
    assembly = Assembly([file])
    at = 0
    for match in HYPHEN.finditer(file.text):
        _add(assembly, file.text, at, match.start())
        at = match.end()
    _add(assembly, file.text, at, len(file.text))
    text, places = assembly.text, assembly.places()
    back = {}  # offset in the file → offset in the document
    headings = [span for letters in pages for span in _headings(letters, file.text)]
    offsets = sorted(
        {offset for span in headings for offset in span}
        | {offset for _, spans in tables for span in spans for offset in span}
        | {cell.start for table, _ in tables for row in table.rows for cell in row}
    )
    position = 0
    for number, piece in enumerate(places.pieces):
        stop = places.pieces[number + 1].start if number + 1 < len(places.pieces) else len(text)
        length = stop - piece.start if piece.straight else 1
        while position < len(offsets) and offsets[position] < piece.origin + length:
            back[offsets[position]] = piece.start + max(0, offsets[position] - piece.origin)
            position += 1
    plain = _parted(text, headings, back)
    for table, spans in tables:
        for start, end in spans:
            one, two = back.get(start, len(text)), back.get(end, len(text))
            for offset in range(one, min(two + 1, len(plain))):
                plain[offset] = " "
            if one < len(plain):
                plain[one] = BREAK
        table.rows = [
            [
                TableCell(back.get(cell.start, 0), cell.text, back.get(cell.start, 0) + len(cell.text), cell.styles, cell.columns)
                for cell in row
            ]
            for row in table.rows
        ]
    return Document(text, "".join(plain), [table for table, _ in tables], places=places)


def _parted(text: str, headings: list[tuple[int, int]], back: dict[int, int]) -> list[str]:
    """Return the characters of a text, with ends of blocks around headings and items."""
    plain = list(re.sub(r"\n(?=[ \t]*(?:\d+(?:\.\d+)*\.? [A-Z]|Table \d|Figure \d|Abstract\b|ABSTRACT\b|•|–\s))|\f", BREAK, text))
    for start, end in headings:
        for offset in (back.get(start, 0) - 1, back.get(end, 0)):
            if 0 < offset < len(plain) and plain[offset] == "\n":
                plain[offset] = BREAK
    return plain


def _headings(letters: list[Letter], text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines of a page that are headings: short, in a larger or a bold font, and at most two of them together."""
    if not letters:
        return
    usual = sorted(letter.size for letter in letters)[len(letters) // 2]
    run: list[tuple[int, int]] = []
    for line in [*_lines(letters, text), []]:
        if line:
            start, end = text.rfind("\n", 0, line[0].offset) + 1, line[-1].offset + 1
            large = sum(letter.size > LARGE * usual for letter in line) * 2 > len(line)
            bold = all(letter.bold for letter in line) and text[end - 1] not in ".,;:" and not text[start].islower()
            ended = text[max(0, start - 9) : start].rstrip()[-1:] in ENDS or bool(run)
            if end - start <= LONGEST_HEADING and (large or (bold and ended)):
                run.append((start, end))
                continue
        if len(run) <= 2:  # noqa: PLR2004 - more are a paragraph in bold type
            yield from run
        run = []


def _lines(letters: list[Letter], text: str) -> Iterator[list[Letter]]:
    """Yield the letters of each line of the text of a page."""
    line: list[Letter] = []
    for letter in letters:
        if line and text.find("\n", line[-1].offset, letter.offset) >= 0:
            yield line
            line = []
        line.append(letter)
    if line:
        yield line


def _add(assembly: Assembly, text: str, start: int, end: int) -> None:
    """Add a stretch, with ligatures written out."""
    at = start
    for match in ODD.finditer(text, start, end):
        assembly.add(text[at : match.start()], 0, at)
        assembly.add(LIGATURES.get(match[0], " "), 0, match.start(), straight=False)
        at = match.end()
    assembly.add(text[at:end], 0, at)


def _tables(letters: list[Letter]) -> Iterator[tuple[DocumentTable, list[tuple[int, int]]]]:
    """Yield the tables of a page, each with the stretches of text that it takes."""
    lines = [_segments(line) for line in _rows_of(letters)]
    numeric = [sum(is_number(segment.text) for segment in line[1:]) for line in lines]
    at = 0
    while at < len(lines):
        if len(lines[at]) <= 1 or numeric[at] < 1:
            at += 1
            continue
        stop = at
        while (
            stop < len(lines)
            and len(lines[stop]) > 1
            and numeric[stop] >= 1
            and (stop == at or _near(lines[stop - 1], lines[stop]))
        ):
            stop += 1
        if stop - at >= LEAST_ROWS:
            table = _grid(lines, at, stop)
            if table is not None:
                yield table
        at = max(stop, at + 1)


def _rows_of(letters: list[Letter]) -> list[list[Letter]]:
    """Lines of letters, in the order of the page: letters that follow each other at about one height."""
    lines: list[list[Letter]] = []
    for letter in letters:
        if lines:
            line = lines[-1]
            last = line[-1]
            high = max(last.top - last.bottom, letter.top - letter.bottom, 4.0)
            same = (
                letter.bottom < last.top
                and letter.top > last.bottom
                and abs((letter.bottom + letter.top) - (line[0].bottom + line[0].top)) < 1.6 * high
            )
            if same and letter.left > last.left - 1:
                line.append(letter)
                continue
        lines.append([letter])
    merged: list[list[Letter]] = []
    for line in lines:  # cells that were set one after the other, each as a line of its own
        if merged and merged[-1][-1].right < line[0].left and abs(_middle(merged[-1]) - _middle(line)) < 2.5:  # noqa: PLR2004 - points of a line
            merged[-1].extend(line)
        else:
            merged.append(list(line))
    return merged


def _middle(line: list[Letter]) -> float:
    digits = [letter for letter in line if letter.text.isalnum()] or line
    return sum(letter.bottom for letter in digits) / len(digits)


def _segments(line: list[Letter]) -> list[Segment]:
    segments = [Segment([line[0]])]
    for letter in line[1:]:
        last = segments[-1].letters[-1]
        size = max(segments[-1].letters[0].top - segments[-1].letters[0].bottom, 5.0)
        if letter.left - last.right > GAP * size:
            segments.append(Segment([letter]))
        else:
            segments[-1].letters.append(letter)
    return segments


def _near(one: list[Segment], two: list[Segment]) -> bool:
    """Return whether a line is right below another."""
    high = max(letter.top - letter.bottom for line in (one, two) for segment in line for letter in segment.letters)
    return 0 < _middle(one[0].letters) - _middle(two[0].letters) < 3.2 * max(high, 5.0)


def _grid(lines: list[list[Segment]], start: int, stop: int) -> tuple[DocumentTable, list[tuple[int, int]]] | None:
    """The rows as a table, if every word of them belongs to one column."""
    columns: list[list[float]] = []
    for line in lines[start:stop]:
        for segment in line:
            touched = [column for column in columns if segment.left < column[1] and segment.right > column[0]]
            if not touched:
                columns.append([segment.left, segment.right])
            else:
                touched[0][:] = [
                    min(segment.left, *(column[0] for column in touched)),
                    max(segment.right, *(column[1] for column in touched)),
                ]
                columns = [column for column in columns if column is touched[0] or column not in touched]
    columns.sort()
    if len(columns) < 2 or max(len(line) for line in lines[start:stop]) != len(columns):  # noqa: PLR2004 - a label and a number
        return None
    first = start
    while first > 0 and start - first < 3 and _near(lines[first - 1], lines[first]) and _is_header(lines[first - 1], columns):  # noqa: PLR2004 - lines of a header
        first -= 1
    rows = []
    for line in lines[first:stop]:
        row = _row(line, columns)
        if row is None:
            return None
        rows.append(row)
    if first == start:
        return None  # without names of columns nothing is certain
    spans = [(line[0].letters[0].offset, line[-1].letters[-1].offset) for line in lines[first:stop]]
    around = [" ".join(segment.text for segment in line) for line in (*lines[max(0, first - 4) : first], *lines[stop : stop + 5])]
    caption = " ".join(_captions(around))
    return DocumentTable(rows, caption, start=spans[0][0], end=spans[-1][1]), [(min(span), max(span)) for span in spans]


def _captions(around: list[str]) -> Iterator[str]:
    inside = False
    for line in around:
        inside = inside or CAPTION.match(line) is not None
        if inside:
            yield line


def _is_header(line: list[Segment], columns: list[list[float]]) -> bool:
    """Return whether a line has words above the columns, and nothing outside of them; a caption is not one."""
    if CAPTION.match(" ".join(segment.text for segment in line)):
        return False
    over_last = columns[-2][1] < line[-1].left < columns[-1][1]  # a name that is wider than its column
    inside = columns[0][0] - 12 <= line[0].left and (line[-1].right <= columns[-1][1] + 12 or over_last)
    words = sum(not is_number(segment.text) for segment in line)
    return (inside and len(line) >= 2 and words * 2 > len(line)) or (inside and len(line) == 1 and line[0].left > columns[0][1])  # noqa: PLR2004 - one heading over some columns


def _row(line: list[Segment], columns: list[list[float]]) -> list[TableCell] | None:
    """The cells of a line; ``None`` if a word is between two columns."""
    cells: dict[int, TableCell] = {}
    for segment in line:
        places = [number for number, (left, right) in enumerate(columns) if segment.left < right + 2 and segment.right > left - 2]
        if not places:
            middle = (segment.left + segment.right) / 2
            places = [min(range(len(columns)), key=lambda number: abs(sum(columns[number]) / 2 - middle))]
        if any(number in cells for number in places):
            return None
        letters = segment.letters
        digits = [letter for letter in letters if letter.text.isdigit()] or letters
        styles = frozenset({"bold"}) if 2 * sum(letter.bold for letter in digits) > len(digits) else frozenset()
        cell = TableCell(letters[0].offset, segment.text, letters[0].offset + 1, styles, len(places))
        for number in places:
            cells[number] = cell
    row: list[TableCell] = []
    for number in range(len(columns)):
        cell = cells.get(number, TableCell(line[0].letters[0].offset, ""))
        if not row or row[-1] is not cell:
            row.append(cell)
    return row
