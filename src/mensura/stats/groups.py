"""Groups of systems that do not differ significantly."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


def find_groups(order: Sequence[int], different: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The longest stretches of a ranking in which no two systems differ significantly.

    ``order`` is the ranking, ``different`` a matrix of systems. Every system is in at least one group.

    Examples
    --------
    >>> import numpy as np
    >>> find_groups([0, 1, 2], np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool))
    [(0, 1), (1, 2)]
    """
    groups: list[tuple[int, ...]] = []
    start = reached = 0
    for end, system in enumerate(order):
        clash = [at for at in range(start, end) if different[order[at], system]]
        if clash:
            if end > reached:
                groups.append(tuple(order[start:end]))
            start = clash[-1] + 1
            reached = end
    groups.append(tuple(order[start:]))
    return groups
