"""HTML: the text of a page, and its tables; everything else is masked, so that offsets stay those of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from mensura.lint.readers.document import BREAK, GONE, Document
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell

# html.parser gives lines and columns, not offsets.
TOKEN = re.compile(
    r"(?P<comment><!--)|<(?P<close>/)?(?P<name>[A-Za-z][A-Za-z0-9-]{0,30})(?P<attributes>(?:[^<>\"']|\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'){0,200})>"
    r"|<[!?][^<>]{0,1000}>|&(?P<entity>#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});",
    re.DOTALL,
)
HIDDEN = {
    "script",
    "style",
    "code",
    "pre",
    "kbd",
    "svg",
    "math",
    "noscript",
    "template",
    "head",
    "textarea",
    "select",
    "q",
    "blockquote",
    "del",
    "s",
    "strike",
}
BLOCKS = {
    *("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "table", "caption"),
    *(
        "br",
        "hr",
        "header",
        "footer",
        "nav",
        "aside",
        "main",
        "figure",
        "figcaption",
        "body",
        "html",
        "title",
        "details",
        "summary",
        "form",
    ),
}
STYLES = {"b": "bold", "strong": "bold", "u": "underline", "ins": "underline", "i": "italic", "em": "italic", "mark": "colour"}
WEIGHT = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)|\bclass=[\"'][^\"']{0,200}\b(?:bold|fw-bold|best)\b", re.IGNORECASE)
SPANS = re.compile(r"\b(colspan|rowspan)\s*=\s*[\"']?\s*(\d{1,3})", re.IGNORECASE)
CAPTION = re.compile(r"\s*(?:Table|Tab\.)\s*\d", re.IGNORECASE)


def entity(name: str, size: int) -> str:
    """Return the character of an entity, in the room that the entity takes; a blank if it is not one character."""
    letter = unescape(f"&{name};")
    if letter.startswith("&") and len(letter) > 1:
        return f"&{name};"  # not an entity
    return (letter if len(letter) == 1 and letter.isprintable() else " ").ljust(size, GONE)


@dataclass(eq=False)
class _Cell:
    """A cell under way."""

    start: int
    columns: int = 1
    rows: int = 1
    head: bool = False
    styles: set[str] = field(default_factory=set)


@dataclass(eq=False)
class HtmlTables:
    """The masked text of a page, and its tables: the pieces that a scan of the tags leaves."""

    text: str
    plain: list[str] = field(default_factory=list)
    tables: list[DocumentTable] = field(default_factory=list)
    stack: list[list[list[TableCell]]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    cells: list[_Cell | None] = field(default_factory=list)
    captions: list[str] = field(default_factory=list)
    caption_start: int = -1
    styles: list[str] = field(default_factory=list)
    raw: list[tuple[int, str]] = field(default_factory=list)  # masked text with the words of tables, by offset
    hidden: str = ""
    depth: int = 0  # of elements of that name
    unclosed: bool = False  # whether a comment has no end, so that others have none either

    def scan(self) -> None:
        """Go through the tags."""
        at = 0
        for match in TOKEN.finditer(self.text):
            if match.start() < at:
                continue
            self._words(at, match.start())
            at = match.end()
            if match["comment"] is not None:
                end = self.text.find("-->", at) + 3 if not self.unclosed else 2
                self.unclosed = self.unclosed or end < at
                at = max(end, at)
                self._put(match.start(), re.sub(r"[^\n]", " ", self.text[match.start() : at]))
                continue
            if match["entity"] is not None:
                self._put(match.start(), entity(match["entity"], len(match[0])) if not self.hidden else " " * len(match[0]))
                continue
            name = (match["name"] or "").lower()
            self._put(match.start(), self._mark(name, match))
            if self.hidden:
                if name == self.hidden:
                    self.depth += -1 if match["close"] else 1
                    self.hidden = self.hidden if self.depth else ""
            elif name in HIDDEN and not match["close"] and not match[0].endswith("/>"):
                self.hidden, self.depth = name, 1
            elif name:
                self._tag(name, match)
        self._words(at, len(self.text))

    def _mark(self, name: str, match: re.Match[str]) -> str:
        """Return the signs in place of a tag: the end of a block, that of a lowered number, or blanks."""
        size = len(match[0])
        if name == "sub" and not self.hidden:
            if match["close"] is None and self.text[match.end() : match.end() + 1].isdigit():
                return "_".ljust(size, GONE)
            if match["close"] is not None and self.text[match.start() - 1].isdigit():
                return GONE * size
        return (BREAK if name in BLOCKS and not self.stack else " ") + " " * (size - 1)

    def _put(self, start: int, masked: str) -> None:
        self.plain.append(masked if not self.stack else " " * len(masked))
        if self.stack:
            self.raw.append((start, masked))

    def _words(self, start: int, end: int) -> None:
        if end > start:
            words = self.text[start:end]
            if self.hidden:
                words = re.sub(r"[^\n]", " ", words)
            elif self.cells and self.cells[-1] is not None and words.strip():
                self.cells[-1].styles |= set(self.styles)
            self._put(start, words)

    def _tag(self, name: str, match: re.Match[str]) -> None:
        close = match["close"] is not None
        if name in STYLES or (name == "span" and (close or WEIGHT.search(match["attributes"]))):
            self._style(STYLES.get(name, "bold" if name == "span" and not close else "plain"), close=close, span=name == "span")
        elif name == "table":
            self._end_table(match) if close else self._start_table(match)
        elif self.stack and name in {"tr", "td", "th"}:
            self._end_cell(match.start())
            if name == "tr" and not close:
                self.stack[-1].append([])
            elif not close:
                self._start_cell(name, match)
        elif self.stack and name == "caption":
            if close and self.caption_start >= 0:
                self.captions[-1] = self._between(self.caption_start, match.start())
            self.caption_start = -1 if close else match.end()

    def _start_cell(self, name: str, match: re.Match[str]) -> None:
        spans = {key.lower(): int(value) for key, value in SPANS.findall(match["attributes"])}
        bold = {"bold"} if name == "td" and WEIGHT.search(match["attributes"]) else set()
        self.cells[-1] = _Cell(match.end(), spans.get("colspan", 1) or 1, spans.get("rowspan", 1) or 1, name == "th", bold)

    def _style(self, style: str, *, close: bool, span: bool) -> None:
        if not close:
            self.styles.append(style)
        elif self.styles and (span or style in self.styles):
            del self.styles[len(self.styles) - 1 - self.styles[::-1].index(style) if style in self.styles else -1]

    def _start_table(self, match: re.Match[str]) -> None:
        self.stack.append([])
        self.starts.append(match.start())
        self.cells.append(None)
        self.captions.append("")

    def _between(self, start: int, end: int) -> str:
        """The words of tables between two offsets, with single blanks."""
        low = len(self.raw)
        while low and self.raw[low - 1][0] >= start:
            low -= 1
        return (
            " ".join("".join(piece for _, piece in self.raw[low:] if piece).replace(BREAK, " ").replace(GONE, "").split())
            if end > start
            else ""
        )

    def _end_cell(self, end: int) -> None:
        cell = self.cells[-1]
        if cell is None:
            return
        self.cells[-1] = None
        if not self.stack[-1]:
            self.stack[-1].append([])
        words = self._between(cell.start, end)
        styles = frozenset() if cell.head else frozenset(cell.styles)
        lead = re.compile(r"(?:\s|<[^<>]{0,300}>)*").match(self.text, cell.start, end)
        start = lead.end() if lead is not None and lead.end() < end else cell.start
        self.stack[-1][-1].append(
            TableCell(start, words, max(start + 1, min(end, start + max(len(words), 1))), styles, cell.columns, cell.rows)
        )

    def _end_table(self, match: re.Match[str]) -> None:
        if not self.stack:
            return
        self._end_cell(match.start())
        rows = [row for row in self.stack.pop() if any(cell.text for cell in row)]
        start, caption = self.starts.pop(), self.captions.pop()
        self.cells.pop()
        if not self.stack:
            self.raw.clear()
            if rows:
                self.tables.append(DocumentTable(rows, caption, start=start, end=match.end()))
            # the table ends a block of the prose
            self.plain[-1] = BREAK + self.plain[-1][1:] if self.plain[-1] else BREAK


def read_html(text: str, path: str = "") -> Document:
    """A page as a document."""
    page = HtmlTables(text)
    page.scan()
    plain = "".join(page.plain)
    for table in page.tables:
        if not table.caption:
            before = plain[max(0, table.start - 800) : table.start].rstrip(f" \n{BREAK}").rpartition(BREAK)[2]
            after = plain[table.end : table.end + 800].lstrip(f" \n{BREAK}").partition(BREAK)[0]
            table.caption = " ".join(" ".join(part for part in (before, after) if CAPTION.match(part)).split())
    return Document(text, plain, page.tables, places=PlaceMap.single(TextFile(path, text, "markdown")))
