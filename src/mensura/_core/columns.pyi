from _typeshed import ReadableBuffer

from mensura._core.names import Names

def read_text(fd: int, size: int) -> bytes | None: ...

class Columns:
    topics: Names
    tag: bytes | None
    count: int
    fault: int
    fault_at: int
    other_tag: bytes | None
    wide: bool
    faults: list[tuple[int, int]]
    fault_count: int
    def __init__(self, text: ReadableBuffer | None, is_run: bool, decimal: bool = False, tolerant: bool = False) -> None: ...
    def take(self) -> tuple[ReadableBuffer, ReadableBuffer, ReadableBuffer, ReadableBuffer]: ...
