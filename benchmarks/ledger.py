"""Times the ledger: eight processes enter tests one by one, each on the disk before the next."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
    parser.add_argument("--writes", type=int, default=1000, metavar="N", help="tests for each process (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the tests")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        ledger(Path(scratch), arguments.writes // 10 if arguments.quick else arguments.writes)


if __name__ == "__main__":
    main()
