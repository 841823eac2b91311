"""Judgments and runs from csv, tsv, json, JSON lines and parquet files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import islice
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Any

from mensura._core.objects import LEFT_OUT, Gathered
from mensura.errors import DuplicateError, EmptyError, InputError
from mensura.io.checks import Checks, gathered, raise_faults, twice_sentence
from mensura.io.columns import Qrels, Run, TopicTable, to_bytes
from mensura.io.files import guarded, open_inflated, read_all, shown
from mensura.io.objects import HeldFrame, checked_qrels, columns_table, held_frame, lists_table
from mensura.io.roles import DOCUMENT, GRADE, RANK, SCORE, TOPIC, Roles, choose, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def table_kind(origin: Source) -> str | None:
    """Return whether the names of its columns make a table a run or judgments; ``None`` if they do neither, as those of results."""
    ending = origin.endings[-1]
    if ending == ".parquet":
        names = fold(_parquet_names(origin))
    elif ending == ".jsonl":
        try:
            first = json.loads(_first_line(origin))
        except (ValueError, RecursionError):
            return "run"  # which is said line by line
        names = fold(first) if isinstance(first, dict) else []
    elif ending in {".csv", ".tsv"}:
        names = fold(_first_line(origin).split("\t" if ending == ".tsv" else ","))
    else:
        return None
    if not (any(name in names for name in TOPIC) and any(name in names for name in DOCUMENT)):
        return None
    if "corpus-id" in names or any(name in names for name in GRADE if name not in SCORE):  # BEIR's judgments have a score
        return "qrels"
    return "run" if any(name in names for name in (*SCORE, *RANK)) else None


def _parquet_names(origin: Source) -> list[str]:
    from pyarrow import ArrowException, BufferReader, parquet

    try:
        names: list[str] = parquet.ParquetFile(BufferReader(read_all(origin))).schema_arrow.names
    except (ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"is not a valid parquet file: {error}", source=origin.name) from error
    return names


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
        return _json(origin, checks)
    if ending == ".jsonl":
        return _json_lines(origin, checks, columns)
    return _csv(origin, checks, columns, "\t" if ending == ".tsv" else ",")


class _Twice(dict[str, Any]):
    """An object of JSON with keys that occur twice: ``json`` itself would keep the last of two, and say nothing."""

    keys_again: tuple[str, ...] = ()


def _json(origin: Source, checks: Checks) -> TopicTable:
    try:
        table = json.loads(read_all(origin).decode("utf-8-sig"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not valid JSON: {error}", source=origin.name) from error
    if not isinstance(table, dict):
        raise InputError("does not contain an object; the shape must be {topic: {document: value}}", source=origin.name)
    if isinstance(table, _Twice):
        checks.fault(f"topic {table.keys_again[0]!r} occurs twice; keep one of the two", 1)
    row = 1
    for topic, documents in table.items():
        for document in documents.keys_again if isinstance(documents, _Twice) else ():
            checks.fault(twice_sentence(document, topic, graded=checks.graded), row := row + 1, DuplicateError)
    return lists_table(table, checks)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON, and mark one whose keys do not differ."""
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    marked = _Twice(table)
    counts = Counter(key for key, _ in pairs)
    marked.keys_again = tuple(key for key, count in counts.items() if count > 1)
    return marked


def _json_lines(origin: Source, checks: Checks, columns: Columns) -> TopicTable:
    """Read one object a line: {"query_id": …, "doc_id": …, "score": …}."""
    lines = [line for line in read_all(origin).decode("utf-8-sig", "surrogateescape").split("\n") if line.strip()]
    if not lines:
        raise EmptyError("is empty; expected at least one document", source=origin.name)
    checks = replace(checks, places=partial(_line_places, origin))
    objects: list[dict[str, Any] | None] = []
    for row, line in enumerate(lines, start=1):
        problem, content = "", None
        try:
            content = json.loads(line)
        except (ValueError, RecursionError) as error:
            problem = f"is not valid JSON: {error}"
        if not problem and not isinstance(content, dict):
            problem = "expected an object on each line"
        if problem:
            checks.fault(problem, row)
        objects.append(None if problem else content)
    first = next((each for each in objects if each is not None), None)
    if first is None:
        raise_faults(checks, None)
    roles = choose(
        list(first),
        origin.name,
        graded=checks.graded,
        columns=columns,
        values=lambda name: [None if each is None else each.get(name) for each in objects],
    )
    checks = replace(checks, by_rank=roles.by_rank)
    chosen = (roles.topic, roles.document, roles.value)
    for row, each in enumerate(objects, start=1):
        missing = None if each is None else next((name for name in chosen if name not in each), None)
        if missing is not None:
            checks.fault(f"{missing!r} is missing", row)
            objects[row - 1] = None
    filled = [each if each is not None else {**dict.fromkeys(chosen, 0), roles.topic: LEFT_OUT} for each in objects]
    topics, documents, values = (list(map(itemgetter(name), filled)) for name in chosen)
    return columns_table(topics, documents, values, checks)


def _line_places(origin: Source, rows: Sequence[int]) -> list[dict[str, Any]]:
    """Return the lines of rows, where blank lines do not count."""
    lines = enumerate(read_all(origin).split(b"\n"), start=1)
    filled = [(number, line) for number, line in lines if line.removeprefix(b"\xef\xbb\xbf").strip()]
    return [{"line": filled[row - 1][0], "text": shown(filled[row - 1][1])} for row in rows]


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
        # Nearly all of the time is that of one column, the documents: threads would not shorten it, and take turns with ours.
        return file.read([roles.topic, roles.document, roles.value], use_threads=False)
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
    ranked = separator == "\t" and is_ranked(origin)
    with guarded(origin), open_inflated(origin, whole=True) as stream:
        reader = _csv_reader(stream, separator)
        try:
            header = None if ranked else next(reader, None)
        except csv.Error as error:
            raise InputError(f"is not valid csv: {error}", source=origin.name, line=reader.line_num) from error
        if ranked:
            roles, at, width = MSMARCO, [0, 1, 2], RANKED
        elif header is None:
            raise EmptyError("is empty; expected at least one document", source=origin.name)
        else:
            content = partial(_column, origin, separator=separator)
            roles = choose(header, origin.name, graded=checks.graded, columns=columns, values=content)
            at, width = [header.index(name) for name in (roles.topic, roles.document, roles.value)], len(header)
        checks = replace(checks, by_rank=roles.by_rank, places=partial(_csv_places, origin, separator, headed=not ranked))
        done = False
        while not done:
            piece: list[list[str]] = []
            try:
                piece.extend(islice(reader, PIECE))
                done = not piece
            except csv.Error as error:  # what was read before is in the list
                done = True
                wrong = f"is not valid csv: {error}"
            else:
                wrong = ""
            lines = [cells for cells in piece if cells]
            rows.add_rows(*_columns(lines, at, width, checks, rows.columns.count + 1), checks, checks.by_rank)
            if wrong:
                checks.fault(wrong, rows.columns.count + 1)
    return gathered(rows, checks)


def _csv_reader(stream: IO[bytes], separator: str) -> Any:
    """Return a reader of the rows of a csv file."""
    lines = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
    return csv.reader(lines, delimiter=separator, strict=True)


def _columns(
    lines: list[list[str]], at: list[int], width: int, checks: Checks, first: int
) -> tuple[list[Any], list[str], list[float]]:
    """Return topics, documents and values of some thousand lines, from row ``first`` on; lines with a fault have no topic."""
    wrong = [row for row, cells in enumerate(lines) if len(cells) != width]
    for row in wrong:
        checks.fault(f"expected {width} columns, as in the header, got {len(lines[row])}", first + row)
        lines[row] = ["0"] * width
    topics, documents, numbers = (list(map(itemgetter(column), lines)) for column in at)
    if NUMBERS.fullmatch("\n".join([*numbers, ""])) is None:
        odd = [row for row, cell in enumerate(numbers) if NUMBER.fullmatch(cell.strip()) is None]  # or unusual white space
        for row in odd:
            checks.fault(f"the {checks.what} {numbers[row]!r} is not a finite number", first + row)
            numbers[row] = "0"
        wrong += odd
    values = list(map(float, numbers))  # without the pattern, it would take 1_0, nan and digits of other scripts too
    named: list[Any] = topics
    for row in wrong:
        named[row] = LEFT_OUT
    return named, documents, values


def _column(origin: Source, name: str, *, separator: str) -> list[object]:
    """Return the cells of a column."""
    with guarded(origin), open_inflated(origin) as stream:
        lines = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
        return [row.get(name) for row in csv.DictReader(lines, delimiter=separator)]


def _csv_places(origin: Source, separator: str, rows: Sequence[int], *, headed: bool) -> list[dict[str, Any]]:
    """Return the lines of rows; the one after the last row that can be read is where the file stops being csv."""
    places: dict[int, dict[str, Any]] = {}
    row = 0
    with guarded(origin), open_inflated(origin) as stream:
        reader = _csv_reader(stream, separator)
        try:
            for cells in islice(reader, int(headed), None):
                row += bool(cells)
                if cells and row in rows:
                    text = separator.join(cells).encode("utf-8", "surrogateescape")
                    places[row] = {"line": reader.line_num, "text": shown(text)}
        except csv.Error:
            places[row + 1] = {"line": reader.line_num}
    return [places[row] for row in rows]
