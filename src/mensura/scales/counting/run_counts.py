"""How many runs have a value up to a given one, ties counted: what the tie strategies min, mid and max need."""

from typing import Any

import numpy as np

from mensura.errors import ScaleError
from mensura.scales.counting.halves import heads, tails
from mensura.scales.counting.machines import LARGEST, Machine
from mensura.scales.counting.pairs import Pairs
from mensura.scales.counting.streams import Words

MOST_HEADS = 2**20


def runs_up_to(machine: Machine[Any], numerators: Words) -> list[tuple[int, int]]:
    """For each numerator, the number of runs with a smaller one and with one not larger."""
    if machine.levels**machine.length >= LARGEST:
        msg = "there are too many runs to count ties in 64 bits; use ties='unq'"
        raise ScaleError(msg)
    cut = machine.length
    while machine.levels**cut > MOST_HEADS:
        cut -= 1
    front = heads(machine, cut, ways=True)
    back = tails(machine, cut, front, ways=True)
    queries, where = np.unique(np.concatenate([numerators - 1, numerators]), return_inverse=True)
    counts = np.zeros(len(queries), dtype=np.int64)
    for state, head in front.items():
        tail = back[state]
        assert head.ways is not None
        assert tail.ways is not None
        counts += Pairs(head.values, head.ways, tail.values, tail.ways).up_to(queries)
    found = counts[where].tolist()
    return list(zip(found[: len(numerators)], found[len(numerators) :], strict=True))
