"""LaTeX: what is left when macros are expanded, and markup, comments, verbatim text, citations and quotations are masked."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from mensura.lint.readers.document import BREAK, CELL, ROW, Document
from mensura.lint.readers.table import DocumentTable, TableCell, cells
from mensura.lint.readers.tex import Expander, groups

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.lint.readers.places import TextFile

# Every branch begins with a character of its own, so that the search skips to the next of them.
TOKEN = re.compile(
    r"""
    \\(?:
        (?P<row>(?:\\|tabularnewline(?![A-Za-z]))(?:\[[^\]\n]{0,20}\])?)
      | (?P<char>[%&_#$])
      | (?P<open>begin[ ]?\{(?P<name>[A-Za-z]{1,30}\*?)\}(?:\[[^\]\n]{0,40}\])?(?:\{[^{}\n]{0,200}\}){0,2})
      | (?P<close>end[ ]?\{[A-Za-z]{1,30}\*?\})
      | (?P<verb>(?:verb|lstinline)\*?(?P<mark>[^\w\s{])[^\n]{0,300}?(?P=mark))
      | (?P<gone>(?:cite\w{0,12}|\w{0,9}ref|label|url|includegraphics|bibliography\w{0,9}|input|usepackage|documentclass
                 |vspace|hspace|resizebox|scalebox|setlength|addtolength|definecolor|cmidrule|cline|tnote|multicolumn(?=\{)|multirow(?=\{)|rule|href|texttt|lstset|newcommand|renewcommand)
          \*?(?:\([^)\n]{0,20}\))?(?:\[[^\]\n]{0,200}\]){0,2}(?:\{[^{}\n]{0,300}\}){0,2})
      | (?P<colour>(?:cellcolor|rowcolor|textcolor|colorbox|color|rotatebox|fontsize|vskip|tabcolsep|arraystretch|setcounter)(?:\[[^\]\n]{0,40}\])?\{[^{}\n]{0,60}\})
      | (?P<block>(?:sub){0,2}(?:section|paragraph)\*?|(?:chapter|part|caption|item|footnote|title|author|abstract|maketitle)\b)
      | (?P<macro>[A-Za-z]+\*?|.)
    )
  | %(?P<comment>[^\n]*)
  | `(?P<quote>`[^`'\x1d]{1,200}''|[^`'\n]{1,200}'(?![\w']))
  | “(?P<curly>[^“”\n]{1,200}”)
  | ‘(?P<single>[^‘’\n]{1,200}’(?!\w))
  | \n(?P<empty>[ \t]*(?=\n))
    """,
    re.VERBOSE,
)
HIDDEN = re.compile(
    r"\\begin[ ]?\{(?P<name>(?:verbatim|Verbatim|lstlisting|minted|comment|filecontents|thebibliography|algorithm|algorithmic|tikzpicture|quote|quotation|quoting|displayquote|displaycquote)\*?)\}"
)
COMMENTED = re.compile(r"(?<!\\)%")
BREAKING = {"open", "close", "block", "empty"}
TABULAR = {
    "tabular",
    "tabularx",
    "tabulary",
    "longtable",
    "tabu",
    "longtabu",
    "supertabular",
    "xltabular",
    "tblr",
    "longtblr",
    "NiceTabular",
}
SYMBOLS = {
    "\\dagger": "†",
    "\\dag": "†",
    "\\textdagger": "†",
    "\\ddagger": "‡",
    "\\ddag": "‡",
    "\\textdaggerdbl": "‡",
    "\\ast": "*",
    "\\star": "*",
    "\\textasteriskcentered": "*",
    "\\triangle": "△",
    "\\blacktriangle": "▲",
    "\\uparrow": "↑",
    "\\pm": "±",
    "\\Delta": "Δ",
    "\\alpha": "α",
    "\\lambda": "λ",
    "\\mu": "μ",
    "\\eta": "η",
    "\\tau": "τ",
    "\\leq": "≤",
    "\\le": "≤",
    "\\geq": "≥",
    "\\ge": "≥",
    "\\times": "×",
    "\\approx": "≈",
    "\\percent": "%",
    "\\chi": "χ",
    "\\rho": "ρ",
    "\\sigma": "σ",
    "\\delta": "δ",
    "\\omega": "ω",
    "\\ll": "≪",
    "\\sim": "≈",
    "\\cdot": "·",
    "\\downarrow": "↓",
    "\\checkmark": "✓",
}
FLOAT = re.compile(
    r"\\(begin|end)\s?\{(?:table|wraptable|sidewaystable|figure|wrapfigure|sidewaysfigure|subtable|subfigure|floatrow|threeparttable|minipage)\*?\}"
)
PART = re.compile(r"\\begin\s?\{(?:subtable|subfigure|minipage|threeparttable)\*?\}$")  # a float inside of another
LONGEST_FLOAT = 60_000
LONGEST_OPENING = 40
DASH = re.compile(r"(?:(?<=[\d%)\]])|(?<=[\d%)\]]\s))-{2,3}(?=\s?[\d.])")  # of a range, not of an option of a program


def read_latex(text: str, path: str = "", load: Callable[[str], TextFile | None] | None = None) -> Document:
    """A LaTeX source, with the files that it includes, as a document."""
    expander = Expander(load)
    expander.read(text, path)
    text, places = expander.assembly.text, expander.assembly.places()
    plain, spans = _mask(_without_verbatim(text))
    plain = plain.replace("&", CELL)
    for mark in "{}~$":
        plain = plain.replace(mark, " ")
    plain = DASH.sub(lambda match: "–".ljust(len(match[0])), plain)
    captions = _captions(text, plain, spans)
    tables = []
    pieces, at = [], 0
    for (start, end), caption in zip(spans, captions, strict=True):
        tables.append(_table(text, plain, (start, end), caption))
        pieces += [plain[at:start], BREAK, " " * (end - start - 1)]
        at = end
    pieces.append(plain[at:])
    prose = "".join(pieces).replace(ROW, " ").replace(CELL, " ")
    return Document(text, prose, tables, places=places)


SPAN = re.compile(
    r"\\multicolumn\s{0,3}\{\s{0,3}(?P<columns>\d{1,3})|\\multirow\s{0,3}(?:\[[^\]\n]{0,20}\])?\{\s{0,3}-?(?P<rows>\d{1,3})"
)
STYLE = re.compile(
    r"\\(?P<bold>textbf|mathbf|boldsymbol|bm|bfseries|bf|B|bold)(?![A-Za-z])|\\(?P<underline>underline|uline|ul|underbar)(?![A-Za-z])"
    r"|\\(?P<italic>textit|emph|itshape|it|em|textsl)(?![A-Za-z])|\\(?P<colour>cellcolor|textcolor|colorbox|color|rowcolor)(?![A-Za-z])"
)
LINE = re.compile(r"\\(?:midrule|hline|specialrule|cmidrule|Xhline|hdashline|cdashline)\b")


def _table(text: str, plain: str, span: tuple[int, int], caption: str) -> DocumentTable:
    """A table: its rows, with spans and styles from the source, and the lines between them."""
    rows: list[list[TableCell]] = []
    lines: set[int] = set()
    start, end = span
    begin = start
    for row in plain[start:end].split(ROW):
        if LINE.search(text, begin, begin + len(row)):
            lines.add(len(rows))
        row_cells = cells(begin, row, CELL)
        if any(cell.text for cell in row_cells):
            edges = [begin - 1, *(begin + at for at, mark in enumerate(row) if mark == CELL), begin + len(row)]
            rows.append([_styled(cell, text, edges[at] + 1, edges[at + 1]) for at, cell in enumerate(row_cells)])
        begin += len(row) + 1
    return DocumentTable(rows, caption, frozenset(lines), start=start, end=end, covered=True)


def _styled(cell: TableCell, text: str, start: int, end: int) -> TableCell:
    """A cell with the spans and styles that its source says."""
    if text.find("\\", start, end) < 0:
        return cell
    columns = height = 1
    for match in SPAN.finditer(text, start, end):
        columns, height = max(columns, int(match["columns"] or 1)), max(height, int(match["rows"] or 1))
    styles = frozenset(match.lastgroup or "" for match in STYLE.finditer(text, start, end))
    return TableCell(cell.start, cell.text, cell.end, styles, columns, height)


def _without_verbatim(text: str) -> str:
    """The source with verbatim text and the like blanked; one that is never closed stays."""
    pieces, at = [], 0
    lost: set[str] = set()
    for opening in HIDDEN.finditer(text):
        name = opening["name"]
        line = text.rfind("\n", 0, opening.start()) + 1
        if opening.start() < at or name in lost or COMMENTED.search(text, line, opening.start()):
            continue
        close = text.find("\\end{" + name + "}", opening.end())
        if close < 0:
            lost.add(name)
            continue
        pieces += [text[at : opening.end()], " " * (close - opening.end())]
        at = close
    return "".join([*pieces, text[at:]])


def _mask(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The masked text, and where tables are."""
    spans: list[tuple[int, int]] = []
    opened: list[int] = []

    def mask(match: re.Match[str]) -> str:
        start, end = match.span()
        size = end - start
        kind = match.lastgroup
        if kind == "macro":
            return SYMBOLS.get(match[0], " ") + " " * (size - 1)
        if kind == "char":
            return " +" if match[0] == "\\&" else " " + match[0][1]
        if kind == "row":
            return (ROW if len(opened) < 2 else " ") + " " * (size - 1)  # noqa: PLR2004 - a table in a cell has lines, not rows
        if kind == "open" and match["name"].rstrip("*") in TABULAR:
            opened.append(max(groups(text, start + match[0].index("}") + 1), default=end))
        elif kind == "close" and match[0].partition("{")[2].rstrip("}*") in TABULAR and opened:
            begin = opened.pop()
            if not opened and begin < start:
                spans.append((begin, start))
        return (BREAK if kind in BREAKING else " ") + " " * (size - 1)

    return TOKEN.sub(mask, text), spans


def _captions(text: str, plain: str, spans: list[tuple[int, int]]) -> list[str]:
    """The text of the innermost float around each table, without its tables: caption and notes."""
    floats: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in FLOAT.finditer(text):
        if match[1] == "begin":
            opened.append(match.end())
        elif opened:
            floats.append((opened.pop(), match.start()))
    floats = [(begin, stop) for begin, stop in floats if stop - begin <= LONGEST_FLOAT]
    floats.sort()
    starts = [begin for begin, _ in floats]
    captions = []
    for start, end in spans:
        around = ""
        for begin, stop in reversed(floats[max(0, bisect_right(starts, start) - 8) : bisect_right(starts, start)]):
            if stop >= end:
                around = _outside(plain, begin, stop, spans)
                if "\\caption" in text[begin:stop]:
                    around = " ".join([around, *_above(text, plain, (begin, stop), floats, spans)])
                    break
        captions.append(around)
    return captions


def _above(text: str, plain: str, inner: tuple[int, int], floats: list[tuple[int, int]], spans: list[tuple[int, int]]) -> list[str]:
    """The text of the float around one that is a part of it, without its parts."""
    at = bisect_right(floats, inner) - 1
    for begin, stop in reversed(floats[max(0, at - 8) : at]):
        if stop >= inner[1] and PART.search(text, max(0, inner[0] - LONGEST_OPENING), inner[0]):
            parts = [each for each in floats[bisect_right(floats, (begin, stop)) :][:20] if each[1] <= stop]
            return [_outside(plain, begin, stop, sorted({*parts, *_within(spans, begin, stop)}))]
    return []


def _within(spans: list[tuple[int, int]], begin: int, stop: int) -> list[tuple[int, int]]:
    return [span for span in spans[bisect_right(spans, (begin, -1)) : bisect_right(spans, (stop, stop))] if span[1] <= stop]


def _outside(plain: str, begin: int, stop: int, spans: list[tuple[int, int]]) -> str:
    pieces, at = [], begin
    for start, end in _within(spans, begin, stop):
        if start >= at:
            pieces.append(plain[at:start])
            at = end
    pieces.append(plain[at:stop])
    return " ".join(" ".join(pieces).replace(BREAK, " ").replace(CELL, " ").replace(ROW, " ").split())
