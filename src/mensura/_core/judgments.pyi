from _typeshed import ReadableBuffer

from mensura._core.names import Names

class Judgments:
    topics: Names
    duplicate: int
    collides: bool
    continuous: bool
    def __init__(
        self,
        topics: Names,
        text: ReadableBuffer,
        topic: ReadableBuffer,
        start: ReadableBuffer,
        length: ReadableBuffer,
        grade: ReadableBuffer,
    ) -> None: ...
