"""Both engines on the same runs, the line rate of a core, the cost of a piece, and the peak memory of workers.

python benchmarks/scaleout.py                 # 10⁷ lines: 10⁵ topics × 100, TREC's format in 4 files and Parquet in 40
python benchmarks/scaleout.py --lines 1e8     # 10⁸ lines, 4 GB of disk

Bars: throughput of Dask ≥ 0.85 × threads, and peak of a worker ≤ 700 MB of 1 GB, both at 10⁸ lines.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from distributed import Client, LocalCluster

from mensura import pieces
from mensura.engines.dask_tasks import Dispatch

MEASURES = ["AP", "nDCG@10", "RR"]
TEXTS, TABLES = 4, 40
EMPTY = 2000
SECONDS = 4  # of a piece, in the model
BLOCK = 5000  # topics that are written at once


def nothing(shared: object, piece: int) -> int:
    """Return the piece: the cost of a piece without work."""
    del shared
    return piece


def peak() -> float:
    """Peak memory of this process, in MB; not of the one that started it, which getrusage counts too."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def write_text(folder: Path, topics: int, ranks: int) -> None:
    """Write judgments, and a run as text in parts."""
    with (folder / "qrels.txt").open("w") as qrels:
        for topic in range(topics):
            qrels.write("".join(f"{topic} 0 d{topic * 7 % 1000 + rank * 13} {rank % 3}\n" for rank in range(5)))
    for part in range(TEXTS):
        with (folder / f"part-{part}.run").open("w") as run:
            for topic in range(topics * part // TEXTS, topics * (part + 1) // TEXTS):
                first = topic * 7 % 1000
                run.write("".join(f"{topic} Q0 d{first + rank * 5} {rank} {ranks - rank} big\n" for rank in range(ranks)))


def write_tables(folder: Path, topics: int, ranks: int) -> None:
    """Write the same run as Parquet in parts, in blocks of some topics."""
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([("query_id", pa.string()), ("doc_id", pa.string()), ("score", pa.float64())])
    for part in range(TABLES):
        start, stop = topics * part // TABLES, topics * (part + 1) // TABLES
        with parquet.ParquetWriter(folder / f"part-{part:02}.parquet", schema) as writer:
            for block in range(start, stop, BLOCK):
                some = range(block, min(block + BLOCK, stop))
                rows = {
                    "query_id": [str(topic) for topic in some for _ in range(ranks)],
                    "doc_id": [f"d{topic * 7 % 1000 + rank * 5}" for topic in some for rank in range(ranks)],
                    "score": [float(ranks - rank) for _ in some for rank in range(ranks)],
                }
                writer.write_table(pa.table(rows, schema=schema))


def on_threads(folder: Path, pattern: str, lines: int, workers: int) -> tuple[float, dict[str, dict[str, float]]]:
    """Measure the threads of this process."""
    started = time.perf_counter()
    means = pieces.means(folder / "qrels.txt", str(folder / pattern), MEASURES, threads=workers).means()
    took = time.perf_counter() - started
    print(f"  threads: {took:.1f} s, {lines / took / workers:.3g} lines a second and core, peak {peak():.0f} MB")
    return took, means


def on_dask(folder: Path, pattern: str, lines: int, workers: int, memory: str) -> tuple[float, dict[str, dict[str, float]]]:
    """Measure new workers of a local cluster."""
    started = time.perf_counter()
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=memory, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        start = time.perf_counter() - started
        started = time.perf_counter()
        means = pieces.means(folder / "qrels.txt", str(folder / pattern), MEASURES, engine=client).means()
        took = time.perf_counter() - started
        peaks = ", ".join(f"{each:.0f} MB" for each in client.run(peak).values())
    print(f"  dask:    {took:.1f} s and {start:.1f} s to start, {lines / took / workers:.3g} lines a second and core")
    print(f"           peaks of workers: {peaks}, of {memory}")
    return took, means


def cost_of_a_piece(workers: int) -> None:
    """Measure pieces without work, one in a group: on the clock, and the processor of client and scheduler."""
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        job = Dispatch(nothing, range(EMPTY), None)
        common = job.common(client)
        client.gather([job.submit(client, common, range(1))])
        started, processor = time.perf_counter(), time.process_time()
        client.gather([job.submit(client, common, range(piece, piece + 1)) for piece in range(1, EMPTY)])
        took, busy = (1e3 * each / EMPTY for each in (time.perf_counter() - started, time.process_time() - processor))
    share = 100 * busy / 1e3 / SECONDS
    print(f"an empty piece: {took:.2f} ms, of which client and scheduler compute {busy:.2f} ms")
    print(f"100 workers with pieces of {SECONDS} s: client and scheduler are busy for {100 * share:.1f} % of the time")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=float, default=1e7)
    parser.add_argument("--ranks", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--write", nargs=2, help=argparse.SUPPRESS)  # a process of its own: its memory must not count here
    arguments = parser.parse_args()
    topics, lines = int(arguments.lines / arguments.ranks), int(arguments.lines)
    if arguments.write:
        folder, kind = arguments.write
        (write_text if kind == "text" else write_tables)(Path(folder), topics, arguments.ranks)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, pattern in (("text", "part-*.run"), ("Parquet", "part-*.parquet")):
            options = ["--lines", str(lines), "--ranks", str(arguments.ranks), "--write", name, kind]
            subprocess.run([sys.executable, __file__, *options], check=True)
            size = sum(path.stat().st_size for path in folder.glob(pattern))
            print(f"{kind}: {lines:.0e} lines, {size / 1e6:.0f} MB, {len(list(folder.glob(pattern)))} files", end="")
            print(f", load {os.getloadavg()[0]:.1f}", flush=True)
            threads, expected = on_threads(folder, pattern, lines, arguments.workers)
            dask, means = on_dask(folder, pattern, lines, arguments.workers, arguments.memory)
            print(f"           same means: {means == expected}; throughput {threads / dask:.2f} × threads (bar 0.85)")
            print(f"           10⁹ lines would take {1e9 * dask * arguments.workers / lines / 3600:.2f} core hours", flush=True)
            for path in folder.glob(pattern):
                path.unlink()
    cost_of_a_piece(arguments.workers)


if __name__ == "__main__":
    main()
