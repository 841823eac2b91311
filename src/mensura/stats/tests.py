"""The tests by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mensura.stats.blocked import anova, dunnett, friedman, kruskal_wallis, nemenyi
from mensura.stats.bootstrap import bootstrap_test
from mensura.stats.methods import find_method
from mensura.stats.paired import paired_t, rank_sum, sign_test, signed_rank
from mensura.stats.permutation import randomisation_test, randomised_tukey

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from mensura.stats.arrays import ScoreTable
    from mensura.stats.results import Outcome

_FUNCTIONS: dict[str, Callable[..., Outcome]] = {
    "sign": sign_test,
    "rank-sum": rank_sum,
    "signed-rank": signed_rank,
    "t": paired_t,
    "randomisation": randomisation_test,
    "bootstrap": bootstrap_test,
    "anova": partial(anova, topics=False),
    "anova-topics": anova,
    "kruskal": kruskal_wallis,
    "friedman": friedman,
    "randomised-tukey": randomised_tukey,
    "dunnett": dunnett,
    "nemenyi": nemenyi,
}


def run_test(
    name: str,
    values: ArrayLike | ScoreTable,
    *,
    baseline: int | None = None,
    samples: int = 10_000,
    seed: int = 0,
    threads: int | None = None,
) -> Outcome:
    """Runs a test by its name; ``samples``, ``seed`` and ``threads`` are for those that draw at random.

    Examples
    --------
    >>> run_test("sign", [[3, 5, 2, 6, 7, 4], [1, 2, 2, 3, 4, 1]])
    Outcome(sign test: 1 pair, 6 topics, 0 with p < .05)
    """
    method = find_method(name)
    options: dict[str, Any] = {"baseline": baseline}
    if method.random:
        options |= {"samples": samples, "seed": seed, "threads": threads}
    return _FUNCTIONS[name](values, **options)
