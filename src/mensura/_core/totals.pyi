import numpy as np
from numpy.typing import NDArray

DIGITS: int

def add_values(values: NDArray[np.float64], digits: NDArray[np.int64]) -> None: ...
def add_squares(values: NDArray[np.float64], digits: NDArray[np.int64]) -> None: ...
def add_pairs(
    values: NDArray[np.float64],
    units: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    start: int,
    stop: int,
    digits: NDArray[np.int64],
    wins: NDArray[np.int64],
    losses: NDArray[np.int64],
    largest: NDArray[np.float64],
) -> None: ...
