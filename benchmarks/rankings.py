"""Comparing rankings, against loops over SciPy on the same data in the same process.

    python benchmarks/rankings.py [--quick] [--repeat N] [--data FOLDER]

Three jobs: one pair of long rankings, all measures; all pairs of 129 leaderboards; all pairs of the 129 runs of TREC-8 on 50 topics
at depth 100 (without the data, runs are simulated). SciPy has Spearman's ρ, Kendall's τ_b and the weighted τ; Mensura computes
these and all its other measures. SciPy's loops over many pairs are timed on a part of the pairs and scaled up, which is said.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from common.report import Bar, bars, table
from mensura.rankings import RankingPair, compare, matrix, over_topics, run_rankings

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8" / "runs"
SAMPLE = 300  # pairs that SciPy's loops are timed on


def timed(work: Callable[[], object], repeat: int) -> float:
    """Seconds: the best of some rounds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def all_measures(first: Any, second: Any) -> None:
    """Every number and every curve."""
    found = compare(first, second)
    found.numbers()
    _ = (found.footrule, found.kendall, found.point, found.area, found.agreement, found.misplacements)


def scipy_measures(x: np.ndarray, y: np.ndarray) -> None:
    """The three that SciPy has."""
    stats.spearmanr(x, y)
    stats.kendalltau(x, y)
    stats.weightedtau(x, y)


def long_rankings(items: int, repeat: int) -> tuple[list[list[str]], list[Bar]]:
    """Two rankings of many items."""
    rng = np.random.default_rng(1)
    first, second = rng.permutation(items), rng.permutation(items)
    names = [[f"document-{item}" for item in ranking.tolist()] for ranking in (first, second)]
    x, y = np.argsort(first), np.argsort(second)
    numbers = timed(lambda: all_measures(first, second), repeat)
    strings = timed(lambda: all_measures(*names), repeat)
    scipy = timed(lambda: scipy_measures(x, y), 1)
    size = f"{items:,}".replace(",", " ")
    what = f"{size} items, all measures"
    return [
        [f"{what}, whole numbers", f"{numbers:.2f}", f"{scipy:.2f}", f"{scipy / numbers:.1f}"],
        [f"{what}, strings", f"{strings:.2f}", f"{scipy:.2f}", f"{scipy / strings:.1f}"],
    ], [
        Bar(f"{what}, whole numbers", numbers, "≤", 3, " s"),
        Bar(f"{what}, strings", strings, "≤", 3, " s"),
    ]


def leaderboards(count: int, repeat: int) -> tuple[list[list[str]], list[Bar]]:
    """All pairs of leaderboards of as many systems."""
    rng = np.random.default_rng(2)
    quality = rng.normal(size=count)
    scores = np.round(quality + rng.normal(0, 0.3, (count, count)), 2)
    boards = {str(at): dict(enumerate(row.tolist())) for at, row in enumerate(scores)}
    mine = timed(lambda: matrix(boards), repeat)
    pairs = rng.integers(0, count, (SAMPLE, 2))
    scipy = timed(lambda: [scipy_measures(scores[i], scores[j]) for i, j in pairs], 1) * count * count / SAMPLE
    what = f"{count} × {count} leaderboards"
    return [[what, f"{mine:.3f}", f"{scipy:.2f} *", f"{scipy / mine:.0f}"]], [Bar(what, mine, "≤", 0.5, " s")]


def simulated_runs(systems: int, topics: int, depth: int) -> dict[str, dict[str, list[int]]]:
    """Runs that share about half of their documents."""
    rng = np.random.default_rng(3)
    quality = rng.normal(size=(topics, 20 * depth))
    return {
        f"run{system}": {
            str(topic): np.argsort(-(quality[topic] + rng.normal(0, 1, 20 * depth)))[:depth].tolist() for topic in range(topics)
        }
        for system in range(systems)
    }


def runs(folder: Path, count: int, repeat: int, depth: int = 100) -> tuple[list[list[str]], list[Bar]]:
    """All pairs of runs, topic by topic."""
    paths = sorted(folder.glob("*.gz"))[:count] if folder.is_dir() else []
    start = time.perf_counter()
    lists: dict[str, Any] = {path.name: run_rankings(path, depth=depth) for path in paths} or simulated_runs(count, 50, depth)
    reading = time.perf_counter() - start
    shared = [topic for topic in next(iter(lists.values())) if all(topic in run for run in lists.values())]
    mine = timed(lambda: over_topics(lists), repeat)
    rng = np.random.default_rng(4)
    systems = list(lists)
    asked = [(*rng.choice(systems, 2), rng.choice(shared)) for _ in range(SAMPLE)]
    pairs = [RankingPair.of(lists[first][topic], lists[second][topic]) for first, second, topic in asked]
    alone = timed(lambda: [scipy_measures(-pair.x, -pair.y) for pair in pairs], 1)
    scipy = alone * len(systems) ** 2 * len(shared) / SAMPLE
    what = f"{len(systems)} {'TREC-8' if paths else 'simulated'} runs pairwise, {len(shared)} topics, depth {depth}"
    return [
        [what, f"{mine:.2f}", f"{scipy:.0f} *", f"{scipy / mine:.0f}"],
        [f"  and {'reading and ranking' if paths else 'simulating'} them", f"{reading:.2f}", "–", "–"],
    ], [Bar(f"{what}, with reading", mine + reading, "≤", 30, " s")]


def main() -> None:
    """Runs the three jobs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds, of which the best counts")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size; the bars are not for this")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="the runs of TREC-8")
    arguments = parser.parse_args()
    scale = 10 if arguments.quick else 1
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, SciPy ρ + τ_b + weighted τ", flush=True
    )
    rows: list[list[str]] = []
    found: list[Bar] = []
    for more_rows, more_bars in (
        long_rankings(1_000_000 // scale, arguments.repeat),
        leaderboards(129, arguments.repeat),
        runs(arguments.data, 129 // scale, arguments.repeat),
    ):
        rows += more_rows
        found += more_bars
    print(table(["job", "Mensura, s", "SciPy, s", "ratio"], rows))
    print(f"* timed on {SAMPLE} pairs and scaled up\n\n{bars(found)}")


if __name__ == "__main__":
    main()
