from typing import Any

import numpy as np
from _typeshed import ReadableBuffer
from numpy.typing import NDArray

from mensura._core.judge import Judge
from mensura._core.names import Names
from mensura._core.piles import Piles

def cut(judge: Judge, start: int, stop: int) -> None: ...
def carry(judge: Judge, key: tuple[int, int, int]) -> None: ...
def is_done(judge: Judge) -> bool: ...
def settle_piles(judge: Judge, piles: Piles, first: int = 0, last: int = -1) -> None: ...
def judge_columns(
    judge: Judge,
    text: ReadableBuffer,
    start: ReadableBuffer,
    length: ReadableBuffer,
    score: ReadableBuffer,
    rows: NDArray[np.int64],
    bounds: NDArray[np.int64],
    topics: NDArray[np.int32],
) -> None: ...
def number_documents(judge: Judge, known: list[Names], numbers: NDArray[np.int32]) -> None: ...
def scatter(
    judge: Judge,
    grades: NDArray[np.int8],
    retrieved: NDArray[np.int32],
    ties: NDArray[np.int32],
    scores: NDArray[np.float64] | None = None,
) -> None: ...
def scatter_rows(
    judge: Judge,
    grades: NDArray[np.int8],
    retrieved: NDArray[np.int32],
    ties: NDArray[np.int32],
    scores: NDArray[np.float64] | None = None,
) -> None: ...
def share_topics(judges: list[Judge]) -> bool: ...
def take_texts(
    text: bytes, start: NDArray[np.int64], length: NDArray[np.int32], rows: NDArray[np.int64], padding: bytes
) -> bytes: ...
def divide_lines(text: bytes, keys: int, base: int) -> list[tuple[bytes, bytes]]: ...
def freeze(judge: Judge) -> tuple[Any, ...]: ...
def thaw(judge: Judge, frozen: tuple[Any, ...]) -> Judge: ...
