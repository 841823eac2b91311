"""Groups of systems that do not differ significantly, as letters: two systems share one if and only if they do not differ."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

MOST_CLIQUES = 20_000
MOST_STEPS = 500_000  # systems that are looked at for cliques, about a second: 5000 systems have too many cliques for letters
MOST_GROUPS = 702  # letters a to zz


def find_groups(order: Sequence[int], different: NDArray[np.bool_]) -> list[tuple[int, ...]] | None:
    """Groups of systems such that two share one if and only if they do not differ significantly; ``None`` if it takes too many.

    ``order`` is the ranking, ``different`` a matrix of systems. Groups are maximal cliques of the graph of systems that do not
    differ: as few of them as a greedy cover of its edges finds, in the order of their best systems (Piepho 2004 calls all of them
    the letter display). Where all differences are judged by one critical difference, they are stretches of the ranking.

    Examples
    --------
    >>> import numpy as np
    >>> find_groups([0, 1, 2], np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    near = _neighbours(order, different)
    cliques = maximal_cliques(near, MOST_CLIQUES)
    chosen = _grown(near) if cliques is None else _cover(cliques, near)
    if chosen is None or len(chosen) > MOST_GROUPS:
        return None
    members = sorted(tuple(_bits(clique)) for clique in chosen)
    return [tuple(order[at] for at in group) for group in members]


def _neighbours(order: Sequence[int], different: NDArray[np.bool_]) -> list[int]:
    """For each place of the ranking, the places that do not differ from it, as a set of bits."""
    ranked = ~different[order][:, order]
    packed = np.packbits(ranked, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") & ~(1 << at) for at, row in enumerate(packed)]


def _bits(number: int) -> Iterator[int]:
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def maximal_cliques(near: Sequence[int], most: int) -> list[int] | None:
    """All maximal cliques of a graph of bit sets (Bron and Kerbosch 1973, with pivots); ``None`` for more than ``most``."""
    cliques: list[int] = []
    steps = 0
    stack = [(0, (1 << len(near)) - 1, 0)]
    while stack:
        clique, candidates, done = stack.pop()
        if not candidates:
            if not done:
                cliques.append(clique)
                if len(cliques) > most:
                    return None
            continue
        steps += (candidates | done).bit_count()
        if steps > MOST_STEPS:
            return None
        pivot = max(_bits(candidates | done), key=lambda at: (candidates & near[at]).bit_count())
        for at in _bits(candidates & ~near[pivot]):
            bit = 1 << at
            stack.append((clique | bit, candidates & near[at], done & near[at]))
            candidates ^= bit
            done |= bit
    return cliques


def _cover(cliques: Sequence[int], near: Sequence[int]) -> list[int]:
    """Cliques that cover all edges, and all systems without one: always the one next that covers most of those that are left."""
    left = list(near)
    members = [list(_bits(clique)) for clique in cliques]

    def gain(at: int) -> int:
        return sum((left[member] & cliques[at]).bit_count() for member in members[at])

    # What a clique can still add only shrinks, so an old number is a bound, and most cliques are never looked at again.
    heap = [(-gain(at), members[at], at) for at in range(len(cliques))]
    heapify(heap)
    chosen = [clique for clique in cliques if clique.bit_count() == 1]
    while heap:
        _, places, at = heappop(heap)
        now = gain(at)
        if not now:
            continue
        if heap and now < -heap[0][0]:
            heappush(heap, (-now, places, at))
            continue
        chosen.append(cliques[at])
        for member in places:
            left[member] &= ~cliques[at]
    return chosen


def _grown(near: Sequence[int]) -> list[int] | None:
    """The same where there are too many cliques to look at all: each is grown from an edge that is left, best systems first."""
    left = list(near)
    chosen = [1 << at for at, others in enumerate(near) if not others]
    for at in range(len(near)):
        while left[at]:
            other = (left[at] & -left[at]).bit_length() - 1
            clique, candidates = 1 << at | 1 << other, near[at] & near[other]
            while candidates:
                bit = candidates & -candidates
                clique |= bit
                candidates &= near[bit.bit_length() - 1]
            chosen.append(clique)
            if len(chosen) > MOST_GROUPS:
                return None
            for member in _bits(clique):
                left[member] &= ~clique
    return chosen
