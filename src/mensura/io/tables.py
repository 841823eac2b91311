"""Judgments and runs from dicts, data frames, csv, tsv, json and parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from mensura.errors import InputError
from mensura.io.columns import COLLIDE, DuplicateRowError, Qrels, Run, TopicTable, finite
from mensura.io.files import guarded, open_inflated, read_all, shown

if TYPE_CHECKING:
    from mensura.io.files import Source

TOPIC = ("query_id", "query-id", "qid", "q_id", "topic", "topic_id", "query")
DOCUMENT = ("doc_id", "docid", "docno", "document", "document_id", "doc", "corpus-id", "corpus_id", "pid", "did")
GRADE = ("relevance", "rel", "grade", "label", "score")
SCORE = ("score", "sim", "similarity")
HIGHEST_GRADE = 127

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

Row = tuple[object, object, object]


def qrels_from_object(qrels: object) -> Qrels:
    """Read judgments from a dict or a data frame."""
    if isinstance(qrels, Mapping):
        return _qrels(_nested(qrels, "<dict>"), "<dict>")
    return _qrels(_frame(qrels, GRADE, "<data frame>"), "<data frame>")


def run_from_object(run: object) -> Run:
    """Read a run from a dict or a data frame."""
    if isinstance(run, Mapping):
        return _run(_nested(run, "<dict>"), "<dict>", "run")
    return _run(_frame(run, SCORE, "<data frame>"), "<data frame>", "run")


def qrels_from_file(origin: Source) -> Qrels:
    """Read judgments from a csv, tsv, json or parquet file."""
    return _qrels(_file(origin, GRADE), origin.name)


def run_from_file(origin: Source) -> Run:
    """Read a run from a csv, tsv, json or parquet file."""
    return _run(_file(origin, SCORE), origin.name, origin.stem)


def has_header(origin: Source, separator: str) -> bool:
    """Return whether the first line names a topic column and a document column."""
    with guarded(origin), open_inflated(origin) as stream:
        names = _fold(stream.readline(1 << 16).decode("utf-8-sig", "replace").strip().split(separator))
    return any(name in names for name in TOPIC) and any(name in names for name in DOCUMENT)


def _fold(names: Iterable[object]) -> list[str]:
    return [str(name).strip().strip('"').lower() for name in names]


def _qrels(rows: Iterable[Row], source: str) -> Qrels:
    table = TopicTable.from_rows(
        ((topic, document, _grade(grade, source, topic, document)) for topic, document, grade in rows), source
    )
    try:
        return Qrels.of(table)
    except DuplicateRowError as duplicate:
        topic = table.topics[table.topic_of_row[duplicate.row]]
        if duplicate.collides:
            raise InputError(COLLIDE, source=source) from None
        raise InputError(f"document {table.document(duplicate.row)!r} is judged twice for topic {topic!r}", source=source) from None


def _run(rows: Iterable[Row], source: str, name: str) -> Run:
    finite_rows = (
        (topic, document, finite(score, "score", source, f"topic {topic!r}, document {document!r}"))
        for topic, document, score in rows
    )
    return Run(name, TopicTable.from_rows(finite_rows, source))


def _grade(grade: object, source: str, topic: object, document: object) -> float:
    value = finite(grade, "grade", source, f"topic {topic!r}, document {document!r}")
    if value != int(value) or abs(value) > HIGHEST_GRADE:
        raise InputError(
            f"the grade of topic {topic!r}, document {document!r} is {grade!r}; grades are whole numbers from -127 to 127",
            source=source,
        )
    return value


def _nested(table: Mapping[object, object], source: str) -> Iterator[Row]:
    for topic, documents in table.items():
        if not isinstance(documents, Mapping):
            raise InputError(
                f"topic {topic!r} contains {type(documents).__name__}; the shape must be {{topic: {{document: value}}}}",
                source=source,
            )
        for document, value in documents.items():
            yield topic, document, value


def _frame(frame: Any, values: tuple[str, ...], source: str) -> Iterator[Row]:
    """Yield the rows of anything with named columns: pandas, polars, Arrow."""
    if hasattr(frame, "collect_schema") and hasattr(frame, "collect"):  # a lazy frame of polars
        try:
            frame = frame.collect()
        except Exception as error:
            raise InputError(f"the data frame cannot be computed: {error}", source=source) from error
    try:
        names = getattr(frame, "column_names", None) or getattr(frame, "columns", None)
        if names is None:
            raise InputError(
                f"cannot read a {type(frame).__name__}; pass a path, a dict {{topic: {{document: value}}}} or a data frame"
            )
        columns = [_list(frame[name]) for name in _choose(list(names), values, source)]
    except UnicodeDecodeError as error:
        raise InputError(f"a name is not valid UTF-8: {error}", source=source) from error
    return zip(*columns, strict=True)


def _list(column: Any) -> list[object]:
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def _choose(names: list[Any], values: tuple[str, ...], source: str) -> list[Any]:
    """Return the names of the topic, document and value columns."""
    folded = _fold(names)
    chosen = []
    for what, known in (("topic", TOPIC), ("document", DOCUMENT), ("value", values)):
        present = [name for name in known if name in folded]
        if not present:
            raise InputError(
                f"there is no {what} column among {', '.join(map(str, names))}; known names are {', '.join(known)}", source=source
            )
        if folded.count(present[0]) > 1:
            raise InputError(f"two columns are called {present[0]}; rename one of them", source=source)
        chosen.append(names[folded.index(present[0])])
    return chosen


def _file(origin: Source, values: tuple[str, ...]) -> Iterator[Row]:
    ending = origin.endings[-1]
    if ending == ".parquet":
        return _parquet(origin, values)
    if ending == ".json":
        return _json(origin)
    return _csv(origin, values, "\t" if ending == ".tsv" else ",")


def _json(origin: Source) -> Iterator[Row]:
    try:
        table = json.loads(read_all(origin).decode("utf-8-sig"), object_pairs_hook=_unique)
    except KeyError as error:
        raise InputError(f"{error.args[0]!r} occurs twice in one object; keep one of the two", source=origin.name) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not valid JSON: {error}", source=origin.name) from error
    if not isinstance(table, dict):
        raise InputError("does not contain an object; the shape must be {topic: {document: value}}", source=origin.name)
    return _nested(table, origin.name)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON, whose keys must differ: ``json`` itself would keep the last of two."""
    table: dict[str, object] = {}
    for key, value in pairs:
        if key in table:
            raise KeyError(key)
        table[key] = value
    return table


def _parquet(origin: Source, values: tuple[str, ...]) -> Iterator[Row]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise InputError("reading parquet needs pyarrow; pip install 'mensura[pyarrow]'", source=origin.name) from None
    try:
        table = parquet.read_table(io.BytesIO(read_all(origin)))
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"is not a valid parquet file: {error}", source=origin.name) from error
    return _frame(table, values, origin.name)


def _csv(origin: Source, values: tuple[str, ...], separator: str) -> Iterator[Row]:
    with guarded(origin), open_inflated(origin, whole=True) as stream:
        lines = io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline="")
        reader = csv.reader(lines, delimiter=separator, strict=True)
        try:
            header = next(reader, None)
            if header is None:
                raise InputError("is empty", source=origin.name)
            at = [header.index(name) for name in _choose(header, values, origin.name)]
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise InputError(
                        f"expected {len(header)} columns, as in the header, got {len(cells)}",
                        source=origin.name,
                        line=reader.line_num,
                        text=shown(separator.join(cells).encode("utf-8", "surrogateescape")),
                    )
                yield cells[at[0]], cells[at[1]], _number(cells[at[2]], origin, reader.line_num)
        except csv.Error as error:
            raise InputError(f"is not valid csv: {error}", source=origin.name, line=reader.line_num) from error


def _number(text: str, origin: Source, line: int) -> float:
    if NUMBER.fullmatch(text.strip()) is None:  # float() would take 1_0, nan and digits of other scripts too
        raise InputError(f"{text!r} is not a finite number", source=origin.name, line=line)
    return float(text)
