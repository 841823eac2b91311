import numpy as np
from numpy.typing import NDArray

def join_rows(start: bytes, keys: list[bytes], between: bytes, values: NDArray[np.float64]) -> bytes: ...
