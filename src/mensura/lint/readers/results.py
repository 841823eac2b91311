"""Result files: trec_eval's output, and tables of means or tests as csv or json."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.lint import numbers
from mensura.lint.readers.document import Document
from mensura.lint.readers.table import DocumentTable, cells
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
    """A csv file as a table, if it is one that people may have put together: not too long, and no cell in quotes."""
    rows, at = [], 0
    for line in text.split("\n"):
        if line.strip() and not line.startswith("#"):
            rows.append(cells(at, line, delimiter))
        at += len(line) + 1
    if '"' in text or not FEWEST <= len(rows) <= MOST or len({len(row) for row in rows}) > 1:
        return None
    return DocumentTable(rows, end=len(text))


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
        raise InputError(
            "is not a result of mensura evaluate or mensura compare, the json files that lint reads besides notebooks",
            source=source,
        )
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


def _dicts(rows: Any) -> list[dict[str, Any]]:
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
