"""Values that several tests share."""

from __future__ import annotations

import numpy as np

# P@10 of 4 systems for 10 topics, with ties. R's answers about them are quoted in the tests.
PRECISION = (
    np.array(
        [
            [6, 4, 7, 3, 8, 5, 6, 2, 9, 5],
            [5, 4, 6, 3, 6, 5, 4, 1, 8, 3],
            [7, 5, 6, 4, 9, 6, 7, 3, 9, 6],
            [2, 3, 5, 1, 4, 4, 2, 0, 6, 2],
        ]
    )
    / 10
)


def random_values(seed, systems=6, topics=25, steps=None):
    """Systems that differ a little, topics that differ much; on so many steps, for ties."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0.5, 0.15, topics) + rng.normal(0, 0.04, (systems, 1)) + rng.normal(0, 0.1, (systems, topics))
    return values if steps is None else np.round(values * steps) / steps
