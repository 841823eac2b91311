"""Certified bounds of a distribution function, at any length.

φ(m) / steps is the probability that a sum of independent parts, each uniform over its distinct values, is at most m. The parts
are rounded to a grid, where their sum has an exact distribution by convolution. The rounding error is itself a sum of
independent, known, bounded variables, so Chernoff's bound P(E − EE ≥ t) ≤ exp(−λt) · Π E exp(λ(e_j − Ee_j)), valid for every λ
> 0, says how far it strays: about √N grid steps, not N.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mensura.errors import ScaleError

Reals = NDArray[np.float64]
MOST_BINS = 2**24
ULP = 2.0**-53


@dataclass(frozen=True)
class Bracket:
    """low ≤ φ / steps ≤ high for each run, as certain as a proof.

    `of` tells what was counted: distinct values, or, where these cannot be bounded, runs with ties counted (the share of all
    runs whose value is at most that of the run). `exact`: the bounds are one number, rounded down and up. `seconds` is what it
    cost; half the width costs about `seconds_to_halve`.
    """

    low: Reals
    high: Reals
    of: Literal["values", "runs"]
    exact: bool
    bins: int
    seconds: float
    seconds_to_halve: float

    @property
    def width(self) -> float:
        return float((self.high - self.low).max(initial=0.0))

    def take(self, where: NDArray[np.int64], shape: tuple[int, ...]) -> "Bracket":
        """The bounds at some places, in another shape."""
        return replace(self, low=self.low[where].reshape(shape), high=self.high[where].reshape(shape))


@dataclass(frozen=True)
class Part:
    """A random variable: values with probabilities."""

    values: Reals
    probabilities: Reals


def tail(errors: Sequence[Reals], probabilities: Sequence[Reals], miss: float) -> float:
    """A t that the sum of independent centred errors exceeds with probability at most `miss`."""
    widest = sum(float(e.max()) for e in errors)
    variance = sum(float(p @ e**2) for e, p in zip(errors, probabilities, strict=True))
    if widest <= 0 or variance <= 0:
        return max(widest, 0.0)
    rates = np.sqrt(-2 * np.log(miss) / variance) * np.geomspace(0.25, 4, 25)
    logs = sum(np.log(np.exp(np.outer(rates, e)) @ p) for e, p in zip(errors, probabilities, strict=True))
    return min(widest, float(np.min((logs - np.log(miss)) / rates)) * (1 + 1e-9))


def convolve(parts: Sequence[tuple[NDArray[np.int64], Reals]]) -> Reals:
    """The distribution of a sum of independent variables on the integers ≥ 0, as (values, probabilities)."""
    now = np.ones(1)
    for values, probabilities in sorted(parts, key=lambda part: int(part[0].max())):
        after = np.zeros(len(now) + int(values.max()))
        merged: dict[int, float] = {}
        for value, probability in zip(values.tolist(), probabilities.tolist(), strict=True):
            merged[value] = merged.get(value, 0.0) + probability
        if len(merged) > len(now):  # many values meet few: let those few move
            row = np.zeros(int(values.max()) + 1)
            row[list(merged)] = list(merged.values())
            merged, now = dict(zip(np.flatnonzero(now).tolist(), now[now > 0].tolist(), strict=True)), row
        for value, probability in merged.items():
            after[value : value + len(now)] += probability * now
        now = after
    return now


def distribution(parts: Sequence[Part], queries: Reals, bins: int, miss: float, slack: float) -> tuple[Reals, Reals]:
    """Bounds of P(sum ≤ query) with a grid of about `bins` steps; values and queries are known up to `slack` in all."""
    least = np.array([part.values.min() for part in parts])
    step = float(sum(part.values.max() for part in parts) - least.sum()) / bins
    if step == 0:
        inside = (queries >= least.sum() - slack).astype(float)
        return inside, inside
    shares = [part.probabilities for part in parts]
    cells = [np.rint((part.values - low) / step).astype(np.int64) for part, low in zip(parts, least, strict=True)]
    errors = [(part.values - low) / step - cell for part, low, cell in zip(parts, least, cells, strict=True)]
    means = [float(share @ error) for share, error in zip(shares, errors, strict=True)]
    centred = [error - mean for error, mean in zip(errors, means, strict=True)]
    up, down = tail(centred, shares, miss), tail([-error for error in centred], shares, miss)
    mass = convolve([(cell, share) for cell, share in zip(cells, shares, strict=True) if cell.max() > 0])
    cumulative = np.concatenate([[0.0], np.cumsum(mass)])
    middle = (queries - least.sum()) / step - sum(means)
    doubt = slack / step + 1e-6  # and the rounding of these few lines
    lower = np.clip(np.floor(middle - up - doubt).astype(np.int64) + 1, 0, len(mass))
    upper = np.clip(np.floor(middle + down + doubt).astype(np.int64) + 1, 0, len(mass))
    roundings = (len(mass) + sum(len(share) + 2 for share in shares)) * 2 * ULP
    return cumulative[lower] * (1 - roundings) - miss, cumulative[upper] * (1 + roundings) + miss


def bins_for(parts: Sequence[Part], width: float) -> int:
    """Number of bins for bounds of a width, for a bell with the spread of the sum and errors uniform in a grid step."""
    spread = np.sqrt(sum(float(part.probabilities @ (part.values - part.probabilities @ part.values) ** 2) for part in parts))
    span = float(sum(part.values.max() - part.values.min() for part in parts))
    # 0.4 / spread is the height of the bell.
    return int(max(1024.0, 0.8 * np.sqrt(-2 * np.log(width / 20) * len(parts) / 12) * span / (spread * width))) if spread else 1024


def bracket(parts: Sequence[Part], queries: Reals, width: float, slack: float, of: Literal["values", "runs"]) -> Bracket:
    """Bounds no wider than `width`."""
    started = perf_counter()
    miss = width / 20
    bins = bins_for(parts, width)
    before = 2.0
    while True:
        if bins > MOST_BINS:
            msg = (
                f"a bracket of width {width:g} would need {bins} bins, more than the {MOST_BINS} that are used; "
                f"ask for {1.5 * width * bins / MOST_BINS:.2g} or more"
            )
            raise ScaleError(msg)
        begun = perf_counter()
        low, high = distribution(parts, queries, bins, miss, slack)
        low, high = np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0)
        got = float((high - low).max(initial=0.0))
        if got <= width:
            now = perf_counter()
            return Bracket(low, high, of, exact=False, bins=bins, seconds=now - started, seconds_to_halve=2 * (now - begun))
        refuse_heavy_ties(got, before, width)
        before = got
        bins = int(bins * max(1.25, 1.1 * got / width))


def refuse_heavy_ties(got: float, before: float, width: float) -> None:
    """No grid is fine enough where many values lie on one point, or nearly so: more bins would not help."""
    if got > 0.9 * before:
        msg = f"a bracket of width {width:g} is out of reach: {got:.2g} of everything lies too near one value"
        raise ScaleError(msg)
