"""Both engines on the same runs, the line rate of a core, the scheduler's cost of a task, and the peak memory of workers.

python benchmarks/scaleout.py                          # 10⁷ lines: 10⁵ topics × 100, TREC's format in 4 files
python benchmarks/scaleout.py --topics 1000000         # 10⁸ lines, 5 GB of disk
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

from mensura import pieces

MEASURES = ["AP", "nDCG@10", "RR"]


def write(folder: Path, topics: int, ranks: int, files: int) -> int:
    """Write judgments and a run in parts; return the bytes of the run."""
    with (folder / "qrels.txt").open("w") as qrels:
        qrels.writelines(f"{topic} 0 d{topic * 7 % 1000 + rank * 13} {rank % 3}\n" for topic in range(topics) for rank in range(5))
    total = 0
    for file in range(files):
        path = folder / f"part-{file}.run"
        with path.open("w") as run:
            for topic in range(topics * file // files, topics * (file + 1) // files):
                first = topic * 7 % 1000
                run.write("".join(f"{topic} Q0 d{first + rank * 5} {rank} {ranks - rank} big\n" for rank in range(ranks)))
        total += path.stat().st_size
    return total


def nothing(shared: object, piece: int) -> int:
    """Return the piece: what a task costs that does nothing."""
    del shared
    return piece


def peak() -> float:
    """Peak memory of this process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--topics", type=int, default=100_000)
    parser.add_argument("--ranks", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="1GB")
    arguments = parser.parse_args()
    lines = arguments.topics * arguments.ranks
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write(folder, arguments.topics, arguments.ranks, 4)
        print(f"{lines:.0e} lines, {size / 1e6:.0f} MB, load {os.getloadavg()[0]:.1f}")
        started = time.perf_counter()
        expected = pieces.means(folder / "qrels.txt", str(folder / "part-*"), MEASURES, threads=arguments.workers).means()
        threads = time.perf_counter() - started
        print(f"threads: {threads:.1f} s, {lines / threads / arguments.workers:.3g} lines a second and core, peak {peak():.0f} MB")
        started = time.perf_counter()
        with (
            LocalCluster(
                n_workers=arguments.workers, threads_per_worker=1, memory_limit=arguments.memory, dashboard_address=None
            ) as cluster,
            Client(cluster) as client,
        ):
            start = time.perf_counter() - started
            started = time.perf_counter()
            means = pieces.means(folder / "qrels.txt", str(folder / "part-*"), MEASURES, engine=client).means()
            dask = time.perf_counter() - started
            peaks = client.run(peak)
            print(
                f"dask:    {dask:.1f} s and {start:.1f} s to start, {lines / dask / arguments.workers:.3g} lines a second and core"
            )
            print(f"         same means: {means == expected}; throughput {threads / dask:.2f} × threads")
            print(f"         peak of workers: {', '.join(f'{each:.0f} MB' for each in peaks.values())}")
            number = 2000
            started = time.perf_counter()
            tasks = [client.submit(nothing, None, piece, key=f"nothing-{piece}-{started}") for piece in range(number)]
            client.gather(tasks)
            each = (time.perf_counter() - started) / number
            print(f"an empty task: {1e3 * each:.1f} ms; 100 workers with tasks of 4 s: {100 * each * 25:.0f} % of a scheduler")
        print(f"10⁹ lines would take {1e9 / (lines / dask / arguments.workers) / 3600:.2f} core hours")


if __name__ == "__main__":
    main()
