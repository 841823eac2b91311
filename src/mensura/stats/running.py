"""Tests by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.stats import blocked, bootstrap, paired, permutation
from mensura.stats.arrays import make_table
from mensura.stats.methods import FUNCTIONS, METHODS, SIGNED_RANK, find_method

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike

    from mensura.engines.engine import Engine
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
    engine: Engine | None = None,
    exact: int | None = None,
) -> Outcome:
    """Run a test by its name.

    ``samples``, ``seed``, ``threads`` and ``engine`` are for tests that draw at random; the signed rank test is exact up to
    ``exact`` differences.

    Examples
    --------
    >>> run_test("sign", [[3, 5, 2, 6, 7, 4], [1, 2, 2, 3, 4, 1]])
    Outcome(sign test: 1 pair, 6 topics, 0 with p < .05)
    """
    method = find_method(name)
    options: dict[str, Any] = {"baseline": baseline}
    if method.random:
        options |= {"samples": samples, "seed": seed, "threads": threads, "progress": progress, "engine": engine}
    if method is SIGNED_RANK and exact is not None:
        options["exact"] = exact
    outcome: Outcome = FUNCTIONS[name](values, **options)
    return outcome


def run_on_both(names: Iterable[str], values: ArrayLike, on_scale: ArrayLike, **options: Any) -> dict[str, tuple[Outcome, Outcome]]:
    """Run several tests on values and on the same ones on another scale; ``options`` are those of :func:`run_test`."""
    before, after = make_table(values), make_table(on_scale)
    same_order = np.array_equal(before.codes, after.codes)
    outcomes = {}
    for name in names:
        one = run_test(name, before, **options)
        # A test that looks at nothing but the order of all values says the same if the order is the same.
        outcomes[name] = one, one if same_order and METHODS[name].scale == "ordinal" else run_test(name, after, **options)
    return outcomes
