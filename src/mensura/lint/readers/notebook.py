"""Jupyter notebooks: cells of prose as one page, cells of code as one program, each character with its place in the file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.lint.readers.document import BREAK, Code, Document, Output
from mensura.lint.readers.html import read_html
from mensura.lint.readers.listing import read_listing
from mensura.lint.readers.markdown import code_spans, read_markdown
from mensura.lint.readers.places import Assembly, PlaceMap, TextFile
from mensura.lint.suppress import Suppression, suppressions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mensura.lint.readers.table import DocumentTable

ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
LONGEST_OUTPUT = 200_000  # characters; a table for people is shorter
GAP = {"markdown": "\n\n", "code": "\n"}


@dataclass(frozen=True, slots=True)
class NotebookCell:
    """A cell: markdown or code, its source, and where each line of it stands in the file."""

    kind: str
    source: str
    pieces: tuple[tuple[int, str, str], ...]  # offset in the file, the text, the text as it is stored
    outputs: tuple[NotebookOutput, ...] = ()


@dataclass(frozen=True, slots=True)
class NotebookOutput:
    """The output of a cell: HTML with a table, text with decimals, or a text that only counts; and where it begins in the file."""

    kind: str
    source: str
    start: int


def read_notebook(text: str, source: str) -> Document:
    """A notebook as a document."""
    cells = read_cells(text, source)
    file = TextFile(source, text, "other", cells=tuple(cell.pieces[0][0] if cell.pieces else 0 for cell in cells))
    assembly = Assembly([file])
    prose: list[str] = []
    code: list[Code] = []
    tables: list[DocumentTable] = []
    outputs: list[Output] = []
    kinds: dict[str, list[tuple[int, str]]] = {"markdown": [], "code": []}
    for cell in cells:
        start = assembly.length
        for where, line, stored in cell.pieces:
            _add(assembly, line, stored, where)
        if cell.kind == "code":
            code.append(Code(start, cell.source))
        if cell.kind in kinds:
            kinds[cell.kind].append((start, cell.source))
        prose.append(cell.source if cell.kind == "markdown" else _blank(cell.source))
        gap = GAP.get(cell.kind, "\n")
        for output in cell.outputs:
            start = assembly.length
            if output.kind != "html":
                outputs.append(Output(start, output.source, cell.source, placed=output.kind == "text"))
            if output.kind == "count":
                continue
            assembly.add(output.source + "\n", 0, output.start, straight=False)
            prose.append(_blank(output.source) + "\n")
            shown = read_html(output.source).tables if output.kind == "html" else read_listing(output.source, output=True)
            tables += [replace(table.moved(start), printed=True) for table in shown]
        assembly.add(gap, 0, cell.pieces[-1][0] + len(cell.pieces[-1][2]) if cell.pieces else 0, straight=False)
        prose.append(gap)
    page = read_markdown("".join(prose))
    places = assembly.places()
    file.comments = [comment for kind, parts in kinds.items() for comment in _comments(kind, parts, places)]
    return Document(assembly.text, page.plain, [*page.tables, *tables], [*page.code, *code], places, [*page.outputs, *outputs])


def _blank(source: str) -> str:
    blank = re.sub(r"[^\n]", " ", source)
    return BREAK + blank[1:] if blank else blank


def _add(assembly: Assembly, line: str, stored: str, where: int) -> None:
    """Add a line, character by character where it is stored with escapes."""
    at = position = 0
    for match in ESCAPE.finditer(stored):
        run = match.start() - position
        assembly.add(line[at : at + run], 0, where + position)
        at += run
        assembly.add(line[at : at + 1], 0, where + match.start(), straight=False)
        at += 1
        position = match.end()
    assembly.add(line[at:], 0, where + position)


def _comments(kind: str, parts: list[tuple[int, str]], places: PlaceMap) -> list[Suppression]:
    """The suppressions in cells of a kind, which are one text for them, with their offsets in the file."""
    gap = GAP[kind]
    page = gap.join(source for _, source in parts)
    comments = suppressions(page, "markdown", code_spans(page)) if kind == "markdown" else suppressions(page, "other")
    if not comments:
        return comments
    starts, at = [], 0
    for start, source in parts:
        starts.append((at, start))
        at += len(source) + len(gap)

    def place(offset: int) -> int:
        begin, start = max(pair for pair in starts if pair[0] <= offset)
        return places.origin(start + offset - begin)[1]

    for comment in comments:
        low, high = comment.covers
        comment.covers = (place(low), place(min(high, max(len(page) - 1, 0))) + 1)
        comment.start, comment.end = place(comment.start), place(comment.end - 1) + 1
    return comments


def read_cells(text: str, source: str) -> list[NotebookCell]:
    """Read the cells of a notebook."""
    try:
        document = json.loads(text)
        if not isinstance(document, dict) or not {"cells", "worksheets"} & document.keys():
            raise InputError("is not a notebook: it has no cells", source=source)
        sheets = document.get("worksheets", ())  # of notebooks before version 4
        cells = document["cells"] if "cells" in document else [cell for sheet in sheets for cell in sheet["cells"]]
        notebook, at = [], 0
        for cell in cells:
            lines = cell.get("source", cell.get("input", []))
            pieces: list[tuple[int, str, str]] = []
            for line in [lines] if isinstance(lines, str) else lines:
                where, stored = _locate(text, line, at)
                pieces.append((where, line, stored))
                at = where + len(stored)
            outputs = []
            for output in cell.get("outputs", ()) if cell.get("cell_type") == "code" else ():
                for kind, shown in _shown(output):
                    at = max(at, text.find(_first(shown), at)) if kind != "count" else at
                    outputs.append(NotebookOutput(kind, _joined(shown)[:LONGEST_OUTPUT], at))
            notebook.append(NotebookCell(str(cell.get("cell_type", "")), _joined(lines), tuple(pieces), tuple(outputs)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        problem = str(error) if type(error) is ValueError or "JSON" in type(error).__name__ else f"{type(error).__name__}: {error}"
        raise InputError(f"is not a notebook: {problem}", source=source) from error
    return notebook


def _shown(output: Any) -> Iterator[tuple[str, Any]]:
    """Yield the kinds and the texts of an output that may be a table, or count something."""
    data = output.get("data") or {"text/html": output.get("html", ""), "text/plain": output.get("text")}
    text = data.get("text/plain") or (output.get("text") if output.get("output_type") == "stream" else None)
    table = "<table" in _joined(data.get("text/html", ""))
    if table:
        yield "html", data["text/html"]
    if text and re.search(r"\d", _joined(text)):
        yield "count" if table or not re.search(r"\d\.\d", _joined(text)) else "text", text


def _first(lines: Any) -> str:
    """The beginning of an output as it is stored in the file."""
    line = next((line for line in ([lines] if isinstance(lines, str) else lines) if line.strip()), "")
    return json.dumps(line[:60], ensure_ascii=False)[1:-1].removesuffix("\\n")


def _joined(lines: Any) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _locate(text: str, line: str, at: int) -> tuple[int, str]:
    """Return the offset of a stored string, from ``at`` on, and its text there."""
    best: tuple[int, str] | None = None
    for ascii_only in (False, True):
        written = json.dumps(line, ensure_ascii=ascii_only)
        start = text.find(written, at)
        if start >= 0 and (best is None or start < best[0]):
            best = (start + 1, written[1:-1])
    return best or (min(at, len(text)), "")
