import numpy as np
from numpy.typing import NDArray

def count_hits(grades: NDArray[np.int8], rel: int) -> int: ...
def find_hits(
    grades: NDArray[np.int8], length: int, rel: int, row: NDArray[np.int64], rank: NDArray[np.int64], nth: NDArray[np.int64]
) -> None: ...
