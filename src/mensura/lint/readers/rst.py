"""reStructuredText: prose, and grid, simple and list tables; offsets stay those of the file."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from mensura.lint.readers.document import BREAK, GONE, Code, Document
from mensura.lint.readers.latex import SYMBOLS
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = re.compile(
    r"""
    (?P<literal>``[^`\n]{1,300}``)
  | (?P<mark>:(?:sub(?:script)?|sup(?:erscript)?|math):`[^`\n]{1,300}`)
  | (?P<blank>\\[ ])
  | (?P<role>:[\w:+.-]{1,40}:`[^`\n]{1,300}`)
  | (?P<link>`(?P<words>[^`<\n]{1,200})(?:<[^>\n]{1,300}>)?`_{0,2})
  | (?P<bold>\*\*(?=\S)[^*\n]{1,200}\*\*)
  | (?P<italic>\*(?=\S)[^*\n|]{1,200}\*)
  | (?P<escape>\\[*_`|\\])
  | (?P<substitution>\|[\w -]{1,40}\|_{0,2})
  | (?P<rule>^[=\-~^"'`#*+.]{3,200}[ ]*$)
  | (?P<item>^[ ]*(?:[-*+]|\d{1,3}[.)]|\#\.)[ ]+)
  | (?P<quote>“[^”\n]{1,200}”|(?<![\w"])"[^"\n]{1,200}"(?![\w"]))
  | (?P<empty>\n[ \t]*(?=\n))
    """,
    re.VERBOSE | re.MULTILINE,
)
DIRECTIVE = re.compile(r"^(?P<indent>[ ]*)\.\.(?:[ ]+(?P<name>[\w-]+)::[ ]*(?P<argument>[^\n]*)|[ ]+[^\n]*|[ ]*)$", re.MULTILINE)
ITEM = re.compile(r"(?:[-*+•]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4}|#)[.)])[ ]+")
FIELD = re.compile(r":[\w -]{1,60}:(?!`)")
MACRO = re.compile(r"\\(?:[A-Za-z]+|.)")
HIDDEN = {
    "code-block",
    "code",
    "sourcecode",
    "literalinclude",
    "math",
    "image",
    "raw",
    "toctree",
    "autoclass",
    "automodule",
    "autofunction",
    "highlight",
    "contents",
    "include",
    "figure",
    "epigraph",
    "pull-quote",
    "highlights",
    "parsed-literal",
    "doctest",
    "testcode",
    "prompt",
}
GRID = re.compile(r"^(?P<indent>[ ]*)\+(?:[-=]{2,200}\+){1,60}[ ]*$", re.MULTILINE)
SIMPLE = re.compile(r"^(?P<indent>[ ]*)={2,200}(?:[ ]{1,9}={2,200}){1,60}[ ]*$", re.MULTILINE)
STRONG = re.compile(r"\*\*([^*]+)\*\*|\*([^*]+)\*|``([^`]+)``")


def read_rst(text: str, path: str = "") -> Document:
    """A page as a document."""
    masked = list(_hide_directives(text))
    apart = list(_set_apart(text))
    tables, code = [*_grids(text), *_simple(text), *_lists(text)], list(_code(text))
    tables.sort(key=lambda table: table.start)
    body = "".join(masked)
    pieces, at = [], 0
    for start, end in apart:
        pieces += [body[at:start], BREAK + re.sub(r"[^\n]", " ", body[start + 1 : end])]
        at = end
    body = "".join([*pieces, body[at:]])
    pieces, at = [], 0
    for table in tables:
        if table.start >= at:
            pieces += [body[at : table.start], BREAK + " " * (table.end - table.start - 1)]
            at = table.end
    body = "".join([*pieces, body[at:]])
    return Document(text, TOKEN.sub(_mask, body), tables, code, PlaceMap.single(TextFile(path, text, "rst")))


def _mask(match: re.Match[str]) -> str:
    kind, size = match.lastgroup, len(match[0])
    if kind in {"rule", "item", "empty"}:
        return BREAK + " " * (size - 1)
    if kind == "bold":
        return f"  {match[0][2:-2]}  "
    if kind == "italic":
        return f" {match[0][1:-1]} "
    if match["words"] is not None:
        return f" {match['words']}".ljust(size)
    if kind == "blank":
        return GONE * size
    if kind == "mark":
        name, words = match["mark"].partition("`")[::2]
        if name == ":math:":
            words = MACRO.sub(lambda macro: SYMBOLS.get(macro[0], " ").ljust(len(macro[0]), GONE), words)
            return " ".ljust(len(name) + 1) + words[:-1] + " "
        return ("_" if "sub" in name else "^").ljust(len(name) + 1, GONE) + words[:-1] + GONE
    return " " * size


def _block_end(text: str, start: int, indent: int) -> int:
    """Return the end of the lines after ``start`` that are indented more than ``indent``, or empty."""
    at = start
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        at = stop + 1
    return min(at, len(text))


def _set_apart(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of literal blocks and of quotations: lines that are indented more than their surroundings allow.

    The content of items, of directives and of definitions is indented, too.
    """
    allowed = [0]
    opened = -1  # indentation of a line whose content may be indented further
    begun = depth = -1  # of the block that is open
    literal, after_empty, at = False, True, 0
    last = 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        bare = line.strip()
        if not bare:
            after_empty = True
            continue
        indent = len(line) - len(line.lstrip())
        if begun >= 0:
            if indent >= depth:
                last = start + len(line)
                continue
            yield begun, last
            begun = -1
        while allowed[-1] > indent:
            allowed.pop()
        if indent > allowed[-1]:
            if after_empty and (literal or opened < allowed[-1]):
                begun, depth, last = start, indent, start + len(line)
                literal, after_empty = False, False
                continue
            allowed.append(indent)
        item = ITEM.match(bare)
        opened = indent if bare.startswith("..") or FIELD.match(bare) else -1 if opened >= indent else opened
        if item is not None:
            allowed.append(indent + item.end())
        literal = bare.endswith("::") and not bare.startswith("..")
        after_empty = False
    if begun >= 0:
        yield begun, last


def _hide_directives(text: str) -> Iterator[str]:
    at = 0
    for match in DIRECTIVE.finditer(text):
        if match.start() < at:
            continue
        name = match["name"]
        hidden = name is None or name in HIDDEN
        stop = _block_end(text, match.end() + 1, len(match["indent"])) if hidden else match.end()
        yield text[at : match.start()]
        yield BREAK + re.sub(r"[^\n]", " ", text[match.start() : stop])[1:] if stop > match.start() else ""
        at = stop
    yield text[at:]


def _code(text: str) -> Iterator[Code]:
    for match in DIRECTIVE.finditer(text):
        if match["name"] in {"code-block", "code", "sourcecode"} and match["argument"].strip().lower() in {
            "python",
            "py",
            "python3",
        }:
            yield Code(match.end(), text[match.end() : _block_end(text, match.end() + 1, len(match["indent"]))], shown=True)


def _cell(text: str, start: int, end: int, columns: int = 1) -> TableCell:
    raw = text[start:end]
    stripped = raw.strip()
    at = start + (raw.find(stripped) if stripped else 0)
    styles = {"bold"} if re.match(r"\*\*", stripped) else set()
    words = " ".join(STRONG.sub(lambda match: next(group for group in match.groups() if group), stripped).split())
    at += 2 if styles else 0
    return TableCell(at, words, at + max(len(words), 1), frozenset(styles), columns)


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    """Yield offset and text of lines up to an empty one."""
    at = start
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if not text[at:stop].strip():
            return
        yield at, text[at:stop]
        at = stop + 1


def _grids(text: str) -> Iterator[DocumentTable]:
    at = 0
    for match in GRID.finditer(text):
        if match.start() < at:
            continue
        edges = [number for number, letter in enumerate(match[0]) if letter == "+"]
        rows: list[list[TableCell]] = []
        parts: list[list[TableCell]] = []
        end = match.end()
        for start, line in _lines(text, match.start()):
            if not line.strip().startswith(("+", "|")):
                break
            end = start + len(line)
            if line.strip().startswith("+"):
                if parts:
                    rows.append(_joined(parts))
                parts = []
                continue
            cells = _grid_cells(text, start, line, edges)
            parts += [cells] if cells else []  # a damaged line has no bar below an edge
        at = end
        if len(rows) > 1:
            yield DocumentTable(rows, _title(text, match.start()), start=match.start(), end=end)


def _grid_cells(text: str, start: int, line: str, edges: list[int]) -> list[TableCell]:
    """Return the cells of a line of a grid: bars below the edges part them."""
    cells, left = [], edges[0]
    for count, edge in enumerate(edges[1:], start=1):
        if edge < len(line) and line[edge] == "|":
            cells.append(_cell(text, start + left + 1, start + edge, count - edges.index(left)))
            left = edge
    return cells


def _joined(parts: list[list[TableCell]]) -> list[TableCell]:
    """The lines of a row as one, cell by cell."""
    first = parts[0]
    for line in parts[1:]:
        if len(line) == len(first):
            first = [
                TableCell(one.start, f"{one.text} {two.text}".strip(), one.end, one.styles | two.styles, one.columns)
                for one, two in zip(first, line, strict=True)
            ]
    return first


def _simple(text: str) -> Iterator[DocumentTable]:
    at = 0
    for match in SIMPLE.finditer(text):
        if match.start() < at:
            continue
        columns = [each.span() for each in re.finditer("=+", match[0])]
        rows: list[list[TableCell]] = []
        borders, end = 0, match.end()
        for start, line in _lines(text, match.start()):
            end = start + len(line)
            if re.fullmatch(r"[ =]+", line):
                borders += 1
                continue
            if re.fullmatch(r"[ -]+", line):
                continue
            edges = [left for left, _ in columns[1:]] + [max(len(line), columns[-1][1])]
            rows.append(
                [
                    _cell(text, start + left, start + min(edge, len(line)) if left < len(line) else start + left)
                    for (left, _), edge in zip(columns, edges, strict=True)
                ]
            )
        if borders >= 2 and len(rows) > 1:  # noqa: PLR2004 - above and below
            at = end
            yield DocumentTable(rows, _title(text, match.start()), start=match.start(), end=end)


def _title(text: str, start: int) -> str:
    """The title of the directive around a table, or the paragraph before it."""
    before = text[max(0, start - 600) : start].rstrip()
    paragraph = before.rpartition("\n\n")[2]
    directive = re.search(r"\.\. table::\s*([^\n]*)", paragraph)
    if directive is not None:
        return directive[1].strip()
    return " ".join(paragraph.split()) if not re.search(r"^[=\-~^]{3,}$", paragraph, re.MULTILINE) else ""


def _lists(text: str) -> Iterator[DocumentTable]:
    for match in DIRECTIVE.finditer(text):
        if match["name"] not in {"list-table", "csv-table"}:
            continue
        end = _block_end(text, match.end() + 1, len(match["indent"]))
        read = _list_rows if match["name"] == "list-table" else _csv_rows
        rows = [row for row in read(text, match.end(), end) if any(cell.text for cell in row)]
        if len(rows) > 1:
            yield DocumentTable(rows, match["argument"].strip(), start=match.start(), end=end)


def _list_rows(text: str, start: int, end: int) -> Iterator[list[TableCell]]:
    row: list[TableCell] = []
    for match in re.compile(r"^[ ]*(?P<row>\*[ ]+)?-[ ]?(?P<cell>[^\n]*)$", re.MULTILINE).finditer(text, start, end):
        if match["row"] and row:
            yield row
            row = []
        row.append(_cell(text, match.start("cell"), match.end("cell")))
    if row:
        yield row


def _csv_rows(text: str, start: int, end: int) -> Iterator[list[TableCell]]:
    for match in re.compile(r"^[ ]+(?P<option>:header:)?(?!:)[ ]*(?P<line>[^\n]+)$", re.MULTILINE).finditer(text, start, end):
        row, at = [], match.start("line")
        for value in next(csv.reader([match["line"]], skipinitialspace=True), []):
            place = text.find(value, at, match.end()) if value else at
            row.append(_cell(text, place, place + len(value)) if place >= 0 else TableCell(at, value))
            at = max(place, at) + len(value)
        yield row
