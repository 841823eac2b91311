import numpy as np
from numpy.typing import NDArray

LARGEST: int

def topic_keys(names: list[bytes], seed: int, keys: NDArray[np.uint64]) -> None: ...
def draw_weights(keys: NDArray[np.uint64], signs: bool, weights: NDArray[np.int8]) -> None: ...
def add_draws(
    rows: NDArray[np.float64], keys: NDArray[np.uint64], signs: bool, first: int, last: int, totals: NDArray[np.int64]
) -> None: ...
