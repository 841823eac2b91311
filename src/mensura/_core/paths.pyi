import numpy as np
from numpy.typing import NDArray

def path_distribution(
    hit: NDArray[np.float64], added: NDArray[np.float64], most: int, cut: float
) -> tuple[list[tuple[int, int, NDArray[np.float64]]], float]: ...
def path_moments(hit: NDArray[np.float64], added: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]: ...
def sample_paths(
    hazard: NDArray[np.float64],
    added: NDArray[np.float64],
    ends: NDArray[np.float64],
    seed: NDArray[np.uint64],
    sums: NDArray[np.float64],
) -> None: ...
def sample_runs(
    hazard: NDArray[np.float64],
    above: NDArray[np.float64],
    most: NDArray[np.int64],
    seed: NDArray[np.uint64],
    runs: NDArray[np.int8],
) -> None: ...
