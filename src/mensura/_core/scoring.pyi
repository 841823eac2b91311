from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mensura._core.judge import Judge

Step: TypeAlias = tuple[str, str, int, int, bool, float, float]
Ideals: TypeAlias = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]

class Program:
    count: int
    def __init__(
        self,
        steps: list[Step],
        bases: list[NDArray[np.float64] | None],
        gains: list[NDArray[np.float64] | None],
        discounts: list[Callable[[int], NDArray[np.float64]] | None],
        ideals: list[Ideals | None],
        judged_only: bool = False,
    ) -> None: ...
    def by_topic(self, judge: Judge, keys: list[str], topics: list[str]) -> dict[str, dict[str, float]]: ...
    def empty(self, topic: int) -> list[float]: ...
    def fill(self, judge: Judge, values: NDArray[np.float64]) -> None: ...

def lay(judge: Judge, retrieved: NDArray[np.int32], grades: NDArray[np.int8]) -> None: ...
