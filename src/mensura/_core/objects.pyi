from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from _typeshed import ReadableBuffer

from mensura._core.columns import Columns
from mensura._core.judge import Judge
from mensura._core.names import Names

CheckedName: TypeAlias = Callable[[object, int], bytes | None]
CheckedRows: TypeAlias = Callable[[object, object, int], list[tuple[bytes, float]]]

class Checked(Protocol):
    def name(self, name: object, row: int) -> bytes | None: ...
    def rows(self, topic: object, documents: object, row: int) -> list[tuple[bytes, float]]: ...
    def again(self, topic: object, row: int) -> None: ...

LEFT_OUT: object

class Documents:
    def __init__(self, text_only: bool = False, whole: bool = False) -> None: ...

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
    def add_lists(self, table: dict[object, object], checks: Checked, documents: Documents | None = None) -> None: ...
    def add_rows(
        self,
        topics: Iterable[object],
        documents: Iterable[object],
        values: Iterable[object],
        checks: Checked,
        by_rank: bool = False,
    ) -> None: ...
    def take(self) -> tuple[Names, bytes, ReadableBuffer, ReadableBuffer, ReadableBuffer, ReadableBuffer]: ...

def group(topic: ReadableBuffer, topics: int) -> tuple[ReadableBuffer, ReadableBuffer]: ...
def beyond(value: ReadableBuffer, largest: float) -> tuple[list[int], int]: ...
def repeated(
    text: ReadableBuffer, topic: ReadableBuffer, start: ReadableBuffer, length: ReadableBuffer, topics: int
) -> tuple[list[int], int]: ...
