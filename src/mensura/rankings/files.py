"""Rankings out of files: one item per line, or a leaderboard in csv."""

from __future__ import annotations

import csv
import itertools
import math
import os
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import InputError, RankingError
from mensura.io.columns import to_text
from mensura.io.files import guarded, open_inflated, source
from mensura.io.read import is_table
from mensura.io.roles import GRADE, SCORE
from mensura.io.trec import QRELS_COLUMNS
from mensura.measures.names import parse_measure
from mensura.rankings.positions import Ranking

if TYPE_CHECKING:
    from mensura.io.files import Source

HEAD = 1000  # lines of comments at most, before the first line of data
VALUES = ("mean", "value", "score")  # the columns that may hold a system's value


def read_ranking(path: str | os.PathLike[str], *, measure: str | None = None) -> Ranking:
    """Reads a ranking.

    Parameters
    ----------
    path
        A file with one item per line, the first one first; tied items are on one line with tabs between them. Or a
        leaderboard: csv with columns ``system``, ``measure`` and ``mean``, as ``mensura evaluate --format csv`` writes it.
        Plain, .gz or .zst; ``-`` for standard input.
    measure
        Which measure of a leaderboard that has several.
    """
    origin = source(path)
    with guarded(origin), open_inflated(origin, whole=True) as file:
        lines = to_text(file.read()).removeprefix("\ufeff").splitlines()
    try:
        header = next(csv.reader(lines[:1]), [])
    except csv.Error as error:
        raise InputError(f"is neither a ranking nor csv: {error}", source=origin.name) from error
    if "system" in header and len(header) > 1:
        return _leaderboard(origin, lines, measure)
    if measure is not None:
        raise InputError(
            f"is not a leaderboard, so it has no measure {measure}; its first line must name a column 'system'", source=origin.name
        )
    return _items(origin, lines)


def parse_list(text: str) -> Ranking:
    """Return the ranking of a list such as ``b,a,c=d``: items between commas, tied ones with ``=`` between them."""
    groups = [[item.strip() for item in group.split("=") if item.strip()] for group in text.split(",")]
    return Ranking.of([frozenset(group) if len(group) > 1 else group[0] for group in groups if group])


def is_list(word: str) -> bool:
    """Return whether a word of the command line is a list, and not the name of a file.

    A list has a comma, or = where all items are tied, and no file has that name.
    """
    return ("," in word or "=" in word) and not os.path.exists(word)


def contains_judgments(path: str) -> bool:
    """Return whether a file contains judgments, and not a run.

    Lines of TREC's judgments have four columns, those of runs six. A csv or tsv file contains judgments if its header names a
    column of grades and none of scores. Json, parquet, BEIR's tsv (whose grades are called scores) and standard input count as
    runs.
    """
    if not os.path.isfile(path):
        return False
    origin = source(path)
    with guarded(origin), open_inflated(origin, whole=True) as file:
        lines = (to_text(line).removeprefix("\ufeff").strip() for line in itertools.islice(file, HEAD))
        first = next((line for line in lines if line and not line.startswith("#")), "")
    if not is_table(origin):
        return len(first.split()) == len(QRELS_COLUMNS)
    names = {name.strip().strip('"').lower() for name in first.replace("\t", ",").split(",")}
    return not names.isdisjoint(GRADE) and names.isdisjoint(SCORE)


def _items(origin: Source, lines: list[str]) -> Ranking:
    groups: list[str | frozenset[str]] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        tied = [item.strip() for item in line.split("\t") if item.strip()]
        for item in tied:
            if item in seen:
                raise InputError(
                    f"{item!r} is ranked twice, first in line {seen[item]}: remove one of them",
                    source=origin.name,
                    line=number,
                    text=line,
                )
            seen[item] = number
        if tied:
            groups.append(frozenset(tied) if len(tied) > 1 else tied[0])
    if not groups:
        raise InputError("is empty; write one item per line, the first one first", source=origin.name)
    return Ranking.of(groups)


def _leaderboard(origin: Source, lines: list[str], measure: str | None) -> Ranking:
    rows = list(csv.DictReader(lines))
    column = next((name for name in VALUES if rows and name in rows[0]), None)
    if column is None:
        raise InputError(
            f"has no column with values: a leaderboard has columns system, measure and one of {', '.join(VALUES)}",
            source=origin.name,
        )
    if "topic" in rows[0]:
        raise InputError(
            "has values of topics; a leaderboard has one value for each system, as evaluate without -q writes it",
            source=origin.name,
        )
    measures = list(dict.fromkeys(row["measure"] for row in rows)) if "measure" in rows[0] else []
    chosen = _choose(origin, measures, measure)
    values: dict[str, float] = {}
    for line, row in enumerate(rows, start=2):
        if chosen is None or row["measure"] == chosen:
            if row["system"] in values:
                raise InputError(f"the system {row['system']!r} appears twice", source=origin.name, line=line, text=lines[line - 1])
            values[row["system"]] = _value(row[column], origin, line, lines[line - 1])
    best_first = chosen is None or parse_measure(chosen).direction == "higher"
    means = np.array(list(values.values()))
    return Ranking.from_scores(list(values), means if best_first else -means)


def _choose(origin: Source, measures: list[str], measure: str | None) -> str | None:
    """The measure to rank by, as the file names it."""
    if measure is None:
        if len(measures) > 1:
            raise InputError(f"has several measures: choose one with -m, of {', '.join(measures)}", source=origin.name)
        return measures[0] if measures else None
    asked = parse_measure(measure)
    for name in measures:
        if parse_measure(name) == asked:
            return name
    raise InputError(f"has no measure {measure}; it has {', '.join(measures) or 'no column measure'}", source=origin.name)


def _value(text: str | None, origin: Source, line: int, shown: str) -> float:
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{text!r} is not a finite number; leave out systems without a value", source=origin.name, line=line, text=shown
        )
    return value


def check_same_kind(first: Ranking, second: Ranking, names: tuple[str, str]) -> None:
    """Refuse two rankings that share nothing: they were probably not meant to be compared."""
    if not set(first.items) & set(second.items):
        raise RankingError(
            f"{names[0]} and {names[1]} share no item ({first.items[0]!r} … and {second.items[0]!r} …); name other files, "
            "or compare them all the same with --disjoint"
        )
