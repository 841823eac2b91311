"""Times tests of all pairs of 129 systems over 50 topics against SciPy, one pair at a time, in the same process and the same run.

A comparison of different answers would be worthless: p-values that differ from SciPy's stop the benchmark. SciPy's Tukey HSD takes
minutes, nearly all of it for values of the studentized range; by default some of these values are timed, and the time for all
pairs is their number times the cost of one. ``--full`` runs ``scipy.stats.tukey_hsd`` as a whole.

``--large`` adds comparisons of large tables, with effect sizes and intervals, each in a process of its own: seconds and memory.
"""

from __future__ import annotations

import argparse
import itertools
import platform
import statistics
import subprocess
import sys
import time
import warnings
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from common.report import Bar, bars, table
from mensura.stats import (
    anova,
    bootstrap_t,
    bootstrap_test,
    max_t,
    paired_t,
    randomisation_test,
    randomised_tukey,
    rank_sum,
    sign_test,
    signed_rank,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Values = NDArray[np.float64]

SYSTEMS, TOPICS, CUTOFF = 129, 50, 30
SAME = 1e-8
SAMPLE = 64  # values of the studentized range that SciPy is timed on

LARGE = {(10, 6980): (3, 1000), (10, 100_000): (30, 1000), (5000, 50): (120, 4000)}
"""Systems and topics of large tables: at most so many seconds and MB."""
COMPARISON = """
import resource, sys, time
import numpy as np
from mensura import compare
systems, topics = map(int, sys.argv[1:])
rng = np.random.default_rng(1)
values = rng.normal(0.3, 0.1, (systems, 1)) + rng.normal(0, 0.15, topics) + rng.normal(0, 0.1, (systems, topics))
values = np.round(np.clip(values, 0, 1), 4)
start = time.perf_counter()
compare(values)
print(time.perf_counter() - start, time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def compare_large() -> tuple[list[list[str]], list[Bar]]:
    """Rows and bars of the default test on large tables."""
    rows, found = [], []
    for (systems, topics), (seconds, memory) in LARGE.items():
        command = [sys.executable, "-W", "ignore", "-c", COMPARISON, str(systems), str(topics)]
        clock, processor, most = map(float, subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
        name = f"{systems} systems × {topics} topics"
        rows.append([name, f"{clock:.1f}", f"{processor:.1f}", f"{most:.0f}"])
        found.append(Bar(f"{name}: seconds", clock, "≤", seconds, " s"))
        found.append(Bar(f"{name}: memory", most, "≤", memory, " MB"))
    return rows, found


def make_values(seed: int) -> Values:
    """Numbers of relevant documents in the top 30, with topics that differ more than systems do: many ties."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0, 1.0, TOPICS) + rng.normal(-0.5, 0.5, (SYSTEMS, 1)) + rng.normal(0, 0.6, (SYSTEMS, TOPICS))
    return rng.binomial(CUTOFF, 1 / (1 + np.exp(-level))).astype(np.float64)


def median(work: Callable[[], object], repeat: int) -> float:
    """The median of the seconds of several runs, after one that does not count."""
    work()
    taken = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def scipy_loop(pair: Callable[[Values, Values], float], values: Values) -> tuple[float, Values]:
    """Seconds and p-values of SciPy, pair by pair."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = [pair(a, b) for a, b in itertools.combinations(values, 2)]
    return time.perf_counter() - start, np.array(p)


def check(name: str, ours: Values, theirs: Values) -> None:
    """Stops if p-values differ."""
    off = float(np.max(np.abs(ours - theirs)))
    if not off <= SAME:
        sys.exit(f"{name}: p-values differ from SciPy's by {off:.2g}: the comparison is worth nothing")


def scipy_tukey(values: Values, *, full: bool) -> tuple[float, Values, NDArray[np.int64]]:
    """Seconds of Tukey's HSD in SciPy, and the p-values of some pairs."""
    if full:
        start = time.perf_counter()
        p = stats.tukey_hsd(*values).pvalue[np.triu_indices(SYSTEMS, 1)]
        return time.perf_counter() - start, p, np.arange(len(p))
    outcome = anova(values, topics=False)
    chosen = np.linspace(0, len(outcome.pairs) - 1, SAMPLE).astype(np.int64)
    start = time.perf_counter()
    p = np.array([stats.studentized_range.sf(q, SYSTEMS, outcome.degrees) for q in outcome.statistic[chosen]])
    return (time.perf_counter() - start) / SAMPLE * len(outcome.pairs), p, chosen


def main() -> None:
    """Measures, prints tables and bars; exits with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=7, help="runs of each of our tests (default: %(default)s)")
    parser.add_argument("--full", action="store_true", help="run scipy.stats.tukey_hsd as a whole: minutes")
    parser.add_argument("--large", action="store_true", help="compare large tables too: minutes")
    arguments = parser.parse_args()
    values = make_values(8)
    pairs = SYSTEMS * (SYSTEMS - 1) // 2
    print(
        f"{SYSTEMS} systems × {TOPICS} topics, {pairs} pairs; Python {platform.python_version()}, {platform.machine()}\n",
        flush=True,
    )
    peers: dict[str, tuple[Callable[[], Values], Callable[[Values, Values], float]]] = {
        "t": (lambda: paired_t(values).p, lambda a, b: stats.ttest_rel(a, b).pvalue),
        "sign": (lambda: sign_test(values).p, lambda a, b: stats.binomtest(int((a > b).sum()), int((a != b).sum())).pvalue),
        "signed-rank": (
            lambda: signed_rank(values, exact=0).p,
            lambda a, b: stats.wilcoxon(a, b, method="asymptotic").pvalue,
        ),
        "rank-sum": (lambda: rank_sum(values).p, lambda a, b: stats.mannwhitneyu(a, b, method="asymptotic").pvalue),
    }
    rows, found = [], []
    for name, (ours, theirs) in peers.items():
        slow, p = scipy_loop(theirs, values)
        check(name, ours(), p)
        quick = median(ours, arguments.repeat)
        rows.append([name, f"{slow:.2f}", f"{1000 * quick:.2f}", f"{slow / quick:.0f}"])
        found.append(Bar(f"{name}: times as fast as SciPy pair by pair", slow / quick, "≥", 100))
    slow, p, chosen = scipy_tukey(values, full=arguments.full)
    outcome = anova(values, topics=False)
    check("tukey", outcome.family_p[chosen], p)
    quick = median(lambda: anova(values, topics=False), arguments.repeat)
    rows.append(["anova + Tukey HSD", f"{slow:.2f}", f"{1000 * quick:.2f}", f"{slow / quick:.0f}"])
    how = "scipy.stats.tukey_hsd" if arguments.full else f"{SAMPLE} values of SciPy's studentized range × {pairs} / {SAMPLE}"
    found.append(Bar("Tukey HSD: times as fast as SciPy", slow / quick, "≥", 1000))
    print(table(["test", "SciPy, s", "Mensura, ms", "ratio"], rows))
    print(f"SciPy's Tukey HSD: {how}\n")
    alone = {
        "randomised Tukey HSD": lambda: randomised_tukey(values),
        "randomisation": lambda: randomisation_test(values),
        "step-down max-T": lambda: max_t(values),
        "bootstrap": lambda: bootstrap_test(values),
        "studentised bootstrap, step-down max-T": lambda: bootstrap_t(values),
    }
    rows = []
    for name, work in alone.items():
        start = time.perf_counter()
        work()
        taken = time.perf_counter() - start
        rows.append([name, f"{taken:.2f}"])
        if name == "randomised Tukey HSD":
            found.append(Bar("randomised Tukey HSD, 10 000 permutations: seconds", taken, "≤", 10, " s"))
    print(table(["10 000 draws, all pairs", "Mensura, s"], rows), end="\n\n")
    if arguments.large:
        rows, large = compare_large()
        found += large
        print(table(["default comparison", "clock, s", "processor, s", "MB"], rows), end="\n\n")
    print(bars(found))
    sys.exit(0 if all(bar.met for bar in found) else 1)


if __name__ == "__main__":
    main()
