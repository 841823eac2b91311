from _typeshed import ReadableBuffer

from mensura._core.blake3 import Blake3
from mensura._core.judgments import Judgments
from mensura._core.piles import Piles

class Judge:
    judgments: Judgments
    tag: bytes | None
    extra: dict[bytes, None]
    fault: int
    fault_at: int
    width: int
    own: int
    other_tag: bytes | None
    wide: bool
    crossed: int
    near_ties: int
    fingerprint: int
    piles: Piles | None
    def __init__(
        self,
        judgments: Judgments,
        depth: int = 0,
        single: bool = False,
        keep_scores: bool = False,
        keep_documents: bool = False,
        listed: bool = False,
        drop_own: bool = False,
        scattered: bool = False,
    ) -> None: ...
    def read(self, fd: int, start: int = 0, stop: int = -1, digest: Blake3 | None = None) -> None: ...
    def feed(self, chunk: ReadableBuffer) -> None: ...
    def reset(self) -> None: ...
    def finish(self) -> None: ...
    def give(self) -> Piles: ...
    @property
    def count(self) -> int: ...
    def topics(self) -> list[int]: ...
