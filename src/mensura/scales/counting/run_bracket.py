"""Bounds of the share of runs up to a value, ties counted, for measures whose distinct values are beyond counting.

The number of *distinct* values is not a sum over runs, and nothing here bounds it: what is certified is the rank among all runs.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.counting.bracket import ULP, Bracket, Part, Reals, bracket, refuse_heavy_ties
from mensura.scales.counting.machines import CascadeMachine, Machine, PrecisionMachine, SumMachine

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura.scales.counting.protocol import Runs

MOST_WORK, MOST_CELLS = 2**34, 2**25
"""Additions that a bracket may take (about half a minute) and numbers that it may hold (256 MB)."""
SURE = 16
"""So many times more bins that do not make bounds narrower: more would not either."""
FINE = 0.01


def values_of(machine: Machine[Any], runs: Runs) -> Reals:
    """The values of runs as doubles, each correctly rounded."""
    return np.array([int(numerator) / machine.denominator for numerator in machine.numerators(runs)])


def precision_distribution(machine: PrecisionMachine, queries: Reals, bins: int) -> tuple[Reals, Reals]:
    """AP: one row of bins per number of relevant documents so far; every relevant document moves mass by k/i, rounded."""
    step = machine.length / bins
    chance = sum(machine.relevant) / len(machine.relevant)
    mass = np.zeros((machine.length + 1, bins + machine.length + 1))
    mass[0, 0] = 1.0
    reach = 0
    for rank in range(1, machine.length + 1):
        moved = mass[: rank + 1]
        reach = min(mass.shape[1], reach + round(1 / step) + 1)
        for seen in range(rank, 0, -1):
            shift = round(seen / rank / step)
            moved[seen, :reach] *= 1 - chance
            moved[seen, shift:reach] += chance * moved[seen - 1, : reach - shift]
        moved[0, :reach] *= 1 - chance
    cumulative = np.concatenate([[0.0], np.cumsum(mass.sum(axis=0))])
    return _bounds(cumulative, queries / step, machine.length / 2, 3 * machine.length)


def cascade_distribution(machine: CascadeMachine, queries: Reals, bins: int) -> tuple[Reals, Reals]:
    """A cascade from the last rank to the first, V = R·payoff + (1 − R)·V: what was rounded before shrinks with 1 − R."""
    payoffs = np.array(machine.payoffs) / machine.unit
    never = machine.never / machine.unit
    least, most = min(never, payoffs.min()), max(never, payoffs.max())
    step = (most - least) / bins
    grid = np.arange(bins + 1)
    mass = np.zeros(bins + 1)
    mass[round((never - least) / step)] = 1.0
    error = 0.5
    for rank in range(machine.length, 0, -1):
        after = np.zeros(bins + 1)
        for stop in machine.stops:
            share = stop / machine.d
            cells = np.rint(share * (payoffs[rank - 1] - least) / step + (1 - share) * grid).astype(np.int64) if stop else grid
            after += np.bincount(np.clip(cells, 0, bins), weights=mass, minlength=bins + 1) / machine.levels
        mass = after
        error = max((1 - stop / machine.d) * error + (0.5 if stop else 0.0) for stop in machine.stops)
    return _bounds(np.concatenate([[0.0], np.cumsum(mass)]), (queries - least) / step, error, machine.levels * machine.length)


def _bounds(cumulative: Reals, middle: Reals, error: float, operations: int) -> tuple[Reals, Reals]:
    doubt = error + 1e-5
    lower = np.clip(np.floor(middle - doubt).astype(np.int64) + 1, 0, len(cumulative) - 1)
    upper = np.clip(np.floor(middle + doubt).astype(np.int64) + 1, 0, len(cumulative) - 1)
    roundings = (len(cumulative) + operations) * 2 * ULP
    return np.clip(cumulative[lower] * (1 - roundings), 0.0, 1.0), np.clip(cumulative[upper] * (1 + roundings), 0.0, 1.0)


def run_bracket(machine: PrecisionMachine | CascadeMachine | SumMachine, runs: Runs, width: float) -> Bracket:
    """Bounds, no wider than `width`, of the share of all runs with a value up to that of each run."""
    queries = values_of(machine, runs)
    if isinstance(machine, SumMachine):
        even = np.full(machine.levels, 1 / machine.levels)
        parts = [Part(np.array([term / machine.denominator for term in row]), even) for row in machine.added]
        return bracket(parts, queries, width, 2 * machine.length * ULP * machine.largest / machine.denominator, "runs")
    find: Callable[[int], tuple[Reals, Reals]]
    if isinstance(machine, PrecisionMachine):
        cost, rows, find = machine.length**2 // 2, machine.length + 1, partial(precision_distribution, machine, queries)
    else:
        cost, rows, find = machine.length * machine.levels, 8, partial(cascade_distribution, machine, queries)
    most = min(MOST_WORK // cost, MOST_CELLS // rows)
    started, bins, reached = perf_counter(), min(4096, most), dict[int, float]()
    while True:
        begun = perf_counter()
        low, high = find(bins)
        got = float((high - low).max(initial=0.0))
        if got <= width:
            now = perf_counter()
            return Bracket(low, high, "runs", exact=False, bins=bins, seconds=now - started, seconds_to_halve=2 * (now - begun))
        refuse_heavy_ties(got, min((before for fewer, before in reached.items() if SURE * fewer <= bins), default=2.0), width)
        reached[bins] = got
        if bins == most:
            raise ScaleError(too_narrow(width, min(reached.values()), machine.length))
        bins = min(most, int(bins * max(1.25, 1.1 * got / width)))


def too_narrow(width: float, reached: float, length: int) -> str:
    """The refusal of a width, with the least one that can be had: the same on every machine."""
    least = ceil(reached * 1000) / 1000 if reached > FINE else float(f"{reached * 1.05:.1e}")
    way = f"ask for {least:g} or more" if least < 1 else "the cut-off is too large for bounds; take a smaller one"
    return f"a bracket of width {width:g} takes too much work at length {length}; {way}"
