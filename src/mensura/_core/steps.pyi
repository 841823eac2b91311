import numpy as np
from _typeshed import ReadableBuffer
from numpy.typing import NDArray

def rising_order(x: NDArray[np.float64]) -> ReadableBuffer: ...
def place_steps(
    x: NDArray[np.float64],
    level: NDArray[np.int8],
    weight: NDArray[np.float64],
    fold: NDArray[np.int64],
    folds: int,
    levels: int,
) -> ReadableBuffer: ...
def apply_steps(where: NDArray[np.int64], fold: NDArray[np.int64], order: NDArray[np.int64], levels: NDArray[np.int8]) -> None: ...
