"""Time of counting interval scales, against NumPy enumeration with np.unique in the same run.

    python benchmarks/scales.py [--repeat 3]

Each measurement runs in a process of its own, without a cache, and reports its best time, processor time and peak memory. The runs
are the 6450 of TREC-8 where the real data are there (../shared/data/trec8), else as many are drawn with a fixed seed.
"""

import argparse
import json
import math
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

import mensura
from mensura.measures.decomposition import Additive, AveragePrecision, Cascade, Decomposition, GeometricDiscount, LogDiscount
from mensura.scales.interval import interval_scale

Judged = NDArray[np.int8]
TREC8 = Path(__file__).resolve().parents[2] / "shared" / "data" / "trec8"
BINARY = (Fraction(0), Fraction(1))
LINEAR = tuple(Fraction(grade) for grade in range(4))
DCG = Additive(LogDiscount(Fraction(2)), BINARY)
GRADED_DCG = Additive(LogDiscount(Fraction(2)), LINEAR)
RBP = Additive(GeometricDiscount(Fraction(4, 5)), BINARY)
ERR = Cascade((Fraction(0), Fraction(1, 2)))


def drawn(length: int, levels: int = 2, many: int = 6450) -> Judged:
    """Runs that get worse with rank, some good, most poor."""
    rng = np.random.default_rng(8)
    chance = rng.beta(0.7, 1.5, many)[:, None] * np.linspace(1, 0.4, length)
    return ((rng.random((many, length)) < chance) * rng.integers(1, levels, (many, length))).astype(np.int8)


def trec8() -> Judged:
    """The judged runs of TREC-8, cut at 30."""
    runs = mensura.judge(TREC8 / "qrels.txt", str(TREC8 / "runs" / "*.gz"), depth=30, compat="trec_eval-9")
    return (runs.grades >= 1).astype(np.int8).reshape(-1, 30)


def sorted_unique(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """np.unique by sorting, as NumPy did before it hashed integers; several times faster here."""
    values.sort()
    return np.asarray(values[np.concatenate([[True], values[1:] != values[:-1]])])


def enumerated_ap(length: int, judged: Judged, unique: Callable[[NDArray[np.int64]], NDArray[np.int64]]) -> int:
    """All 2^N numerators of AP over lcm(1 … N), made unique, and the ranks of runs among them."""
    unit = math.lcm(*range(1, length + 1))

    def numerators(column: Callable[[int], NDArray[np.bool_]], many: int) -> NDArray[np.int64]:
        seen, total = np.zeros(many, dtype=np.int64), np.zeros(many, dtype=np.int64)
        for rank in range(1, length + 1):
            hit = column(rank)
            seen += hit
            total += hit * seen * (unit // rank)
        return total

    everything = np.arange(2**length, dtype=np.int64)
    values = unique(numerators(lambda rank: (everything >> (length - rank)) & 1 == 1, len(everything)))
    np.searchsorted(values, numerators(lambda rank: judged[:, rank - 1] > 0, len(judged)))
    return len(values)


def enumerated_sum(weights: NDArray[np.float64], judged: Judged) -> int:
    """All 2^N sums in doubles; they are near the truth only because 2^N is small."""
    values = np.zeros(1)
    for weight in weights:
        values = np.concatenate([values, values + weight])
    values = np.unique(values)
    np.searchsorted(values, judged @ weights)
    return len(values)


def ranks(measure: Decomposition, judged: Judged, length: int) -> int:
    """Ranks all runs."""
    scale = interval_scale(measure, length)
    scale.rank(judged[:, :length])
    return scale.steps


def width(measure: Decomposition, judged: Judged, length: int, grades: tuple[int, ...], goal: float) -> float:
    """Brackets all runs; how wide the widest came out."""
    return interval_scale(measure, length, grades).bracket(judged, goal).width


def proportion(name: str, universe: str, aim: float | None) -> float:
    """Mid-p of all judged runs of TREC-8 by AP among those of a universe; the median width of its bounds."""
    measure = mensura.parse_measure(name)
    runs = mensura.judge(TREC8 / "qrels.txt", str(TREC8 / "runs" / "*.gz"), depth=measure.cutoff)
    ranks = mensura.score(runs, [measure])[name].on_interval_scale(universe=universe, width=aim)  # type: ignore[arg-type]
    return float(np.median(ranks.high - ranks.low))


def cases(judged: Judged) -> dict[str, Callable[[], object]]:
    """Every measurement by name."""
    found: dict[str, Callable[[], object]] = {
        "AP@30, all steps and the ranks of all runs": lambda: ranks(AveragePrecision(), judged, 30),
        "DCG(base=2)@30, ranks of all runs": lambda: ranks(DCG, judged, 30),
        "RBP(p=0.8)@30, ranks of all runs": lambda: ranks(RBP, judged, 30),
        "DCG(base=2)@100, bracket 1e-4": lambda: width(DCG, drawn(100), 100, (0, 1), 1e-4),
        "DCG(base=2)@30, 4 grades, bracket 1e-4": lambda: width(GRADED_DCG, drawn(30, 4), 30, (0, 1, 2, 3), 1e-4),
        "DCG(base=2)@1000, bracket 1e-3": lambda: width(DCG, drawn(1000), 1000, (0, 1), 1e-3),
        "AP@24, NumPy enumeration, np.unique": lambda: enumerated_ap(24, judged, np.unique),
        "AP@24, NumPy enumeration, sorting": lambda: enumerated_ap(24, judged, sorted_unique),
        "RBP(p=0.8)@24, NumPy enumeration": lambda: enumerated_sum(0.2 * np.power(0.8, np.arange(24)), judged[:, :24]),
    }
    if TREC8.is_dir():
        found |= {
            "AP@100 among all runs, bounds .003": lambda: proportion("AP@100", "all", 0.003),
            "AP@1000 among observed runs, estimates .006": lambda: proportion("AP@1000", "observed", 0.006),
            "AP@1000, independent ranks, default bounds": lambda: proportion("AP@1000", "independent", None),
        }
    found |= {f"AP@{n}": lambda n=n: ranks(AveragePrecision(), judged, n) for n in (20, 22, 24, 26, 28)}  # type: ignore[misc]
    found |= {f"RBP(p=0.8)@{n}": lambda n=n: ranks(RBP, judged, n) for n in (20, 24, 28)}  # type: ignore[misc]
    found |= {f"ERR@{n}": lambda n=n: ranks(ERR, judged, n) for n in (20, 24, 26)}  # type: ignore[misc]
    return found


BARS = {
    "AP@30, all steps and the ranks of all runs": 12.0,
    "DCG(base=2)@30, ranks of all runs": 0.5,
    "RBP(p=0.8)@30, ranks of all runs": 0.5,
    "DCG(base=2)@100, bracket 1e-4": 1.0,
    "DCG(base=2)@30, 4 grades, bracket 1e-4": 5.0,
    "DCG(base=2)@1000, bracket 1e-3": 30.0,
    "AP@100 among all runs, bounds .003": 3.0,
    "AP@1000 among observed runs, estimates .006": 60.0,
    "AP@1000, independent ranks, default bounds": 60.0,
}


def measure_here(name: str, repeat: int, judged: Judged) -> None:
    """Runs one case and prints what it took."""
    work, times, processor, result = cases(judged)[name], [], [], None
    for _ in range(repeat):
        started, begun = perf_counter(), process_time()
        result = work()
        times.append(perf_counter() - started)
        processor.append(process_time() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
    print(json.dumps({"seconds": min(times), "worst": max(times), "cpu": min(processor), "peak": peak, "result": result}))


def measured(name: str, arguments: argparse.Namespace) -> dict[str, float]:
    """Measures one case in a process of its own."""
    command = [sys.executable, __file__, "--case", name, "--repeat", str(arguments.repeat)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "MENSURA_CACHE": "off"})
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    real = TREC8.is_dir()
    judged = trec8() if real else drawn(30)
    if arguments.case:
        measure_here(arguments.case, arguments.repeat, judged)
        return
    which = "of TREC-8" if real else "drawn at random"
    print(f"{len(judged)} judged runs {which}, {os.cpu_count()} cores, best (worst) of {arguments.repeat}, no cache\n")
    found = {}
    for name in cases(judged):
        found[name] = took = measured(name, arguments)
        bar = f"  bar {BARS[name]:g} s: {'met' if took['worst'] <= BARS[name] else 'MISSED'}" if name in BARS else ""
        spent = f"{took['seconds']:8.3f} ({took['worst']:.3f}) s, {took['cpu']:7.3f} s of processor {took['peak']:6.0f} MB"
        print(f"{name:46}{spent}  {took['result']:<12.6g}{bar}")
    print()
    for theirs in (name for name in found if "NumPy" in name):
        ours = theirs.split(",")[0]
        ratio, cpu, memory = (found[theirs][key] / found[ours][key] for key in ("seconds", "cpu", "peak"))
        print(f"{theirs}: {ratio:.0f} times our time, {cpu:.0f} times our processor time, {memory:.0f} times our memory")


if __name__ == "__main__":
    main()
