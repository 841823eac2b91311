"""Additive measures as sums of independent parts: one part per primitive root, or one per rank where runs cannot tie.

Every choice of one value from each part gives another value of the measure, so the number of steps is a product, and nothing
has to be compared to find ties.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from mensura.measures.decomposition import Additive, LogDiscount
from mensura.scales.counting.machines import Needs
from mensura.scales.counting.protocol import Runs
from mensura.scales.counting.weights import RATIONAL, Weight, exact_weights, has_no_ties, unit

Use = tuple[int, ...]
"""Number of documents of each grade above the lowest that are used; empty when nothing limits them."""
Uses = frozenset[Use]
"""Uses of which any will do; only the least of them matter."""
Target = Mapping[int, Fraction]
"""A real number as rational multiples of units, by root."""


@lru_cache(maxsize=2**16)
def both(one: Uses, other: Uses, most: Use) -> Uses:
    """The least ways to use what one and the other need, within `most`; empty if there is none."""
    sums = {tuple(x + y for x, y in zip(a, b, strict=True)) for a in one for b in other}
    fit = [use for use in sums if all(n <= limit for n, limit in zip(use, most, strict=True))]
    return frozenset(use for use in fit if not any(u != use and all(x <= y for x, y in zip(u, use, strict=True)) for u in fit))


@dataclass(frozen=True)
class Factor:
    """One part: the ranks in it, what each grade adds there, and the distinct sums with the runs that give them, by use."""

    ranks: tuple[int, ...]
    root: int
    added: tuple[tuple[int, ...], ...]
    denominator: int
    ways: dict[int, dict[Use, int]]

    @cached_property
    def sums(self) -> list[int]:
        return sorted(self.ways)

    def sums_of(self, runs: Runs) -> NDArray[np.object_]:
        """The sum of each run."""
        table = np.array(self.added, dtype=object)
        return np.asarray(table[np.arange(len(self.ranks)), runs[:, list(self.ranks)]].sum(axis=1))


def factor(ranks: Iterable[int], weights: list[Weight], gains: tuple[Fraction, ...], needs: Needs) -> Factor:
    """The part made of some ranks (counted from 0), whose weights have one root."""
    ranks = tuple(ranks)
    terms = [[weights[i].share * gain for gain in gains] for i in ranks]
    denominator = lcm(*(term.denominator for row in terms for term in row))
    added = tuple(tuple(int(term * denominator) for term in row) for row in terms)
    nothing: Use = () if needs is None else (0,) * len(needs)
    ways: dict[int, dict[Use, int]] = {0: {nothing: 1}}
    for row in added:
        after: dict[int, Counter[Use]] = {}
        for total, uses in ways.items():
            for level, term in enumerate(row):
                here = after.setdefault(total + term, Counter())
                for use, times in uses.items():
                    spent = use if needs is None or level == 0 else (*use[: level - 1], use[level - 1] + 1, *use[level:])
                    here[spent] += times
        ways = dict(after)
    return Factor(ranks, weights[ranks[0]].root, added, denominator, ways)


def factors(measure: Additive, length: int, needs: Needs) -> list[Factor] | None:
    """The independent parts of a measure; None when its values are rational and may tie."""
    weights = exact_weights(measure.discount, length)
    if isinstance(measure.discount, LogDiscount):
        roots = dict.fromkeys(weight.root for weight in weights)
        groups = [[i for i in range(length) if weights[i].root == root] for root in roots]
    elif has_no_ties(measure.discount, measure.gains):
        groups = [[i] for i in range(length)]
    else:
        return None
    return [factor(group, weights, measure.gains, needs) for group in groups]


def sign(target: Target, base: Fraction) -> int:
    """-1, 0 or 1: the sign of Σ target[root]·unit(root), in as many digits as that takes."""
    parts = {root: share for root, share in target.items() if share}
    if not parts:
        return 0
    if set(parts) == {RATIONAL}:
        return 1 if parts[RATIONAL] > 0 else -1
    bits = 128
    while True:
        scale = lcm(*(share.denominator for share in parts.values()))
        total = sum(int(share * scale) * unit(base, root, bits) for root, share in parts.items())
        if abs(total) > sum(abs(int(share * scale)) for share in parts.values()):
            return 1 if total > 0 else -1
        bits *= 2
