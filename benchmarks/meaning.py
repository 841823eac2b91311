"""Times verdicts about leaderboards and searches for counterexamples, beside the same in plain Python.

Leaderboards: all 8256 pairs of 129 systems on 50 topics, from values to verdicts. The data are those of TREC-8 where they are at
hand, else a simulated table of the same shape. The peer takes the definitions as they stand, pair by pair.

Searches: all pairs of intervals of binary runs of length 8, for AP, ERR and RR. The peer is four loops over runs; since these would
take hours at length 8, both are measured at a shorter length for the ratio. A comparison of different answers would be worthless:
an answer that differs stops the benchmark.
"""

from __future__ import annotations

import argparse
import sys
import time
from fractions import Fraction
from functools import partial
from itertools import accumulate, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from common.report import Bar, bars, table
from mensura import judge, parse_measure, read_qrels
from mensura.scales.meaning.dominance import Leaderboard, leaderboard
from mensura.scales.order.intervals import Census, census
from mensura.scales.order.values import Subject

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8"
LEADERBOARDS = ("AP@30", "P@10", "RR@30")
SEARCHED = ("AP", "ERR", "RR")
LONG = 8
PAIRS_LIMIT, SEARCH_LIMIT = 1.0, 30.0  # seconds


def best(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """The shortest of several times, and the result."""
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - started)
    return min(times), result


def boards() -> list[tuple[str, Leaderboard]]:
    """Values of the measures, of real systems or of simulated ones."""
    if DATA.is_dir():
        judged = judge(read_qrels(DATA / "qrels.txt"), sorted((DATA / "runs").iterdir()), depth=30)
        return [(name, leaderboard(parse_measure(name), judged, interval=False)) for name in LEADERBOARDS]
    print("no real data: simulated values")
    rng = np.random.default_rng(8)
    values = rng.beta(1, 3, (129, 1)) * rng.beta(2, 2, (129, 50))
    rounded = (values, np.round(values, 1), 1 / np.round(1 / np.maximum(values, 1 / 31)))
    systems = tuple(f"system{number}" for number in range(129))
    return [(name, Leaderboard(systems, each)) for name, each in zip(LEADERBOARDS, rounded, strict=True)]


def verdicts(board: Leaderboard) -> dict[str, int]:
    """All verdicts, computed anew."""
    anew = Leaderboard(board.systems, board.values, board.higher_is_better, mean=board.means, codes=board.codes)
    counts = anew.counts()
    return counts | {"undecided": counts["undecided"] + counts["equal means"]}


def naive_verdicts(board: Leaderboard) -> dict[str, int]:
    """The same by their definitions, on the same levels."""
    rows = list(zip(board.means.tolist(), board.places.tolist(), strict=True))
    counted = {"one scale per topic": 0, "one scale": 0, "undecided": 0}
    for number, (mean, mine) in enumerate(rows):
        for other_mean, yours in rows[number + 1 :]:
            high, low = (mine, yours) if mean >= other_mean else (yours, mine)
            if high != low and all(a >= b for a, b in zip(high, low, strict=True)):
                counted["one scale per topic"] += 1
            elif sorted(high) != sorted(low) and all(a >= b for a, b in zip(sorted(high), sorted(low), strict=True)):
                counted["one scale"] += 1
            else:
                counted["undecided"] += 1
    return counted


def naive_census(subject: Subject) -> Census:
    """Four loops: every interval against every other."""
    runs = list(product((0, 1), repeat=subject.length))
    sums = {run: tuple(accumulate(run)) for run in runs}
    values = {run: Fraction(subject.value(run)) for run in runs}
    intervals = []
    for low in runs:
        for high in runs:
            steps = [b - a for a, b in zip(sums[low], sums[high], strict=True)]
            if low != high and min(steps) >= 0:
                intervals.append((tuple(accumulate(steps)), values[high] - values[low]))
    compared = violated = 0
    for large, rise in intervals:
        for small, other in intervals:
            if all(a >= b for a, b in zip(large, small, strict=True)):
                compared += 1
                violated += rise < other
    return Census(len(intervals), compared - len(intervals), violated)


def same(what: str, ours: object, theirs: object) -> None:
    """Stops if two answers differ."""
    if ours != theirs:
        sys.exit(f"{what}: {ours} here, {theirs} by the definition")


def leaderboards(repeat: int) -> list[Bar]:
    """All pairs of the leaderboards."""
    rows, found = [], []
    for name, board in boards():
        mine, counts = best(partial(verdicts, board), repeat)
        peer, expected = best(partial(naive_verdicts, board), 1)
        same(name, {verdict: counts[verdict] for verdict in expected}, expected)
        rows.append([name, f"{mine * 1000:.1f}", f"{peer * 1000:.0f}", f"{peer / mine:.0f}×"])
        found.append(Bar(f"{name}: all 8256 pairs", mine, "≤", PAIRS_LIMIT, " s"))
    print("verdicts on all 8256 pairs\n" + table(["", "mensura ms", "plain Python ms", "ratio"], rows))
    return found


def searches(repeat: int, short: int) -> list[Bar]:
    """All pairs of intervals."""
    rows, found = [], []
    for name in SEARCHED:
        brief, whole = (Subject(parse_measure(name), length) for length in (short, LONG))
        long, counted = best(partial(census, whole), repeat)
        mine, ours = best(partial(census, brief), repeat)
        peer, theirs = best(partial(naive_census, brief), 1)
        same(name, ours, theirs)
        times = [f"{mine:.3f}", f"{peer:.2f}", f"{peer / mine:.0f}×", f"{long:.2f}"]
        rows.append([name, *times, str(counted.compared), str(counted.violated)])
        found.append(Bar(f"{name}: all intervals at N = {LONG}", long, "≤", SEARCH_LIMIT, " s"))
    headings = ["", f"N={short} s", "loops s", "ratio", f"N={LONG} s", "pairs of intervals", "violated"]
    print("\nsearch over all pairs of intervals\n" + table(headings, rows))
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Times verdicts about leaderboards and searches for counterexamples.")
    parser.add_argument(
        "--repeat", type=int, default=3, help="how often Mensura is timed; the shortest counts (default: %(default)s)"
    )
    parser.add_argument("--length", type=int, default=6, help="the length at which both search (default: %(default)s)")
    arguments = parser.parse_args()
    found = leaderboards(arguments.repeat) + searches(arguments.repeat, arguments.length)
    print(f"\n{bars(found)}")
    sys.exit(not all(bar.met for bar in found))


if __name__ == "__main__":
    main()
