import numpy as np
from _typeshed import ReadableBuffer
from numpy.typing import NDArray

class Fitter:
    def fit(
        self,
        x: NDArray[np.float64],
        level: NDArray[np.int8],
        weight: NDArray[np.float64],
        fold: NDArray[np.int32],
        folds: int,
        levels: int,
        fitted: NDArray[np.int8],
    ) -> None: ...

def place_steps(
    x: NDArray[np.float64],
    level: NDArray[np.int8],
    weight: NDArray[np.float64],
    fold: NDArray[np.int32],
    folds: int,
    levels: int,
) -> ReadableBuffer: ...
