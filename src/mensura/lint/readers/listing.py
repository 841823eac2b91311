"""Tables that a program printed: columns of words, lines with bars, and lines of a measure and its value."""

from __future__ import annotations

import re

from mensura.lint.readers.table import DocumentTable, TableCell, cells
from mensura.lint.sizes import TRAINED, sizes

WORD = re.compile(r"[-+]?\d*\.\d+(?= [-+]?\d*\.\d)|\S+(?: \S+)*")  # one blank is inside of a cell, but parts numbers
BARS = re.compile(r"^[ ]{0,8}\|(?P<inside>[^\n]{1,2000})\|[ ]*$")
RULE = re.compile(r"^[ ]{0,8}[|+][-=+|: ]{3,2000}[|+][ ]*$")
SCORE = re.compile(
    r"^\s{0,8}(?:[-*•]\s)?\{?['\"]?(?P<name>(?:mean |average )?(?:n?dcg|m?ap|gm_map|m?rr|recip_?rank|precision|recall|p|r|hit(?:_?rate)?|success|bpref|rprec|f1|err)(?:(?:[@_]|_cut_|_at_)?[\dkK]{1,4})?(?: score)?)['\"]?"
    r"\s{0,40}(?:[:=]|\tall\t|\sall\s)\s{0,20}(?P<value>[01]?\.\d{1,20})[,}]?\s*$",
    re.IGNORECASE,
)

# Several measures in a line of an output: {'ndcg@10': np.float64(0.41), 'mrr': 0.38}, BM25  nDCG@10  0.41, test MRR@10 = 0.38.
PAIR = re.compile(
    r"(?<![\w@])['\"]?(?P<name>(?:(?:eval|test|val|valid|dev|best|mean|average|avg|overall|dot|cosine)[_ -])?(?:(?:n?dcg|map|gm_map|mrr|recip_?rank|precision|recall|hit(?:_?rate)?|success|bpref|rprec|err)"
    r"(?:\s?@\s?|_cut_|_at_|_)?(?:[\dkK]{1,4})?|(?:ap|rr)(?=[ _@]\w)(?:\s?@\s?[\dkK]{1,4})?|[pr]\s?@\s?[\dkK]{1,4})(?: score)?)['\"]?"
    r"(?:\s{0,4}[:=,]\s{0,4}|\s{2,10})(?:np\.float\d{0,2}\()?(?P<value>[01]?\.\d{1,20})(?![\w.])",
    re.IGNORECASE,
)


def read_listing(text: str, *, output: bool = False) -> list[DocumentTable]:
    """Return the tables of a text that a program printed, in an ``output`` that is a result or in an example on a page."""
    return [*_columns(text), *_barred(text), *_scores(text, output=output)]


def _columns(text: str) -> list[DocumentTable]:
    """Columns of words: a line of names, and lines that have as many cells, or one more for the label."""
    tables: list[DocumentTable] = []
    rows: list[list[TableCell]] = []
    start = 0
    at = 0
    for line in [*text.split("\n"), ""]:
        words = [] if "|" in line else [match.span() for match in WORD.finditer(line)]
        row_cells = [TableCell(at + one, line[one:two], at + two) for one, two in words]
        fits = (
            bool(rows)
            and len(row_cells) > 1
            and len(row_cells) in ({len(rows[0]), len(rows[0]) + 1} if len(rows) == 1 else {len(rows[-1])})
        )
        if fits and sum(cell.is_number for cell in row_cells[1:]) * 2 >= len(row_cells) - 1:
            rows.append(row_cells)
        else:
            if len(rows) > 2:  # noqa: PLR2004 - names and two lines
                if len(rows[1]) == len(rows[0]) + 1:
                    rows[0].insert(0, TableCell(rows[0][0].start, ""))
                tables.append(DocumentTable(rows, start=start, end=at))
            rows, start = ([row_cells] if len(row_cells) > 1 and not any(cell.is_number for cell in row_cells) else []), at
        at += len(line) + 1
    return tables


def _barred(text: str) -> list[DocumentTable]:
    """Lines of cells between bars, with a line of dashes below the names."""
    tables: list[DocumentTable] = []
    rows: list[list[TableCell]] = []
    ruled, start, at = False, 0, 0
    for line in [*text.split("\n"), ""]:
        bars = BARS.match(line)
        if RULE.match(line):
            ruled = True
        elif bars is not None:
            start = start if rows else at
            rows.append(cells(at + bars.start("inside"), bars["inside"], "|"))
        else:
            if ruled and len(rows) > 2 and len({len(row) for row in rows}) == 1:  # noqa: PLR2004 - names and two lines
                tables.append(DocumentTable(rows, start=start, end=at))
            rows, ruled = [], False
        at += len(line) + 1
    return tables


def _scores(text: str, *, output: bool) -> list[DocumentTable]:
    """Lines of a measure and its value, as trec_eval prints them, or as a dict is shown; on a page, only with the number of topics."""
    topics = max((size.topics for size in sizes(text) if size.use != TRAINED), default=0)
    rows, at = [], 0
    for line in text.split("\n") if topics or output else ():
        match = SCORE.match(line)
        for pair in PAIR.finditer(line) if match is None and output else (match,) if match is not None else ():
            places = [(at + pair.start(name), pair[name], at + pair.end(name)) for name in ("name", "value")]
            rows.append([TableCell(*place) for place in places])
        at += len(line) + 1
    if not rows:
        return []
    head = [TableCell(rows[0][0].start, "measure"), TableCell(rows[0][1].start, "value")]
    return [DocumentTable([head, *rows], start=rows[0][0].start, end=at, topics=topics, printed=True)]
