"""System relevance scores: what a system says about the relevance of a document, from 0 to 1 (P2 §3 and §5).

All functions work on scores [system, topic, rank] that fall with the rank and are NaN after the end of a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mensura.errors import MeasureError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mensura.judged.runs import JudgedRuns

    Floats = NDArray[np.float64]

Per = Literal["topic", "run"]
EXTREME = 400  # powers of two from which on a square may overflow or vanish
BLOCK = 1 << 16  # documents that are looked at together: larger arrays leave the cache, and cost new memory


def blocks(topics: int, documents: int) -> Iterator[slice]:
    """Cut topics with so many documents each into blocks."""
    step = max(1, BLOCK // max(documents, 1))
    return (slice(first, first + step) for first in range(0, topics, step))


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """Bounds, mean and standard deviation that scores are normalised with, without k extremes at either end."""

    low: Floats
    high: Floats
    mean: Floats
    deviation: Floats


def trimmed(number: int, trim: int) -> int:
    """Number of extremes that are left out at either end of ``size`` scores: none, unless two scores remain."""
    return trim if number >= 2 * trim + 2 else 0


def spread(scores: Floats, retrieved: NDArray[np.int32], per: Per, trim: int) -> ScoreSpread:
    """The spread of each list, or of each run over all its topics; [system, topic, 1] or [system, 1, 1]."""
    if per == "run":
        spreads = [_one(np.sort(rows[~np.isnan(rows)]), trim) for rows in scores.reshape(len(scores), -1)]
        return ScoreSpread(*(np.array(column).reshape(-1, 1, 1) for column in zip(*spreads, strict=True)))
    number = retrieved[:, :, None].astype(np.int64)
    left_out = np.where(number >= 2 * trim + 2, trim, 0)
    last = max(scores.shape[2] - 1, 0)
    padded = scores if scores.shape[2] else np.zeros((*scores.shape[:2], 1))
    high = np.take_along_axis(padded, np.minimum(left_out, last), axis=2)
    low = np.take_along_axis(padded, np.clip(number - 1 - left_out, 0, last), axis=2)
    ranks = np.arange(scores.shape[2])
    kept = (ranks >= left_out) & (ranks < number - left_out)
    size = np.maximum(kept.sum(axis=2, keepdims=True), 1)
    mean = np.where(kept, scores, 0.0).sum(axis=2, keepdims=True) / size
    variance = np.where(kept, scores - mean, 0.0)
    return ScoreSpread(low, high, mean, np.sqrt((variance**2).sum(axis=2, keepdims=True) / size))


def _one(rising: Floats, trim: int) -> tuple[float, float, float, float]:
    """Bounds, mean and deviation of some scores in rising order."""
    if not len(rising):
        return 0.0, 0.0, 0.0, 0.0
    left_out = trimmed(len(rising), trim)
    kept = rising[left_out : len(rising) - left_out]
    return float(kept[0]), float(kept[-1]), float(kept.mean()), float(kept.std())


def _tame(scores: Floats) -> Floats:
    """Scores whose squares neither overflow nor vanish: each system's times a power of two, which changes no normalised score."""
    _, power = np.frexp(np.nanmax(np.abs(scores), axis=(1, 2), initial=0.0, keepdims=True))
    return np.ldexp(scores, -power) if (np.abs(power) > EXTREME).any() else scores


def _blocks(scores: Floats, retrieved: NDArray[np.int32], per: Per, trim: int) -> Iterator[tuple[slice, Floats, ScoreSpread]]:
    """Yield some topics after the other, with their tame scores and the spread of these."""
    tame = _tame(scores)
    whole = spread(tame, retrieved, per, trim) if per == "run" else None
    for some in blocks(scores.shape[1], scores.shape[0] * scores.shape[2]):
        yield some, tame[:, some], whole or spread(tame[:, some], retrieved[:, some], per, trim)


def linear(scores: Floats, retrieved: NDArray[np.int32], per: Per, trim: int) -> Floats:
    """The highest score becomes 1, the lowest 0; what lies beyond the trimmed bounds is cut off.

    Where both bounds are one number, that score says nothing and becomes ½; higher ones 1, lower ones 0.
    """
    srs = np.empty(scores.shape)
    for some, tame, bounds in _blocks(scores, retrieved, per, trim):
        width = bounds.high - bounds.low
        flat = width <= 0
        scaled = (tame - bounds.low) / np.where(flat, 1.0, width)
        np.clip(np.where(flat, 0.5 + 0.5 * np.sign(tame - bounds.low), scaled), 0.0, 1.0, out=srs[:, some])
    return srs


def logistic(scores: Floats, retrieved: NDArray[np.int32], per: Per, trim: int) -> Floats:
    """1 / (1 + exp(−z)), z being the score less the mean, in standard deviations: for scores without bounds.

    Where all scores that count are one number, it becomes ½; higher ones 1, lower ones 0.
    """
    srs = np.empty(scores.shape)
    for some, tame, bounds in _blocks(scores, retrieved, per, trim):
        flat = (bounds.high <= bounds.low) | (bounds.deviation <= 0)
        z = (tame - bounds.mean) / np.where(flat, 1.0, bounds.deviation)
        srs[:, some] = np.where(flat, 0.5 + 0.5 * np.sign(tame - bounds.low), 0.5 + 0.5 * np.tanh(z / 2))
    return srs


def given(judged: JudgedRuns, scores: Floats) -> Floats:
    """The scores themselves, which must lie between 0 and 1."""
    wrong = (scores < 0) | (scores > 1)
    if wrong.any():
        system, topic, rank = (int(place[0]) for place in np.nonzero(wrong))
        raise MeasureError(
            f"ADM(srs='given') takes scores as they are, but system {judged.systems[system]} gives {scores[system, topic, rank]:g} "
            f"for topic {judged.topics[topic]}: they must lie between 0 and 1; srs='linear' or 'logistic' maps them there"
        )
    return scores


def by_rank(ranks: int, retrieved: NDArray[np.int32] | int) -> Floats:
    """(n − i + 1) / n for rank i of n, and 0 after n."""
    number = np.maximum(np.asarray(retrieved, dtype=np.float64), 1.0)[..., None]
    return np.maximum(number - np.arange(ranks), 0.0) / number


def nearest(srs: Floats, levels: Sequence[float]) -> Floats:
    """The nearest of the levels; half way between two, the higher."""
    rising = np.unique(np.asarray(levels, dtype=np.float64))
    return np.where(np.isnan(srs), np.nan, rising[np.searchsorted((rising[1:] + rising[:-1]) / 2, srs, side="right") % len(rising)])


def expected(ranks: int, urs: Sequence[float], recall_base: NDArray[np.int64]) -> Floats:
    """Steps by rank: as many documents at each level as a topic has on average, the most relevant first; the others at the lowest.

    ``urs`` is that of each grade, ``recall_base`` the judgments [topic, grade].
    """
    scores = np.asarray(urs, dtype=np.float64)[: recall_base.shape[1]]
    falling = np.unique(np.asarray(urs, dtype=np.float64))[::-1]
    mean = recall_base[:, : len(scores)].mean(axis=0) if len(recall_base) else np.zeros(len(scores))
    number = np.array([mean[scores == each].sum() for each in falling])
    ends = np.floor(np.cumsum(number[:-1]) + 0.5)
    return falling[np.searchsorted(ends, np.arange(ranks), side="right")]
