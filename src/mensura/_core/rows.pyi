import numpy as np
from numpy.typing import NDArray

def join_rows(start: bytes, keys: list[bytes], between: bytes, values: list[bytes], which: NDArray[np.int64]) -> bytes: ...
