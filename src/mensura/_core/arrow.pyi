from collections.abc import Callable
from typing import NoReturn

from mensura._core.judge import Judge
from mensura._core.objects import Gathered

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
        checked_name: Callable[[bytes | None, int], bytes],
        checked_value: Callable[[int], NoReturn],
    ) -> None: ...
    def judge(self, judge: Judge, topic: int, document: int, value: int, by_rank: bool) -> bool: ...
