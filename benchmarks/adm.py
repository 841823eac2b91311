"""All variants of ADM on a real collection, and the experiments around it.

    python benchmarks/adm.py [--quick] [--repeat N] [--data FOLDER]

The data are those of the Deep Learning track 2021 (63 systems, 53 topics, 4 grades, real scores); without them, a campaign of the
same shape is simulated, which is said. Seconds are the best of some rounds; reading the runs is timed apart.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from common.report import Bar, bars, table
from mensura import AP, judge
from mensura.adm import calibrate, correlations, fewer_topics, variants
from mensura.measures.distance import ADM
from mensura.study.example import example

if TYPE_CHECKING:
    from collections.abc import Callable

    from mensura import JudgedRuns

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "dl21"
WANTED = 5.0  # seconds for all variants of P2


def timed(work: Callable[[], object], repeat: int) -> float:
    """Seconds: the best of some rounds."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def read(folder: Path, *, scores: bool) -> Callable[[], JudgedRuns]:
    """Judges all runs of a folder."""
    return lambda: judge(folder / "qrels.txt", sorted((folder / "runs").iterdir()), scores=scores)


def measure_all(folder: Path, repeat: int) -> tuple[list[list[str]], list[Bar]]:
    """All jobs."""
    judged = read(folder, scores=True)()
    plain, kept = (timed(read(folder, scores=scores), repeat) for scores in (False, True))

    def every_variant() -> None:
        again = read(folder, scores=True)()  # so that no pool is remembered from the round before
        for variant in variants():
            variant.score(again)

    seconds = timed(every_variant, repeat)
    jobs = [
        ("reading, grades only", plain),
        ("reading, with scores", kept),
        (f"reading, and {len(variants())} variants of P2", seconds),
        ("correlations of all variants", timed(lambda: correlations(judged, variants()), repeat)),
        ("stability, 5 measures, 200 samples", timed(lambda: fewer_topics(judged, [AP(), *variants()[:4]], AP()), repeat)),
        ("calibration, 9 fixed and 4 learnt", timed(lambda: calibrate(judged, ADM(documents="retrieved-assessed")), repeat)),
    ]
    shape = f"{judged.shape[0]} systems × {judged.shape[1]} topics"
    return [[name, f"{each:.2f} s"] for name, each in jobs], [Bar(f"all variants, {shape}", seconds, "≤", WANTED, " s")]


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="a folder with qrels.txt and runs/")
    arguments = parser.parse_args()
    repeat = 1 if arguments.quick else arguments.repeat
    print(f"ADM, Python {platform.python_version()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.data
        if not folder.is_dir():
            folder = Path(temporary)
            example(1, systems=26, topics=53).write(folder)
            print(f"{arguments.data} is not there: a simulated campaign of 26 systems instead")
        rows, found = measure_all(folder, repeat)
    print(f"\n{table(['job', 'seconds'], rows)}\n\n{bars(found)}")


if __name__ == "__main__":
    main()
