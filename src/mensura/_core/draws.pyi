import numpy as np
from numpy.typing import NDArray

DRAWS: int

def moments(
    limbs: NDArray[np.float64],
    rounded: bool,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    start: int,
    stop: int,
    mean: NDArray[np.float64],
    deviation: NDArray[np.float64],
    unit: NDArray[np.float64],
) -> None: ...
def count_topics(chosen: NDArray[np.uint32], weights: NDArray[np.int16]) -> None: ...
def reach(
    limbs: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    mean: NDArray[np.float64],
    unit: NDArray[np.float64],
    divisor: NDArray[np.float64],
    limit: NDArray[np.float64],
    plain_limit: NDArray[np.float64],
    signs: bool,
    weights: NDArray[np.int16],
    reached: NDArray[np.int32],
    plain: NDArray[np.int32],
    largest: NDArray[np.float64],
    heaps: NDArray[np.float64] | None = None,
) -> None: ...
