"""What records cost, and how many tests a ledger takes.

Records: `mensura evaluate -o` with and without them, as whole processes in turn, for 129 runs × 50 topics × 1000 documents
(seeded, made once, kept in a cache), plain and compressed. Seconds are medians; processor seconds hardly move with what else runs
on the machine.
The ledger: eight processes write tests one by one, each on the disk before the next.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from common.processes import Samples, measure
from common.report import table

HERE = Path(__file__).resolve().parent
WRITERS = 8
WRITER = """
import sys
from pathlib import Path
from mensura.ledger import Collection, Entry, Ledger
path, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
collection = Collection("0" * 64, "qrels", 50, 1000)
same = dict(topics="", measure="AP", scale="original", test="t", draws="", company="", first="a", second="b")
with Ledger(path) as ledger:
    for number in range(count):
        ledger.enter(collection, [Entry(collection=collection.digest, first_run=name, second_run=str(number), **same)])
"""


def workload(cache: Path, *, quick: bool) -> tuple[Path, list[Path], list[Path]]:
    """Judgments, runs, and the same runs compressed."""
    maker = HERE / "evaluation" / "workloads.py"
    folder = cache / f"S{'-quick' if quick else ''}-{zlib.crc32(maker.read_bytes()):08x}"
    if not folder.exists():
        print(f"  making {folder} …", flush=True)
        unfinished = folder.with_name(f"{folder.name}.{os.getpid()}")
        subprocess.run([sys.executable, maker, "S", unfinished, *(["--quick"] if quick else [])], check=True)
        unfinished.rename(folder)
    plain = sorted((folder / "clean").iterdir())
    packed = cache / f"{folder.name}-packed"
    if not packed.exists():
        unfinished = packed.with_name(f"{packed.name}.{os.getpid()}")
        unfinished.mkdir()
        for run in plain:
            (unfinished / f"{run.name}.gz").write_bytes(gzip.compress(run.read_bytes(), 6))
        unfinished.rename(packed)
    return folder / "qrels.txt", plain, sorted(packed.iterdir())


def records(mensura: Path, cache: Path, scratch: Path, repeat: int, *, quick: bool) -> None:
    """Prints the seconds with and without records."""
    qrels, plain, packed = workload(cache, quick=quick)
    rows = []
    for what, runs in (("plain", plain), ("gzip", packed)):
        found = {"off": Samples(), "on": Samples()}
        for _ in range(repeat):
            for state, samples in found.items():
                os.environ["MENSURA_RECORD"] = state
                samples.all.append(measure([mensura, "evaluate", qrels, *runs, "-q", "-f", "csv", "-o", scratch / "result.csv"]))
        off, on = found["off"], found["on"]
        rows.append(
            [
                f"{len(runs)} runs, {what}, {sum(run.stat().st_size for run in runs) / 1e6:.0f} MB",
                f"{off.median:.2f}",
                f"{on.median:.2f}",
                f"{off.processor:.2f}",
                f"{on.processor:.2f}",
                f"{on.processor / off.processor:.2f}",
            ]
        )
    print(table(["records", "s without", "s with", "processor s without", "with", "ratio"], rows))


def ledger(scratch: Path, writes: int) -> None:
    """Prints how many tests eight processes enter in a second."""
    path = scratch / "ledger.sqlite"
    start = time.perf_counter()
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, path, str(number), str(writes)]) for number in range(WRITERS)]
    if any(writer.wait() for writer in writers):
        raise SystemExit("a writer failed")
    seconds = time.perf_counter() - start
    rate = WRITERS * writes / seconds
    print(f"ledger: {WRITERS} processes × {writes} tests in {seconds:.1f} s: {rate:.0f} in a second, each on the disk")


def main() -> None:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="rounds (default: %(default)s)")
    parser.add_argument("--writes", type=int, default=1000, metavar="N", help="tests for each process (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the runs")
    parser.add_argument("--mensura", type=Path, default=Path(sys.executable).parent / "mensura", help="the command to time")
    parser.add_argument(
        "--cache", type=Path, default=Path(tempfile.gettempdir()) / "mensura-benchmarks", help="where workloads are kept"
    )
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        records(arguments.mensura, arguments.cache, Path(scratch), arguments.repeat, quick=arguments.quick)
        ledger(Path(scratch), arguments.writes)


if __name__ == "__main__":
    main()
