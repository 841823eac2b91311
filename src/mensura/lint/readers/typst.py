"""Typst: prose, and the calls of ``table``; offsets stay those of the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mensura.lint.readers.document import BREAK, Document
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = re.compile(
    r"""
    (?P<comment>(?<!:)//[^\n]*|/\*.{0,20000}?\*/)
  | (?P<raw>```.{0,20000}?```|`[^`\n]{1,300}`)
  | (?P<escape>\\[*_`\#$@\\<>~%-])
  | (?P<let>^[ ]*\#(?:let|set|show|import|include)\b[^\n]*)
  | (?P<call>\#[a-zA-Z_][\w.-]*(?:\([^()\n]{0,200}\)|\()?)
  | (?P<reference>@[\w:.-]{1,60}|<[\w:.-]{1,60}>)
  | (?P<heading>^=+[ ])
  | (?P<item>^[ ]*(?:[-+/]|\d{1,3}\.)[ ]+)
  | (?P<quote>“[^”\n]{1,200}”|(?<![\w"])"[^"\n]{1,200}"(?![\w"]))
  | (?P<empty>\n[ \t]*(?=\n))
  | (?P<named>(?:,[ ]*)?\b[a-z-]{2,20}:[ ]*(?=\[))
  | (?P<lower>(?<=[A-Za-zχ)\d²])_(?=[\d(]))
  | (?P<markup>[*_$\[\]])
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
SYMBOLS = re.compile(r"\b(?:dagger|chi|alpha|Delta|plus\.minus|lt\.eq|gt\.eq|times|percent)\b")
TABLE = re.compile(r"(?<![\w.-])(?:table|tablex)\(")
FIGURE = re.compile(r"\bcaption:[ ]*\[")
UNSEEN = re.compile(r"#(?:strike|quote|hide|todo)(?:\([^()\n]{0,200}\))?\[")
OPENING, CLOSING = "([{", ")]}"
LONGEST = 60_000
ARGUMENT = re.compile(r"(?P<name>[a-z-]+):\s*(?P<value>[^,\[\]]{0,200})")


def read_typst(text: str, path: str = "") -> Document:
    """A source as a document."""
    tables: list[DocumentTable] = []
    pieces, at = [], 0
    failures = 0
    for match in TABLE.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        if match.start() < at or "//" in text[line : match.start()].replace("://", "") or failures > 50:  # noqa: PLR2004 - calls without an end
            continue
        end = _close(text, match.end() - 1)
        if end is None:
            failures += 1
            continue
        rows = _rows(text, match.end(), end - 1)
        if rows:
            tables.append(DocumentTable(rows, _caption(text, match.start(), end), start=match.start(), end=end))
        pieces += [text[at : match.start()], BREAK + " " * (end - match.start() - 1)]
        at = end
    body = _without_unseen("".join([*pieces, text[at:]]))
    return Document(text, TOKEN.sub(_mask, body), tables, places=PlaceMap.single(TextFile(path, text, "typst")))


def _without_unseen(body: str) -> str:
    """The source with quotations and struck or hidden words blanked."""
    pieces, at, failures = [], 0, 0
    for match in UNSEEN.finditer(body):
        if match.start() < at or failures > 50:  # noqa: PLR2004 - calls without an end
            continue
        end = _close(body, match.end() - 1)
        if end is None:
            failures += 1
            continue
        pieces += [body[at : match.start()], re.sub(r"[^\n]", " ", body[match.start() : end])]
        at = end
    return "".join([*pieces, body[at:]])


def _mask(match: re.Match[str]) -> str:
    kind, size = match.lastgroup, len(match[0])
    if kind == "lower":
        return "_"
    if kind == "escape":
        return "@ " if match[0] == "\\@" else " " + match[0][1]
    return (BREAK if kind in {"let", "heading", "item", "empty"} else " ") + " " * (size - 1)


def _close(text: str, start: int) -> int | None:
    """Return the end of the bracket that opens at an offset; strings and comments in it may contain others."""
    depth = 0
    for match in re.compile(r"\\.|\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|[()\[\]{}]", re.DOTALL).finditer(text, start, start + LONGEST):
        if match[0] in OPENING:
            depth += 1
        elif match[0] in CLOSING:
            depth -= 1
            if not depth:
                return match.end()
    return None


def _arguments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the arguments of a call."""
    at = position = start
    skip = re.compile(r"\\.|\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|[(\[{,]", re.DOTALL)
    while (match := skip.search(text, position, end)) is not None:
        position = match.end()
        if match[0] == ",":
            yield at, match.start()
            at = match.end()
        elif match[0] in OPENING:
            position = _close(text, match.start()) or end
    yield at, end


def _rows(text: str, start: int, end: int) -> list[list[TableCell]]:
    columns = 0
    cells: list[TableCell] = []
    for begin, stop in _arguments(text, start, end):
        words = text[begin:stop]
        named = ARGUMENT.match(words.lstrip())
        if named is not None and not re.match(r"\s*(?:table\.|\[)", words):
            if named["name"] == "columns":
                columns = _count(words.partition(":")[2])
            continue
        if re.match(r"\s*table\.(?:header|footer)\(", words):
            inner = begin + words.index("(") + 1
            for one, two in _arguments(text, inner, stop - 1):
                cells += _cell(text, one, two)
        elif not re.match(r"\s*table\.(?:hline|vline)", words):
            cells += _cell(text, begin, stop)
    rows = _arranged(cells, columns) if columns > 1 else []
    return [row for row in rows if any(cell.text for cell in row)]


def _arranged(cells: list[TableCell], columns: int) -> list[list[TableCell]]:
    """The cells in rows: a cell that spans rows takes its places in those below."""
    rows: list[list[TableCell]] = [[]]
    heights = [0] * columns  # rows that cells above still reach into
    filled = 0

    def skip(at: int) -> int:
        while at < columns and heights[at]:
            heights[at] -= 1
            at += 1
        return at

    for cell in cells:
        filled = skip(filled)
        if filled >= columns and rows[-1]:
            rows.append([])
            filled = skip(0)
        rows[-1].append(cell)
        for column in range(filled, min(filled + cell.columns, columns)):
            heights[column] = cell.rows - 1
        filled += cell.columns
    return rows


def _count(value: str) -> int:
    value = value.strip()
    if value.isdigit():
        return min(int(value), 60)
    if value.startswith("("):
        times = re.match(r"\([^()]*\)\s*\*\s*(\d+)", value)
        inner = [part for part in value[1 : value.rfind(")")].split(",") if part.strip()]
        return len(inner) * (int(times[1]) if times else 1)
    return 0


def _cell(text: str, start: int, end: int) -> list[TableCell]:
    """Return the cell of an argument: content in brackets, perhaps of a call of ``table.cell``."""
    words = text[start:end]
    head = re.match(r"\s*(?:table\.cell|strong|text|underline)?(?:\([^()]*\))?\s*\[", words)
    if head is None:
        literal = re.match(r"\s*\"([^\"\n]*)\"\s*$|\s*\$([^$\n]*)\$\s*$", words)
        if literal is None:
            return []
        value = literal[1] if literal[1] is not None else literal[2]
        return [TableCell(start + words.find(value), value, start + words.find(value) + len(value))]
    begin, stop = start + head.end(), start + words.rfind("]")
    inner = text[begin:stop]
    spans = {key: int(value) for key, value in re.findall(r"\b(colspan|rowspan):\s*(\d{1,3})", head[0])}
    styles = set()
    if re.match(r"\s*(?:\*|#strong\[|#text\(weight: \"bold\"\))", inner) or "strong" in head[0] or 'weight: "bold"' in head[0]:
        styles.add("bold")
    if "#underline" in inner or "underline" in head[0]:
        styles.add("underline")
    clean = re.sub(r"#super\[([^\]]*)\]", r"^\1", inner)
    clean = re.sub(r"#[a-z.-]+(?:\([^()]*\))?|[*_\[\]$]|\\(?=[%#*_@$])", " ", clean)
    lead = re.match(r"[\s*_$]*(?:#[a-z.-]+(?:\([^()]*\))?\[)?[\s*_$]*", inner)
    at = begin + (lead.end() if lead is not None else 0)
    shown = re.sub(r" (?=[%@])", "", " ".join(clean.split()))
    return [TableCell(at, shown, at + max(len(shown), 1), frozenset(styles), spans.get("colspan", 1), spans.get("rowspan", 1))]


def _caption(text: str, start: int, end: int) -> str:
    """The caption of the figure around a table."""
    after = FIGURE.search(text, end, end + 400)
    before = FIGURE.search(text, max(0, start - 600), start)
    match = after or before
    if match is None or (match is after and TABLE.search(text, end, match.start())):
        return ""
    close = _close(text, match.end() - 1)
    return " ".join(re.sub(r"[*_$]", " ", text[match.end() : (close or match.end() + 1) - 1]).split())
