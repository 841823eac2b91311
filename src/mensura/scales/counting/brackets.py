"""The bracket that fits a way of counting."""

from fractions import Fraction
from time import perf_counter

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.counting.additive import IndependentParts
from mensura.scales.counting.bracket import ULP, Bracket, Part, bins_for, bracket
from mensura.scales.counting.machines import Needs
from mensura.scales.counting.protocol import Counting, Runs
from mensura.scales.counting.run_bracket import run_bracket
from mensura.scales.counting.topical import AreaMachine
from mensura.scales.counting.uncounted import Uncounted

FEW_STEPS = 64
"""Steps per width of a bracket below which single steps matter, and exact ranks take no time anyway."""


def bracket_of(counting: Counting, runs: Runs, width: float, needs: Needs) -> Bracket:
    """Bounds of φ / steps at most `width` apart: exact where that is no more work."""
    if not 0 < width < 1:
        msg = f"the width of a bracket lies between 0 and 1, not at {width}"
        raise ScaleError(msg)
    if isinstance(counting, IndependentParts) and needs is None and not (counting.exact and counting.steps <= FEW_STEPS / width):
        return parts_bracket(counting, runs, width)
    if isinstance(counting, Uncounted) and needs is None and not isinstance(counting.machine, AreaMachine):
        return run_bracket(counting.machine, runs, width)
    return exact_bracket(counting, runs)


def parts_of(counting: IndependentParts) -> list[Part]:
    """The parts of a sum, every distinct value of a part equally likely."""
    scale = 2.0**-counting.shape.bits
    values = [element.fixed.astype(np.float64) * scale for element in counting.shape.elements]
    return [Part(value, np.full(len(value), 1 / len(value))) for value in values]


def finest_width(counting: Counting, finest: float, operations: float) -> float | None:
    """The finest width of bounds of distinct values that so many additions give; ``None`` if nothing bounds these."""
    if not isinstance(counting, IndependentParts):
        return None
    parts, width = parts_of(counting), finest
    many = sum(len(part.values) for part in parts) / 2
    while bins_for(parts, width) * many > operations:
        width *= 1.1
    return width


def parts_bracket(counting: IndependentParts, runs: Runs, width: float) -> Bracket:
    """Bounds from the distribution of the sum of the parts."""
    scale = 2.0**-counting.shape.bits
    parts = parts_of(counting)
    queries = np.array(counting.fixed(runs), dtype=np.float64) * scale
    slack = counting.shape.error * scale + 2 * ULP * sum(float(np.abs(part.values).max()) for part in parts)
    return bracket(parts, queries, width, slack, "values")


def exact_bracket(counting: Counting, runs: Runs) -> Bracket:
    """Exact ranks over steps, rounded down and up."""
    started = perf_counter()
    shares = [Fraction(rank, counting.steps) for rank in counting.rank(runs)]
    nearest = [float(share) for share in shares]
    low = [x if Fraction(x) <= share else float(np.nextafter(x, 0.0)) for x, share in zip(nearest, shares, strict=True)]
    high = [x if Fraction(x) >= share else float(np.nextafter(x, 2.0)) for x, share in zip(nearest, shares, strict=True)]
    seconds = perf_counter() - started
    return Bracket(np.array(low), np.array(high), "values", exact=True, bins=0, seconds=seconds, seconds_to_halve=seconds)
