from collections.abc import Callable, Iterable
from typing import TypeAlias

from _typeshed import ReadableBuffer

from mensura._core.columns import Columns
from mensura._core.judge import Judge
from mensura._core.names import Names

CheckedName: TypeAlias = Callable[[object, int], bytes]
CheckedRows: TypeAlias = Callable[[object, object, int], list[tuple[bytes, float]]]

class Documents:
    def __init__(self, text_only: bool = False) -> None: ...

def judge_lists(
    judge: Judge,
    run: dict[object, object],
    checked_name: CheckedName,
    checked_rows: CheckedRows,
    documents: Documents | None = None,
    name: Documents | None = None,
) -> int: ...

class Gathered:
    columns: Columns
    def add_lists(self, table: dict[object, object], checked_name: CheckedName, checked_rows: CheckedRows) -> None: ...
    def add_rows(
        self,
        topics: Iterable[object],
        documents: Iterable[object],
        values: Iterable[object],
        checked_name: CheckedName,
        checked_rows: CheckedRows,
    ) -> None: ...
    def take(self) -> tuple[Names, bytes, ReadableBuffer, ReadableBuffer, ReadableBuffer, ReadableBuffer]: ...

def group(topic: ReadableBuffer, topics: int) -> tuple[ReadableBuffer, ReadableBuffer]: ...
def first_beyond(value: ReadableBuffer, largest: float) -> int: ...
