"""Tests by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mensura.stats import blocked, bootstrap, paired, permutation
from mensura.stats.methods import FUNCTIONS, find_method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from mensura.stats.arrays import ScoreTable
    from mensura.stats.draws import Progress
    from mensura.stats.results import Outcome

HOMES = (paired, permutation, bootstrap, blocked)
"""Modules whose functions implement the tests."""


def run_test(
    name: str,
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | Sequence[int] | None = None,
    samples: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Run a test by its name; ``samples``, ``seed`` and ``threads`` are for those that draw at random.

    Examples
    --------
    >>> run_test("sign", [[3, 5, 2, 6, 7, 4], [1, 2, 2, 3, 4, 1]])
    Outcome(sign test: 1 pair, 6 topics, 0 with p < .05)
    """
    method = find_method(name)
    options: dict[str, Any] = {"baseline": baseline}
    if method.random:
        options |= {"samples": samples, "seed": seed, "threads": threads, "progress": progress}
    outcome: Outcome = FUNCTIONS[name](values, **options)
    return outcome
