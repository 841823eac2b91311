"""Word files: paragraphs and tables of ``word/document.xml``; a line is a paragraph or a row of a table."""

from __future__ import annotations

import io
import re
import zipfile
from xml.parsers import expat

from mensura.errors import InputError
from mensura.lint.readers.document import BREAK, Document
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell

PARTS = ("word/document.xml", "word/footnotes.xml", "word/endnotes.xml")
LARGEST = 1 << 26  # bytes of a part; a paper has a hundredth of it
DEEPEST = 200
OFF = {"0", "false", "off"}


def read_docx(data: bytes, path: str) -> Document:
    """A Word file as a document."""
    reader = _Reader()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = set(archive.namelist())
            if PARTS[0] not in names:
                raise InputError("is not a Word file: it has no word/document.xml", source=path)
            for part in PARTS:
                if part in names:
                    with archive.open(part) as stream:  # the size that the archive states may be a lie
                        content = stream.read(LARGEST + 1)
                    if len(content) > LARGEST:
                        raise InputError(f"its {part} inflates to more than {LARGEST >> 20} MB; no paper is that long", source=path)
                    reader.parse(content)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise InputError(f"is not a Word file: {error}", source=path) from error
    except expat.ExpatError as error:
        raise InputError(f"is a damaged Word file: {error}", source=path) from error
    return reader.document(path)


class _Reader:
    """Text, with the cells of tables at their places in it."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.plain: list[str] = []
        self.length = 0
        self.tables: list[DocumentTable] = []
        self.rows: list[list[list[TableCell]]] = []  # of the tables that are open, innermost last
        self.cell_start: list[int] = []
        self.styles: list[set[str]] = []
        self.widths: list[int] = []
        self.merged: list[str] = []
        self.run: set[str] = set()
        self.in_text = False
        self.lowered = False  # whether the next letter stands below the line
        self.unseen = False  # whether the run is struck or hidden
        self.moved = 0  # places that are open from which text was moved away

    def parse(self, content: bytes) -> None:
        """Add a part; entities are refused, as Word writes none."""
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        depth = 0

        def refuse(*_: object) -> None:
            raise ValueError("it declares entities of XML, which Word does not write")

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise ValueError("its XML is nested too deeply")
            handler = self._starts.get(name.rpartition("}")[2])
            if handler is not None:
                handler(self, {key.rpartition("}")[2]: value for key, value in attributes.items()})

        def end(name: str) -> None:
            nonlocal depth
            depth -= 1
            handler = self._ends.get(name.rpartition("}")[2])
            if handler is not None:
                handler(self)

        parser.EntityDeclHandler = refuse
        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = self._characters
        parser.Parse(content, True)  # noqa: FBT003 - expat takes no keywords

    def _add(self, text: str, plain: str | None = None) -> None:
        self.text.append(text)
        self.plain.append(text if plain is None and not self.rows else plain if plain is not None else " " * len(text))
        self.length += len(text)

    def _characters(self, text: str) -> None:
        if self.in_text and not (self.unseen or self.moved):
            if self.lowered and text[:1].isdigit():
                self._add("_")
            self.lowered = False
            if self.rows and self.styles and text.strip():
                self.styles[-1] |= self.run
            self._add(text.replace("\n", " ").replace("\u00a0", " "))

    def _start_text(self, _: dict[str, str]) -> None:
        self.in_text = True

    def _end_text(self) -> None:
        self.in_text = False

    def _start_run(self, _: dict[str, str]) -> None:
        self.run = set()
        self.lowered = self.unseen = False

    def _end_run(self) -> None:
        self.lowered = self.unseen = False

    def _hide(self, attributes: dict[str, str]) -> None:
        self.unseen = self.unseen or attributes.get("val", "1") not in OFF

    def _start_moved(self, _: dict[str, str]) -> None:
        self.moved += 1

    def _end_moved(self) -> None:
        self.moved -= 1

    def _bold(self, attributes: dict[str, str]) -> None:
        if attributes.get("val", "1") not in {"0", "false", "none"}:
            self.run.add("bold")

    def _underline(self, attributes: dict[str, str]) -> None:
        if attributes.get("val", "single") not in {"0", "false", "none"}:
            self.run.add("underline")

    def _raised(self, attributes: dict[str, str]) -> None:
        if attributes.get("val") == "superscript" and not self.unseen:
            self._add("^")
        self.lowered = attributes.get("val") == "subscript"

    def _tab(self, _: dict[str, str]) -> None:
        self._add(" ")

    def _end_paragraph(self) -> None:
        if self.rows:
            self._add(" ")
        else:
            self._add("\n", BREAK)

    def _start_table(self, _: dict[str, str]) -> None:
        self.rows.append([])

    def _start_row(self, _: dict[str, str]) -> None:
        if self.rows:
            self.rows[-1].append([])

    def _start_cell(self, _: dict[str, str]) -> None:
        self.cell_start.append(self.length)
        self.styles.append(set())
        self.widths.append(1)
        self.merged.append("")

    def _span(self, attributes: dict[str, str]) -> None:
        if self.widths and attributes.get("val", "").isdigit():
            self.widths[-1] = min(int(attributes["val"][:4]), 200)

    def _merge(self, attributes: dict[str, str]) -> None:
        if self.merged:
            self.merged[-1] = attributes.get("val", "continue")

    def _end_cell(self) -> None:
        if not (self.rows and self.rows[-1] and self.cell_start):
            return
        start, styles, width, merged = self.cell_start.pop(), self.styles.pop(), self.widths.pop(), self.merged.pop()
        raw = self._tail(start)
        text = " ".join(raw.split())
        at = start + len(raw) - len(raw.lstrip())
        cell = TableCell(at, "" if merged == "continue" else text, at + len(raw.strip()), frozenset(styles), width)
        column = sum(each.columns for each in self.rows[-1][-1])
        if merged == "continue":
            self._extend(column)
        self.rows[-1][-1].append(cell)
        self._add(" ")

    def _tail(self, start: int) -> str:
        pieces, length = [], self.length
        for piece in reversed(self.text):
            pieces.append(piece)
            length -= len(piece)
            if length <= start:
                break
        return "".join(reversed(pieces))[start - length :]

    def _extend(self, column: int) -> None:
        """Make the cell above that begins in a column one row higher."""
        for row in reversed(self.rows[-1][:-1]):
            at = 0
            for number, cell in enumerate(row):
                if at == column and cell.text:
                    row[number] = TableCell(cell.start, cell.text, cell.end, cell.styles, cell.columns, cell.rows + 1)
                    return
                at += cell.columns

    def _end_row(self) -> None:
        if self.rows:
            self._add("\n", " ")

    def _end_table(self) -> None:
        rows = [row for row in self.rows.pop() if any(cell.text for cell in row)]
        self._add("\n", BREAK)
        if rows and not self.rows:
            start = rows[0][0].start
            self.tables.append(DocumentTable(rows, start=start, end=self.length, covered=True))

    _starts = {  # noqa: RUF012 - a table of handlers
        "t": _start_text,
        "r": _start_run,
        "b": _bold,
        "u": _underline,
        "vertAlign": _raised,
        "strike": _hide,
        "dstrike": _hide,
        "vanish": _hide,
        "webHidden": _hide,
        "moveFrom": _start_moved,
        "tab": _tab,
        "br": _tab,
        "noBreakHyphen": lambda self, _: self._add("-"),
        "tbl": _start_table,
        "tr": _start_row,
        "tc": _start_cell,
        "gridSpan": _span,
        "vMerge": _merge,
    }
    _ends = {  # noqa: RUF012 - a table of handlers
        "t": _end_text,
        "r": _end_run,
        "moveFrom": _end_moved,
        "p": _end_paragraph,
        "tc": _end_cell,
        "tr": _end_row,
        "tbl": _end_table,
    }

    def document(self, path: str) -> Document:
        """Return what was read."""
        text, plain = "".join(self.text), "".join(self.plain)
        for table in self.tables:
            before = plain[max(0, table.start - 800) : table.start].rstrip(f" \n{BREAK}").rpartition(BREAK)[2]
            after = plain[table.end : table.end + 800].lstrip(f" \n{BREAK}").partition(BREAK)[0]
            captions = [part for part in (before, after) if re.match(r"\s*(?:Table|Tab\.)\s*\d", part)]
            table.caption = " ".join(" ".join(captions or [before]).split())
        return Document(text, plain, self.tables, places=PlaceMap.single(TextFile(path, text, "none")))
