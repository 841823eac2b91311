"""Result files: trec_eval's output, and tables of means or tests as csv or json."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.lint import numbers
from mensura.lint.readers.document import Document
from mensura.lint.readers.table import DocumentTable, TableCell, cells
from mensura.lint.rule import Hit
from mensura.lint.rules.digits import EXACT
from mensura.lint.topics import allowed

if TYPE_CHECKING:
    from collections.abc import Iterator

AVERAGED = {
    "M101": re.compile(r"recip_rank|mrr(?:@\d+)?|m?rr(?:@\d+)?", re.IGNORECASE),
    "M102": re.compile(r"err(?:@\d+)?", re.IGNORECASE),
    "M201": re.compile(r"map(?:_cut_\d+|@\d+)?|ap(?:@\d+)?", re.IGNORECASE),
}
FEWEST, MOST = 3, 200  # lines of a csv file that is a table of results
QUOTED = re.compile(r'"(?P<inside>(?:[^"]|"")*)"')
LINE = re.compile(r"^(?P<name>\S+)[ \t]+all[ \t]+(?P<value>\S+)[ \t]*$", re.MULTILINE)
ROUNDED = re.compile(r"-?[01]?\.(\d+)")


def check_trec_eval(text: str) -> Iterator[Hit]:
    """Yield the hits in trec_eval's output: means of reciprocal ranks, of AP, and their digits."""
    topics = 0
    for match in LINE.finditer(text):
        if match["name"] == "num_q" and match["value"].isdigit():
            topics = int(match["value"])
    digits: re.Match[str] | None = None
    for match in LINE.finditer(text):
        for code, names in AVERAGED.items():
            if names.fullmatch(match["name"]):
                yield Hit(code, *match.span("name"), f"the mean of {match['name']}")
        value = ROUNDED.fullmatch(match["value"])
        if digits is None and value is not None and allowed(topics) < len(value[1]) < EXACT:
            digits = match
    if digits is not None:
        yield Hit("M301", *digits.span("value"), f"{digits['value']}, over {topics} topics" if topics else digits["value"])


def check_csv(text: str, source: str) -> Iterator[Hit]:
    """Yield the hits in a table of means (``system,measure,mean,…``), a wide one (``system,MRR,…``), or one of tests (``…,p,…``)."""
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    body = "\n".join("" if line.startswith("#") else line for line in text.split("\n")).strip("\n")
    lead = text.find(body) if body else 0
    try:
        rows = list(csv.reader(io.StringIO(body), delimiter=delimiter))
    except csv.Error as error:
        raise InputError(f"is not valid csv: {error}", source=source) from error
    if not rows or not rows[0]:
        raise InputError("is empty; a result file has a header and rows", source=source)
    header = [cell.strip() for cell in rows[0]]
    yield from _means(text, rows, header, lead)
    yield from _tests(text, header, len(rows) - 1, lead)
    table = _table(text, delimiter)
    if table is not None:
        yield from numbers.check(Document(text, " " * len(text), [table]))


def _means(text: str, rows: list[list[str]], header: list[str], lead: int) -> Iterator[Hit]:
    names = [cell.lower() for cell in header]
    seen: set[str] = set()
    if "measure" in names and "mean" in names:
        column = names.index("measure")
        for row in rows[1:]:
            name = row[column] if column < len(row) else ""
            for code in _codes(name):
                if code not in seen:
                    seen.add(code)
                    yield Hit(code, *_find(text, name, lead), f"the mean of {name}")
    elif "measure" not in names and "topic" not in names and "query" not in names:
        for name in header:
            for code in _codes(name):
                yield Hit(code, *_find(text, name, lead), f"a column {name}")


def _table(text: str, delimiter: str) -> DocumentTable | None:
    """A csv file as a table, if it is one that people may have put together: not too long, and no cell of several lines."""
    rows, at = [], 0
    for line in text.split("\n"):
        if line.count('"') % 2:
            return None
        if line.strip() and not line.startswith("#"):
            rows.append(_quoted(at, line.rstrip(), delimiter) if '"' in line else cells(at, line, delimiter))
        at += len(line) + 1
    if not FEWEST <= len(rows) <= MOST or len({len(row) for row in rows}) > 1:
        return None
    return DocumentTable(rows, end=len(text), printed=True)


def _quoted(start: int, line: str, delimiter: str) -> list[TableCell]:
    """Return the cells of a line of which some are in quotes."""
    row, at = [], 0
    while at <= len(line):
        match = QUOTED.match(line, at)
        end = match.end() if match is not None else line.find(delimiter, at)
        end = len(line) if end < 0 else end
        row += cells(
            start + at + (match is not None),
            (match["inside"] if match is not None else line[at:end]).replace(delimiter, "\0"),
            delimiter,
        )
        at = end + len(delimiter)
    return [replace(cell, text=cell.text.replace("\0", delimiter)) for cell in row]


def _codes(name: str) -> list[str]:
    return [code for code, names in AVERAGED.items() if names.fullmatch(name)]


def _find(text: str, name: str, start: int) -> tuple[int, int]:
    at = max(text.find(name, start), 0)
    return at, min(at + max(len(name), 1), len(text))


def _tests(text: str, header: list[str], rows: int, lead: int) -> Iterator[Hit]:
    p = next((name for name in header if re.fullmatch(r"p|p[-_ ]?values?|pval", name, re.IGNORECASE)), None)
    if p is None:
        return
    joined = " ".join(header).lower()
    if rows > 1 and not re.search(r"correct|adjust|holm|bonferroni|fdr|q[-_ ]?value|family", joined):
        yield Hit("M701", *_find(text, p, lead), f"{rows} p-values and no column of corrected ones")
    if not re.search(r"\bd_?z?\b|effect|cohen|hedges|glass|cliff|\blow\b|\bci\b|interval|eta|omega", joined):
        yield Hit("M801", *_find(text, p, lead), "a column of p-values and none of effects or intervals")


def check_json(text: str, source: str) -> Iterator[Hit]:
    """Yield the hits in the json output of ``mensura evaluate`` and ``mensura compare``."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not valid json: {error}", source=source) from error
    if not isinstance(document, dict) or not ({"means", "comparisons"} & document.keys()):
        table = _records(document, text)
        if table is None:
            raise InputError(
                "is not a result of mensura evaluate or mensura compare, nor a list of rows, the json files that lint reads besides notebooks",
                source=source,
            )
        yield from _wide(table)
        yield from numbers.check(Document(text, " " * len(text), [table]))
        return
    yield from _own(document, text)


def _own(document: dict[str, Any], text: str) -> Iterator[Hit]:
    """The hits in a result of ours."""
    seen: set[str] = set()
    for row in _dicts(document.get("means")):
        name = str(row.get("measure", ""))
        for code in _codes(name):
            if code not in seen:
                seen.add(code)
                yield Hit(code, *_find(text, f'"{name}"', max(text.find('"means"'), 0)), f"the mean of {name}")
    for comparison in _dicts(document.get("comparisons")):
        name, family = str(comparison.get("measure", "")), comparison.get("family")
        if comparison.get("scale") == "original":
            for code in _codes(name):
                yield Hit(code, *_find(text, f'"{name}"', 0), f"means of {name} are compared")
        if isinstance(family, dict) and family.get("correction") == "none" and family.get("size") != 1:
            yield Hit("M701", *_find(text, '"none"', 0), f"{family.get('size')} tests of {name}")


def _records(document: Any, text: str) -> DocumentTable | None:
    """Rows with the same keys as a table: a list of objects, or an object of objects by the names of systems."""
    named = document if isinstance(document, dict) else None
    rows = list(named.values()) if named is not None else document
    if not isinstance(rows, list) or not FEWEST - 1 <= len(rows) <= MOST or not all(isinstance(row, dict) and row for row in rows):
        return None
    keys = list(rows[0])
    if any(list(row) != keys or any(isinstance(cell, dict | list) for cell in row.values()) for row in rows):
        return None
    at = 0

    def cell(written: str, shown: str) -> TableCell:
        nonlocal at
        next_one = text.find(written, at)
        at = next_one if next_one >= 0 else at
        return TableCell(at, shown, at + len(written))

    header = [TableCell(0, "")] if named is not None else []
    header += [TableCell(0, key) for key in keys]
    body = []
    for name, row in zip(named or [""] * len(rows), rows, strict=True):
        shown = [cell(json.dumps(name, ensure_ascii=False), name)] if named is not None else []
        for key, value in row.items():
            cell(json.dumps(key, ensure_ascii=False), key)
            at += len(key) + 2
            shown.append(cell(json.dumps(value, ensure_ascii=False), value if isinstance(value, str) else json.dumps(value)))
        body.append(shown)
    return DocumentTable([header, *body], end=len(text), printed=True)


def _wide(table: DocumentTable) -> Iterator[Hit]:
    """Columns of a table of rows that are means."""
    names = {cell.text.lower() for cell in table.rows[0]}
    if names & {"topic", "query", "qid", "query_id", "user"}:
        return
    for column, head in enumerate(table.rows[0]):
        for code in _codes(head.text):
            yield Hit(code, *table.rows[1][column].span, f"a column {head.text}")


def _dicts(rows: Any) -> list[dict[str, Any]]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
