from typing import Protocol

from mensura._core.judge import Judge
from mensura._core.objects import Gathered

class CheckedCells(Protocol):
    def cell(self, name: bytes | None, row: int) -> bytes | None: ...
    def number(self, topic: bytes, document: bytes | None, number: float | None, row: int) -> None: ...

class ArrowTable:
    names: list[str]
    formats: list[str]
    def __init__(self, capsule: object) -> None: ...
    def is_text(self, column: int) -> bool: ...
    def is_number(self, column: int) -> bool: ...
    def gather(
        self,
        to: Gathered,
        topic: int,
        document: int,
        value: int,
        by_rank: bool,
        checks: CheckedCells,
    ) -> None: ...
    def judge(self, judge: Judge, topic: int, document: int, value: int, by_rank: bool) -> bool: ...
