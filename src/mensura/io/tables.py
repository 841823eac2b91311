"""Judgments and runs from csv, tsv, json, JSON lines and parquet files."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mensura._core.objects import Gathered
from mensura.errors import InputError
from mensura.io.columns import Qrels, Run, TopicTable, to_bytes
from mensura.io.files import guarded, open_inflated, read_all, shown
from mensura.io.objects import Checks, HeldFrame, checked_qrels, columns_table, held_frame, lists_table
from mensura.io.roles import DOCUMENT, TOPIC, Roles, choose, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mensura.io.files import Source
    from mensura.io.objects import Columns

# Every number matches in one way only, and what has matched is not tried again: one wrong cell after many would take for ever.
DIGITS = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
NUMBER = re.compile(DIGITS)
NUMBERS = re.compile(rf"(?:[ \t]*+{DIGITS}[ \t]*+\n)*+")
PIECE = 1 << 13  # lines that are taken at once
LOOK = 1 << 12  # rows of a look
MSMARCO = Roles(0, 1, 2, by_rank=True)  # topic, document, rank, and no header
RANKED = 3


def qrels_from_file(origin: Source, columns: Columns = None) -> Qrels:
    """Read judgments from a csv, tsv, json, JSON lines or parquet file."""
    held = _held(origin, Checks(origin.name, graded=True), columns)
    return checked_qrels(held if isinstance(held, TopicTable) else held.table())


def run_from_file(origin: Source, columns: Columns = None) -> Run:
    """Read a run from a csv, tsv, json, JSON lines or parquet file."""
    return Run(origin.stem, _held(origin, Checks(origin.name, graded=False), columns))


def has_header(origin: Source, separator: str) -> bool:
    """Return whether the first line names a topic column and a document column."""
    names = fold(_first_line(origin).split(separator))
    return any(name in names for name in TOPIC) and any(name in names for name in DOCUMENT)


def is_ranked(origin: Source) -> bool:
    """Return whether the first line is of MS MARCO's runs: topic, document, rank, with tabs between them."""
    cells = _first_line(origin).split("\t")
    return len(cells) == RANKED and cells[2].isdecimal()


def _first_line(origin: Source) -> str:
    with guarded(origin), open_inflated(origin) as stream:
        return stream.readline(1 << 16).decode("utf-8-sig", "replace").strip()


def _held(origin: Source, checks: Checks, columns: Columns) -> HeldFrame | TopicTable:
    ending = origin.endings[-1]
    if ending == ".parquet":
        return held_frame(_parquet(origin, checks, columns), checks, columns)
    if ending == ".json":
        return lists_table(_json(origin), checks)
    if ending == ".jsonl":
        return _json_lines(origin, checks, columns)
    return _csv(origin, checks, columns, "\t" if ending == ".tsv" else ",")


def _json(origin: Source) -> dict[str, Any]:
    try:
        table = json.loads(read_all(origin).decode("utf-8-sig"), object_pairs_hook=_unique)
    except KeyError as error:
        raise InputError(f"{error.args[0]!r} occurs twice in one object; keep one of the two", source=origin.name) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not valid JSON: {error}", source=origin.name) from error
    if not isinstance(table, dict):
        raise InputError("does not contain an object; the shape must be {topic: {document: value}}", source=origin.name)
    return table


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON, whose keys must differ: ``json`` itself would keep the last of two."""
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        raise KeyError(next(key for key in keys if keys.count(key) > 1))
    return table


def _json_lines(origin: Source, checks: Checks, columns: Columns) -> TopicTable:
    """Read one object a line: {"query_id": …, "doc_id": …, "score": …}."""
    rows = []
    for number, line in enumerate(read_all(origin).decode("utf-8-sig", "surrogateescape").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"is not valid JSON: {error}", source=origin.name, line=number, text=shown(line.encode("utf-8", "surrogateescape"))
            ) from error
        if not isinstance(rows[-1], dict):
            raise InputError(
                "expected an object on each line",
                source=origin.name,
                line=number,
                text=shown(line.encode("utf-8", "surrogateescape")),
            )
    if not rows:
        raise InputError("is empty", source=origin.name)
    roles = choose(
        list(rows[0]), origin.name, graded=checks.graded, columns=columns, values=lambda name: [r.get(name) for r in rows]
    )
    try:
        topics, documents, values = (list(map(itemgetter(name), rows)) for name in (roles.topic, roles.document, roles.value))
    except KeyError as error:
        raise InputError(f"{error.args[0]!r} is missing in one of the objects", source=origin.name) from None
    return columns_table(topics, documents, [-value for value in values] if roles.by_rank else values, checks)


def _parquet(origin: Source, checks: Checks, columns: Columns) -> Any:
    """Read the columns that count. Topics repeat, so that they are left as the numbers by which the file says them."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise InputError("reading parquet needs pyarrow; pip install 'mensura[pyarrow]'", source=origin.name) from None
    try:
        data = pa.BufferReader(read_all(origin))
        file = parquet.ParquetFile(data)
        schema = file.schema_arrow
        roles = choose(
            schema.names,
            origin.name,
            graded=checks.graded,
            columns=columns,
            values=lambda name: file.read([name])[name].to_pylist(),
        )
        if schema.field(roles.topic).type in {pa.string(), pa.large_string(), pa.binary()}:
            file = parquet.ParquetFile(data, read_dictionary=[roles.topic])
        return file.read([roles.topic, roles.document, roles.value])
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # a damaged schema has names that are not text
        raise InputError(f"is not a valid parquet file: {error}", source=origin.name) from error


def first_topics(origin: Source) -> list[bytes]:
    """Topics of the first rows of a parquet file, as a look at its first page gives them; none of other tables."""
    if origin.endings[-1:] != (".parquet",) or origin.path is None:
        return []
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(origin.path) as file:
            roles = choose(file.schema_arrow.names, origin.name, graded=False, values=lambda _: [])
            batch = next(file.iter_batches(LOOK, columns=[roles.topic]), None)
            return [] if batch is None else [to_bytes(name) for name in batch[0].unique().to_pylist()]
    except (pa.ArrowException, OSError, ValueError):
        return []  # whoever reads it says what is wrong


def _csv(origin: Source, checks: Checks, columns: Columns, separator: str) -> TopicTable:
    rows = Gathered()
    for topics, documents, values in _pieces(origin, checks, columns, separator):
        rows.add_rows(topics, documents, values, checks.name, checks.rows)
    return TopicTable.gathered(rows, checks.source)


def _pieces(
    origin: Source, checks: Checks, columns: Columns, separator: str
) -> Iterator[tuple[Iterable[str], Iterable[str], list[float]]]:
    """Yield topics, documents and values of some thousand lines at a time."""
    with guarded(origin), open_inflated(origin, whole=True) as stream:
        lines = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
        reader = csv.reader(lines, delimiter=separator, strict=True)
        try:
            if separator == "\t" and is_ranked(origin):
                roles, at, width = MSMARCO, [0, 1, 2], RANKED
            else:
                header = next(reader, None)
                if header is None:
                    raise InputError("is empty", source=origin.name)
                roles = choose(
                    header, origin.name, graded=checks.graded, columns=columns, values=lambda name: _column(origin, name, separator)
                )
                at, width = [header.index(name) for name in (roles.topic, roles.document, roles.value)], len(header)
            while piece := list(islice(reader, PIECE)):
                rows = [cells for cells in piece if cells]
                if any(len(cells) != width for cells in rows):
                    _raise_width(origin, rows, width, separator)
                topics, documents, numbers = (list(map(itemgetter(column), rows)) for column in at)
                if NUMBERS.fullmatch("\n".join([*numbers, ""])) is None:
                    _raise_number(origin, rows, at[2], separator)
                values = list(map(float, numbers))  # without the pattern, it would take 1_0, nan and digits of other scripts too
                yield topics, documents, [-value for value in values] if roles.by_rank else values
        except csv.Error as error:
            raise InputError(f"is not valid csv: {error}", source=origin.name, line=reader.line_num) from error


def _column(origin: Source, name: str, separator: str) -> list[object]:
    """Return the cells of a column."""
    with guarded(origin), open_inflated(origin) as stream:
        lines = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
        return [row.get(name) for row in csv.DictReader(lines, delimiter=separator)]


def _line(origin: Source, wrong: Sequence[str], separator: str) -> int:
    """Return the line of the first row with these cells."""
    with guarded(origin), open_inflated(origin) as stream:
        reader = csv.reader(io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline=""), delimiter=separator, strict=True)
        return next(reader.line_num for cells in reader if cells == wrong)


def _raise_width(origin: Source, rows: list[list[str]], width: int, separator: str) -> None:
    wrong = next(cells for cells in rows if len(cells) != width)
    raise InputError(
        f"expected {width} columns, as in the header, got {len(wrong)}",
        source=origin.name,
        line=_line(origin, wrong, separator),
        text=shown(separator.join(wrong).encode("utf-8", "surrogateescape")),
    )


def _raise_number(origin: Source, rows: list[list[str]], column: int, separator: str) -> None:
    wrong = next((cells for cells in rows if NUMBER.fullmatch(cells[column].strip()) is None), None)
    if wrong is None:  # unusual white space around a number
        return
    raise InputError(f"{wrong[column]!r} is not a finite number", source=origin.name, line=_line(origin, wrong, separator))
