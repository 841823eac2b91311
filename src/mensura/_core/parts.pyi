from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura._core.judge import Judge

def cut(judge: Judge, start: int, stop: int) -> None: ...
def is_done(judge: Judge) -> bool: ...
def scatter_rows(
    judge: Judge,
    grades: NDArray[np.int8],
    retrieved: NDArray[np.int32],
    ties: NDArray[np.int32],
    scores: NDArray[np.float64] | None = None,
) -> None: ...
def freeze(judge: Judge) -> tuple[Any, ...]: ...
def thaw(judge: Judge, frozen: tuple[Any, ...]) -> Judge: ...
