import numpy as np
from numpy.typing import NDArray

def sweep(
    values: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    offset: NDArray[np.int64],
    start: int,
    stop: int,
    queries: NDArray[np.int64],
    ranks: NDArray[np.int64],
    pairs: int,
) -> tuple[NDArray[np.int64], int]: ...
def merge(left: NDArray[np.int64], right: NDArray[np.int64], shift: int, out: NDArray[np.int64]) -> int: ...
