import numpy as np
from numpy.typing import NDArray

def count_before(x: NDArray[np.int64], y: NDArray[np.int64], smaller: NDArray[np.int64], equal: NDArray[np.int64]) -> None: ...
def discordant_weight(y: NDArray[np.int64], weight: NDArray[np.float64]) -> float: ...
def shared_at_depths(
    first_s: NDArray[np.int64],
    last_s: NDArray[np.int64],
    at_t: NDArray[np.int64],
    first_t: NDArray[np.int64],
    last_t: NDArray[np.int64],
    at_s: NDArray[np.int64],
    shared: NDArray[np.float64],
    active: NDArray[np.float64],
) -> None: ...
def compare_lists(
    items: NDArray[np.int32],
    bounds: NDArray[np.int64],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    distinct: int,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    gains: NDArray[np.float64],
    harmonic: NDArray[np.float64],
    persistence: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None: ...
