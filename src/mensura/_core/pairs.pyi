import numpy as np
from numpy.typing import NDArray

def make_grid(values: NDArray[np.int64]) -> tuple[NDArray[np.int32], int]: ...
def count_pairs(
    values: NDArray[np.int64],
    cumulative: NDArray[np.int64],
    grid: NDArray[np.int32],
    shift: int,
    offsets: NDArray[np.int64],
    weights: NDArray[np.int64],
    queries: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> None: ...
