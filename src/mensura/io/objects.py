"""Judgments and runs in objects of Python's: dicts, lists, data frames, arrays, and the objects of other tools.

The core walks through them. What it does not take as it is (an identifier beyond visible ASCII, a number of another type) is
looked at by the rules of :mod:`mensura.io.checks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mensura._core.objects import Gathered, beyond, judge_lists
from mensura.errors import EmptyError, InputError
from mensura.io.checks import HIGHEST_GRADE, PAIR, Checks, Noted, gathered, nowhere, raise_repeated
from mensura.io.columns import COLLIDE, DuplicateRowError, Qrels, TopicTable
from mensura.io.roles import choose
from mensura.io.trec import Fault

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from mensura._core.arrow import ArrowTable
    from mensura._core.judge import Judge
    from mensura._core.objects import Documents
    from mensura.io.roles import Roles

Columns = Mapping[str, Any] | None
TRIPLE = 3
DICT, FRAME, ROWS = "<dict>", "<data frame>", "<rows>"


def by_topic(table: Mapping[Any, Any], checks: Checks) -> dict[Any, Any]:
    """Return {topic: documents} in shapes that the core knows: dicts, and lists of documents or of (document, value)."""
    lists = table if type(table) is dict else dict(table)
    if {*map(type, lists.values())} <= {dict}:
        return lists
    return {topic: _documents(topic, documents, checks) for topic, documents in lists.items()}


def _documents(topic: object, documents: Any, checks: Checks) -> Any:
    if isinstance(documents, tuple) or hasattr(documents, "tolist"):
        documents = documents.tolist() if hasattr(documents, "tolist") else list(documents)
    if checks.graded and isinstance(documents, set | frozenset):
        relevant: AbstractSet[object] = documents
        return dict.fromkeys(relevant, 1)
    if checks.graded and isinstance(documents, list) and not all(isinstance(each, tuple | list) for each in documents):
        raise InputError(
            f"topic {topic!r} contains a list of documents; the shape must be {{topic: {{document: grade}}}}, "
            "or {topic: {document, …}} for relevant documents",
            source=checks.source,
        )
    return documents


@dataclass(frozen=True, eq=False, slots=True)
class HeldLists:
    """A run as {topic: documents}."""

    source: str
    documents: dict[Any, Any]

    def table(self) -> TopicTable:
        """Return the rows as columns, or raise one error for all that is wrong with them."""
        return lists_table(self.documents, Checks(self.source, graded=False))

    @property
    def serial(self) -> bool:
        """Its objects are read under the interpreter's lock."""
        return True

    def judge(self, judge: Judge, documents: Documents | None = None, name: Documents | None = None) -> bool:
        """Let ``judge`` rank the documents and look them up; ``documents`` and ``name`` are memory that is used again."""
        checks = Checks(self.source, graded=False, strict=True)
        try:
            rows = judge_lists(judge, self.documents, checks.name, checks.rows, documents, name)
        except (InputError, KeyError):  # a topic occurs twice
            self.table()  # which lists all faults
            raise
        if judge.fault == Fault.COLLISIONS:
            raise InputError(COLLIDE, source=self.source)
        if judge.fault:
            raise_repeated(self.table(), graded=False)
        if not rows:
            raise EmptyError("is empty; expected at least one document", source=self.source)
        return True


@dataclass(frozen=True, eq=False, slots=True)
class HeldFrame:
    """A run as columns of Arrow's: ``at`` has the numbers of topic, document and value."""

    checks: Checks
    arrow: ArrowTable
    at: tuple[int, int, int]

    @property
    def source(self) -> str:
        """Name of the frame in messages."""
        return self.checks.source

    @property
    def serial(self) -> bool:
        """Its columns are read without the interpreter's lock."""
        return False

    def table(self) -> TopicTable:
        """Return the rows as columns of ours."""
        rows = Gathered()
        checks = replace(self.checks, noted=Noted())
        self.arrow.gather(rows, *self.at, self.checks.by_rank, checks)
        return gathered(rows, checks)

    def judge(self, judge: Judge) -> bool:
        """Let ``judge`` rank the documents and look them up where they are; False if the table is needed for that."""
        return self.arrow.judge(judge, *self.at, self.checks.by_rank)

    def __reduce__(self) -> tuple[object, ...]:
        return _same, (self.table(),)


def _same(table: TopicTable) -> TopicTable:
    return table


def lists_table(table: Mapping[Any, Any], checks: Checks, documents: Documents | None = None) -> TopicTable:
    """Return {topic: documents} as columns; ``documents`` says by its options what passes without the rules."""
    rows = Gathered()
    checks = replace(checks, places=nowhere)
    rows.add_lists(by_topic(table, checks), checks, documents)
    return gathered(rows, checks)


def columns_table(topics: Iterable[object], documents: Iterable[object], values: Iterable[object], checks: Checks) -> TopicTable:
    """Return columns of Python's objects as a table."""
    rows = Gathered()
    rows.add_rows(topics, documents, values, checks, checks.by_rank)
    return gathered(rows, checks)


def held_frame(frame: Any, checks: Checks, columns: Columns = None) -> HeldFrame | TopicTable:
    """Return the columns of a frame where they are, or its rows where Arrow does not have them.

    A frame is anything with named columns: pandas, polars, Arrow, DuckDB, Hugging Face, NumPy's structured arrays.
    """
    frame = _computed(frame, checks.source)
    names = _names(frame, checks.source)
    roles = choose(names, checks.source, graded=checks.graded, columns=columns, values=lambda name: list(_list(frame, name)))
    checks = replace(checks, by_rank=roles.by_rank)
    table = _arrow(frame, roles)
    if table is None:
        return columns_table(_list(frame, roles.topic), _list(frame, roles.document), _list(frame, roles.value), checks)
    topic, document, value = (table.names.index(str(name)) for name in (roles.topic, roles.document, roles.value))
    return HeldFrame(checks, table, (topic, document, value))


def _computed(frame: Any, source: str) -> Any:
    """Return a lazy frame, a reader of Arrow's or a dataset of Hugging Face as a frame in memory, and an index as columns."""
    if hasattr(frame, "collect_schema") and hasattr(frame, "collect"):
        try:
            return frame.collect()
        except Exception as error:
            raise InputError(f"the data frame cannot be computed: {error}", source=source) from error
    if hasattr(frame, "map_partitions") and hasattr(frame, "compute"):  # of Dask; see mensura.pieces.partitions for larger ones
        frame = frame.compute()
    if hasattr(frame, "with_format") and hasattr(frame, "column_names"):
        return frame.with_format("arrow")[:] if hasattr(frame, "__len__") else _gathered(frame)
    if hasattr(frame, "read_all") and hasattr(frame, "schema"):  # a reader of Arrow's
        return frame.read_all()
    if hasattr(frame, "reset_index") and any(name is not None for name in frame.index.names):  # of pandas
        return frame.reset_index()
    return frame


def _gathered(rows: Iterable[Mapping[str, object]]) -> Any:
    """Return a stream of Hugging Face, which is rows, as a table."""
    import pyarrow as pa

    return pa.Table.from_pylist(list(rows))


def _names(frame: Any, source: str) -> list[Any]:
    ways = ("columns",) if hasattr(frame, "loc") else ("column_names", "columns")  # pandas may have a column of either name
    for names in (getattr(frame, way, None) for way in ways):
        if names is not None and not callable(names):
            return list(names)
    names = getattr(getattr(frame, "dtype", None), "names", None)
    if names is None:
        raise InputError(
            f"cannot read a {type(frame).__name__}; pass a path, a dict {{topic: {{document: value}}}}, "
            "rows of (topic, document, value) or a data frame",
            source=source if source != FRAME else None,
        )
    return list(names)


def _arrow(frame: Any, roles: Roles) -> ArrowTable | None:
    """Return the frame as a stream of Arrow's, or ``None`` where its columns contain other objects than text and numbers."""
    if not hasattr(frame, "__arrow_c_stream__"):
        return None
    from mensura._core.arrow import ArrowTable

    chosen = [roles.topic, roles.document, roles.value]
    if hasattr(frame, "loc"):  # pandas would convert all columns
        frame = frame[chosen]
    try:
        table = ArrowTable(frame.__arrow_c_stream__())
    except Exception:  # noqa: BLE001 - pandas needs pyarrow for this, and pyarrow takes no mixed columns; its lists are read instead
        return None
    at = [table.names.index(str(name)) if str(name) in table.names else -1 for name in chosen]
    if min(at) < 0 or not (table.is_text(at[0]) and table.is_text(at[1]) and table.is_number(at[2])):
        return None
    return table


def _list(frame: Any, name: Any) -> Iterable[object]:
    column = frame[name] if not hasattr(frame, "fetchall") else [row[0] for row in frame.project(f'"{name}"').fetchall()]
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


def rows_table(rows: Iterable[Any], checks: Checks, columns: Columns = None) -> TopicTable:
    """Return rows of (topic, document, value) as a table; the fields of named tuples may be in any order."""
    listed = list(rows)
    if not listed:
        raise EmptyError("is empty; expected at least one document", source=checks.source)
    first = listed[0]
    if not isinstance(first, tuple | list | Mapping):
        raise InputError(
            f"cannot read rows of {type(first).__name__}; each must be (topic, document, {checks.what})", source=checks.source
        )
    names = list(first) if isinstance(first, Mapping) else getattr(first, "_fields", None)
    try:
        cells = list(zip(*(listed if not isinstance(first, Mapping) else map(itemgetter(*first), listed)), strict=True))
    except (TypeError, ValueError, KeyError):
        raise InputError(f"rows differ in length; each must be (topic, document, {checks.what})", source=checks.source) from None
    if names is None:
        if len(cells) != TRIPLE:
            raise InputError(f"rows have {len(cells)} fields; each must be (topic, document, {checks.what})", source=checks.source)
        return columns_table(cells[0], cells[1], cells[2], checks)
    roles = choose(names, checks.source, graded=checks.graded, columns=columns, values=lambda name: list(cells[names.index(name)]))
    topics, documents, values = (cells[names.index(name)] for name in (roles.topic, roles.document, roles.value))
    return columns_table(topics, documents, values, replace(checks, by_rank=roles.by_rank))


def is_rows(thing: object) -> bool:
    """Return whether this is a list of rows, or an iterator that must be one."""
    if isinstance(thing, list | tuple):
        return bool(thing) and _is_row(thing[0])
    return isinstance(thing, Iterator) and not hasattr(thing, "__arrow_c_stream__")


def _is_row(row: object) -> bool:
    """Return whether this is a tuple, or a list or dict of plain values."""
    if isinstance(row, tuple):
        return True
    values = list(row.values()) if isinstance(row, Mapping) else row if isinstance(row, list) else []
    return len(values) >= TRIPLE and not any(isinstance(value, Mapping | list | tuple | set | frozenset) for value in values)


def object_table(thing: Any, *, graded: bool, columns: Columns = None) -> TopicTable:
    """Return the rows of any object that judgments or a run can be read from."""
    held = held_object(thing, graded=graded, columns=columns)
    return held if isinstance(held, TopicTable) else held.table()


def named_source(kind: str, name: str | None) -> str:
    """Return the name of an object in messages: ``<data frame>``, or ``<data frame 'bm25'>``."""
    return kind if name is None else f"{kind[:-1]} {name!r}>"


def held_object(thing: Any, *, graded: bool, columns: Columns = None, name: str | None = None) -> HeldFrame | TopicTable:
    """Return any object that judgments or a run can be read from: its rows, or a frame where it is; errors tell its name."""
    thing = _own(thing, graded=graded)
    frame = Checks(named_source(FRAME, name), graded)
    if isinstance(thing, Mapping):
        frames = [each for each in thing.values() if is_frame(each)]
        if frames and len(frames) == len(thing):
            if len(frames) > 1:
                raise InputError(f"contains {len(frames)} tables: {', '.join(map(str, thing))}; pass one of them", source=DICT)
            return held_frame(frames[0], frame, columns)
        return lists_table(thing, Checks(named_source(DICT, name), graded))
    if is_rows(thing):
        return rows_table(thing, Checks(named_source(ROWS, name), graded), columns)
    if getattr(thing, "ndim", None) == PAIR and hasattr(thing, "tolist") and not hasattr(thing, "columns"):
        return rows_table(map(tuple, thing.tolist()), Checks(named_source("<array>", name), graded), columns)
    return held_frame(thing, frame, columns)


def is_frame(thing: object) -> bool:
    """Return whether this has named columns."""
    return not isinstance(thing, Mapping) and any(
        hasattr(thing, name) for name in ("columns", "column_names", "__arrow_c_stream__")
    )


def _own(thing: Any, *, graded: bool) -> Any:
    """Return what another tool's object contains: ranx' judgments and runs, datasets of ir_datasets."""
    if type(thing).__module__.partition(".")[0] == "ranx" and hasattr(thing, "to_dict"):
        return thing.to_dict()
    method = "qrels_iter" if graded else "scoreddocs_iter"
    if hasattr(thing, method):
        return iter(getattr(thing, method)())
    if hasattr(thing, "docs_iter") or hasattr(thing, "queries_iter"):
        raise InputError(f"this dataset has no {'judgments' if graded else 'run'}", source=str(getattr(thing, "dataset_id", thing)))
    return thing


def checked_qrels(table: TopicTable) -> Qrels:
    """Return judgments over a table whose values must be grades."""
    _, wrong = beyond(table.value, HIGHEST_GRADE)
    if wrong:
        raise_repeated(table, graded=True)
    try:
        return Qrels.of(table)
    except DuplicateRowError as duplicate:
        if duplicate.collides:
            raise InputError(COLLIDE, source=table.source) from None
        raise_repeated(table, graded=True)
