"""Markdown: what is left when markup, code, links, comments and quotations are masked."""

from __future__ import annotations

import re
from dataclasses import replace

from mensura.lint.language import MEASURE
from mensura.lint.readers.document import BREAK, GONE, Code, Document, Output
from mensura.lint.readers.html import HtmlTables, entity
from mensura.lint.readers.listing import read_listing
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell, cells

NAMED = re.compile(  # a measure in backticks, or its value
    rf"(?!map$)(?:{MEASURE.pattern})|(?:precision|recall|map|mrr|ndcg|p|r|hit)@(?:\d+|k)|mrr|[-+−±~≈<>≤≥]?\s?\d[\d,]*(?:\.\d+)?\s?%?"
)
FENCE = re.compile(r"^[ ]{0,3}(?P<fence>`{3,20}(?![^\n]*`)|~{3,20})(?P<info>[^\n]*)\n", re.MULTILINE)
FRONT = re.compile(r"\A---\n(?:(?!---\n)[^\n]*\n){0,200}---\n")
TOKEN = re.compile(
    r"""
    (?P<gone>~~(?=[^\s~])[^~\n]{1,300}~~|<(?P<struck>del|s|strike)>[^<>\n]{0,300}</(?P=struck)>)
  | (?P<sub><sub>(?=\d)|(?<=\d)</sub>)
  | (?P<tag></?[A-Za-z][^<>\n]{0,300}>)
  | (?P<code>(?P<ticks>`{1,3})[^`\n]{1,300}(?P=ticks))
  | (?P<image>!\[[^\]\n]{0,300}\]\([^)\n]{0,300}\))
  | (?P<url>\]\([^)\n]{0,300}\)|https?://[^\s)]{1,500})
  | (?P<escape>\\(?:dagger|ddagger|ast|star|pm|[!-/:-@\[-`{-~]))
  | &(?P<entity>\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});
  | (?P<bold>(?P<stars>\*{1,3}|(?<!\w)_{1,3})(?=[^\s|*_])[^*_\n|]{1,200}(?<=\S)(?P=stars))
  | (?P<head>^[ ]{0,3}\#{1,6}[ ])
  | (?P<item>^[ ]*(?:[-*+]|\d{1,3}[.)])[ ]+)
  | (?P<quoted>^[ ]{0,3}>[ ]?)
  | (?P<quote>“[^”\n\x1d]{1,200}”|(?<![\w"])"[^"\n\x1d]{1,200}"(?![\w"])|(?<!\w)‘[^‘’\n\x1d]{1,200}’(?!\w))
  | (?P<empty>\n[ \t]*(?=\n))
  | (?P<markup>[\[\]$])
    """,
    re.VERBOSE | re.MULTILINE,
)
QUOTATION = re.compile(
    r"^[ ]{0,3}>[^\n]*(?:\n(?![ ]{0,3}(?:[#`~|]|[-*+][ ]|\d{1,3}[.)][ ]))[ \t]*[^\s][^\n]*)*",
    re.MULTILINE,
)
PIECE = re.compile(r"`([^`\n]{0,300}?\d[^`\n]{0,300})`")
NOTE = re.compile(r"\s*>\s?(?:\[!|(?:\*\*|__)?(?:note|warning|tip|important|caution|info)\b)", re.IGNORECASE)
SYMBOLS = {"\\dagger": "†", "\\ddagger": "‡", "\\ast": "*", "\\star": "*", "\\pm": "±"}
RULE_LINE = re.compile(
    r"^[ ]{0,9}\|?[ ]{0,9}:?-{1,200}:?[ ]{0,9}(?:\|[ ]{0,9}:?-{1,200}:?[ ]{0,9}){0,100}\|?[ ]{0,9}$", re.MULTILINE
)


RESULT = re.compile(
    r"\bresults?\b|\bperformance\b|\bscores? (?:of|on|for)\b|\bwe (?:get|got|obtain(?:ed)?|achieved?|reach(?:ed)?)\b", re.IGNORECASE
)
EXAMPLE = re.compile(r"\b(?:examples?|sample|expected|like|similar|should|will|would|format|usage|e\.g)\b", re.IGNORECASE)
BEFORE = 300  # characters that say what a block is


def read_markdown(text: str, path: str = "") -> Document:
    """A Markdown page as a document."""
    body, code, outputs = _without_code(text)
    body = _without_quotations(_without_comments(body))
    plain = _mask(body)
    tables, plain = _tables(body, plain)
    tables += [table.moved(output.start) for output in outputs for table in read_listing(output.text, output=output.result)]
    if "<table" in body.lower():
        plain = _html_tables(body, plain, tables)
    outputs += [Output(match.start(1), match[1], piece=True) for match in PIECE.finditer(body)]
    return Document(text, plain, tables, code, PlaceMap.single(TextFile(path, text, "markdown", hidden=code_spans(text))), outputs)


def read_text_file(text: str, path: str = "") -> Document:
    """A file of plain text, or what a program has written to one: as a page, with the tables that stand in it without markup."""
    page = read_markdown(text, path)
    return replace(page, tables=[*page.tables, *read_listing(text, output=True)])


def _without_code(text: str) -> tuple[str, list[Code], list[Output]]:
    """The page with its fenced blocks and its front matter blanked, the Python in it, and what programs printed."""
    code: list[Code] = []
    outputs: list[Output] = []
    pieces, at = [], 0
    front = FRONT.match(text)
    if front is not None:
        pieces.append(_emptied(front[0]))
        at = front.end()
    while opening := FENCE.search(text, at):
        close = re.compile(rf"^[ ]{{0,3}}{re.escape(opening['fence'])}[`~]*[ \t]*$", re.MULTILINE).search(text, opening.end())
        stop = close.end() if close is not None else len(text)
        pieces += [text[at : opening.start()], _emptied(text[opening.start() : stop])]
        language, inside = (
            opening["info"].strip().lower().split(" ")[0],
            text[opening.end() : close.start() if close is not None else stop],
        )
        if language in {"python", "py", "{code-cell}", "{python}"}:
            code.append(Code(opening.end(), inside, shown="{" not in language))
        elif language in {"", "text", "txt", "plain", "plaintext", "output", "console", "bash", "sh", "shell", "markdown", "md"}:
            before = text[max(at, opening.start() - BEFORE) : opening.start()]
            result = RESULT.search(before + inside) is not None and EXAMPLE.search(before) is None
            outputs.append(Output(opening.end(), inside, result=result))
        at = stop
    pieces.append(text[at:])
    return "".join(pieces), code, outputs


def _without_comments(body: str) -> str:
    """The page with its comments blanked."""
    pieces, at = [], 0
    while (start := body.find("<!--", at)) >= 0 and (close := body.find("-->", start + 4)) >= 0:
        pieces += [body[at:start], re.sub(r"[^\n]", " ", body[start : close + 3])]
        at = close + 3
    return "".join([*pieces, body[at:]])


def _without_quotations(body: str) -> str:
    """The page with its quotations blanked, up to an empty line; a box for a note is not one."""
    pieces, at = [], 0
    for match in QUOTATION.finditer(body):
        if NOTE.match(match[0]):
            continue
        pieces += [body[at : match.start()], _emptied(match[0])]
        at = match.end()
    return "".join([*pieces, body[at:]])


def _emptied(block: str) -> str:
    """Blanks, lines kept: the block ends a paragraph."""
    lines = re.sub(r"[^\n]", " ", block)
    return BREAK + lines[1:] if lines else lines


def _mask(body: str) -> str:
    pieces: list[str] = []
    at = 0
    for match in TOKEN.finditer(body):
        start, end = match.span()
        pieces.append(body[at:start])
        size = end - start
        kind = match.lastgroup
        if kind in {"head", "item", "empty"}:
            pieces.append(BREAK + " " * (size - 1))
        elif kind in {"bold", "stars"}:
            around = len(match["stars"])
            pieces.append(" " * around + match[0][around:-around] + " " * around)
        elif kind == "escape":
            pieces.append(SYMBOLS.get(match[0], "").ljust(size) if size > 2 else GONE + match[0][1].replace("|", " "))  # noqa: PLR2004 - a backslash and a character
        elif kind == "entity":
            pieces.append(entity(match["entity"], size))
        elif kind == "sub":
            pieces.append("_".ljust(size, GONE) if match[0] == "<sub>" else GONE * size)
        elif kind == "code" and NAMED.fullmatch(match[0].strip("`")):
            pieces.append(match[0].replace("`", " "))
        else:
            pieces.append(" " * size)
        at = end
    pieces.append(body[at:])
    return "".join(pieces)


def _tables(body: str, plain: str) -> tuple[list[DocumentTable], str]:
    """Tables: a row of dashes, the line before it, and the lines after it."""
    tables = []
    pieces, at = [], 0
    for rule in RULE_LINE.finditer(body):
        if "|" not in rule[0] or rule.start() < max(at, 1):
            continue
        begin = body.rfind("\n", 0, rule.start() - 1) + 1
        end = rule.end()
        while end < len(body):
            stop = body.find("\n", end + 1)
            stop = len(body) if stop < 0 else stop
            if "|" not in body[end + 1 : stop]:
                break
            end = stop
        rows, start = [], begin
        for line in plain[begin:end].split("\n"):
            bare = line.lstrip()
            lead = len(line) - len(bare) + bare.startswith("|")
            row_cells = [_styled(cell, body) for cell in cells(start + lead, line[lead:].rstrip().removesuffix("|"), "|")]
            if start != rule.start() and any(cell.text for cell in row_cells):
                rows.append(row_cells)
            start += len(line) + 1
        tables.append(DocumentTable(rows, _caption(plain, begin, end), start=begin, end=end))
        pieces += [plain[at:begin], BREAK + " " * (end - begin - 1)]
        at = end
    pieces.append(plain[at:])
    return tables, "".join(pieces)


HTML_TABLE = re.compile(r"<table\b", re.IGNORECASE)


def _html_tables(body: str, plain: str, tables: list[DocumentTable]) -> str:
    """Add the tables that are written in HTML, and return the text without them."""
    pieces, at = [], 0
    low = body.lower()
    for opening in HTML_TABLE.finditer(body):
        start = opening.start()
        if start < at:
            continue
        close = low.find("</table>", start) if len(low) == len(body) else body.find("</table>", start)
        if close < 0:
            break
        end = close + len("</table>")
        page = HtmlTables(body[start:end], styles=[])
        page.scan()
        for table in page.tables:
            caption = table.caption or _caption(plain, start, end)
            tables.append(replace(table.moved(start), caption=caption, start=start, end=end))
        pieces += [plain[at:start], BREAK + " " * (end - start - 1)]
        at = end
    return "".join([*pieces, plain[at:]])


BOLD = re.compile(r"(?:\*\*|__|<(?:b|strong)>)\s*$", re.IGNORECASE)
UNDERLINE = re.compile(r"<(?:u|ins)>[^|<>]{0,20}$", re.IGNORECASE)


def _styled(cell: TableCell, body: str) -> TableCell:
    """A cell with the styles that its markup says."""
    before = body[max(0, cell.start - 24) : cell.start].rpartition("|")[2].rpartition("\n")[2]
    if not before or before.isspace():
        return cell
    styles = frozenset(name for name, pattern in (("bold", BOLD), ("underline", UNDERLINE)) if pattern.search(before) is not None)
    return TableCell(cell.start, cell.text, cell.end, styles) if styles else cell


def _caption(plain: str, begin: int, end: int) -> str:
    """The paragraphs before and after a table."""
    before = plain[max(0, begin - 600) : begin].rstrip(f" \n{BREAK}").rsplit(BREAK, 1)[-1]
    after = plain[end : end + 600].lstrip(f" \n{BREAK}").split(BREAK, 1)[0]
    return " ".join(f"{before} {after}".split())


def code_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of fenced blocks and pieces of code: a comment in them is an example, not a comment."""
    spans, at = [], 0
    while opening := FENCE.search(text, at):
        close = re.compile(rf"^[ ]{{0,3}}{re.escape(opening['fence'])}[`~]*[ \t]*$", re.MULTILINE).search(text, opening.end())
        stop = close.end() if close is not None else len(text)
        spans.append((opening.start(), stop))
        at = stop
    return spans + [match.span() for match in re.finditer(r"`[^`\n]{1,300}`", text)]
