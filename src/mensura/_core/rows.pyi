import numpy as np
from numpy.typing import NDArray

def join_rows(start: bytes, keys: list[bytes], between: bytes, values: NDArray[np.float64]) -> bytes: ...
def run_lines(
    topics: list[bytes],
    returned: NDArray[np.uint8],
    ranked: NDArray[np.int32],
    scores: NDArray[np.int64],
    width: int,
    tag: bytes,
) -> bytes: ...
def qrels_lines(topics: list[bytes], pooled: NDArray[np.uint8], grades: NDArray[np.int8], width: int) -> bytes: ...
