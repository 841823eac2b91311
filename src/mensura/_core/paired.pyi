import numpy as np
from numpy.typing import NDArray

def signed_ranks(
    size: NDArray[np.float64],
    slack: NDArray[np.float64],
    sign: NDArray[np.int8],
    exact: int,
    start: int,
    stop: int,
    positive: NDArray[np.float64],
    counted: NDArray[np.int64],
    ties: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> None: ...
def rank_sums(
    values: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    exact: int,
    start: int,
    stop: int,
    above: NDArray[np.float64],
    ties: NDArray[np.float64],
    chance: NDArray[np.float64],
) -> None: ...
def effect_sizes(
    codes: NDArray[np.int64],
    order: NDArray[np.int64],
    values: NDArray[np.float64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    start: int,
    stop: int,
    cliff: NDArray[np.float64],
    cliff_error: NDArray[np.float64],
    glass_error: NDArray[np.float64],
) -> None: ...
def weighted_sums(
    rows: NDArray[np.float64], weights: NDArray[np.float64], start: int, stop: int, sums: NDArray[np.float64]
) -> None: ...
