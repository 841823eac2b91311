"""LaTeX: what is left when markup, comments, verbatim text, citations and quotations are masked."""

from __future__ import annotations

import re

from mensura.lint.readers.document import BREAK, CELL, ROW, Document
from mensura.lint.readers.places import PlaceMap, TextFile
from mensura.lint.readers.table import DocumentTable, TableCell, cells

# Every branch begins with a character of its own, so that the search skips to the next of them.
TOKEN = re.compile(
    r"""
    \\(?:
        (?P<row>\\(?:\[[^\]\n]{0,20}\])?)
      | (?P<char>[%&_#$])
      | (?P<open>begin[ ]?\{(?P<name>[A-Za-z]{1,30}\*?)\}(?:\[[^\]\n]{0,40}\])?(?:\{[^{}\n]{0,200}\}){0,2})
      | (?P<close>end[ ]?\{[A-Za-z]{1,30}\*?\})
      | (?P<verb>(?:verb|lstinline)\*?(?P<mark>[^\w\s{])[^\n]{0,300}?(?P=mark))
      | (?P<gone>(?:cite\w{0,12}|\w{0,9}ref|label|url|includegraphics|bibliography\w{0,9}|input|usepackage|documentclass
                 |vspace|hspace|cmidrule|cline|tnote|multicolumn(?=\{)|multirow(?=\{)|rule|href|texttt|lstset|newcommand|renewcommand)
          \*?(?:\([^)\n]{0,20}\))?(?:\[[^\]\n]{0,200}\]){0,2}(?:\{[^{}\n]{0,300}\}){0,2})
      | (?P<colour>(?:cellcolor|rowcolor|textcolor|colorbox|color)(?:\[[^\]\n]{0,40}\])?\{[^{}\n]{0,60}\})
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
    r"\\begin[ ]?\{(?P<name>(?:verbatim|Verbatim|lstlisting|minted|comment|filecontents|thebibliography|algorithm|algorithmic|tikzpicture)\*?)\}"
)
COMMENTED = re.compile(r"(?<!\\)%")
BREAKING = {"open", "close", "block", "empty"}
TABULAR = {"tabular", "tabularx", "tabulary", "longtable", "tabu"}
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
    "\\downarrow": "↓",
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
}
FLOAT = re.compile(r"\\(begin|end)\s?\{(?:table|wraptable|sidewaystable)\*?\}")


def read_latex(text: str, path: str = "") -> Document:
    """A LaTeX source as a document."""
    plain, spans = _mask(_without_verbatim(text))
    plain = plain.replace("&", CELL)
    for mark in "{}~$":
        plain = plain.replace(mark, " ")
    tables = []
    pieces, at = [], 0
    for start, end in spans:
        tables.append(_table(text, plain, start, end))
        pieces += [plain[at:start], BREAK, " " * (end - start - 1)]
        at = end
    pieces.append(plain[at:])
    prose = "".join(pieces).replace(ROW, " ").replace(CELL, " ")
    return Document(text, prose, tables, places=PlaceMap.single(TextFile(path, text, "latex")))


SPAN = re.compile(
    r"\\multicolumn\s{0,3}\{\s{0,3}(?P<columns>\d{1,3})|\\multirow\s{0,3}(?:\[[^\]\n]{0,20}\])?\{\s{0,3}-?(?P<rows>\d{1,3})"
)
STYLE = re.compile(
    r"\\(?P<bold>textbf|mathbf|boldsymbol|bm|bfseries|bf|B|bold)(?![A-Za-z])|\\(?P<underline>underline|uline|ul|underbar)(?![A-Za-z])"
    r"|\\(?P<italic>textit|emph|itshape|it|em|textsl)(?![A-Za-z])|\\(?P<colour>cellcolor|textcolor|colorbox|color|rowcolor)(?![A-Za-z])"
)
LINE = re.compile(r"\\(?:midrule|hline|specialrule|cmidrule|Xhline|hdashline|cdashline)\b")


def _table(text: str, plain: str, start: int, end: int) -> DocumentTable:
    """A table: its rows, with spans and styles from the source, and the lines between them."""
    rows: list[list[TableCell]] = []
    lines: set[int] = set()
    begin = start
    for row in plain[start:end].split(ROW):
        if LINE.search(text, begin, begin + len(row)):
            lines.add(len(rows))
        row_cells = cells(begin, row, CELL)
        if any(cell.text for cell in row_cells):
            edges = [begin - 1, *(begin + at for at, mark in enumerate(row) if mark == CELL), begin + len(row)]
            rows.append([_styled(cell, text, edges[at] + 1, edges[at + 1]) for at, cell in enumerate(row_cells)])
        begin += len(row) + 1
    return DocumentTable(rows, _around(text, plain, start, end), frozenset(lines), start=start, end=end, covered=True)


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
            return ROW + " " * (size - 1)
        if kind == "open" and match["name"].rstrip("*") in TABULAR:
            opened.append(end)
        elif kind == "close" and match[0].partition("{")[2].rstrip("}*") in TABULAR and opened:
            begin = opened.pop()
            if not opened and begin < start:
                spans.append((begin, start))
        return (BREAK if kind in BREAKING else " ") + " " * (size - 1)

    return TOKEN.sub(mask, text), spans


def _around(text: str, plain: str, start: int, end: int) -> str:
    """The caption of the float around a table, and its notes."""
    before, after = max(0, start - 3000), min(len(text), end + 3000)
    marks = list(FLOAT.finditer(text, before, start))
    if not marks or marks[-1][1] != "begin":
        return ""
    begin = marks[-1].end()
    close = FLOAT.search(text, end, after)
    stop = close.start() if close is not None else end
    return " ".join((plain[begin:start] + " " + plain[end:stop]).replace(BREAK, " ").split())
